"""Tell headings and labels from sentences: a heading answers nothing by itself, but says what follows is about."""

# ruff: noqa: SIM905 - word lists read better as running text

from __future__ import annotations

import regex

from ....text.periods import find_periods

# Forms of to be and to have, modal verbs, and common verbs whose past a suffix does not show.
_VERBS = frozenset(
    """
    is are was were be been being am isn't aren't wasn't weren't has have had hasn't haven't hadn't do does did don't
    doesn't didn't will would shall should can could may might must cannot can't won't became become began begins
    bought brought built came comes chose cut drew fell felt found gave gives goes grew grows got gets held holds hit
    kept keeps knew knows led leads left lies lay lost loses made makes means meant met paid pays put ran runs read
    reads rose rises said says saw sees sold sells sent set sets shows shown showed sits sat spoke spent stands stood
    takes took taught tells told thinks thought went wins won wrote writes lives owns works serves includes contains
    remains reports states needs wants uses allows applies covers ends starts expects plans
    ist sind war waren hat haben hatte wird werden wurde wurden kann können soll muss gibt
    est sont était étaient ont avait sera es son era fue tiene ha hanno
    """.split()
)
_RULES = regex.compile(
    r"\b\p{Ll}{3,}ed\b|\b\p{Ll}{2,}s (?:the|a|an|its|our|their|his|her|up|down|out|about|that)\b", regex.IGNORECASE
)
# After a plural the bare form is the verb: `Dogs need a lead`.
_OF_SEVERAL = regex.compile(
    r"\b\p{L}+(?<!s)s (?:also |only |still |then )?(?:apply|become|belong|come|contain|depend|give|go|grow|include|"
    r"keep|live|make|mean|need|own|receive|remain|require|take|want)\b"
)
_NUMBERED = regex.compile(
    r"^(?:schedule|annex|appendix|exhibit|section|chapter|part|article|table|figure|note|item|anlage|anhang|abschnitt|"
    r"kapitel|annexe|chapitre)\s+[\dA-Z][\w.]*\s*[:.–-]?\s+\S",
    regex.IGNORECASE,
)
_LETTERHEAD = regex.compile(
    r"^(?:(?:from|to|cc|date|subject|re|sent|present|attending|attendees|author|von|an|betreff|datum|de|à|objet)\s*:|"
    r"(?:written|prepared|compiled|drafted) (?:by|on|\d)|(?:rédigée?|établie?|écrite?) par\b|"
    r"(?:verfasst|erstellt) von\b|verfasser(?:in)?\s*:|(?:redactado|escrito) por\b)",
    regex.IGNORECASE,
)
_COURTESY = regex.compile(
    r"^(?i:subject|re|betreff|objet|asunto|oggetto)\s?: |"
    r"^(?i:dear|hello|hi|liebe[rs]?|sehr geehrte[rs]?|chère?s?|bonjour|estimad[oa]s?|gentile|cari?|cara) "
    r"[^.:;!?\d]{1,60}[,!]$|"
    r"^(?i:(?:(?:with )?(?:my |our )?(?:kind(?:est)?|best|warm(?:est)?|many|all good)(?: (?:regards|wishes|thanks))|"
    r"with (?:thanks|regards)|regards|yours(?: (?:sincerely|faithfully|truly|ever))?|sincerely|cordially|"
    r"(?:mit )?(?:freundliche[nr]?|beste[nr]?|herzliche[nr]?|viele[nr]?|liebe) grü(?:ße|ßen|sse|ssen)|"
    r"cordialement|bien à vous|un saludo|saludos|cordiali saluti)),?(?: (?:\p{Lu}[\p{L}'’-]*\.?,? ?){0,6})?$"
)
_DENIES = regex.compile(
    r"\b(?:not|never|no|exclu(?:ded?|sions?)|except(?:ed|ions?)?|forbidden|prohibited|exempt(?:ions?)?|nicht|kein\p{L}*|"
    r"ausgeschlossen|ausschlüsse|verboten|exclus(?:ions)?|interdit|excluid[oa]s?|exclusiones|esclus[oi]n?i?)\b",
    regex.IGNORECASE,
)
_FIGURE = regex.compile(r"\d")
_WORD = regex.compile(r"[\p{L}'’]+")
_MARK = regex.compile(r"^(?:[-*•·▪◦–]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+")
# `… without parking. 2. Rent. £1,180 a month`: clauses that one paragraph numbers.
_NUMBERED_WITHIN = regex.compile(r"[.!?;:]\s+\(?\d{1,2}[.)]\s+$")
_HASHES = regex.compile(r"\s*#{1,6}\s+(?:\(?\d{1,2}[.)]\s+)?")
_NUMBER_MARK = regex.compile(r"\s*\(?\d{1,2}[.)]\s+")
# `§ 5 Notice.`, `Art. 3 Rent.`
_CLAUSE_MARK = regex.compile(
    r"^(?:§+|art\.|artikel|article|clause|section|ziffer|artículo|articolo)\s?\d{1,3}\p{Ll}?\.?\s+(?=\p{Lu})",
    regex.IGNORECASE,
)
_CODE = regex.compile(r"\b\p{Lu}[\p{Lu}\d]*(?:[-/]\d+)+|\b\p{Lu}{1,3}\d{1,4}\b|\b(?:19|20)\d\d(?:[-/]\d\d)?\b")
_SUBSECTION = regex.compile(r"^\d{1,2}(?:\.\d{1,2})+\.?\s+(?=\p{Lu})")
# `5 Accident`, `TOP 3 Lift`, `Item 2: Budget` by themselves above what they head.
_NUMBER_BEFORE = regex.compile(
    r"^(?:(?:TOP|Punkt|Item|Agenda item|Point|Punto|Section|Clause|Part|Step|Article|Artikel|Art\.|Abschnitt|§+)\s?)?"
    r"\d{1,2}(?:\.\d{1,2})*[.)]?\s?[:–-]?\s+(?=\p{Lu})",
    regex.IGNORECASE,
)
# `Injured horse` tells of no deed.
_PARTICIPLE_FIRST = regex.compile(r"^\p{Lu}\p{Ll}+ed(?= \p{Ll}+$)")
# The head of a change log's section: `8.4.0 (2025-05-12)`, `Version 2.1 – 3 May 2024`.
_VERSION = regex.compile(
    r"\[?(?:version |release |v)?\d+(?:\.\d+)+\]?(?:\s*(?:\([^()\n]{4,30}\)|[–-]\s*[^\n]{4,30}))?", regex.IGNORECASE
)
_OPENS_BELOW = regex.compile(r"\p{Lu}|[-*•·▪◦–|]|\(?(?:\d{1,2}|[a-z])[.)]")
# `What went well` by itself, without a mark of a question.
_TOPIC = regex.compile(
    r"(?:what|how|who|why|where|when|was|wie|wer|warum|wo|wann|pourquoi|comment|qui|où)\b(?! (?:is|was|the)\b[^?]{40})",
    regex.IGNORECASE,
)
_OTHER_SCRIPT = regex.compile(r"[^\p{Latin}\p{P}\p{N}\p{S}\p{M}\s]")
_FEW, _VERY_FEW, _HEADING_WORDS, _NUMBERED_WORDS, _QUESTION_WORDS = 6, 3, 8, 12, 14


