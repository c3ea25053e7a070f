"""Turn the best sentences and rows of a round into facts, quoted word for word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import regex

from ....state.records import Fact, PlanQuestion, Quote
from ....text.periods import find_periods
from ....text.sentences import sentences
from ....text.words import analyse
from ...protocol import FactTask, Passage
from ...statements.periods import Calendar
from ...tables.wording import Spelling
from ..asked.amounts import amount_asked
from ..asked.answer_types import answering_numbers
from ..asked.names import is_person_like, names_in
from ..asked.question import Question, read_question
from ..found.afterwards import happened_after
from ..found.candidates import Candidate, every_candidate
from ..found.fragments import denies, has_verb, is_version
from ..found.headed import is_headed
from ..found.own_years import as_meant, own_years
from ..found.page_ends import with_page_ends
from ..found.papers import Papers
from ..found.replies import is_said_by
from ..found.rows import header_period, row_statement
from ..found.scoring import Scored, is_close, passage_scores, rank_candidates
from ..found.vectors import TextVectors
from ..found.weights import of_named_sources, term_weights
from ..settled.continuing import continuation_of
from ..settled.goals import tells_of_goal
from ..settled.listed import MOST_ITEMS
from ..settled.members import naming_members
from ..settled.nearness import amends_what_is_asked
from ..settled.spoken import turn_told
from ..settled.states import tells_state
from ..worked.statement_figures import figures_for
from .declining import bearing_of

PER_QUESTION = 12
# The inputs of a computed answer come before what is only found.
COMPUTED_SCORE = 9.0
_MIN_SHARE = 0.4
_HOP_PASSAGES = 2
_MOST_OF_GOAL = 4
_PER_HOP = 3
_MIN_LEXICAL = 0.12
_MIN_DENSE = 0.45
_MOST_JOINED = 300
_OPENS_WITH_PRONOUN = regex.compile(r"^(?:It|They|This|These) (?!year|month|quarter)\p{Ll}+\b")
_OPENS_WITH_PERSON = regex.compile(r"^(?:He|She|His|Her) \p{Ll}+\b")
_OPENS_VAGUELY = regex.compile(
    r"^(?:(?:however|moreover|in \d{4}|as an? \w+|later|then|also|since then|during \w+),?\s+)?"
    r"(?:he|she|it|they|his|her|its|their|this|these|that|those|the (?:film|company|album|song|band|book|series|"
    r"group|city|town|team|school|university|show|movie|novel|magazine|group|station|building|firm)|er|sie|es|il|elle|"
    r"ils|elles|él|ella|esso|essa)\b",
    regex.IGNORECASE,
)


async def facts_of_round(task: FactTask, vectors: TextVectors) -> list[Fact]:
    """Return the facts of newly found passages for every plan question, best first, none of them known already."""
    amended = Papers(task.passages).with_amended(every_candidate(task.passages))
    candidates = with_page_ends(amended, task.passages)
    spelling = spelling_of(task.question, task.passages)
    known = {(quote.chunk_id, quote.start, quote.end) for fact in task.known for quote in fact.quotes}
    said = {_folded(fact.statement) for fact in task.known}
    found: list[Fact] = []
    for part in task.plan.subtasks or (PlanQuestion(question_id="Q1", text=task.question),):
        question = amount_asked(read_question(part.text))
        if question.is_empty:
            continue
        years = own_years(question, task.passages)
        computed = _computed_from(question, part, task, spelling, years)
        for fact in computed:
            place = fact.quotes[-1]
            if (place.chunk_id, place.start, place.end) not in known and _folded(fact.statement) not in said:
                known.add((place.chunk_id, place.start, place.end))
                said.add(_folded(fact.statement))
                found.append(fact)
        passages = of_named_sources(question, task.passages)
        bearing = await bearing_of(question, passages, vectors)
        states = [candidate for candidate in candidates if tells_state(question, candidate)]
        if bearing.hopeless and task.iteration == 1 and not (computed or states):
            continue
        weights = term_weights(question, passages)
        spans = [candidate for candidate in candidates if candidate.chunk_id in bearing.by_passage]
        ranked = await rank_candidates(question, spans, weights, bearing.by_passage, vectors)
        kept = [*_worth_keeping(ranked), *await _second_hop(spans, task, vectors)]
        kept += [scored for scored in ranked if tells_of_goal(question, scored.candidate)][:_MOST_OF_GOAL]
        kept += [scored for scored in ranked if is_headed(question, scored.candidate)][:MOST_ITEMS]
        kept += [scored for scored in ranked if is_said_by(question, scored.candidate)][:MOST_ITEMS]
        told = (*states, *happened_after(question, spans))
        kept += [scored for scored in ranked if scored.candidate in told]
        kept += naming_members(question, ranked)
        kept += [scored for scored in ranked if amends_what_is_asked(question, scored.candidate)]
        if computed and question.answer_type != "explanation":
            kept = [scored for scored in kept if is_close(scored)]
        for scored in kept:
            fact = _fact(as_meant(question, scored.candidate, years), part, scored, task, spelling)
            place = fact.quotes[-1]
            if (place.chunk_id, place.start, place.end) in known or _folded(fact.statement) in said:
                continue
            known.add((place.chunk_id, place.start, place.end))
            said.add(_folded(fact.statement))
            found.append(fact)
    found.sort(key=lambda fact: (-fact.score, fact.quotes[-1].chunk_id, fact.quotes[-1].start))
    return found[: max(0, task.limit)]


def _computed_from(
    question: Question, part: PlanQuestion, task: FactTask, spelling: Spelling, years: Mapping[str, Calendar]
) -> list[Fact]:
    """Return the rows that an answer is computed from, each as a fact of its own."""
    quotes = [quote for inference in figures_for(question, task.passages) for quote in inference.quotes]
    places = {(quote.chunk_id, quote.start, quote.end) for quote in quotes}
    rows = [candidate for candidate in every_candidate(task.passages) if candidate.row and candidate.key in places]
    return [
        _fact(as_meant(question, row, years), part, Scored(row, 1.0, 0.0, 1.0, COMPUTED_SCORE), task, spelling)
        for row in rows
    ]


async def _ranked(
    question: Question, candidates: Sequence[Candidate], passages: Sequence[Passage], vectors: TextVectors
) -> list[Scored]:
    weights = term_weights(question, passages)
    by_passage = await passage_scores(question, passages, weights, vectors)
    return await rank_candidates(question, candidates, weights, by_passage, vectors)


async def _second_hop(candidates: Sequence[Candidate], task: FactTask, vectors: TextVectors) -> list[Scored]:
    """Return what answers a follow-up query best in the passages it found first.

    After a hop the sentence wanted shares words with the follow-up query (`<name found> <words missing>`) rather than
    with the question, whose other words the first round has settled.
    """
    if task.iteration == 1:
        return []
    found: list[Scored] = []
    for query, ranking in task.rankings.items():
        near = set(ranking[:_HOP_PASSAGES])
        passages = [passage for passage in task.passages if passage.chunk.chunk_id in near]
        spans = [candidate for candidate in candidates if candidate.chunk_id in near]
        found.extend((await _ranked(read_question(query), spans, passages, vectors))[:_PER_HOP])
    return found


def _worth_keeping(ranked: Sequence[Scored]) -> list[Scored]:
    """Keep the best; one that shares hardly a word with the question must at least mean something near it."""
    if not ranked:
        return []
    least = ranked[0].score * _MIN_SHARE
    kept = [
        scored
        for scored in ranked
        if scored.score >= least and (scored.lexical >= _MIN_LEXICAL or scored.dense >= _MIN_DENSE)
    ]
    return kept[:PER_QUESTION]


def _fact(question: Question, part: PlanQuestion, scored: Scored, task: FactTask, spelling: Spelling) -> Fact:
    candidate = scored.candidate
    statement, quotes = statement_of(question, candidate, spelling)
    value, unit, period = _measurement(question, candidate)
    return Fact(
        fact_id="",
        statement=statement,
        quotes=quotes,
        query=_query_of(candidate, task),
        iteration=task.iteration,
        score=round(scored.score, 6),
        question_id=part.question_id,
        value=value,
        unit=unit,
        period=period,
        entity=_entity(question, candidate),
        attribute=_attribute(question, candidate),
    )


def spelling_of(question: str, passages: Sequence[Passage]) -> Spelling:
    """Return how a question and the prose that was found spell acronyms; headers of exports have them small."""
    return Spelling.of(question, *(each.chunk.text for each in passages if each.source.tier != "structured"))


def statement_of(
    question: Question, candidate: Candidate, spelling: Spelling | None = None
) -> tuple[str, tuple[Quote, ...]]:
    """Return what a candidate says in one line and the words it rests on; the last quote is the candidate itself.

    A row is told by its label and the cells asked for.  A sentence that does not say what it is about (`He was …`)
    is led by its passage's title, where the passage itself holds it.
    """
    span = Quote(chunk_id=candidate.chunk_id, start=candidate.start, end=candidate.end, text=candidate.text)
    if candidate.row is not None:
        statement, _ = row_statement(question, candidate.row, candidate.passage.rows, spelling)
        if statement:
            return statement, (span,)
    if (turn := turn_told(candidate)) is not None:
        return turn
    line = " ".join(candidate.text.split())
    after = continuation_of(question, candidate)
    if after is not None:
        line = f"{line} {' '.join(after.text.split())}"
    told, quotes = _with_what_it_is_about(question, candidate, line, span)
    return (told, quotes) if after is None else (told, (*quotes[:-1], after, span))


def _with_what_it_is_about(
    question: Question, candidate: Candidate, line: str, span: Quote
) -> tuple[str, tuple[Quote, ...]]:
    """Return a line led by what it is about, where it does not say so itself, and the words it rests on."""
    if candidate.begun is not None:
        return f"{' '.join(candidate.begun.text.split())} {line}", (candidate.begun, span)
    year = _year_of_place(question, candidate)
    if year:
        return f"{year}: {line}", (span,)
    heading = _heading(question, candidate)
    if heading is not None:
        return f"{heading.text.rstrip('.:')}{' ' if heading.text.endswith('?') else ': '}{line}", (heading, span)
    before = _sentence_before(candidate)
    if before is not None:
        return f"{' '.join(before.text.split())} {line}", (before, span)
    lead = _lead(candidate)
    if lead is None:
        return line, (span,)
    # `Framework agreement` and below it `between A and B`: the title is the beginning of the line.
    goes_on = line[:1].islower() and not candidate.passage.chunk.text[lead.end : candidate.start].strip()
    return f"{lead.text if goes_on else lead.text.rstrip(': ')}{' ' if goes_on else ': '}{line}", (lead, span)


def _heading(question: Question, candidate: Candidate) -> Quote | None:
    """Return the label of a sentence's paragraph, or the heading that the question asks for, if it adds a word."""
    text = candidate.passage.chunk.text
    if candidate.heading is not None:
        start, end = candidate.heading
    elif candidate.section is not None:
        start, end = candidate.section
        start += len(text[start:end]) - len(text[start:end].lstrip("# "))
        # A headline is a statement of its own (`Ann Lee to lead Acme`): it heads what it alone says of the question.
        adds = set(analyse(text[start:end])) & set(question.terms) - candidate.terms
        turned = denies(text[start:end]) and not has_verb(candidate.text.split(";")[0])
        if not (adds or turned or is_version(text[start:end])):
            return None
    else:
        return None
    if start >= end or set(analyse(text[start:end])) <= candidate.terms:
        return None
    return Quote(chunk_id=candidate.chunk_id, start=start, end=end, text=text[start:end])


