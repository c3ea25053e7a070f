"""The sentences of an answer over the temporal graph: composed of the facts themselves, or read from a draft."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import regex

from ..state.graph_answers import FactualAnswer, GraphFact
from ..state.multistep import GraphClaim, ToolUse
from ..text.sentences import sentences
from ..text.words import content_words, stem
from .embedded.found.orders import holds_order
from .embedded.talk.graph_questions import asks_for_change, predicates_asked, relation_is_told, subjects_named
from .multistep import answers_in, facts_in, tags_of
from .support.check import check_support

MAX_CLAIMS = 40
_MARK = regex.compile(r"\s*[\[(]\s*(F\d+(?:\s*(?:,|;|and|-|–)\s*F\d+)*)\s*[\])]")
_LIST_MARK = regex.compile(r"^\s*(?:[-*•]|\d+[.)])\s+|^\s*#+\s*")
_LISTED = regex.compile(r"\b(?:and|or|versus|vs|than|compared)\b", regex.IGNORECASE)
_MEASURES = ("HAS_REVENUE", "INCREASED", "DECREASED")
_ROLE = regex.compile(r"\bC[EFOTI]O\b|\bchief \w+|\bchair|\bpresident\b|\btreasurer\b|\bdirector\b", regex.IGNORECASE)
_ANY_CHIEF = {"chief", "offic"}
_SHORT_ROLES = {
    "ceo": "chief executive officer",
    "cfo": "chief financial officer",
    "coo": "chief operating officer",
    "cto": "chief technology officer",
    "cio": "chief information officer",
    "chair": "chair chairman chairwoman chairperson",
}


@dataclass(frozen=True)
class Sentence:
    """A sentence that is not checked yet, and the facts it names."""

    text: str
    fact_ids: tuple[str, ...] = ()
    period: str = ""


def composed(question: str, uses: Sequence[ToolUse]) -> list[Sentence]:
    """Return the facts that answer a question as their sources state them, by period where it asks for change."""
    made: dict[tuple[str, ...], Sentence] = {}
    if _is_of_a_stranger(question, uses):
        return []
    with_dates = {fact_id for fact_id, fact in facts_in(uses).items() if fact.valid_at}
    for answer in answers_in(uses):
        if isinstance(answer, FactualAnswer):
            groups = {"": _answering(question, answer)}
        else:
            known = {fact.fact_id: fact for fact in answer.facts}
            groups = {period.label: [known[each] for each in period.fact_ids] for period in answer.periods}
        for period, facts in groups.items():
            for fact in facts:
                key: tuple[str, ...] = (fact.subject, fact.predicate, fact.object, fact.value, fact.unit)
                # Said again in a later period, it belongs to the account of that period too.
                key = (*key, fact.statement_type, period)
                if fact.predicate in _MEASURES or fact.temporal_type == "STATIC":
                    key = (*key, str(fact.valid_at))
                said = made.get(key)
                if said is None:
                    made[key] = Sentence(fact.statement or fact.quote, (fact.fact_id,), period)
                elif fact.fact_id not in said.fact_ids:
                    made[key] = Sentence(said.text, (*said.fact_ids, fact.fact_id), said.period)
    said_once: dict[tuple[str, str], Sentence] = {}
    dated = {said.text for said in made.values() if said.fact_ids[0] in with_dates}
    for said in made.values():
        if said.text in dated and said.fact_ids[0] not in with_dates:
            continue  # The same words are told in the period in which they began to hold.
        known_as = (said.period, said.text)
        before = said_once.get(known_as)
        ids = said.fact_ids if before is None else tuple(dict.fromkeys((*before.fact_ids, *said.fact_ids)))
        said_once[known_as] = Sentence(said.text, ids, said.period)
    return list(said_once.values())[:MAX_CLAIMS]


def _is_of_a_stranger(question: str, uses: Sequence[ToolUse]) -> bool:
    """Whether a question is about somebody that the graph does not know, so that facts of others are no answer.

    Beside a stranger whom the question only lists (`of Acme and Zenith`) what is known of the other is a part of it.
    """
    answers = answers_in(uses)
    facts = [fact for answer in answers for fact in answer.facts]
    told = {stem(word) for fact in facts for word in content_words(_words_of(fact))}
    asked_of = [answer for answer in answers if isinstance(answer, FactualAnswer)]
    if asked_of:
        names = [answer.entity for answer in asked_of if answer.is_of_a_stranger]
        names = [] if _LISTED.search(question) else names
    else:
        # Of everybody was asked: a name in small letters is known by its place in the question.
        names = [word for word in subjects_named(question) if not predicates_asked(word)]
    return any(not {stem(word) for word in content_words(name)} <= told for name in names)


def _words_of(fact: GraphFact) -> str:
    return f"{fact.subject} {fact.statement} {fact.quote} {fact.predicate} {fact.value} {fact.object}"


def _answering(question: str, answer: FactualAnswer) -> list[GraphFact]:
    """Return those of the facts that a question asks for: on its predicates, what it names, what still holds."""
    asked = predicates_asked(question)
    facts = [fact for fact in answer.facts if not asked or fact.predicate in asked]
    if not relation_is_told(question):
        facts = _sharing_words(question, facts, answer.entity)
    facts = [fact for fact in facts if fact.statement_type == "FACT"] or facts
    facts = _named(question, facts, answer.entity)
    if answer.window.start or answer.window.end or asks_for_change(question):
        return facts
    states = [fact for fact in facts if fact.temporal_type == "DYNAMIC"]
    current = [fact for fact in states if fact.invalid_at is None]
    if current:
        facts = [fact for fact in facts if fact not in states or fact in current]
    measured = [fact for fact in facts if fact.predicate in _MEASURES and fact.valid_at]
    latest = max((fact.valid_at for fact in measured if fact.valid_at), default=None)
    return [fact for fact in facts if fact not in measured or fact.valid_at == latest]


def _sharing_words(question: str, facts: list[GraphFact], entity: str) -> list[GraphFact]:
    """Return the facts that share a word with a question whose relation is not understood."""
    stems = {stem(word) for word in content_words(question)} - {stem(word) for word in content_words(entity)}
    said = {fact.fact_id: f"{fact.statement} {fact.predicate} {fact.value} {fact.object}" for fact in facts}
    return [fact for fact in facts if stems & {stem(word) for word in content_words(said[fact.fact_id])}]


def _named(question: str, facts: list[GraphFact], entity: str) -> list[GraphFact]:
    """Keep to facts whose object or value the question names, where it names any."""
    words = set(content_words(question))
    words |= {word for short, long in _SHORT_ROLES.items() if short in words for word in long.split()}
    stems = {stem(word) for word in words} - {stem(word) for word in content_words(entity)}
    if _ROLE.search(question):
        # Asked for one role, another one is no answer.
        facts = [
            fact
            for fact in facts
            if fact.predicate != "HOLDS_ROLE" or _names(fact.value, stems - _ANY_CHIEF, some=True)
        ]
    kept = [fact for fact in facts if _names(fact.object, stems) or _names(fact.value, stems)]
    return kept or facts


def _names(words: str, stems: set[str], *, some: bool = False) -> bool:
    wanted = {stem(word) for word in content_words(words)}
    return bool(wanted & stems) if some else bool(wanted) and wanted <= stems


def read_draft(draft: str, uses: Sequence[ToolUse]) -> list[Sentence]:
    """Return the sentences of a model's answer with the facts that each cites as `[F1]`; an unknown mark is dropped."""
    ids = {tag: fact_id for fact_id, tag in tags_of(uses).items()}
    found: list[Sentence] = []
    for line in draft.splitlines():
        line = _LIST_MARK.sub("", line).replace("**", "").strip()
        if not line or line.endswith(":"):
            continue
        for start, end in _with_marks(line):
            said = line[start:end]
            tags = [tag for match in _MARK.finditer(said) for tag in regex.findall(r"F\d+", match[1])]
            text = _MARK.sub("", said).strip()
            if content_words(text):
                cited = tuple(dict.fromkeys(ids[tag] for tag in tags if tag in ids))
                found.append(Sentence(text, cited))
            elif tags and found:  # a mark behind the full stop
                last = found.pop()
                more = (ids[tag] for tag in tags if tag in ids)
                found.append(Sentence(last.text, tuple(dict.fromkeys((*last.fact_ids, *more)))))
    return found[:MAX_CLAIMS]


