"""Plan the search: the parts to settle, ten to sixteen different queries, the checks the answer must pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

import regex

from ....state.records import Plan, PlanQuestion, Source
from ....text.words import analyse, line_words
from ...protocol import PlanTask
from ..asked.compound import parts_of, sides_of
from ..asked.families import relatives
from ..asked.foreign import in_other_languages
from ..asked.initials import in_long_form
from ..asked.offices import in_other_names
from ..asked.question import Question, key_phrase, read_question
from ..worked.statement_figures import figure_queries

MIN_QUERIES = 10
MAX_QUERIES = 16
_MAX_QUERY_CHARS = 300
_MAX_NAMED_SOURCES = 3
_REFORMULATIONS = {
    "number": ("{key} amount", "{key} total", "number of {key}"),
    "date": ("date of {key}", "{key} year", "{key} began ended"),
    "person": ("name of {key}", "{key} person", "{key} by"),
    "place": ("location of {key}", "{key} located in", "{key} place"),
    "list": ("list of {key}", "{key} include", "{key} such as"),
    "definition": ("definition of {key}", "{key} is", "{key} refers to"),
    "comparison": ("{key} compared", "{key} difference", "{key} each"),
    "explanation": ("{key} because", "reason for {key}", "{key} due to"),
    "yes_no": (),
    "entity": ("name of {key}",),
}
# What a question of a kind may be told by: what is reported beside the value, and in what words.
_ENGLISH_SIDES: dict[str, tuple[str, ...]] = {
    "number": ("reported", "by year", "by month", "latest figure", "forecast", "change from last year", "in percent",
               "register", "definition", "summary"),
    "date": ("start", "deadline", "term and expiry", "schedule", "signed", "effective from", "extended until",
             "history", "status", "summary"),
    "person": ("role", "title and position", "responsible for", "appointed", "team", "contact", "successor", "history",
               "statement", "summary"),
    "place": ("address", "country", "headquarters", "office", "site", "map", "region", "moved to", "history",
              "summary"),
    "list": ("all", "register", "overview table", "open and closed", "status", "by category", "details", "total number",
             "exceptions", "summary"),
    "yes_no": ("status", "report", "evidence", "confirmed", "not yet", "exceptions", "date", "decision", "register",
               "summary"),
    "explanation": ("causes", "drivers", "effect", "background", "management discussion", "by category", "details",
                    "risk", "development", "summary"),
}  # fmt: skip
_ENGLISH_SIDES_OF_ANY = (
    "status", "definition", "details", "register", "report", "history", "responsible", "amount", "exceptions",
    "summary",
)  # fmt: skip
# Each looks for another side of the matter: what it is, when, where, who, how much, why, what else, unless what.
_SIDES = {
    "de": ("Definition", "Datum Jahr", "Ort", "Verantwortliche", "Betrag Anzahl", "Grund", "Bestandteile", "Ausnahmen",
           "Beispiel", "Änderung"),
    "fr": ("définition", "date année", "lieu", "responsable", "montant nombre", "raison", "éléments", "exceptions",
           "exemple", "changement"),
    "es": ("definición", "fecha año", "lugar", "responsable", "importe número", "motivo", "partes", "excepciones",
           "ejemplo", "cambio"),
    "it": ("definizione", "data anno", "luogo", "responsabile", "importo numero", "motivo", "elementi", "eccezioni",
           "esempio", "modifica"),
    "ja": ("定義", "日付", "場所", "担当者", "金額", "理由", "一覧", "例外", "例", "変更"),
    "zh": ("定义", "日期", "地点", "负责人", "金额", "原因", "清单", "例外", "示例", "变更"),
}  # fmt: skip
_CLAUSE = regex.compile(
    r"[,;:，；：、]\s*|\s+(?:that|which|who|whose|whom|where|when|with|during|between|because|after|before|and|or|und|"
    r"der|die|das|et|qui|que|dont|y|e)\s+",
    regex.IGNORECASE,
)


def make_plan(task: PlanTask) -> Plan:
    """Return the plan of a question; a question that asks nothing has no queries."""
    question = read_question(task.question)
    parts = subtasks(task.question)
    queries: tuple[str, ...] = ()
    if not question.is_empty:
        queries = _distinct(_queries(question, parts, task.sources), _padding(question))
    return Plan(
        goal=question.text,
        subtasks=parts,
        queries=queries,
        acceptance_checks=_checks(task, parts),
        recalled=tuple(episode.episode_id for episode in task.episodes),
        language=question.language,
    )


def subtasks(text: str) -> tuple[PlanQuestion, ...]:
    """Return the plan questions: the parts of a compound question, or the question itself."""
    return tuple(_plan_question(index, part) for index, part in enumerate(dict.fromkeys(parts_of(text)), start=1))


def query_key(query: str) -> tuple[str, ...]:
    """Return what makes two queries the same search: their index terms, whatever the order."""
    return tuple(sorted(set(analyse(query)))) or (query.strip().casefold(),)


def _plan_question(index: int, text: str) -> PlanQuestion:
    question = read_question(text)
    return PlanQuestion(
        question_id=f"Q{index}",
        text=text.strip(),
        answer_type=question.answer_type,
        entities=question.names,
        periods=tuple(period.text for period in question.periods),
        units=question.units,
    )


def _checks(task: PlanTask, parts: Sequence[PlanQuestion]) -> tuple[str, ...]:
    checks = [
        f"At least {task.min_citations} distinct citations, or one for each passage found that bears on the question.",
        f"At least {task.min_summary_citations} citations stand verbatim in the summary.",
        "Every claim is supported by the passages it cites.",
    ]
    checks.extend(f"{part.question_id} is answered or listed as open: {part.text}" for part in parts)
    periods = list(dict.fromkeys(period for part in parts for period in part.periods))
    if periods:
        checks.append(f"Values are given for {', '.join(periods)}.")
    return tuple(checks)


def _queries(question: Question, parts: Sequence[PlanQuestion], sources: Sequence[Source]) -> Iterator[str]:
    """Yield queries, the most telling first; repeats are dropped later."""
    key = key_phrase(question.text, question.language)
    yield question.text
    yield key
    for part in parts:
        yield part.text
        yield key_phrase(part.text, question.language)
    for part in parts:
        for side in sides_of(read_question(part.text)):
            yield f"{side} {_without_sides(part.text, question.language)}".strip()
            yield side
    for part in parts:
        yield from figure_queries(read_question(part.text))
    yield from in_other_names(key)
    yield from in_long_form(key)
    yield from in_other_languages(key, question.language, sources)
    bare = _without_names(question)
    yield bare
    if question.language == "en":
        yield _in_related_words(key, question.names)
    for title in named_sources(question, sources):
        yield f"{title} {question.focus or key}"
    for part in parts:
        yield from _combinations(read_question(part.text))
    yield from _clauses(question)
    for template in _REFORMULATIONS[question.answer_type] if question.language == "en" else ():
        yield template.format(key=key)


def _padding(question: Question) -> Iterator[str]:
    """Yield the sides of a matter for a question too short to give ten queries by itself, then runs of its words."""
    key = key_phrase(question.text, question.language) or question.text
    english = _ENGLISH_SIDES.get(question.answer_type, _ENGLISH_SIDES_OF_ANY)
    for side in _SIDES.get(question.language, english):
        yield f"{key} {side}"
    yield from _windows(key)


def _in_related_words(key: str, names: Sequence[str]) -> str:
    """Return a phrase with its verbs as nouns and the other way round; empty where no word has a relative."""
    words = line_words(key)
    fixed = {word for name in names for word in line_words(name)}
    turned = [word if regex.sub(r"['’]s?$", "", word) in fixed else (relatives(word) or (word,))[0] for word in words]
    return " ".join(turned) if turned != words else ""


def _combinations(question: Question) -> Iterator[str]:
    """Yield the thing asked for with each name and period, then the names alone."""
    periods = [period.text for period in question.periods]
    for name in question.names[:4]:
        if question.focus and question.focus not in name:
            yield f"{name} {question.focus}"
    yield question.focus
    for period in question.periods[:3]:
        if question.focus:
            yield f"{question.focus} {period.text}"
            if period.is_fiscal:
                yield f"{question.focus} year ended {period.end.year}"
    if periods and question.names:
        yield f"{question.names[0]} {' '.join(periods)}"
    yield from question.names[:6]


def _clauses(question: Question) -> Iterator[str]:
    for clause in _CLAUSE.split(question.text):
        phrase = key_phrase(clause or "", question.language)
        if len(set(analyse(phrase))) >= 2:
            yield phrase


def _windows(key: str) -> Iterator[str]:
    words = line_words(key)
    for width in (4, 3, 2):
        if len(words) > width:
            for start in range(0, len(words) - width + 1, max(1, width - 1)):
                yield " ".join(words[start : start + width])


def _without_sides(text: str, language: str) -> str:
    rest = text
    for side in sides_of(read_question(text)):
        rest = rest.replace(side, " ")
    return key_phrase(regex.sub(r"\b(?:or|oder|ou)\b", " ", rest), language)


def _without_names(question: Question) -> str:
    """Return what is asked without whom it is asked about: inside the right source no sentence repeats the name."""
    rest = question.text
    for name in question.names:
        rest = regex.sub(rf"{regex.escape(name)}(?:['’]s?)?", " ", rest)
    for period in question.periods:
        rest = rest.replace(period.text, " ")
    phrase = key_phrase(rest, question.language)
    return phrase if len(set(analyse(phrase))) >= 1 and phrase != question.text else ""


def named_sources(question: Question, sources: Sequence[Source]) -> list[str]:
    """Return the titles of sources that a question names: most of the title's own words stand in the question."""
    asked = set(question.terms)
    scored: list[tuple[float, str]] = []
    for source in sources:
        stem = PurePosixPath(source.uri).stem
        title = source.title or regex.sub(r"[_\-.]+", " ", stem)
        terms = set(analyse(title)) | set(analyse(regex.sub(r"[_\-.]+", " ", stem)))
        shared = len(terms & asked)
        if terms and shared and shared / len(terms) >= 0.34:
            scored.append((-shared / len(terms), title))
    return [title for _, title in sorted(set(scored))[:_MAX_NAMED_SOURCES]]


def _distinct(queries: Iterator[str], padding: Iterator[str]) -> tuple[str, ...]:
    """Return the first sixteen queries that differ; padding only where they are fewer than ten."""
    kept: dict[tuple[str, ...], str] = {}
    for limit, source in ((MAX_QUERIES, queries), (MIN_QUERIES, padding)):
        for query in source:
            if len(kept) >= limit:
                break
            line = " ".join(query.split())[:_MAX_QUERY_CHARS].strip()
            if line and analyse(line):
                kept.setdefault(query_key(line), line)
    return tuple(kept.values())
