"""Split a question into the parts that an answer must settle."""

from __future__ import annotations

import regex

from ....text.sentences import sentences
from ....text.words import analyse, line_words
from .cues import AUXILIARIES, COMPARING
from .pairs import common_asked, pair_asked
from .question import Question, key_phrase, read_question

_ASKS = (
    rf"(?:what|which|who|whom|whose|when|where|why|how|{AUXILIARIES}|"
    r"wie|was|wer|wann|wo|warum|welche[rsnm]?|quel(?:le)?s?|quand|où|pourquoi|comment|combien|qui|"
    r"cu[aá]l(?:es)?|cu[aá]ndo|d[oó]nde|qui[eé]n|c[oó]mo|qu[eé]|quale|quali|quando|dove|chi|perché|quanto)"
)
# A new question after a link, except `and which is` of a relative clause, which needs a noun before it.
# A comma alone parts two questions only where an auxiliary shows that the second is one: `…, what is the charge`.
_LINKED = regex.compile(
    rf"[,;]?\s+(?:and|und|et|y|e|as well as)\s+(?=(?:also\s+)?{_ASKS}\b)|\s*;\s*"
    rf"|,\s+(?=(?:what|when|where|why|how(?:\s+\w+)?)\s+(?:{AUXILIARIES})\b)",
    regex.IGNORECASE,
)
_CJK_LINKED = regex.compile(r"(?<=[？?；;])|，(?=.{0,12}(?:多少|什么|谁|哪|几|如何|为什么))")
_CHOICE = regex.compile(
    r"(?P<a>[\p{Lu}\d\"“][^,?]*?)\s+(?:or|oder|ou|o)\s+(?P<b>(?:the\s+)?[\p{Lu}\d\"“][^,?]*?)\s*\??$"
)
_OFFERED = regex.compile(
    r"^(?i:which|who|what|where|whose)\b[^,:]*[,:]\s+(?P<a>(?:the\s+)?[\p{Lu}\d\"“][^,?]*?)\s+or\s+"
    r"(?P<b>(?:the\s+)?[\p{Lu}\d\"“][^,?]*?)(?:,|$)"
)
_COMPARES = regex.compile(rf"\b(?:or|oder|ou|{'|'.join(COMPARING.split())})\b", regex.IGNORECASE)
_MAX_PARTS = 12
_SUBJECT = regex.compile(
    r"\b(?:does|did|do|is|are|was|were|has|have|had|will|can) (?:the|its|their|our|this) "
    r"(?P<subject>[\w'&-]+(?: [\w'&-]+){0,3}?) [\w-]+\s*\??$",
    regex.IGNORECASE,
)


def parts_of(text: str) -> tuple[str, ...]:
    """Return the questions that a compound one joins, in order, each readable by itself; one where it joins none.

    `What does shipping cost and when do orders close?` gives two.  A part that names nothing itself (`and how?`)
    is given what the first part is about.
    """
    pieces: list[str] = []
    for start, end in sentences(text):
        pieces.extend(_linked(text[start:end]))
    parts = [piece.strip(" ,;") for piece in pieces]
    parts = [part for part in parts if not read_question(part).is_empty or _is_bare_cue(part)]
    if len(parts) < 2:
        return (text.strip(),)
    asking = [part for part in parts if not read_question(part).is_statement or part.endswith("?")]
    if len(asking) < 2:
        return (text.strip(),)
    first = asking[0]
    complete = [first, *(_completed(part, first) for part in asking[1:])]
    return tuple(dict.fromkeys(_as_question(part) for part in complete))[:_MAX_PARTS]


def sides_of(question: Question) -> tuple[str, ...]:
    """Return the two things that a comparison sets side by side, or of which the same is asked; or none."""
    if question.language == "en" and (common := common_asked(question.text)) is not None:
        return common
    text = question.text.rstrip(" ?？.")
    if question.answer_type not in ("comparison", "yes_no"):
        return _offered(text) if question.language == "en" else ()
    if question.language == "en" and (pair := pair_asked(question.text)) is not None:
        return pair.sides
    # `Which was founded first, A or B`: the list stands after the last comma, or is the last run of names.
    tail = text.rsplit(",", 1)[-1] if "," in text else text
    match = _CHOICE.search(tail)
    if match is None:
        between = regex.search(r"\bbetween (?P<a>[^,?]+?) and (?P<b>[^,?]+?)(?:[,?]|$)", question.text)
        if between is None or read_question(between.group("a")).periods:
            return ()
        match = between
    sides = tuple(side.strip(' "“”') for side in (match.group("a"), match.group("b")))
    sides = tuple(_last_name(side) if index == 0 else side for index, side in enumerate(sides))
    return sides if all(analyse(side) for side in sides) and sides[0] != sides[1] else ()


