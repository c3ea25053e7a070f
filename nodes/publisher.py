"""End a run: nothing unsupported leaves, the report is built, the episode kept.  Writes report, answer, messages."""

from __future__ import annotations

import asyncio
import logging
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.runtime import Runtime

from ..errors import CitewellError
from ..reasoners.protocol import Passage
from ..reports.markdown import render_markdown
from ..state.context import ResearchContext
from ..state.records import (
    Answer,
    Claim,
    Episode,
    Evidence,
    Issue,
    Ledger,
    OpenQuestion,
    Report,
    Status,
    StopReason,
)
from ..state.research import ResearchState, merge_fallbacks, merge_hosts
from .outcome import (
    checked,
    merged_questions,
    open_questions,
    publishable,
    reason_of,
    softened,
    status_of,
    unanswered,
    useful_sources,
)
from .services import Run, Services, ranked
from .validator import guardrail_issues, judged_claim

logger = logging.getLogger(__name__)

_PACKAGES = ("citewell", "langgraph", "langchain-core", "chromadb", "rank-bm25", "tantivy", "onnxruntime", "pypdfium2")


@dataclass(frozen=True)
class Publisher:
    """Turns the best draft into the report.  Its only side effect, the episode, may be repeated without harm."""

    services: Services

    async def __call__(self, state: ResearchState, runtime: Runtime[ResearchContext]) -> ResearchState:
        run = await self.services.run_of(state, runtime)
        packs = list(state["packs"].values())
        passages = await run.passages(ranked(state["evidence"], packs), state["packs"])
        if state["failure"]:
            report = self._failed(state, run)
        else:
            report = await self._finished(state, run, passages)
        await asyncio.to_thread(self._close, report, passages, run.info.user)
        answer = render_markdown(report)
        run.tell("answer", text=answer)
        asked = [] if run.info.from_messages else [HumanMessage(run.info.question)]
        return {
            "report": report,
            "answer": answer,
            "messages": [*asked, AIMessage(answer)],
            "question": "",
            "stop_reason": report.stop_reason,
        }

    def _close(self, report: Report, passages: Sequence[Passage], user: str) -> None:
        """Remember what worked, and let go of what the run held."""
        if report.status == "answered":
            try:
                self.services.episodes.add(_episode(report, passages, user))
            except CitewellError as error:  # the answer holds all the same
                logger.warning("this run is not remembered: %s", error)
        self.services.release(report.run_id)

    async def _finished(self, state: ResearchState, run: Run, passages: Sequence[Passage]) -> Report:
        draft, by_id = state["best"], {passage.chunk.chunk_id: passage for passage in passages}
        leaving = await self._leaving(state, run, by_id)
        removed = [claim for claim in draft.claims if leaving[claim.claim_id] is None]
        gaps = [gap for gap in state["gaps"] if not gap.optional]
        queries, seen = tuple(state["packs"]), tuple(dict.fromkeys(passage.chunk.uri for passage in passages))
        lost = tuple(
            OpenQuestion(
                question=claim.text,
                reason="no passage supports it: "
                + ("; ".join(state["verdicts"][claim.claim_id].reasons) or "none was found"),
                queries=queries,
                sources=seen,
            )
            for claim in removed
        )
        answer = publishable(draft, leaving, _limits(state))
        parts = unanswered(answer, state["plan"], gaps)
        holes = (*answer.open_questions, *open_questions(parts, gaps, queries, seen), *lost)
        counts = _count_issues(answer, state, run)
        answer = answer.model_copy(
            update={
                "sources": tuple(dict.fromkeys(by_id[key].chunk.uri for key in answer.citations if key in by_id)),
                "open_questions": merged_questions(holes),
                "risks_and_limits": (*answer.risks_and_limits, *(issue.message for issue in counts)),
            }
        )
        status = status_of(answer, state["plan"], gaps, counts)
        claim_issues = tuple(issue for issue in state["issues"] if issue.claim_id)
        ended = reason_of(state["stop_reason"], answer, state["gaps"])
        return self._report({**state, "stop_reason": ended}, run, status, answer, passages, (*claim_issues, *counts))

    async def _leaving(
        self, state: ResearchState, run: Run, passages: Mapping[str, Passage]
    ) -> dict[str, Claim | None]:
        """Decide for each claim of the best draft in what form it may leave."""
        judge = self.services.judge_of(run)

        async def form_of(claim: Claim) -> Claim | None:
            verdict = state["verdicts"][claim.claim_id]
            if verdict.support != "partial":
                return checked(claim, verdict) if verdict.support != "unsupported" else None
            soft = softened(claim, verdict)
            if soft is None:
                return None
            soft = checked(soft, await judged_claim(judge, soft, passages))
            return soft if soft.support == "supported" else None

        # A second opinion on what was softened takes a model's call each.
        claims = state["best"].claims
        forms = await asyncio.gather(*(form_of(claim) for claim in claims))
        return {claim.claim_id: form for claim, form in zip(claims, forms, strict=True)}

    def _failed(self, state: ResearchState, run: Run) -> Report:
        cancelled = state["stop_reason"] == "cancelled"
        status: Status = "insufficient_evidence" if cancelled else "failed"
        answer = Answer(title=run.info.resolved_question, risks_and_limits=(state["failure"],))
        reason: StopReason = "cancelled" if cancelled else "error"
        return self._report({**state, "stop_reason": reason}, run, status, answer, (), ())

    def _report(
        self,
        state: ResearchState,
        run: Run,
        status: Status,
        answer: Answer,
        passages: Sequence[Passage],
        issues: Sequence[Issue],
    ) -> Report:
        info, spent = run.info, run.budget.spent
        fixed = run.settings.fixed_time is not None
        return Report(
            run_id=info.run_id,
            thread_id=info.thread_id,
            created_at=info.created_at,
            question=info.question,
            resolved_question=info.resolved_question,
            status=status,
            stop_reason=state["stop_reason"] or "no_evidence",  # type: ignore[arg-type]
            failed_with=state["failed_with"],
            engine=info.engine,
            settings=info.settings,
            answer=answer,
            evidence=tuple(_evidence(passage, answer.citations) for passage in passages),
            facts=state["facts"],
            plan=state.get("plan"),
            sources=tuple(source for _, source in sorted(state["sources"].items())),
            steps=state["steps"],
            issues=tuple(issues),
            repairs=state["patches"],
            fallbacks=merge_fallbacks(state["fallbacks"], tuple(run.fallbacks)),
            hosts_contacted=merge_hosts(state["hosts"], run.hosts),
            episodes=state["episodes"],
            ledger=Ledger(
                iterations=len(state["steps"]),
                facts=len(state["facts"]),
                repairs=state["repairs"],
                model_calls=spent.calls,
                prompt_tokens=spent.prompt_tokens,
                completion_tokens=spent.completion_tokens,
                cost_usd=spent.cost_usd,
                seconds=0.0 if fixed else round(run.budget.seconds, 3),
            ),
            versions=versions(),
        )


