"""The fixed words of a report in the language of its question; evidence is never translated."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from ..state.records import Report
from ..text.fixed_sentences import said_in

DEFAULT_LANGUAGE = "en"


def words_for(language: str) -> Mapping[str, str]:
    """Return the fixed words of a language by its ISO 639-1 code; English where we have none."""
    table = _tables()
    return table.get(language.lower().split("-")[0], table[DEFAULT_LANGUAGE])


def language_for(language: str) -> str:
    """Return the code of the language that `words_for` answers in."""
    code = language.lower().split("-")[0]
    return code if code in _tables() else DEFAULT_LANGUAGE


def in_language(report: Report) -> Report:
    """Return a report whose fixed sentences are in the language of its question; what sources say is unchanged."""
    language = report.plan.language if report.plan else DEFAULT_LANGUAGE
    if language == DEFAULT_LANGUAGE:
        return report
    answer = report.answer
    told = answer.model_copy(
        update={
            "conflicts": tuple(
                each.model_copy(update={"reason": said_in(each.reason, language)}) for each in answer.conflicts
            ),
            "open_questions": tuple(
                each.model_copy(update={"reason": said_in(each.reason, language)}) for each in answer.open_questions
            ),
            "risks_and_limits": tuple(said_in(line, language) for line in answer.risks_and_limits),
        }
    )
    steps = tuple(
        step.model_copy(
            update={
                "gaps": tuple(gap.model_copy(update={"reason": said_in(gap.reason, language)}) for gap in step.gaps)
            }
        )
        for step in report.steps
    )
    issues = tuple(each.model_copy(update={"message": said_in(each.message, language)}) for each in report.issues)
    return report.model_copy(update={"answer": told, "steps": steps, "issues": issues})


@cache
def _tables() -> dict[str, dict[str, str]]:
    text = (files(__package__) / "templates" / "words.json").read_text(encoding="utf-8")
    tables: dict[str, dict[str, str]] = json.loads(text)
    return tables
