"""The largest or smallest of a group of rows, with the figures that show it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ...text.periods import find_periods
from ...text.words import analyse
from .figures import sources_for
from .inference import Inference, cell_text, difference, short_label
from .lines import Figure, Line, Statements
from .measures import definitions
from .periods import Target, header_rest, targets_of

_MOST = re.compile(r"\b(?:largest|biggest|highest|greatest|most|top|best|maximum)\b", re.IGNORECASE)
_LEAST = re.compile(r"\b(?:smallest|lowest|least|worst|fewest|minimum)\b", re.IGNORECASE)
_FALL = re.compile(r"\b(?:drop|drops|decline|decrease|fall|loss of|dragged down|shrank|reduction)\b", re.IGNORECASE)
_RISE = re.compile(r"\b(?:growth|increase|rise|grew|grown|gain in|improvement)\b", re.IGNORECASE)
_PERFORMED = re.compile(r"\bperform\w*\b", re.IGNORECASE)
_MOVEMENT = re.compile(r"change|growth|increase|comparable|variance|%\s*chg", re.IGNORECASE)
_PERCENT = re.compile(r"%|percent", re.IGNORECASE)
_VERBS = (
    r"had|has|have|was|were|is|are|did|does|brought|perform\w*|grew|show\w*|contribut\w*|dragged|experienc\w*|"
    r"generat\w*|account\w*"
)
_CATEGORY = re.compile(
    r"\b(?:which|what)(?: (?:is|are|was|were))?(?: of)?(?: the| its| their)? (?P<what>.+?)"
    rf"(?= (?:{_VERBS}|in|on|of|for|during|by|that)\b|[?,]|$)",
    re.IGNORECASE,
)
_AMONG = re.compile(r"\b(?:among|amongst|between|of) (?P<list>[^,?]+(?:, [^,?]+)*,? (?:and|or) [^,?]+),", re.IGNORECASE)
_TOTAL = re.compile(r"^(?:total|net cash|sub-?total|gross|net)\b|\btotal$", re.IGNORECASE)
_FRAME_WORDS = """
    which what largest biggest highest greatest most top best smallest lowest least worst had has year over basis
    percentage line"""
_WORDS_OUT = frozenset(analyse(_FRAME_WORDS))
_POSSESSIVE = re.compile(r"(?<!\w)['’]s?\b")
_LEAST_ROWS = 3
_TITLE_CHARS = 140
_CALLED_SHARE = 0.5


@dataclass(frozen=True)
class RankAsk:
    """A question for the extreme of a group.

    Attributes:
        category: Index terms of what is ranked, e.g. `liability`, `geographic region`.
        sides: Index terms of each thing that the question lists, where it does.
        subject: Further index terms of the question, which tell tables apart.
        movement: Whether growth is ranked rather than size; percent: whether in percent.
        ascending: Whether the smallest is meant (of movements: the greatest fall).
    """

    question: str
    category: frozenset[str]
    sides: tuple[frozenset[str], ...]
    subject: frozenset[str]
    targets: tuple[Target, ...]
    movement: bool
    percent: bool
    ascending: bool


@lru_cache(maxsize=1_024)
def read_rank_ask(question: str, names: tuple[str, ...] = ()) -> RankAsk | None:
    """Read a question; None where it asks for no extreme of a group.

    Args:
        names: Whom it is about; they name no group.
    """
    plain = question
    for period in reversed(find_periods(question)):
        plain = f"{plain[: period.at]} {plain[period.to :]}"
    for name in names:
        plain = plain.replace(name, " ")
    plain = " ".join(_POSSESSIVE.sub(" ", plain).split())
    most, least = _MOST.search(plain), _LEAST.search(plain)
    falls, rises = _FALL.search(plain), _RISE.search(plain)
    dragged = re.search(r"\bdragged down\b", plain, re.IGNORECASE)
    if not (most or least or dragged) or re.search(r"\bat (?:most|least)\b", plain, re.IGNORECASE):
        return None
    listed = _AMONG.search(question)
    sides: tuple[frozenset[str], ...] = ()
    if listed:
        listed_names = [part for part in re.split(r",\s*(?:and |or )?| and | or ", listed["list"]) if part]
        sides = tuple(frozenset(analyse(name)) for name in listed_names)
    match = _CATEGORY.search(plain)
    category = frozenset(analyse(match["what"])) - _WORDS_OUT if match and not sides else frozenset()
    category -= frozenset(analyse("drop decline decrease growth increase"))
    if not sides and not category:
        return None
    movement = bool(dragged or falls or rises or _PERFORMED.search(question))
    down = bool(dragged or falls) if movement and not _PERFORMED.search(question) else bool(least and not most)
    return RankAsk(
        question=question,
        category=category,
        sides=sides,
        subject=frozenset(analyse(plain)) - category - _WORDS_OUT,
        targets=tuple(targets_of(question)),
        movement=movement,
        percent=bool(_PERCENT.search(question)),
        ascending=down,
    )


def compute_ranks(ask: RankAsk, statements: Statements) -> list[Inference]:
    """Return the extreme of the group that fits the question best, beside the next.

    Nothing where none fits, or where rows of the best one were not retrieved: the next best is another matter.
    """
    for uri in sources_for(ask.targets, statements):
        inside = Statements(tuple(line for line in statements.lines if line.row.uri == uri))
        meant = replace(ask, targets=inside.lines[0].calendar.meant(ask.targets))
        best: tuple[float, list[Line], list[Figure]] | None = None
        for group in _groups(ask, inside):
            figures = _column(meant, group)
            fit = _fit(ask, group) if figures else 0.0
            if fit > 0 and (best is None or fit > best[0] + 1e-9):
                best = (fit, group, figures)
        if best is not None:
            _, group, figures = best
            whole = bool(ask.sides) or _is_whole(group, inside.lines)
            return [_told(ask, figures)] if whole and len(figures) > 1 else []
    return []


def edges_for(ask: RankAsk, statements: Statements) -> list[str]:
    """Return the first and last rows at hand of tables that fit the question, the best first.

    Passages overlap: the one with the rows that are missing holds them too.
    """
    found = []
    for uri in sources_for(ask.targets, statements):
        inside = Statements(tuple(line for line in statements.lines if line.row.uri == uri))
        groups = [group for group in _groups(ask, inside) if _fit(ask, group) > 0]
        groups.sort(key=lambda group: -_fit(ask, group))
        found += [" ".join(f"{group[0].quote.text} {group[-1].quote.text}".split()) for group in groups]
    return list(dict.fromkeys(found))


def _told(ask: RankAsk, figures: Sequence[Figure]) -> Inference:
    ordered = sorted(figures, key=lambda figure: figure.value, reverse=not ask.ascending)
    first, second = ordered[0], ordered[1]
    kind = "lowest" if ask.ascending else "highest"
    what = header_rest(first.cell.header) if ask.movement else ""
    over = _title(first.line.row.caption)
    high, low = (second, first) if ask.ascending else (first, second)
    text = (
        f"Inference: {short_label(first.line.label)} is the {kind}{' by ' + what if what else ''}: {cell_text(first)} "
        f"({first.period}), before {short_label(second.line.label)} with {cell_text(second)}: "
        f"{difference(high.value, low.value)}"
    )
    text += f" ({over})." if over else "."
    return Inference(text, tuple(dict.fromkeys((first.line.quote, second.line.quote))), short_label(first.line.label))


def _title(caption: str) -> str:
    """Return a caption in one line, cut at a word, without the colon that leads to the table."""
    line = " ".join(caption.split())
    line = line if len(line) <= _TITLE_CHARS else line[:_TITLE_CHARS].rsplit(" ", 1)[0]
    return line.rstrip(" :.,")


def _groups(ask: RankAsk, statements: Statements) -> list[list[Line]]:
    """Return the rows of each table that are members of what is ranked: no totals, or those that the question lists."""
    tables: dict[tuple[object, ...], list[Line]] = {}
    for line in statements.lines:
        headers = tuple(cell.header for cell in line.row.cells)
        tables.setdefault((line.row.uri, line.row.page, line.row.caption, headers), []).append(line)
    groups = []
    for lines in tables.values():
        if ask.sides:
            members = [
                next((line for line in lines if side <= line.words and _is_sum(line)), None) for side in ask.sides
            ]
            if all(members):
                groups.append([member for member in members if member])
            continue
        section = _section(ask, lines)
        if not section and len(lines) >= _LEAST_ROWS and _is_called(ask, lines[0]):
            section = lines
        kept = [line for line in section if not _TOTAL.search(line.label)]
        groups.append(kept[:-1] if len(kept) > 2 and _sums_up(kept) else kept)
    return [group for group in groups if group]


def _is_called(ask: RankAsk, line: Line) -> bool:
    """Whether the title of a table names what is ranked."""
    caption = frozenset(analyse(line.row.caption))
    return 2 * sum(_held(term, caption) for term in ask.category) >= len(ask.category)


def _is_whole(group: Sequence[Line], lines: Sequence[Line]) -> bool:
    """Whether all rows of a group were retrieved: none is missing within, before the first or after the last.

    A passage may end within a table.  The row before the group is that of another table, or there is none; after it
    stands a total, a row of another table, or a row with the sum.
    """
    page = {line.row.row or 0: line for line in lines if line.row.page == group[0].row.page}
    numbers = sorted(line.row.row or 0 for line in group)
    if any(number not in page for number in range(numbers[0], numbers[-1] + 1)):
        return False
    if numbers[0] > 1 and numbers[0] - 1 not in page:
        return False
    following = page.get(numbers[-1] + 1)
    return following is not None or _sums_up(group)


def _sums_up(group: Sequence[Line]) -> bool:
    """Whether the last row is the sum of the others."""
    *members, last = (line.latest() for line in sorted(group, key=lambda line: line.row.row or 0))
    if last is None or not members or not all(members):
        return False
    total = sum(figure.value for figure in members if figure)
    return abs(total - last.value) * 100 <= abs(last.value)


def _is_sum(line: Line) -> bool:
    return bool(_TOTAL.search(line.label) or _TOTAL.search(line.row.label))


def _section(ask: RankAsk, lines: list[Line]) -> list[Line]:
    """Return the rows under a heading that names what is ranked, or above its total (`Total liabilities`)."""
    under = [line for line in lines if ask.category and ask.category <= frozenset(analyse(line.parents))]
    if len(under) > 1:
        return under
    closing = next(
        (
            place
            for place, line in enumerate(lines)
            if ask.category and line.folded.startswith("total ") and frozenset(analyse(line.label[6:])) == ask.category
        ),
        None,
    )
    if closing is None:
        return []
    start = closing
    while start and not (_TOTAL.match(lines[start - 1].label) and not ask.category <= lines[start - 1].words):
        start -= 1
    return lines[start:closing]


def _column(ask: RankAsk, group: Sequence[Line]) -> list[Figure]:
    """Return one figure of each row, all from the same column."""
    if not group:
        return []
    target = ask.targets[-1] if ask.targets else None
    if ask.movement:
        place = _movement_place(ask, group[0], target)
        figures = [line.figure(place) for line in group] if place is not None else []
    else:
        figures = [line.at(target) if target else line.latest() for line in group]
    return [figure for figure in figures if figure]


def _movement_place(ask: RankAsk, line: Line, target: Target | None) -> int | None:
    """Return the column of growth: `% Change` of the right length of period, or one called comparable or growth."""
    places = [place for place, cell in enumerate(line.row.cells) if _MOVEMENT.search(cell.header)]
    if not places:
        return None
    wanted = 3 if target and target.quarter else 12

    def fit(place: int) -> tuple[int, ...]:
        header = line.row.cells[place].header
        quarter = bool(re.search(r"\b(?:three months|13 weeks|quarter)\b", header, re.IGNORECASE))
        longer = bool(re.search(r"\b(?:six|nine) months\b|\b(?:26|39) weeks\b", header, re.IGNORECASE))
        when = line.whens[place]
        percent = "%" in header or "%" in line.row.cells[place].text
        return (
            int(longer),
            int(quarter != (wanted == 3)),
            int(ask.percent and not percent),
            -(when.year if when else 0),
            place,
        )

    return min(places, key=fit)


def _fit(ask: RankAsk, group: Sequence[Line]) -> float:
    """Return how well a group is what is ranked: its parents, caption and page name the category and the subject."""
    if ask.sides:
        return 1.0 + len(ask.subject & group[0].head_words) / 10
    near = frozenset(analyse(group[0].row.caption)) | frozenset(analyse(group[0].parents))
    held = sum(_held(term, near) for term in ask.category) / len(ask.category)
    if held < _CALLED_SHARE and not _closes(ask, group[0]):
        return 0.0
    around = near | group[0].head_words | frozenset(analyse(group[0].intro))
    heads = frozenset(analyse(" ".join(cell.header for cell in group[0].row.cells)))
    subject = len(ask.subject & (around | heads)) / max(1, len(ask.subject))
    return max(held, _CALLED_SHARE) + 0.5 * subject


def _closes(ask: RankAsk, line: Line) -> bool:
    """Whether a row stands on the statement that a question is about; its section was found by its total."""
    asked = definitions().statements_in(ask.question)
    return any(each.title.search(f"{line.row.caption} {line.head}") for each in asked)


def _held(term: str, terms: frozenset[str]) -> bool:
    return term in terms or any(len(term) >= 6 and other[:6] == term[:6] for other in terms)