def has_verb(text: str) -> bool:
    """Whether a text has a word that reads as a finite verb; short labels have none."""
    if _RULES.search(text) or _OF_SEVERAL.search(text):
        return True
    return any(word.casefold() in _VERBS for word in _WORD.findall(text))


def run_in_heading(text: str, start: int, end: int) -> bool:
    """Whether a span is a label at the head of its line that the sentence behind it is about: `2. Budget. The …`.

    Three words may stand bare; up to six need a list mark before them.
    """
    span = text[start:end]
    following = text[end : end + 2]
    if not span.endswith(".") or not (following[:1] == " " and following[1:2].strip()):
        return False
    line = text.rfind("\n", 0, start) + 1
    before = text[line:start]
    numbered = _CLAUSE_MARK.match(span)
    span = span[numbered.end() :] if numbered else span
    words = _WORD.findall(span)
    marked = bool(numbered) or bool(_MARK.fullmatch(before) or _NUMBERED_WITHIN.search(before))
    few = len(words) <= (_FEW if marked else _VERY_FEW)
    within = not numbered or bool(regex.search(r"[.!?]\s+$", before))
    opens = span[:1].isupper() and (not before.strip() or (marked and within))
    plain = not _FIGURE.search(span) and ":" not in span and not has_verb(span)
    return bool(words) and few and opens and plain


def is_heading(text: str, start: int, end: int) -> bool:
    """Whether a span is a line by itself, without a stop, that only names what stands below it."""
    span = text[start:end]
    if "\n" in span:
        return False
    line = text.rfind("\n", 0, start) + 1
    mark = text[line:start]
    if _HASHES.fullmatch(mark) or span.startswith("#"):
        return True
    # What stands below a question for yes or no answers that one alone.
    if span.endswith("?") and _TOPIC.match(span) and not mark.strip() and len(_WORD.findall(span)) <= _QUESTION_WORDS:
        return _is_alone(text, line, end) and bool(text[end:].strip())
    if regex.search(r"[.!?:;,。！？]$", span) or _OTHER_SCRIPT.search(span):
        return False
    if _numbered_line(text, span, mark, end) or _numbered_alone(text, span, mark, end):
        return True
    if (mark.strip() and not _NUMBER_MARK.fullmatch(mark)) or text[end : end + 1] not in ("", "\n"):
        return False
    if not _is_alone(text, line, end) or not text[end:].strip():
        return False
    if not 0 < len(_WORD.findall(span)) <= _HEADING_WORDS:
        return False
    if _TOPIC.match(span):
        return True
    bare = _PARTICIPLE_FIRST.sub("", _undated(span))
    return bool(_NUMBERED.match(span)) or not (has_verb(bare) or ":" in bare or _FIGURE.search(_CODE.sub("", bare)))