def _offered(text: str) -> tuple[str, ...]:
    """Return the two names that a question offers between commas or at its end: `Which site, A or B, has a lift`."""
    found = _OFFERED.search(text)
    return (found["a"].strip(' "“”'), found["b"].strip(' "“”')) if found else ()


def side_questions(question: Question) -> tuple[Question, ...]:
    """Return a comparison as one question for each side, without the other side's name; none where it has no sides."""
    sides = sides_of(question)
    if len(sides) != 2:
        return ()
    if common_asked(question.text):
        return tuple(read_question(side) for side in sides)
    made = []
    for side, other in (sides, sides[::-1]):
        rest = question.text.replace(other, " ").replace(side, " ")
        asked = key_phrase(regex.sub(_COMPARES, " ", rest), question.language)
        made.append(read_question(f"{side} {asked}".strip()))
    return tuple(made)


def _linked(sentence: str) -> list[str]:
    """Cut a sentence where a new question begins, not where a relative clause goes on."""
    pieces: list[str] = []
    for piece in _pieces(sentence):
        if pieces and (not _asks(pieces[-1]) or _goes_on(pieces[-1], piece)):
            pieces[-1] = f"{pieces[-1]} and {piece}"
        else:
            pieces.append(piece)
    return pieces


def _pieces(sentence: str) -> list[str]:
    pieces: list[str] = []
    for piece in _LINKED.split(sentence):
        parts = [part for part in _CJK_LINKED.split(piece or "") if part.strip(" ？?")]
        pieces.extend(parts)
    return pieces


def _goes_on(before: str, piece: str) -> bool:
    """Whether a piece continues a clause: `…, and was surpassed by`, `whose A … and whose B`."""
    opener = piece.split()[0].casefold()
    if regex.fullmatch(AUXILIARIES, opener):
        return regex.match(r"\S+\s+(?:there|it|they|this|these|the|any|its|\p{Lu})", piece) is None
    relative = opener in ("who", "whose", "which", "where", "whom")
    return relative and regex.search(rf"\S\s.*\b{opener}\b", before, regex.IGNORECASE) is not None


def _asks(piece: str) -> bool:
    question = read_question(piece)
    return not question.is_statement and bool(question.terms)


def _is_bare_cue(part: str) -> bool:
    return regex.fullmatch(rf"(?:and\s+)?{_ASKS}(?:\s+so)?\s*[?？]?", part, regex.IGNORECASE) is not None


def _completed(part: str, first: str) -> str:
    """Give a part what the first one is about where it has no subject of its own."""
    question, opening = read_question(part), read_question(first)
    bare = part.rstrip(" ?？")
    if _is_bare_cue(part):
        return f"{bare}: {opening.text.rstrip(' ?')}"
    refers = regex.search(
        r"\b(?:it|its|they|their|them|he|his|she|her|this|that|these|those)\b", part, regex.IGNORECASE
    )
    missing = [name for name in opening.names if name not in part]
    if not question.names and missing and (refers or len(question.terms) <= 4):
        bare = f"{bare} ({', '.join(missing)})"
    elif refers and not question.names and (about := opening.focus or _subject(first)):
        bare = f"{bare} ({about})"
    if not question.periods and opening.periods and (refers or len(question.terms) <= 4):
        bare = f"{bare} ({', '.join(period.text for period in opening.periods)})"
    return bare


def _subject(text: str) -> str:
    """Return what a short question with an auxiliary is about: `when does the supply agreement end`."""
    match = _SUBJECT.search(text)
    return match["subject"] if match else ""


def _as_question(part: str) -> str:
    text = part[:1].upper() + part[1:]
    return text if text.endswith(("?", "？", "。", ".")) else f"{text}?"


def _last_name(side: str) -> str:
    """Return the run of capitalised words at the end of a side (`is younger Ann Lee` gives `Ann Lee`)."""
    words = line_words(side)
    cut = len(words)
    while cut and (
        words[cut - 1][:1].isupper() or words[cut - 1][:1].isdigit() or words[cut - 1] in ("of", "the", "de")
    ):
        cut -= 1
    run = words[cut:]
    while run and run[0].casefold() in ("of", "the", "is", "was", "which", "who", "what"):
        run = run[1:]
    return " ".join(run) or side
