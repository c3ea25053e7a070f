"""The day of a letter, a release or minutes, by the lines that open them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

import regex

from ...text.periods import Period, find_periods

_LINES = 12
_MOST_CHARS = 110
_OPENING_CHARS = 4_000
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)"
_LED = rf"(?:(?:the|den|dem|vom|am|le|du|el|il|del|on|of|from|at)\s)*(?:(?i:{_WEEKDAY}),?\s)?(?:(?:the|den|dem|le)\s)?$"
# What says that the day behind it is that of the text itself.
_LABEL = (
    r"(?:(?:(?:report|issue|issued|publication|release|print|letter|memo|minutes|meeting|statement|approval|revision|"
    r"status|version|document|preparation|effective)\s)?date|date\sof\s(?:(?:the|this)\s)?(?:report|issue|publication|"
    r"release|letter|memo|minutes|meeting|statement|document|note|interview|call|visit|preparation|print)|"
    r"dated|sent|issued|published|released|prepared|compiled|written|"
    r"(?:last|latest|page\slast)\s(?:updated?|modified|modification|changed?|revised|revision|edited|reviewed|review)|"
    r"updated|revised|signed|conducted|recorded|taken|as\s(?:of|at)|data\sas\s(?:of|at)|status\sas\s(?:of|at)|position\sat|held|"
    r"signé|unterzeichnet|firmado|firmato|geführt|datum|berichtsdatum|stand|erstellt|erstellt\sam|letzte\s(?:aktualisierung|änderung)|zuletzt\s(?:aktualisiert|"
    r"geändert)|aktualisiert|veröffentlicht|ausgabedatum|date\sdu\srapport|fait\sà\s\p{Lu}\p{L}+|mis(?:e)?\sà\sjour|"
    r"dernière\smise\sà\sjour|publiée?|état\sau|fecha|actualizado|última\sactualización|publicado|data|aggiornato|"
    r"ultimo\saggiornamento|pubblicato)"
)
_LABELLED = regex.compile(
    rf"(?:^|[.;,(|–—]\s*|\s-\s|\s{{2,}})[*_]*(?i:{_LABEL})(?:\s(?:by|von|par|por|da)\s[^,;:\n]{{2,50}}?)?[*_]*\s?:?[*_]*"
    rf"\s*{_LED}"
)
_UPDATED = regex.compile(
    r"(?i:\b(?:updat|modif|changed?|revis|edit|review|aktualis|änder|mise à jour|mis à jour|actualiz|aggiorna))"
)
_EDITION = regex.compile(
    r"(?i:\b(?:version|edition|issue|revision|rev|release|draft|ausgabe|fassung|auflage|édition|versión|edición|"
    r"versione|edizione)\.?\s(?:no\.?\s)?|\bv)(?:\d{1,3}(?:\.\d{1,3})*|[A-Z])[,;]?\s?[(–—-]?\s?"
    rf"(?:(?i:dated)\s)?{_LED}"
)
# What may stand before the day: nothing, where it was written, which meeting it was, or that the line is the date.
_PLACE = r"\p{Lu}[\p{L}'’.\- ]{1,30}(?:,\s\p{Lu}[\p{L}'’.\- ]{1,30})?"
_MEETING = (
    r"(?:[Mm]eeting|[Ss]ession|[Ss]itting|[Mm]inutes|[Pp]rotocol|[Ss]itzung|[Pp]rotokoll|[Rr]éunion|[Ss]éance|"
    r"[Rr]eunión|[Ss]esión|[Rr]iunione|[Ss]eduta|[Ii]nterview|[Cc]all)"
)
_BEFORE = regex.compile(
    rf"^[#>*_\s]*(?:(?:[^\n.;:?!]{{1,60}}{_MEETING}[^\n.;:?!]{{0,80}}|{_MEETING}[^\n;:?!]{{0,60}})"
    rf"(?:,|\sof|\son|\s[–—-])?\s?|(?!(?:On|In|At|By|From|Since|Until|After|Before|Am|Im|Le|El|Il)\b)"
    rf"(?:{_PLACE}|[^\n;:?!]{{1,70}}(?=\s[|–—-]\s))(?:,|\s[|–—-])\s?)?{_LED}"
)
_DATELINE = regex.compile(rf"^[#>*_\s]*(?!(?:On|In|At|By|From|Since|Until|After|Before|Am|Im)\b){_PLACE}[,/]\s{_LED}")
_PLACE_AND_TIME = regex.compile(
    rf"^[*_\s]*(?i:ort|place|venue|lieu|lugar|luogo)\b[^:\n]{{0,20}}:[^\n:]{{0,70}},\s{_LED}"
)
_TITLE_BRACKET = regex.compile(r"^[^\n]*\((?:(?i:dated|of|vom|du|del)\s)?$")
_ENDS_SENTENCE = regex.compile(r"^\.\s\p{Lu}")
_BEHIND = regex.compile(r"^\W*$|^\s?[,–—:-]|^\s\(|^\*|^\s(?:at|um|à)\s\d|^\.\s\p{Lu}")
_OF_ANOTHER = regex.compile(
    r"\b(?:amendment|addendum|amend\w*|supplement|nachtrag|avenant|replac\w+|supersed\w+|ersetz\w+|remplac\w+|until|"
    r"valid|in force|effective|gültig|agreement of|contract of|regulation|expires?|due|received|"
    r"your (?:letter|mail|e-mail)|next|from|draft of|version of)\b",
    regex.IGNORECASE,
)


def letterhead_day(text: str) -> datetime | None:
    """Return the one day that a line among the first gives as that of the whole text; None where none or several do.

    A line that names what the day is (`Date of report:`, `Last updated`, `Edition 5,`) outranks one that only has it,
    as the place line of a letter.  A day of which the line says that something else is of it, starts or ends on it, is
    not taken.
    """
    lines = [line.strip() for line in text[:_OPENING_CHARS].split("\n") if line.strip()][:_LINES]
    found = [each for at, line in enumerate(lines) for each in _days_of(line, at)]
    for weight in sorted({weight for weight, _ in found}, reverse=True):
        days = {day for held, day in found if held == weight}
        if len(days) == 1:
            return datetime.combine(days.pop(), datetime.min.time(), UTC)
        if weight == _AS_UPDATED:
            return datetime.combine(max(days), datetime.min.time(), UTC)
        return None
    return None


_AS_UPDATED, _AS_LABELLED, _AS_EDITION, _AS_PLACED = 4, 3, 2, 1


def _days_of(line: str, at: int) -> Iterator[tuple[int, date]]:
    """Yield the days that a line gives as that of its text, each with how plainly it does."""
    days = [period for period in find_periods(line[: 2 * _MOST_CHARS]) if period.kind == "day"]
    for day in days:
        before = line[: day.at]
        said = before[max(before.rfind(mark) for mark in (". ", "; ", ", ")) + 1 :] if days.index(day) else before
        label = _LABELLED.search(before)
        if label is not None and not _OF_ANOTHER.search(label.group()):
            yield _AS_UPDATED if _UPDATED.search(label.group()) else _AS_LABELLED, day.start
        elif _OF_ANOTHER.search(said):
            continue
        elif _EDITION.search(before):
            yield _AS_EDITION, day.start
        elif _is_placed(line, day, at, alone=len(days) == 1):
            yield _AS_PLACED, day.start


def _is_placed(line: str, day: Period, at: int, *, alone: bool) -> bool:
    """Whether a day stands where letters, minutes and releases have theirs."""
    before, behind = line[: day.at], line[day.to :]
    if _DATELINE.match(before) and regex.match(r"^\s*(?:$|[.:–—-])", behind):
        return True
    if _PLACE_AND_TIME.match(before):
        return True
    if at <= 1 and _TITLE_BRACKET.match(before) and regex.match(r"^\)[\W]*$", behind):
        return True
    if len(before) > _MOST_CHARS or not alone or _OF_ANOTHER.search(line):
        return False
    ends = _ENDS_SENTENCE if len(line) > _MOST_CHARS else _BEHIND
    return bool(_BEFORE.search(before)) and bool(ends.match(behind))