def _undated(span: str) -> str:
    """Return a line without its dates: `Minutes of 2 May 2024` heads what was said that day."""
    for period in reversed(find_periods(span)):
        span = f"{span[: period.at]}{span[period.to :]}"
    return span


def _is_alone(text: str, line: int, end: int) -> bool:
    """Whether a line is a paragraph by itself."""
    above, below = text[:line], text[end:].lstrip(" ")
    return (not above.strip() or above.endswith("\n\n")) and below[:2] in ("", "\n\n")


def _numbered_line(text: str, span: str, mark: str, end: int) -> bool:
    """Whether a line is `3.2 Liver` or, right above the text it heads, `3. Inventory`; an item of a list is none."""
    plain = not has_verb(span) and 0 < len(_WORD.findall(span)) <= _HEADING_WORDS
    if not plain or text[end : end + 1] != "\n":
        return False
    if _SUBSECTION.match(span):
        return not mark.strip() and not _FIGURE.search(_SUBSECTION.sub("", span))
    below = text[end:].lstrip("\n ").split("\n", 1)[0]
    few = len(_WORD.findall(span)) <= _FEW and not _FIGURE.search(_CODE.sub("", span))
    heads = bool(_NUMBER_MARK.fullmatch(mark)) and few and not text[end:].startswith("\n\n")
    return heads and below[:1].isupper() and len(_WORD.findall(below)) > _FEW


def _numbered_alone(text: str, span: str, mark: str, end: int) -> bool:
    """Whether a line by itself, above a paragraph that begins with a capital, is a number with a few words."""
    number = _NUMBER_BEFORE.match(span)
    numbered = bool(_NUMBER_MARK.fullmatch(mark))
    if (mark.strip() and not numbered) or not text[end:].startswith("\n\n"):
        return False
    if _VERSION.fullmatch(span):
        return True
    if number is None and not numbered:
        return False
    named = span[number.end() :] if number else span
    few = 0 < len(_WORD.findall(named)) <= _NUMBERED_WORDS
    plain = not has_verb(named) and not _FIGURE.search(_undated(named))
    return few and plain and bool(_OPENS_BELOW.match(text[end:].lstrip()))


def is_version(heading: str) -> bool:
    """Whether a heading is the number of a version, with its day or without."""
    return bool(_VERSION.fullmatch(heading.strip()))


def number_length(heading: str) -> int:
    """Return how many characters of a heading are the number of its section, `3.2 ` of `3.2 Liver`."""
    match = _SUBSECTION.match(heading)
    return match.end() if match else 0


def is_courtesy(text: str) -> bool:
    """Whether a span only greets, takes leave, or gives a mail's subject, which says nothing of what it writes of."""
    return bool(_COURTESY.match(" ".join(text.split())))


def is_post_signed(text: str, start: int, end: int) -> bool:
    """Whether a span is the writer's post in the last line of a text, `Interim treasurer` below a name."""
    above = text[:start].rstrip(" ").split("\n")
    if len(above) < 2 or above[-1].strip() or text[end:].strip() or "\n" in text[start:end].strip():
        return False
    span, name = text[start:end], above[-2].strip()
    signed = 0 < len(name.split()) <= _VERY_FEW + 1 and name[:1].isupper() and not regex.search(r"[.!?:;]$", name)
    return signed and len(_WORD.findall(span)) <= _FEW and not has_verb(span) and not regex.search(r"[\d.:;!?]", span)


def is_topic_line(text: str, start: int, end: int) -> bool:
    """Whether a span is a line such as `What we do not insure` that a page has set right above what it heads."""
    span = _SUBSECTION.sub("", text[start:end])
    alone = "\n" not in span and not text[text.rfind("\n", 0, start) + 1 : start].strip()
    short = len(_WORD.findall(span)) <= _HEADING_WORDS and not regex.search(r"[.!?:;,]$", span)
    heads = text[end : end + 1] == "\n" and bool(_OPENS_BELOW.match(text[end:].lstrip()))
    return alone and short and heads and bool(_TOPIC.match(span))


def denies(heading: str) -> bool:
    """Whether a heading says that what stands below it is not so: `What we do not insure`, `Exclusions`."""
    return bool(_DENIES.search(heading))


def is_letterhead(text: str) -> bool:
    """Whether a line only says who wrote to whom, and when."""
    return bool(_LETTERHEAD.match(text))