def _sentence_before(candidate: Candidate) -> Quote | None:
    """Return the sentence before one that opens with a bare pronoun, where no title says whom the pronoun means.

    A passage whose sentence before names the title is about that title; the title then leads.
    """
    of_person = bool(_OPENS_WITH_PERSON.match(candidate.text)) and not is_person_like(candidate.title)
    if not (_OPENS_WITH_PRONOUN.match(candidate.text) or of_person):
        return None
    text = candidate.passage.chunk.text
    before = [span for span in sentences(text) if span[1] <= candidate.start]
    if not before or "\n\n" in text[before[-1][1] : candidate.start]:
        return None
    start, end = before[-1]
    words = set(analyse(text[start:end]))
    named = set(analyse(candidate.title))
    about_title = bool(named) and len(named & words) * 2 >= len(named) and not of_person
    if about_title or end - start + len(candidate.text) > _MOST_JOINED:
        return None
    if of_person and not any(is_person_like(name) for name in names_in(text[start:end])):
        return None
    if not regex.match(r"\p{Lu}", text[start:end]) or "\n" in text[start:end].strip()[:12]:
        return None
    return Quote(chunk_id=candidate.chunk_id, start=start, end=end, text=text[start:end])


def _year_of_place(question: Question, candidate: Candidate) -> str:
    """Return the year that the source's folder gives, where the question sets years side by side and the text has none.

    `2022/report.txt` and `2023/report.txt` may say the same sentence with another figure.
    """
    asked = {str(day.year) for period in question.periods for day in (period.start, period.end)}
    if len(asked) < 2 or find_periods(candidate.text):
        return ""
    named = asked & set(candidate.uri.split("/")[:-1])
    return named.pop() if len(named) == 1 else ""


