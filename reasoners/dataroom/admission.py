"""Which claims of a draft may stay under the policy: none that an export contradicts, repeats or answers better."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...state.harness import Guidance, Harness
from ...state.records import Claim, TableRow
from ...text.periods import find_periods, overlaps
from ...text.words import analyse
from ..protocol import SynthesisTask
from .lines import Line
from .tabled import Tabled
from .unknowns import asks_for_missing, is_neighbour, mentions, metric_words

_GUIDES = ("folder", "folders", "dataroom", "data room", "file", "files", "controlled", "index")


@dataclass(frozen=True)
class Admission:
    """Says which claims of the base draft may stay.

    Attributes:
        losers: Lines that an export, or a better source, contradicts.
        tabled: What exports answer, by plan question.
        added: Claims of the policy itself, which need not be told twice.
        missing: Lines of records of what was not delivered, by plan question.
        counted: Plan questions after a count that a narrative states, and no column of an export.
    """

    harness: Harness
    task: SynthesisTask
    losers: Sequence[Line]
    tabled: Sequence[Tabled]
    added: Sequence[Claim]
    missing: Mapping[str, Sequence[Line]]
    counted: Collection[str] = ()

    def __call__(self, claim: Claim) -> bool:
        parts = {part.question_id: part for part in self.task.plan.subtasks}
        part = parts.get(claim.question_id)
        question = part.text if part else self.task.question
        return not (
            self._lost(claim)
            or self._told(claim)
            or self._of_index(claim)
            or self._beside_computed(claim, question)
            or self._beside_lookup(claim)
            or self._beside_count(claim)
            or self._delivered(claim)
            or self._other_row(claim)
            or self._unranked(claim)
            or self._other_period(claim, question)
            or is_neighbour(claim.text, self._opened(question), question, part.entities if part else ())
        )

    def _opened(self, question: str) -> list[Guidance]:
        """Return the guidance on single figures that a question opens."""
        if question not in self._guidance:
            opened = self.harness.guidance_for(question)
            self._guidance[question] = [each for each in opened if not each.memo_inline and not each.sections]
        return self._guidance[question]

    @cached_property
    def _guidance(self) -> dict[str, list[Guidance]]:
        return {}

    def _told(self, claim: Claim) -> bool:
        """Whether what the policy adds rests on the same words already."""
        told = [quote for each in self.added if each.question_id in ("", claim.question_id) for quote in each.quotes]
        return bool(claim.quotes) and all(
            any(
                quote.chunk_id == other.chunk_id and other.start <= quote.start and quote.end <= other.end
                for other in told
            )
            for quote in claim.quotes
        )

    def _of_index(self, claim: Claim) -> bool:
        """Whether the claim is a row of a guide to the folders: it says what lies there, not what it says."""
        if mentions(self.task.question, _GUIDES):
            return False
        found = [self._rows.get((quote.chunk_id, quote.start)) for quote in claim.quotes]
        return bool(found) and all(row is not None and (row.uri, row.caption) in self._guides for row in found)

    @cached_property
    def _rows(self) -> dict[tuple[str, int], TableRow]:
        """Rows of tables by chunk and first character in it."""
        return {
            (passage.chunk.chunk_id, row.start - passage.chunk.start): row
            for passage in self.task.passages
            for row in passage.rows
        }

    @cached_property
    def _guides(self) -> set[tuple[str, str]]:
        """Tables, by file and caption, most rows of which name a folder."""
        folders = {passage.chunk.uri.split("/")[0] for passage in self.task.passages if "/" in passage.chunk.uri}
        return {
            (row.uri, row.caption)
            for passage in self.task.passages
            if sum(row.label.strip() in folders for row in passage.rows) * 2 > len(passage.rows)
            for row in passage.rows
        }

    def _beside_count(self, claim: Claim) -> bool:
        """Whether the claim is a record that has the words of a count in several columns: it counts other things."""
        rows = [self._rows.get((quote.chunk_id, quote.start)) for quote in claim.quotes]
        return claim.question_id in self.counted and bool(rows) and all(row is not None for row in rows)

    def _beside_computed(self, claim: Claim, question: str) -> bool:
        """Whether the part is computed and the claim has no word of what was measured."""
        whole = any(each.computed and each.for_all for each in self.tabled)
        if not whole and not any(each.computed for each in self.tabled if each.question_id == claim.question_id):
            return False
        asked = metric_words(self.task.question if whole else question)
        shared = asked & set(analyse(claim.text.replace("_", " ")))
        ranked = any(answer.is_whole for each in self.tabled for answer, _ in each.computed)
        # Beside a ranking one word of the question, the name of what is ranked, says nothing of the measure.
        return bool(asked) and (2 * len(shared) <= len(asked) if ranked else not shared)

    def _beside_lookup(self, claim: Claim) -> bool:
        """Whether a figure was looked up for the part and the claim has no word of what it measures."""
        measured = [
            each.lookup[0].words for each in self.tabled if each.lookup and each.question_id == claim.question_id
        ]
        said = set(analyse(claim.text.replace("_", " ")))
        return any(measured) and not any(said & words for words in measured)

    def _delivered(self, claim: Claim) -> bool:
        """Whether the question asks what is missing, records say so, and the claim is of something else."""
        lines = self.missing.get(claim.question_id, ())
        part = next((each for each in self.task.plan.subtasks if each.question_id == claim.question_id), None)
        if part is None or not lines or not asks_for_missing(part.text, self.harness):
            return False
        return not mentions(claim.text, self.harness.words("not_delivered"))

    def _lost(self, claim: Claim) -> bool:
        return any(
            line.text.strip().strip("-•* ") in claim.text
            or any(
                quote.chunk_id == line.chunk_id and quote.start < line.end and line.start < quote.end
                for quote in claim.quotes
            )
            for line in self.losers
        )

    def _other_row(self, claim: Claim) -> bool:
        """Whether the claim says another row of figures where the export's one row answers.

        The row that answers is told already; the others are parts of it, or other dates.
        """
        answered = any(each.question_id == claim.question_id and (each.lookup or each.computed) for each in self.tabled)
        return answered and any((quote.chunk_id, quote.start) in self._rows for quote in claim.quotes)

    def _unranked(self, claim: Claim) -> bool:
        """Whether the claim is a row of a file that would have to be ranked, which was not possible."""
        files = {uri for each in self.tabled if each.question_id == claim.question_id for uri in each.unranked}
        rows = [self._rows.get((quote.chunk_id, quote.start)) for quote in claim.quotes]
        return any(row is not None and row.uri in files for row in rows)

    def _other_period(self, claim: Claim, question: str) -> bool:
        """Whether an export answers for the period asked for and the claim is of another one."""
        if not any(each.lookup for each in self.tabled if each.question_id == claim.question_id):
            return False
        asked, told = find_periods(question), find_periods(claim.text)
        return bool(asked and told) and not any(overlaps(a, b) for a in asked for b in told)
