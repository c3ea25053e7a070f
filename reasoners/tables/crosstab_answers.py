"""What the cells of a table of names by names answer: one cell, its share of a group, a sum, who has the most."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import PurePosixPath

from ...text.numerals import grouped, percent
from .asking import Ask
from .catalog import Catalog, Column, Table, header_words
from .cells import capital, is_rate, less, never_adds, period_of, summed
from .changes import told_change, verdict_on
from .computed import Computed
from .crosstabs import Cross, crosses, is_whole, member_name, size_of
from .members import Entry
from .places import told_places
from .rank_changes import Move, asks_who_moved, tell_moves
from .scope import DOWN, UP, YES_NO, header_periods
from .units import amount, in_small, name_and_unit
from .wording import Spelling

_SHARE = re.compile(r"\b(?:percentage|per ?cent|proportion|share|fraction|rate)\b", re.IGNORECASE)
_TOTAL = re.compile(
    r"\b(?:totals?|in all|altogether|overall|all (?:\w+ )?(?:arms|groups|patients|participants))\b", re.I
)
_MOST = re.compile(
    r"\b(?:(?P<more>most (?:common|frequent|often)|commonest|highest|largest|most|biggest|greatest)|"
    r"(?P<less>least (?:common|frequent|often)|rarest|lowest|smallest|fewest|least))\b",
    re.IGNORECASE,
)
_WHICH = re.compile(r"\b(?:which|what) (?P<x>\w+)", re.IGNORECASE)
_COMPARES = re.compile(r"\b(?:than|difference|gap|compared?|versus|vs|more|fewer)\b", re.IGNORECASE)
_PEOPLE_ROW = re.compile(
    r"^(?:n|(?:number of )?(?:participants|patients|subjects|volunteers|people)"
    r"(?: (?:treated|randomi[sz]ed|enrolled|dosed))?|"
    r"(?:treated|randomi[sz]ed|enrolled|safety population|safety set|population))$",
    re.IGNORECASE,
)
_TIME_WORDS = frozenset({"year", "years", "month", "quarter", "season"})
_GROUP_WORDS = frozenset({"arm", "group", "dose", "cohort", "treatment", "column", "set"})
_DEVELOPS = frozenset({"develop", "developed", "development", "evolve", "evolved", "trend", "change", "changed"})
_MORE = re.compile(r"\b(?:more|higher|greater|larger)\b", re.IGNORECASE)
_LESS = re.compile(r"\b(?:less|fewer|lower|smaller|rarer)\b", re.IGNORECASE)
_OTHER_ANSWER = re.compile(
    r"\b(?:when|who|whom|whose|where|why|within|must|shall|should|may|how (?:long|soon|fast)|"
    r"what (?:time|happen\w*|kind|type|sort|does|do|if)|which (?!arm|group|year|dose))\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"\bhow (?:many|much|often|common|frequent|large|big|high|low)\b|\bwhat (?:was|were|is|are|did)\b|"
    r"\b(?:number|count|figures?|incidence|frequency|value) (?:of|for)\b",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\b(?:from|since|compared (?:with|to)|against|than in|versus|vs)\b", re.IGNORECASE)
_HOW_MUCH = re.compile(r"\W*(?:how (?:many|much)|what)\b", re.IGNORECASE)
_BY = re.compile(r"^(?:\d[\d.]*\s+)?(?P<what>[^\d].*?) (?:by|per) \w+", re.IGNORECASE)
_NO_TITLE = re.compile(r"^(?:sheet|tabelle|feuil|hoja|foglio|table|data)\s?\d*$", re.IGNORECASE)
_ITEM = re.compile(
    r"\b(?:revenue|income|profit|loss|ebitda?|assets|equity|liabilities|margin|costs?|expenses?|cash|debt|turnover)\b",
    re.IGNORECASE,
)
_MOST_MOVED = 3
_MOST_TOLD = 12


def crossed(ask: Ask, catalog: Catalog, spelling: Spelling) -> list[Computed]:
    """Return what a table of names by names says of the row and the column that a question names.

    Exports come before tables of narratives; of several narratives that answer none does.
    """
    found = [
        (cross.table, told)
        for cross in crosses(ask, catalog)
        if (told := _told(ask, cross, catalog, spelling)) is not None
    ]
    exports = [told for table, told in found if table.structured]
    plain = [told for _, told in found]
    return exports[:1] or (plain if len(plain) == 1 else [])


def _told(ask: Ask, cross: Cross, catalog: Catalog, spelling: Spelling) -> Computed | None:
    moved = bool(ask.spelled & (UP | DOWN | _DEVELOPS))
    if asks_who_moved(ask, two_times=cross.kind == "time" and len(cross.columns) > 1):
        return _who_moved(ask, cross)
    ranked = _MOST.search(ask.question)
    if ranked is not None and "share" not in ask.operations:
        return _ranked(replace(ask, ascending=bool(ranked["less"])), cross, spelling)
    if cross.kind == "time" and moved:
        return _moved(ask, cross)
    if _SHARE.search(ask.question):
        return _shares(cross, catalog) if cross.kind == "group" else _share_of_time(cross)
    if cross.kind == "group" and cross.rows and not cross.columns and _TOTAL.search(ask.question):
        return _added_up(cross)
    if not cross.rows:
        return _whole_of(ask, cross) if cross.kind == "time" else _counted(cross)
    if cross.kind == "group" and len(cross.columns) == 2 and len(cross.rows) == 1 and _COMPARES.search(ask.question):
        return _compared(ask, cross)
    return _cells(cross) if _asks_for_figure(ask.question) else None


def _asks_for_figure(question: str) -> bool:
    """Whether a question wants a number of the table rather than a rule, a reason or a day."""
    if _OTHER_ANSWER.search(question) or YES_NO.match(question):
        return False
    return bool(_FIGURE.search(question)) or not question.rstrip().endswith("?")


def _who_moved(ask: Ask, cross: Cross) -> Computed | None:
    """Tell which row moved the most between the first and the last of the times that are meant."""
    columns = _in_time(cross)
    if cross.kind != "time" or cross.rows or _mixed(cross) or len(columns) < 2:
        return None
    first, last = columns[0], columns[-1]
    moves = []
    for row in cross.parts:
        before, after = cross.value(row, first), cross.value(row, last)
        if before is None or after is None:
            return None
        moves.append(Move(cross.name(row), before, after, (cross.table.rows[row],)))
    return tell_moves(ask, _title(cross), cross.label, (period_of(first), period_of(last)), moves)


def _moved(ask: Ask, cross: Cross) -> Computed | None:
    """Tell how each row that is meant, else the total, went from the first of the times meant to the last."""
    columns = _in_time(cross)
    if len(cross.columns) == 1:
        # From the one time that is named on, or from the time before it.
        at = columns.index(cross.columns[0])
        onward = _SINCE.search(ask.question) and at + 1 < len(columns)
        columns = columns[at:] if onward else columns[max(at - 1, 0) : at + 1]
    rows = cross.rows or tuple(row for row in range(len(cross.table.rows)) if cross.table.is_total(row))
    if len(columns) < 2 or not 1 <= len(rows) <= _MOST_MOVED or (not cross.rows and len(rows) != 1):
        return None
    ends = (period_of(columns[0]), period_of(columns[-1]))
    parts, changes = [], []
    for row in rows:
        before, after = cross.value(row, columns[0]), cross.value(row, columns[-1])
        if before is None or after is None:
            return None
        series = ", ".join(f"{period_of(each)}: {_amount(cross, row, each)}" for each in columns)
        between = f"{series}; " if 2 < len(columns) <= _MOST_TOLD else ""
        unit = _unit(cross) if not _is_rate(cross, row) else name_and_unit(cross.name(row))[1]
        parts.append(between + told_change(_subject(cross, row), before, after, ends, unit))
        changes.append(after - before)
    lead = verdict_on(ask, changes[0]) if len(changes) == 1 else ""
    return _computed(f"{lead}{'; '.join(parts)}.", cross, rows)


def _in_time(cross: Cross) -> list[Column]:
    """Return the columns that are meant, all where a question names fewer than two, in the order of time."""
    columns = cross.columns if len(cross.columns) > 1 else cross.members
    return sorted(columns, key=lambda column: (header_periods(column)[0].start, header_periods(column)[0].end))


def _share_of_time(cross: Cross) -> Computed | None:
    """Tell what part of all rows of one time a row is."""
    if len(cross.rows) != 1 or len(cross.columns) != 1 or _mixed(cross) or _is_rate(cross, cross.rows[0]):
        return None
    (row,), (column,) = cross.rows, cross.columns
    stated = [each for each in range(len(cross.table.rows)) if cross.table.is_total(each)]
    every = stated if len(stated) == 1 else cross.parts
    values = [value for each in every if (value := cross.value(each, column)) is not None]
    part, whole = cross.value(row, column), sum(values, Decimal(0))
    if part is None or len(values) != len(every) or len(every) > _MOST_TOLD * 2 or not 0 <= part <= whole or not whole:
        return None
    rate = percent(part, whole)
    before = f"{summed(values)}; " if len(values) > 1 else ""
    text = f"{_subject(cross, row)}, {period_of(column)}: {before}{grouped(part)} / {grouped(whole)} = {rate}%."
    return _computed(text, cross, tuple(dict.fromkeys((row, *every))))


def _counted(cross: Cross) -> Computed | None:
    """Tell how many a group counts, where a row says so."""
    rows = [row for row in cross.parts if _PEOPLE_ROW.match(cross.name(row))]
    return _cells(replace(cross, rows=tuple(rows))) if len(rows) == 1 and len(cross.columns) == 1 else None


def _cells(cross: Cross) -> Computed | None:
    """Tell the cells that are meant; of a row alone all of them."""
    columns = cross.columns or cross.members
    if len(columns) * len(cross.rows) > _MOST_TOLD:
        return None
    parts = [f"{_subject(cross, row)}{_listed(cross, row, columns)}" for row in cross.rows]
    return _computed(f"{'; '.join(parts)}.", cross, cross.rows)


def _listed(cross: Cross, row: int, columns: Sequence[Column]) -> str:
    """Return `, 40 mg (N=89): 27`, and of several columns `: 6 (Placebo), 14 (20 mg)`."""
    if len(columns) == 1:
        return f", {_member(cross, columns[0])}: {_amount(cross, row, columns[0])}"
    return ": " + ", ".join(f"{_amount(cross, row, each)} ({_member(cross, each)})" for each in columns)


def _shares(cross: Cross, catalog: Catalog) -> Computed | None:
    """Tell what part of each group that is meant a row is, where the table or its file says how many a group counts."""
    if len(cross.rows) != 1:
        return None
    (row,) = cross.rows
    if _is_rate(cross, row):
        return _cells(cross)
    parts: list[str] = []
    used = [cross.table.rows[row]]
    for column in cross.columns or cross.members:
        whole, where = _group_size(cross, column, catalog)
        value = cross.value(row, column)
        if whole is None or value is None or not 0 <= value <= whole or whole == 0:
            return None
        used += [table.rows[place] for table, place in where]
        rate = percent(value, whole)
        parts.append(f"{_member(cross, column)}: {grouped(value)} / {grouped(whole)} = {rate}%")
    text = f"{cross.name(row)}, {'; '.join(parts)}."
    return Computed(text, tuple(dict.fromkeys(used)), header="", is_whole=True)


def _group_size(cross: Cross, column: Column, catalog: Catalog) -> tuple[Decimal | None, list[tuple[Table, int]]]:
    """Return how many a group counts: by its header, or by a row of people in a table of the same file."""
    if (size := size_of(column)) is not None:
        return size, []
    name = member_name(column).casefold()
    for table in (cross.table, *(each for each in catalog.tables if each.uri == cross.table.uri)):
        words = next((each for each in table.columns if each.kind == "text"), None)
        same = next((each for each in table.columns if member_name(each).casefold() == name), None)
        if words is None or same is None:
            continue
        for row, label in enumerate(table.texts(words.header)):
            if _PEOPLE_ROW.match(" ".join(label.split())) and (value := _number(table, row, same)) is not None:
                return value, [(table, row)]
    return None, []


def _number(table: Table, row: int, column: Column) -> Decimal | None:
    return Cross(table, "group", column, (), (), ()).value(row, column)


def _added_up(cross: Cross) -> Computed | None:
    """Add the groups of one row up, unless a column states the total or they are rates."""
    if len(cross.rows) != 1 or _is_rate(cross, cross.rows[0]):
        return None
    (row,) = cross.rows
    if stated := [column for column in cross.members if is_whole(column)]:
        return _cells(replace(cross, columns=tuple(stated[:1])))
    values = [cross.value(row, column) for column in cross.members]
    known = [value for value in values if value is not None]
    if len(known) != len(values):
        return None
    names = ", ".join(_member(cross, column) for column in cross.members)
    return _computed(f"{cross.name(row)} in total ({names}): {summed(known)}.", cross, cross.rows)


def _whole_of(ask: Ask, cross: Cross) -> Computed | None:
    """Tell what the rows of one time amount to: the total that the table states, else their sum."""
    if len(cross.columns) != 1 or not _HOW_MUCH.match(ask.question):
        return None
    (column,) = cross.columns
    stated = [row for row in range(len(cross.table.rows)) if cross.table.is_total(row)]
    if len(stated) == 1:
        return _cells(replace(cross, rows=tuple(stated)))
    values = [cross.value(row, column) for row in cross.parts]
    known = [value for value in values if value is not None]
    rates = any(_is_rate(cross, row) for row in cross.parts)
    if stated or rates or not _TOTAL.search(ask.question) or not 2 <= len(known) <= _MOST_TOLD * 2:
        return None
    if _mixed(cross) or never_adds(column, over_time=False, table=cross.table):
        return None
    return _computed(f"Total {_title(cross)}, {period_of(column)}: {summed(known)}.", cross, cross.parts)


def _compared(ask: Ask, cross: Cross) -> Computed | None:
    """Set two groups of one row against each other, with a yes or no where one is asked for and shares agree."""
    (row,) = cross.rows
    first, second = (cross.value(row, column) for column in cross.columns)
    if first is None or second is None:
        return None
    lead = ""
    if YES_NO.match(ask.question):
        wants_more, wants_less = bool(_MORE.search(ask.question)), bool(_LESS.search(ask.question))
        sizes = [size_of(column) for column in cross.columns]
        rates = [first / sizes[0], second / sizes[1]] if sizes[0] and sizes[1] else [first, second]
        if wants_more == wants_less or (first > second) is not (rates[0] > rates[1]):
            return None
        lead = "Yes. " if first != second and (first > second) is wants_more else "No. "
    worked = less(max(first, second), min(first, second))
    return _computed(f"{lead}{cross.name(row)}{_listed(cross, row, cross.columns)}; {worked}.", cross, cross.rows)


def _ranked(ask: Ask, cross: Cross, spelling: Spelling) -> Computed | None:
    """Tell which row has the most of a column, or which column of a row; of two times which row changed the most."""
    asked = _WHICH.search(ask.question)
    kind = asked["x"].casefold() if asked else ""
    if len(cross.rows) == 1 and kind in (_TIME_WORDS if cross.kind == "time" else _GROUP_WORDS):
        (row,) = cross.rows
        entries = [_entry(cross, member_name(each), row, each) for each in cross.members if not is_whole(each)]
        titled = cross.kind == "time" and not _mixed(cross)
        counted = Column(_title(cross) if titled else cross.name(row), "number")
        of = [cross.name(row)] if titled else []
        return _places(ask, counted, Column(kind, "text"), [each for each in entries if each], of, spelling)
    if cross.rows or (cross.kind == "time" and _mixed(cross)):
        return None
    column = _one_of(cross)
    if column is None or (kind and kind not in _kinds(cross)):
        return None
    entries = [_entry(cross, cross.name(row), row, column) for row in cross.parts if not _is_rate(cross, row)]
    measured = Column(_title(cross), "number") if cross.kind == "time" else column
    of = [period_of(column)] if cross.kind == "time" else []
    return _places(ask, measured, cross.label, [each for each in entries if each], of, spelling)


def _places(
    ask: Ask, column: Column, by: Column, entries: Sequence[Entry], of: Sequence[str], spelling: Spelling
) -> Computed | None:
    if len(entries) < 2:
        return None
    told = told_places(ask, column, by, entries, False, of, "", spelling)
    return Computed(told.text, told.rows, is_whole=True) if told else None


def _one_of(cross: Cross) -> Column | None:
    """Return the one column that is named; of times, where none is named, the newest."""
    if len(cross.columns) == 1:
        return cross.columns[0]
    if cross.columns or cross.kind != "time":
        return None
    return max(cross.members, key=period_of)


def _kinds(cross: Cross) -> Iterator[str]:
    """Yield what a question may call the rows: the words of their header and of the table's title, and whatever."""
    words = f"{header_words(cross.label.header)} {_title(cross)} {header_words(cross.table.uri)}".casefold()
    for word in re.findall(r"[^\W\d_]+", words):
        yield from (word, f"{word}s", word.removesuffix("s"))
    yield from ("is", "are", "was", "were", "had", "has", "one", "of")


