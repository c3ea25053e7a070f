"""Support checking as LangChain runnables, to be put behind anybody's chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...state.records import Verdict
from .answers import CheckedAnswer, check_answer
from .check import check_support
from .features import Embed

if TYPE_CHECKING:
    from langchain_core.runnables import Runnable


def support_checker(embed: Embed | None = None) -> Runnable[dict[str, Any], Verdict]:
    """Return a runnable from `{"claim", "passages", "question"?}` to a `Verdict`; passages are texts or documents."""
    from langchain_core.runnables import RunnableLambda

    def check(task: dict[str, Any]) -> Verdict:
        return check_support(task["claim"], _texts(task["passages"]), question=task.get("question", ""), embed=embed)

    return RunnableLambda(check, name="check_support")


def answer_checker(embed: Embed | None = None) -> Runnable[dict[str, Any], CheckedAnswer]:
    """Return a runnable from `{"answer", "passages", "question"?}` to a `CheckedAnswer`."""
    from langchain_core.runnables import RunnableLambda

    def check(task: dict[str, Any]) -> CheckedAnswer:
        passages = task["passages"]
        texts = passages if isinstance(passages, dict) else _texts(passages)
        return check_answer(task["answer"], texts, question=task.get("question", ""), embed=embed)

    return RunnableLambda(check, name="check_answer")


def _texts(passages: Any) -> list[str]:
    return [passage if isinstance(passage, str) else passage.page_content for passage in passages]
