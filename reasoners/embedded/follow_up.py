"""Resolve a follow-up question such as `and in 2021?` against the turns before it."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from .question import Question, line_words, read_question

_OPENS = regex.compile(
    r"^(?:and|but|so|what about|how about|und|aber|et|mais|y|pero|e|ma|那么|那|而|では|じゃあ|それで)[\s,、，]*",
    regex.IGNORECASE,
)
_REFERS = regex.compile(
    r"\b(?:it|its|they|their|them|he|him|his|she|her|this|that|these|those|there|the same|es|sie|ihr|ihre|er|sein|dort|"
    r"il|elle|leur|son|sa|ella|su|lui|lei|suo)\b|它|他|她|那里|それ|その|彼",
    regex.IGNORECASE,
)
_YEAR_AWAY = regex.compile(
    r"(?:(?:in|for|at|during|what was it|how was it) )?"
    r"(?:(?:(?:a|one|the) year|12 months|twelve months) (?P<where>earlier|before|prior|ago|later|after)"
    r"|(?:in )?the (?P<where>previous|prior|preceding|next|following) year)",
    regex.IGNORECASE,
)
_LATER = frozenset(["later", "after", "next", "following"])
_YEAR = regex.compile(r"(?:19|20)\d{2}")
_LINKS = frozenset(
    ["in", "for", "of", "at", "on", "the", "im", "für", "bei", "en", "pour", "de", "à", "nel", "per", "para"]
)


def resolve_follow_up(question: str, history: Sequence[tuple[str, str]]) -> str:
    """Return the question with what earlier turns left unsaid filled in; unchanged where it stands by itself.

    Args:
        question: The new question.
        history: Earlier turns as (role, text), oldest first; only what people asked is used, never answers or sources.
    """
    before = [text for role, text in history if role in ("user", "human") and not read_question(text).is_empty]
    current = read_question(question)
    if not before or not _needs_context(question, current):
        return question.strip()
    previous = read_question(before[-1])
    bare = _OPENS.sub("", question.strip()).strip(" ?？。.")
    away = _YEAR_AWAY.fullmatch(bare)
    if away and len(previous.periods) == 1:
        return _a_year_away(previous, 1 if away["where"].casefold() in _LATER else -1)
    fresh = read_question(bare)
    if _only_swaps(fresh):
        return _swapped(previous, fresh, bare)
    missing = [name for name in previous.names if name.casefold() not in question.casefold()]
    subject = ", ".join(missing) or previous.focus
    periods = "" if fresh.periods else ", ".join(period.text for period in previous.periods)
    context = ", ".join(part for part in (subject, periods) if part)
    text = bare[:1].upper() + bare[1:]
    return f"{text} ({context})?" if context else f"{text}?"


def _needs_context(text: str, question: Question) -> bool:
    if _OPENS.match(text.strip()):
        return len(question.terms) <= 6
    if question.periods and _only_swaps(question):
        return True
    return bool(_REFERS.search(text)) and not question.names


def _only_swaps(question: Question) -> bool:
    """Whether a fragment only names another period or another thing (`in 2021`, `for Best Buy`)."""
    framed = {word.casefold() for period in question.periods for word in line_words(period.text)}
    named = {word.casefold() for name in question.names for word in line_words(name)}
    words = [word.casefold() for word in line_words(question.text)]
    if regex.search(r"[\p{Han}\p{Hiragana}\p{Katakana}]", question.text):
        return bool(question.periods) and len(question.text) <= 12
    return bool(words) and all(word in framed | named | _LINKS for word in words)


def _a_year_away(previous: Question, years: int) -> str:
    """Ask the previous question of the same day, quarter or year one year before or after."""
    period = previous.periods[0]
    moved: str = _YEAR.sub(lambda year: str(int(year[0]) + years), period.text)
    return f"{previous.text[: period.at]}{moved}{previous.text[period.to :]}"


def _swapped(previous: Question, fresh: Question, bare: str) -> str:
    """Put the new period or name in the place of the old one."""
    text = previous.text.rstrip(" ?？")
    end = "？" if regex.search(r"[\p{Han}\p{Hiragana}\p{Katakana}]", text) else "?"
    if fresh.periods:
        if previous.periods:
            first, last = previous.periods[0], previous.periods[-1]
            return f"{text[: first.at]}{fresh.periods[0].text}{text[last.to :]}{end}"
        return f"{text} {bare}{end}" if end == "?" else f"{fresh.periods[0].text}{text}{end}"
    if fresh.names and previous.names and previous.names[0] in text:
        return text.replace(previous.names[0], fresh.names[0], 1) + end
    return f"{text} ({bare}){end}"
