"""Say that a measure does not apply: a whole income statement was read, and it has none of the lines it is made of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .figure_ask import FigureAsk
from .figures import sources_for
from .inference import Inference, short_label
from .lines import Line, Statements
from .measures import Item, Measure, definitions

_LEAST_LINES = 8
_COST_OF = re.compile(r"\bcosts? of\b", re.IGNORECASE)


def absences_of(ask: FigureAsk, statements: Statements) -> list[Inference]:
    """Return, for each measure that a question names, that the income statement cannot give it; else nothing."""
    for uri in sources_for(ask.targets, statements):
        lines = [line for line in statements.lines if line.row.uri == uri]
        found = [told for measure in ask.measures if (told := absence_of(measure, lines))]
        if found:
            return found
    return []


def absence_of(measure: Measure, lines: Sequence[Line]) -> Inference | None:
    """Return that no line of a whole income statement is one of those that a measure needs and that statement gives.

    Whole means: its rows are known without a gap from the first one down to net income.  What it lacks must be lacking
    for every formula of the measure.
    """
    known = definitions()
    needed = [known.items[key] for key in measure.items if known.items[key].statement == "income"]
    statement = _whole_statement(lines)
    if not statement:
        return None
    missing = [item for item in needed if not any(_may_be(item, line) for line in statement)]
    if not missing or any(_can_fill(form, missing) for form in measure.forms):
        return None
    caption = " ".join(re.sub(r"\(.*?\)|\$ .*", " ", statement[0].row.caption).split()).title()
    ends = (known.items["revenue"], known.items["net_income"])
    shown = [line for line in statement if any(item.rank(line.folded) is not None for item in ends)]
    shown += [line for line in statement if line.folded.startswith("net interest income")]
    lead = ", ".join(short_label(line.label) for line in sorted(shown, key=lambda line: line.row.row or 0))
    text = (
        f"Inference: performance is not measured through {measure.name} here: {caption} have no "
        f"{' and no '.join(item.name for item in missing)}; they state {lead}."
    )
    first = {line.quote.chunk_id: line.quote for line in reversed(statement)}
    return Inference(text, tuple(first.values())[::-1], measure.name)


def _whole_statement(lines: Sequence[Line]) -> list[Line]:
    """Return the rows of a page that is a whole income statement, from its first row to net income."""
    title = definitions().statements["income"].title
    pages: dict[int, list[Line]] = {}
    for line in lines:
        if title.search(line.row.caption) and not line.is_part:
            pages.setdefault(line.row.page or 0, []).append(line)
    net_income = definitions().items["net_income"]
    for page in sorted(pages):
        rows = sorted(pages[page], key=lambda line: line.row.row or 0)
        end = next((place for place, line in enumerate(rows) if net_income.rank(line.folded) is not None), None)
        if end is None or end + 1 < _LEAST_LINES:
            continue
        rows = rows[: end + 1]
        if [line.row.row for line in rows] == list(range(1, len(rows) + 1)):
            return rows
    return []


def _may_be(item: Item, line: Line) -> bool:
    """Whether a line is an item, or is called anything like it."""
    if item.rank(line.folded) is not None or item.asked.search(line.label):
        return True
    return item.key == "cost_of_sales" and bool(_COST_OF.search(line.label))


def _can_fill(form: str, missing: Sequence[Item]) -> bool:
    return not any(re.search(rf"\b{item.key}\b", form) for item in missing)