def _with_marks(line: str) -> list[tuple[int, int]]:
    return sentences(line) or [(0, len(line))]


def checked(said: Sequence[Sentence], uses: Sequence[ToolUse], question: str) -> list[GraphClaim]:
    """Return each sentence with the verdict on it; one that names no fact is set against all of them.

    The words of the sources carry a claim; names and dates of the facts may stand in for what the quote leaves out.  A
    quote that gives orders to an assistant carries nothing.
    """
    known = {fact_id: fact for fact_id, fact in facts_in(uses).items() if not holds_order(fact.quote)}
    claims = []
    for number, each in enumerate(said, start=1):
        cited = {fact_id: known[fact_id] for fact_id in (each.fact_ids or known) if fact_id in known}
        verdict = check_support(
            each.text,
            [fact.quote for fact in cited.values()],
            question=question,
            chunk_ids=list(cited),
            context=_context(cited),
        )
        ids = _bearing(each, cited, {quote.chunk_id for quote in verdict.quotes})
        claims.append(
            GraphClaim(
                claim_id=f"C-{number:03d}",
                text=each.text,
                fact_ids=ids,
                period=each.period,
                support=verdict.support if ids else "unsupported",
                score=verdict.score,
                reasons=verdict.reasons,
            )
        )
    return claims


def _bearing(said: Sentence, cited: Mapping[str, GraphFact], quoted: Set[str]) -> tuple[str, ...]:
    """Return the facts whose words carry a sentence; one that carries nothing of it is no citation."""
    words = {cited[fact_id].quote for fact_id in quoted}
    named = said.fact_ids or tuple(fact_id for fact_id in cited if fact_id in quoted)
    return tuple(each for each in named if each in cited and cited[each].quote in words) or said.fact_ids


def _context(facts: Mapping[str, GraphFact]) -> list[str]:
    lines: list[str] = []
    for fact in facts.values():
        lines += [fact.subject, fact.object]
        lines += [f"{day:%Y-%m-%d} {day.day} {day:%B %Y}" for day in (fact.valid_at, fact.stated_at) if day]
        if fact.invalid_at:
            lines.append(f"{fact.invalid_at:%Y-%m-%d} {fact.invalid_at:%B %Y}")
    return [line for line in dict.fromkeys(lines) if line]
