"""Resolve a follow-up question such as `and in 2021?` against the turns before it."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ....text.words import line_words
from ..asked.question import Question, key_phrase, read_question

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
_ASKS_IT = regex.compile(
    r"^(?:(?:and )?(?:how (?:much|many|high|large|big|long)|what) (?:is|are|was|were|had|did) (?:it|that|this|they)|"
    r"(?:und )?(?:wie viel|wie hoch|wieviel|was) (?:ist|war|waren|sind) (?:es|das|sie|er)|"
    r"(?:et )?(?:combien|quel(?:le)?) (?:était|est)(?:-il|-elle|-ce)?)(?:\s(?:in|for|at|on|im|en))?\W*$",
    regex.IGNORECASE,
)
_IT = regex.compile(r"\b(?:it|that|this|es|das|dies)\b", regex.IGNORECASE)
_FORMER = regex.compile(
    r"(?:before|before that|previously|formerly|earlier|vorher|davor|zuvor|früher|avant|auparavant|antes|prima)",
    regex.IGNORECASE,
)
_TWO = regex.compile(
    r"^(?:and )?which (?:one )?(?:of (?:the two|them|these|these two|those|both) )?"
    r"(?P<rest>(?:had|has|have|is|was|were|got|cost|costs) .+)$",
    regex.IGNORECASE,
)
_ARTICLE = r"(?:the|der|die|das|den|dem|des|le|la|les|el|los|las|il|lo|gli)"
_THING = regex.compile(rf"{_ARTICLE}\s+[\p{{L}}-]+(?:\s[\p{{L}}-]+)?", regex.IGNORECASE)
_LINKS = frozenset(
    ["in", "for", "of", "at", "on", "the", "im", "für", "bei", "en", "pour", "de", "à", "nel", "per", "para"]
)


def resolve_follow_up(question: str, history: Sequence[tuple[str, str]]) -> str:
    """Return the question with what earlier turns left unsaid filled in; unchanged where it stands by itself.

    Args:
        question: The new question.
        history: Earlier turns as (role, text), oldest first; only what people asked is used, never answers or sources.
    """
    before: list[str] = []
    for role, text in history:
        if role in ("user", "human") and not read_question(text).is_empty:
            # A turn may itself have left something unsaid.
            before.append(_resolved(text, before))
    return _resolved(question, before)


def _resolved(question: str, before: Sequence[str]) -> str:
    current = read_question(question)
    if not before:
        return question.strip()
    if both := _of_the_two(question, before):
        return both
    if not _needs_context(question, current):
        return question.strip()
    previous = read_question(before[-1])
    bare = _OPENS.sub("", question.strip()).strip(" ?？。.")
    away = _YEAR_AWAY.fullmatch(bare)
    if away and len(previous.periods) == 1:
        return _a_year_away(previous, 1 if away["where"].casefold() in _LATER else -1)
    fresh = read_question(bare)
    if _only_swaps(fresh):
        return _swapped(previous, fresh, bare)
    if _FORMER.fullmatch(bare):
        return f"{previous.text.rstrip(' ?？')} {bare}?"
    if fresh.periods and _ASKS_IT.match(_without_periods(fresh)):
        return _swapped(previous, fresh, " ".join(["in", fresh.periods[0].text]))
    if other := _other_thing(previous, bare):
        return other
    missing = [name for name in previous.names if name.casefold() not in question.casefold()]
    key = key_phrase(_without_periods(previous), previous.language)
    own = fresh.answer_type == "yes_no" or bool(set(fresh.terms) & set(previous.terms))
    # A question with words of its own for the thing needs only what was asked of it.
    subject = ", ".join(missing) or (previous.focus if own and previous.focus else key or previous.focus)
    if missing and previous.answer_type in ("number", "entity") and previous.focus and _IT.search(bare):
        # What `it` stands for is the figure asked about, not only whose it is.
        subject = f"{previous.focus}, {subject}"
    periods = ", ".join(period.text for period in previous.periods if period.text not in subject)
    if fresh.periods or fresh.answer_type == "yes_no":
        periods = ""
    context = ", ".join(part for part in (subject, periods) if part)
    text = bare[:1].upper() + bare[1:]
    return f"{text} ({context})?" if context else f"{text}?"


def _of_the_two(question: str, before: Sequence[str]) -> str:
    """Return `which of the two had more?` with the two that the last questions named, and what these asked of them."""
    match = _TWO.match(question.strip())
    if match is None or len(before) < 2:
        return ""
    first, second = (read_question(text) for text in before[-2:])
    names = list(dict.fromkeys([*first.names, *second.names]))
    if len(names) != 2:
        return ""
    rest = match["rest"].strip(" ?？.")
    focus = first.focus or second.focus
    more = f"{rest} {focus}" if focus and regex.search(r"\b(?:more|fewer|less|most|fewest)$", rest) else rest
    return f"Which {more}, {names[0]} or {names[1]}?"


def _without_periods(question: Question) -> str:
    text = question.text
    for period in question.periods:
        text = text.replace(period.text, " ")
    return " ".join(text.split())


def _other_thing(previous: Question, bare: str) -> str:
    """Return the question before with another thing in the place of the one asked about: `und die Kaution?`."""
    match = _THING.fullmatch(bare)
    if match is None or not previous.focus:
        return ""
    place = regex.search(rf"(?:{_ARTICLE}\s+)?{regex.escape(previous.focus)}(?!\w)", previous.text, regex.IGNORECASE)
    if place is None:
        return ""
    begins = place.group()[:1].isupper() and not place.start()
    thing = f"{bare[:1].upper()}{bare[1:]}" if begins else bare
    return f"{previous.text[: place.start()]}{thing}{previous.text[place.end() :]}"


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