@cache
def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that shape an answer."""
    found = {"python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _limits(state: ResearchState) -> tuple[str, ...]:
    """Say which sources were not read, or not as a whole, and which steps were done another way."""
    unread = [source for _, source in sorted(state["sources"].items()) if source.status == "failed"]
    lines = [f"Not read: {source.uri} ({source.reason})." for source in unread]
    for source in (each for _, each in sorted(state["sources"].items()) if not each.tables_whole):
        why = f" ({source.reason})" if source.reason else ""
        lines.append(f"Nothing is computed over {source.uri}: not all of its records were kept as table rows{why}.")
    lines += [f"{fallback.step}: {fallback.reason}" for fallback in state["fallbacks"]]
    return tuple(lines)


def _count_issues(answer: Answer, state: ResearchState, run: Run) -> tuple[Issue, ...]:
    draft = state["best"].model_copy(update={"summary": answer.executive_summary, "sections": answer.sections})
    issues = guardrail_issues(draft, state["verdicts"], set(state["evidence"]), state["facts"], run.settings)
    return tuple(issue for issue in issues if not issue.claim_id)


def _evidence(passage: Passage, cited: Sequence[str]) -> Evidence:
    chunk, hit = passage.chunk, passage.hit
    scores = hit.model_dump(exclude={"chunk_id", "rank"})
    place = chunk.model_dump(exclude={"index"})
    table = passage.rows if chunk.chunk_id in cited else ()
    return Evidence(**place, **scores, queries=passage.queries, table=table)


def _episode(report: Report, passages: Sequence[Passage], user: str) -> Episode:
    uris = {passage.chunk.chunk_id: passage.chunk.uri for passage in passages}
    return Episode(
        episode_id=report.run_id,
        created_at=report.created_at,
        question=report.resolved_question,
        sources=tuple(source.uri for source in report.sources if source.status == "ok"),
        queries=report.plan.queries if report.plan else (),
        useful_sources=useful_sources(report.facts, uris),
        user=user,
    )
