"""What a batch leaves: a line per question as it ends, a report each, and a summary."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TextIO

import click
from pydantic import Field

from ..errors import UsageError
from ..state.records import Record, Report
from .exit_codes import ANSWERED, BAD_INPUT, INSUFFICIENT, PROVIDER_FAILED, code_and_message, exit_code_of
from .progress import Progress

if TYPE_CHECKING:
    from ..graph.batch import Finished
    from ..graph.questions import BadLine


class Result(Record):
    """One line of the results.

    Attributes:
        status: The report's, or `error` where there is none, or `bad_line`.
        how: `asked` now, `resumed`, or `kept` from an earlier call.
        exit_code: What `citewell research` would have ended with.
        summary: For people: `[n]` is the n-th of `citations`, as in the report.
        summary_text: For programs: the same with the ids in it, as the report's JSON has it.
        report: The report's file, where one was written.
        seconds: Of the run itself; it may have taken several calls.
    """

    line: int
    id: str = ""
    question: str = ""
    status: str
    stop_reason: str = ""
    how: str = ""
    exit_code: int
    error: str = ""
    summary: str = ""
    summary_text: str = ""
    claims: int = 0
    citations: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    thread_id: str = ""
    run_id: str = ""
    report: str = ""
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0
    seconds: float = 0.0


class Summary(Record):
    """A batch in numbers.

    Attributes:
        cost_usd: None where the price of some call is unknown.
    """

    questions: int
    bad_lines: int = 0
    statuses: dict[str, int] = Field(default_factory=dict)
    asked: int = 0
    resumed: int = 0
    kept: int = 0
    seconds: float = 0.0
    runs_per_hour: float = 0.0
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0
    exit_code: int = 0

    def told(self) -> str:
        """Return it in words."""
        counts = ", ".join(f"{number} {status.replace('_', ' ')}" for status, number in sorted(self.statuses.items()))
        lines = [f"{self.questions} questions: {counts or 'none'}; {self.kept} of them finished earlier"]
        if self.bad_lines:
            lines.append(f"{self.bad_lines} lines could not be used")
        cost = "price unknown" if self.cost_usd is None else f"{self.cost_usd:.4f} US dollars"
        tokens = self.prompt_tokens + self.completion_tokens
        spent = f"{self.model_calls} model calls, {tokens:,} tokens, {cost}"
        lines.append(f"{self.seconds:.1f} s, {self.runs_per_hour:,.0f} runs an hour; {spent}")
        return "\n".join(lines)


@dataclass
class Results:
    """Gathers how questions end and writes them down as they do.

    Args:
        out: The folder; None for stdout.
        total: How many questions there are.
        bad: Lines that cannot be used; they stand among the results too.
    Raises: UsageError where the folder cannot be written.
    """

    out: Path | None
    total: int
    bad: Sequence[BadLine]
    progress: Progress
    _results: list[Result] = field(default_factory=list)
    _stream: TextIO | None = None
    _began: float = field(default_factory=time.monotonic)

    def __enter__(self) -> Self:
        if self.out is not None:
            try:
                self.out.mkdir(parents=True, exist_ok=True)
                self._stream = self._path.open("w", encoding="utf-8", errors="backslashreplace")
            except OSError as error:
                raise UsageError(f"{self.out}: cannot be written ({error.strerror})") from error
        for line in self.bad:
            self._write(Result(line=line.line, status="bad_line", exit_code=BAD_INPUT, error=line.reason))
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._stream is None or self.out is None:
            return
        self._stream.close()
        if kind is None:
            from ..reports.files import write_atomically

            # While it goes on, lines stand in the order in which they ended; now in that of the file.
            ordered = sorted(self._results, key=lambda result: result.line)
            try:
                write_atomically(self._path, "".join(f"{result.model_dump_json()}\n" for result in ordered))
                write_atomically(self.out / "summary.json", self.summary().model_dump_json(indent=2) + "\n")
            except OSError as error:
                raise UsageError(f"{self.out}: cannot be written ({error.strerror})") from error

    async def add(self, finished: Finished) -> None:
        """Write down how a question ended; its files are written in a thread."""
        path = ""
        if finished.report is not None and self.out is not None:
            path = await asyncio.to_thread(self._file, finished.report, finished.question.name)
        result = result_of(finished, path)
        self._write(result)
        if result.status in ("error", "failed"):
            self.progress.on_event({"type": "unanswered", "question": result.id, "reason": result.error})
        kept = sum(each.how == "kept" for each in self._results)
        done = len(self._results) - len(self.bad)
        if done > kept:
            self.progress.step("batch", done - kept, self.total - kept)

    def summary(self) -> Summary:
        """Count what there is so far."""
        runs = [result for result in self._results if result.status != "bad_line"]
        made = [result for result in runs if result.how != "kept"]
        seconds = time.monotonic() - self._began
        costs = [result.cost_usd for result in made]
        return Summary(
            questions=self.total,
            bad_lines=len(self.bad),
            statuses=dict(Counter(result.status for result in runs)),
            asked=sum(result.how == "asked" for result in runs),
            resumed=sum(result.how == "resumed" for result in runs),
            kept=len(runs) - len(made),
            seconds=round(seconds, 3),
            runs_per_hour=round(3600 * len(made) / seconds, 1) if seconds else 0.0,
            model_calls=sum(result.model_calls for result in made),
            prompt_tokens=sum(result.prompt_tokens for result in made),
            completion_tokens=sum(result.completion_tokens for result in made),
            cost_usd=None if None in costs else round(sum(cost or 0.0 for cost in costs), 6),
            exit_code=_worst({result.exit_code for result in self._results}),
        )

    @property
    def _path(self) -> Path:
        assert self.out is not None
        return self.out / "results.jsonl"

    def _file(self, report: Report, name: str) -> str:
        from ..reports.files import write_report

        assert self.out is not None
        return str(write_report(report, self.out / "reports", stem=name)[1])

    def _write(self, result: Result) -> None:
        self._results.append(result)
        line = result.model_dump_json()
        if self._stream is None:
            click.echo(line)
            return
        self._stream.write(f"{line}\n")
        self._stream.flush()


def result_of(finished: Finished, path: str = "") -> Result:
    """Return the line that tells how a question ended."""
    question, report = finished.question, finished.report
    asked: dict[str, Any] = {"line": question.line, "id": question.name, "question": question.question}
    asked |= {"how": finished.how, "thread_id": finished.thread_id}
    if report is None:
        code, message = code_and_message(finished.error or UsageError("no report was made"))
        return Result(**asked, status="error", exit_code=code, error=message, seconds=round(finished.seconds, 3))
    from ..reports.markdown import summary_line

    answer, ledger = report.answer, report.ledger
    limits = answer.risks_and_limits
    return Result(
        **asked,
        status=report.status,
        stop_reason=report.stop_reason,
        exit_code=exit_code_of(report),
        error=(limits[0] if limits else "failed") if report.status == "failed" else "",
        summary=summary_line(answer),
        summary_text=answer.summary_text,
        claims=len(answer.claims),
        citations=answer.citations,
        sources=answer.sources,
        open_questions=tuple(opened.question for opened in answer.open_questions),
        run_id=report.run_id,
        report=path,
        model_calls=ledger.model_calls,
        prompt_tokens=ledger.prompt_tokens,
        completion_tokens=ledger.completion_tokens,
        cost_usd=ledger.cost_usd,
        seconds=ledger.seconds,
    )


def _worst(codes: set[int]) -> int:
    """Return what is to be mended first: the input, then the provider, then the evidence."""
    return next((code for code in (BAD_INPUT, PROVIDER_FAILED, INSUFFICIENT) if code in codes), ANSWERED)