def _lead(candidate: Candidate) -> Quote | None:
    title, text = candidate.title, candidate.passage.chunk.text
    if candidate.section is not None and find_periods(title):
        # Papers of several days in one file: the title is that of the first one only.
        start, end = candidate.section
        start += len(text[start:end]) - len(text[start:end].lstrip("# "))
        title = text[start:end] if find_periods(text[start:end]) else title
    at = text.rfind(title, 0, candidate.start) if title else -1
    at = text.find(title) if title and at < 0 else at
    if at < 0 or candidate.start <= at < candidate.end:
        return None
    named = set(analyse(regex.sub(r"\(.*?\)", "", title))) & candidate.terms
    if named and not _OPENS_VAGUELY.match(candidate.text):
        return None
    if set(analyse(title)) <= candidate.terms:
        return None
    return Quote(chunk_id=candidate.chunk_id, start=at, end=at + len(title), text=title)


def _measurement(question: Question, candidate: Candidate) -> tuple[float | None, str, str]:
    """Return value, unit and period where the candidate states one figure of the kind asked for."""
    if question.answer_type not in ("number", "comparison"):
        return None, "", ""
    if candidate.row is not None:
        _, cells = row_statement(question, candidate.row)
        figures = [(cell, number) for cell in cells for number in answering_numbers(question, cell.text)]
        if len(figures) != 1:
            return None, "", ""
        cell, number = figures[0]
        return float(number.value), number.unit, header_period(cell)
    numbers = answering_numbers(question, candidate.text)
    if len(numbers) != 1:
        return None, "", ""
    periods = find_periods(candidate.text)
    period = periods[0].label() if len(periods) == 1 else _year_of_place(question, candidate)
    return float(numbers[0].value), numbers[0].unit, period


def _entity(question: Question, candidate: Candidate) -> str:
    for name in question.names:
        if set(analyse(name)) <= candidate.known:
            return name
    return candidate.title


def _attribute(question: Question, candidate: Candidate) -> str:
    if candidate.row is not None and candidate.row.label:
        return " ".join(candidate.row.label.split())
    focus = set(analyse(question.focus))
    return question.focus if focus and focus <= candidate.terms else ""


def _query_of(candidate: Candidate, task: FactTask) -> str:
    """Return the query that ranked the passage highest in this round, the earlier query where two did."""
    best: tuple[int, str] | None = None
    for query, ranking in task.rankings.items():
        place = next((rank for rank, chunk_id in enumerate(ranking) if chunk_id == candidate.chunk_id), None)
        if place is not None and (best is None or place < best[0]):
            best = (place, query)
    if best is not None:
        return best[1]
    return candidate.passage.queries[0] if candidate.passage.queries else ""


def _folded(statement: str) -> str:
    return " ".join(statement.casefold().split())