def _entry(cross: Cross, name: str, row: int, column: Column) -> Entry | None:
    value = cross.value(row, column)
    return None if value is None else Entry(name, (value,), (cross.table.rows[row],))


def _subject(cross: Cross, row: int) -> str:
    if cross.kind == "group" or _mixed(cross):
        return cross.name(row)
    title = _title(cross)
    return f"Total {title}" if cross.table.is_total(row) else f"{capital(title)} of {cross.name(row)}"


def _title(cross: Cross) -> str:
    """Return what the cells of a table of times count: by its sheet, or its title: `visits by museum`."""
    first = cross.table.rows[0]
    if first.sheet and not _NO_TITLE.match(first.sheet):
        return in_small(first.sheet)
    for name in (first.caption, header_words(PurePosixPath(cross.table.uri).stem)):
        if match := _BY.match(name):
            return in_small(match["what"])
    return ""


def _mixed(cross: Cross) -> bool:
    """Whether the rows are figures of several kinds, as in a statement, rather than members of one."""
    items = sum(bool(_ITEM.search(cross.name(row))) for row in cross.parts)
    return not _title(cross) or bool(_unit(cross)) or items > 1


def _unit(cross: Cross) -> str:
    """Return the unit that the corner of a table states for all of it: `EUR million`."""
    words = " ".join(cross.label.header.split())
    return words if re.match(r"^(?:in )?(?:[A-Z]{3}|[€$£])(?: (?:thousand|million|billion|m|k|bn))?s?$", words) else ""


def _member(cross: Cross, column: Column) -> str:
    return period_of(column) if cross.kind == "time" else " ".join(column.header.split())


def _amount(cross: Cross, row: int, column: Column) -> str:
    text = cross.table.texts(column.header)[row]
    value = cross.value(row, column)
    shown = grouped(value) if value is not None and not text.endswith("%") else text
    rate = _is_rate(cross, row)
    return amount(shown, name_and_unit(cross.name(row))[1] if rate else _unit(cross))


def _is_rate(cross: Cross, row: int) -> bool:
    return is_rate(cross.name(row))


def _computed(text: str, cross: Cross, rows: Sequence[int]) -> Computed:
    return Computed(text, tuple(cross.table.rows[row] for row in rows), header="", is_whole=True)
