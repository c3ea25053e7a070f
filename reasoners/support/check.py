"""Decide whether passages support a claim, with a score, reasons and quotes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import regex

from ...state.records import Quote, Support, TableRow, Verdict
from ...text.numbers import Number
from ...text.sentences import after_mark
from .alignment import align
from .clauses import clauses
from .contradictions import contradictions
from .exact import Finding, carries, check_links, check_names, check_numbers, check_periods, is_label
from .features import Embed, Ground, Signs, measure
from .formulas import judge_computed
from .outcomes import without_no
from .overlap import found_signs
from .ranking import Ranker
from .reading import Reading, read, read_sentences
from .scoring import Model, shipped
from .tables import Row, check_rows, rows_of
from .wording import Turn, closeness, swapped_roles, turns

MAX_CLAIM_CHARS = 4_000
MAX_PASSAGE_CHARS = 400_000
_MARKS = regex.compile(
    r"\s*(?:\[\^?\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3})*\]|【[^】]{1,40}】|\(cite:\s*[^)]{1,200}\))", regex.IGNORECASE
)
_NEAR = 0.6
_CLEAN = 0.9
_QUOTES = 3
_SURE = 0.8


@dataclass(frozen=True)
class Opinion:
    """What the layers found before a verdict is made of it."""

    signs: Signs
    findings: tuple[Finding, ...]
    nearness: float
    rows: tuple[Row, ...]

    @property
    def hard(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.hard)


def check_support(
    claim: str,
    passages: Sequence[str],
    *,
    question: str = "",
    embed: Embed | None = None,
    rows: Sequence[Sequence[TableRow]] = (),
    chunk_ids: Sequence[str] = (),
    context: Sequence[str] = (),
) -> Verdict:
    """Judge whether passages support a claim.

    Layers, each with its own reasons: numbers with units and scales, periods, names; figures against their own row and
    column; negation, direction, opposites and statuses; coverage of the words, clause by clause, by meaning too where
    `embed` is given.  A hard finding (a number, period, row, or turned word) rules `supported` out whatever the rest.

    Args:
        claim: One sentence or a few; citation marks in it are ignored.
        passages: The texts it rests on.  Only their first 400,000 characters together are read.
        question: What the claim answers; its words and figures need not be proved again.
        embed: Texts to unit vectors, float32, shape (n, dim); None judges by words alone.
        rows: For each passage the rows of its tables, offsets counted in the passage; found in the text where empty.
        chunk_ids: Names of the passages in quotes; their index from 0 where empty.
        context: Titles, headings and dates of the sources: they may supply names and periods, and are not quoted.
    Returns: A verdict; `score` in [0, 1] is the calibrated chance that a person calls the claim supported.
    """
    text = without_no(_MARKS.sub("", claim).strip())
    if not read(text[:MAX_CLAIM_CHARS]).words:
        return Verdict(support="unsupported", score=0.0, reasons=("claim: it states nothing that can be checked",))
    texts = _bounded(passages)
    if not any(read_sentences(passage) for passage in texts):
        return Verdict(support="unsupported", score=0.0, reasons=("evidence: there is no passage to check against",))
    computed = judge_computed(text, texts, tuple(chunk_ids), context)
    if computed is not None:
        return computed
    text = text[:MAX_CLAIM_CHARS]
    tables = [
        row for index, passage in enumerate(texts) for row in rows_of(index, passage, rows[index] if rows else ())
    ]
    model = shipped("words" if embed is None else "meaning")
    opinion = examine(text, texts, question=question, embed=embed, rows=tables, context=context)
    return conclude(
        text, texts, opinion, model, question=question, embed=embed, rows=tables, context=context, names=chunk_ids
    )


def examine(
    claim: str,
    passages: Sequence[str],
    *,
    question: str = "",
    embed: Embed | None = None,
    rows: Sequence[Row] = (),
    context: Sequence[str] = (),
    ranker: Ranker | None = None,
) -> Opinion:
    """Run the layers; no threshold and no model is involved yet."""
    signs = measure(claim, passages, question=question, embed=embed, ranker=ranker)
    whole = read(claim)
    sentences = [ground.reading for ground in signs.grounds]
    known = [*sentences, *(read(words) for words in context if words)]
    asked = read(question) if question else None
    findings = [
        *check_numbers(whole, known, asked),
        *check_periods(whole, known, asked),
        *check_links(whole, known),
        *check_names(whole, known, asked),
    ]
    row_findings, used = check_rows(whole, rows, _outside(signs.grounds, rows), sentences)
    findings.extend(row_findings)
    nearness = 1.0
    for unit in _units(claim):
        near, turned = _follow(read(unit[1]), signs.grounds, whole)
        nearness = min(nearness, near)
        findings.extend(Finding(turn.kind, turn.detail, True, unit[0]) for turn in turned)
        findings.extend(
            Finding(turn.kind, turn.detail, True, unit[0]) for turn in _against(read(unit[1]), signs.grounds)
        )
    findings.sort(key=lambda finding: (not finding.hard, finding.at, finding.kind))
    kinds = Counter(finding.kind for finding in findings if finding.hard or finding.kind == "name")
    signs.values.update(found_signs(kinds, any(finding.hard for finding in findings), nearness))
    return Opinion(signs, tuple(dict.fromkeys(findings)), nearness, tuple(dict.fromkeys(used)))


def weigh(opinion: Opinion, model: Model) -> float:
    """Return the score: the model's; below the threshold with a hard finding, high in the passage's own wording."""
    score = model.score(opinion.signs.values)
    if opinion.hard:
        # The order stays, the whole of it below the threshold.
        low = _SURE * model.threshold
        return score if score < low else low + (score - low) * (1 - _SURE) * model.threshold / (1 - low) * 0.95
    if opinion.nearness >= _CLEAN and opinion.signs.values["claim_words"] > 1.6:
        return max(score, 0.9 + 0.1 * score)
    return score


def conclude(
    claim: str,
    passages: Sequence[str],
    opinion: Opinion,
    model: Model,
    *,
    question: str = "",
    embed: Embed | None = None,
    rows: Sequence[Row] = (),
    context: Sequence[str] = (),
    names: Sequence[str] = (),
) -> Verdict:
    """Make the verdict: supported from the threshold on without a hard finding, partial where only a clause holds."""
    score = weigh(opinion, model)
    supported = score >= model.threshold and not opinion.hard
    support: Support = "supported" if supported else "unsupported"
    reasons = [f"{finding.kind}: {finding.detail}" for finding in opinion.findings]
    if not supported:
        held, failed = _by_clause(claim, passages, model, question, embed, rows, context)
        if held and failed:
            support = "partial"
            reasons.extend(f"clause: “{clause}” is not supported" for clause in failed)
    reasons.extend(_soft_reasons(opinion))
    return Verdict(
        support=support,
        score=round(min(1.0, max(0.0, score)), 4),
        reasons=tuple(dict.fromkeys(reasons)),
        quotes=_quotes(opinion, passages, names),
    )


def _by_clause(
    claim: str,
    passages: Sequence[str],
    model: Model,
    question: str,
    embed: Embed | None,
    rows: Sequence[Row],
    context: Sequence[str],
) -> tuple[list[str], list[str]]:
    """Judge each clause by itself; return those that hold and those that do not."""
    spans = clauses(claim)
    if len(spans) < 2:
        return [], []
    held: list[str] = []
    failed: list[str] = []
    for start, end in spans:
        clause = claim[start:end].strip(" ,;.")
        if len(read(clause).content) < 2:
            continue
        opinion = examine(clause, passages, question=question, embed=embed, rows=rows, context=context)
        holds = not opinion.hard and weigh(opinion, model) >= model.threshold
        (held if holds else failed).append(clause)
    return held, failed


def _bounded(passages: Sequence[str]) -> list[str]:
    left = MAX_PASSAGE_CHARS
    texts: list[str] = []
    for passage in passages:
        texts.append(passage[:left])
        left -= len(texts[-1])
    return texts


def _units(claim: str) -> list[tuple[int, str]]:
    return [(reading.at, reading.text) for reading in read_sentences(claim)]


def _follow(unit: Reading, grounds: Sequence[Ground], whole: Reading) -> tuple[float, list[Turn]]:
    """Lay one sentence of the claim along the sentences nearest to it; the first that departs in nothing clears it."""
    if len(unit.words) < 3:
        return 1.0 if len(whole.words) > len(unit.words) else 0.0, []
    ranked = sorted(
        ((closeness(unit, ground.reading), -place) for place, ground in enumerate(grounds[:8])), reverse=True
    )
    near = ranked[0][0]
    if near < _NEAR:
        return near, []
    worst: list[Turn] = []
    for close, place in ranked[:4]:
        if close < max(_NEAR, near - 0.15):
            break
        sentence = grounds[-place].reading
        turned = [*turns(unit, sentence), *swapped_roles(unit, sentence)]
        if close >= 0.75 and not turned:
            turned = [
                Turn("number", f"{number.text} is not in the sentence that says the rest")
                for number in unit.numbers
                if not is_label(number, unit.text) and not _says(number, sentence)
            ]
        if not turned:
            return close, []
        worst = worst or turned
    return near, worst


def _against(unit: Reading, grounds: Sequence[Ground]) -> list[Turn]:
    return contradictions(unit, [(align(unit, ground.reading), ground.reading) for ground in grounds])


def _says(number: Number, sentence: Reading) -> bool:
    return any(carries(other, number) for other in sentence.numbers) or number.text in sentence.text


def _outside(grounds: Sequence[Ground], rows: Sequence[Row]) -> list[Reading]:
    """Return the sentences that are no rows of tables and carry half of the claim."""
    spans = [(row.passage, row.start, row.end) for row in rows]
    return [
        ground.reading
        for ground in grounds
        if ground.alignment.coverage >= 0.5
        and not any(
            index == ground.passage and start < ground.reading.at + len(ground.reading.text) and ground.reading.at < end
            for index, start, end in spans
        )
    ]


def _soft_reasons(opinion: Opinion) -> list[str]:
    values, polarity = opinion.signs.values, opinion.signs.polarity
    best, everywhere = round(100 * values["cov_best"]), round(100 * values["cov_all"])
    reasons = [f"coverage: {best}% of the claim's words in one sentence, {everywhere}% in all"]
    if opinion.nearness >= _CLEAN:
        reasons.append("wording: as in the passage")
    reasons.extend(f"direction: {mine} against {theirs}" for mine, theirs in polarity.turned)
    reasons.extend(f"opposite: {mine} against {theirs}" for mine, theirs in polarity.opposites)
    if polarity.negated > 0.3:
        reasons.append(f"negation: one side denies {', '.join(polarity.denied[:4])}")
    if polarity.hedged:
        reasons.append("hedge: the passage is less sure than the claim")
    if "cos_best" in values:
        reasons.append(f"meaning: {values['cos_max']:.2f} cosine of the closest sentence")
    return reasons


def _quotes(opinion: Opinion, passages: Sequence[str], names: Sequence[str]) -> tuple[Quote, ...]:
    """Return the sentences that settle the matter, best first, those of used table rows before all."""
    spans: list[tuple[int, int, int]] = [(row.passage, row.start, row.end) for row in opinion.rows]
    grounds = opinion.signs.grounds
    if grounds[0].alignment.coverage >= 0.2:
        spans.append((grounds[0].passage, grounds[0].reading.at, grounds[0].reading.at + len(grounds[0].reading.text)))
    seen = {word.stem for word, found, _ in grounds[0].alignment.pairs if found is not None}
    for ground in grounds[1:8]:
        fresh = [w for w, found, _ in ground.alignment.pairs if found is not None and w.stem not in seen]
        if sum(word.weight for word in fresh) >= 1.2:
            seen |= {word.stem for word in fresh}
            spans.append((ground.passage, ground.reading.at, ground.reading.at + len(ground.reading.text)))
    quotes: list[Quote] = []
    for passage, start, end in dict.fromkeys(spans):
        name = names[passage] if names else str(passage)
        start = after_mark(passages[passage], start, end)
        quotes.append(Quote(chunk_id=name, start=start, end=end, text=passages[passage][start:end]))
    return tuple(quotes[:_QUOTES])
