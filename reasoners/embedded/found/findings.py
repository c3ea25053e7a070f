"""The facts of a run as findings of one plan question: ranked again over all passages, near duplicates merged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ....state.records import Fact, Quote
from ....text.numbers import find_numbers
from ....text.words import analyse
from ...protocol import Passage
from ...tables.catalog import header_words
from ..asked.foreign import pivot_terms
from ..asked.question import Question
from .candidates import Candidate, candidates_of, context_terms, index_terms, row_context, title_of
from .own_years import as_meant, own_years
from .page_ends import with_page_ends
from .papers import Papers
from .rows import row_statement
from .scoring import Scored, rank_candidates
from .vectors import TextVectors

_SAME = 0.92
_MOSTLY_SAME_WORDS = 0.85


@dataclass(frozen=True)
class Finding:
    """A statement with every quote that says the same.

    Attributes:
        scored: Its candidate with what speaks for it.
        facts: The facts merged into it, the one that words it first.
    """

    statement: str
    quotes: tuple[Quote, ...]
    scored: Scored
    facts: tuple[Fact, ...]

    @property
    def candidate(self) -> Candidate:
        """The span that it rests on."""
        return self.scored.candidate

    @property
    def citations(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(quote.chunk_id for quote in self.quotes))


async def findings_for(
    question: Question,
    facts: Sequence[Fact],
    passages: Mapping[str, Passage],
    weights: Mapping[str, float],
    by_passage: Mapping[str, float],
    vectors: TextVectors,
) -> list[Finding]:
    """Return the findings of a question, best first."""
    of_candidate: dict[tuple[str, int, int], Fact] = {}
    candidates: list[Candidate] = []
    for fact in facts:
        candidate = candidate_of(fact, passages)
        if candidate is not None and candidate.key not in of_candidate:
            of_candidate[candidate.key] = fact
            candidates.append(candidate)
    amended = Papers(list(passages.values())).with_amended(candidates)
    candidates = with_page_ends(amended, passages.values())
    ranked = await rank_candidates(question, candidates, weights, by_passage, vectors)
    years = own_years(question, list(passages.values()))
    # A row was told by the cells that the part it was found for asks about; another part asks about others.
    findings = [
        Finding(
            _told_for(as_meant(question, scored.candidate, years), scored.candidate, fact),
            each_place_once(fact.quotes, passages),
            scored,
            (fact,),
        )
        for scored in ranked
        for fact in (of_candidate[scored.candidate.key],)
    ]
    merged = await _merged(_without_outdone_rows(question, findings), vectors)
    return [replace(finding, quotes=each_place_once(finding.quotes, passages)) for finding in merged]


def _told_for(question: Question, candidate: Candidate, fact: Fact) -> str:
    """Return a row as this question asks for it, where that names other cells than the fact does."""
    if candidate.row is None:
        return fact.statement
    told, cells = row_statement(question, candidate.row, candidate.passage.rows)
    asked = set(question.terms)
    named = [cell for cell in cells if asked & set(analyse(header_words(cell.header)))]
    return told if told and any(cell.text not in fact.statement for cell in named) else fact.statement


def each_place_once(quotes: Sequence[Quote], passages: Mapping[str, Passage]) -> tuple[Quote, ...]:
    """Return quotes without those of a place in a source that another one quotes: passages overlap."""
    kept: dict[tuple[str, int, int], Quote] = {}
    for quote in quotes:
        passage = passages.get(quote.chunk_id)
        base = passage.chunk.start if passage else 0
        uri = passage.chunk.uri if passage else quote.chunk_id
        kept.setdefault((uri, base + quote.start, base + quote.end), quote)
    return tuple(kept.values())


def spans_of(facts: Sequence[Fact], passages: Sequence[Passage]) -> list[Candidate]:
    """Return the spans that facts rest on in some passages."""
    by_id = {passage.chunk.chunk_id: passage for passage in passages}
    spans = (candidate_of(fact, by_id) for fact in facts)
    return [span for span in spans if span is not None]


def candidate_of(fact: Fact, passages: Mapping[str, Passage]) -> Candidate | None:
    """Return the span a fact rests on; None where its passage is not among those handed in."""
    if not fact.quotes:
        return None
    quote = fact.quotes[-1]
    passage = passages.get(quote.chunk_id)
    if passage is None:
        return None
    base = passage.chunk.start
    row = next((row for row in passage.rows if (row.start - base, row.end - base) == (quote.start, quote.end)), None)
    if row is None:
        same = (each for each in candidates_of(passage) if (each.start, each.end) == (quote.start, quote.end))
        if (found := next(same, None)) is not None:
            return found
    text = fact.statement if row is not None else quote.text
    terms = index_terms(text) | pivot_terms(text, passage)
    context = context_terms(passage) | (row_context(passage) if row is not None else frozenset())
    return Candidate(passage, quote.start, quote.end, quote.text, title_of(passage), terms, context, row)


def _without_outdone_rows(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """Leave out rows of a table in which a better ranked row holds more of the names and years asked for.

    Beside the row of the company and year that a question names, the other rows of the table are no answer.
    """
    asked = question.name_terms
    asked |= {str(period.start.year) for period in question.periods} | {str(p.end.year) for p in question.periods}
    kept: list[Finding] = []
    best: dict[tuple[str, tuple[str, ...]], frozenset[str]] = {}
    for finding in findings:
        candidate = finding.candidate
        if candidate.row is None:
            kept.append(finding)
            continue
        table = (candidate.uri, tuple(cell.header for cell in candidate.row.cells))
        held = frozenset(term for term in asked if term in _row_terms(candidate))
        if held < best.get(table, frozenset()):
            continue
        best.setdefault(table, held)
        kept.append(finding)
    return kept


def _row_terms(candidate: Candidate) -> frozenset[str]:
    row = candidate.row
    assert row is not None
    return index_terms(" ".join([row.label, *(f"{cell.header} {cell.text}" for cell in row.cells)]))


async def _merged(findings: Sequence[Finding], vectors: TextVectors) -> list[Finding]:
    """Merge findings that say the same; the better ranked one words it and gains the other's quotes."""
    rows = await vectors.rows([finding.statement for finding in findings])
    kept: list[tuple[int, Finding]] = []
    for index, finding in enumerate(findings):
        for place, (other_index, other) in enumerate(kept):
            cosine = float(rows[index] @ rows[other_index]) if rows is not None else 0.0
            if _says_the_same(finding, other, cosine):
                quotes = tuple(dict.fromkeys([*other.quotes, *finding.quotes]))
                kept[place] = (other_index, replace(other, quotes=quotes, facts=(*other.facts, *finding.facts)))
                break
        else:
            kept.append((index, finding))
    return [finding for _, finding in kept]


def _says_the_same(a: Finding, b: Finding, cosine: float) -> bool:
    """Whether two findings say the same: nearly the same words or meaning, and the very same figures."""
    if a.statement.casefold() == b.statement.casefold():
        return True
    left, right = set(analyse(a.statement)), set(analyse(b.statement))
    shared = len(left & right) / max(1, len(left | right))
    if cosine < _SAME and shared < _MOSTLY_SAME_WORDS:
        return False
    return shared >= 0.5 and _figures(a.statement) == _figures(b.statement)


def _figures(text: str) -> list[tuple[str, str]]:
    return sorted((str(number.value.normalize()), number.unit) for number in find_numbers(text))
