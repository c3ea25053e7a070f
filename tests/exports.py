"""Ask small files made on the spot, and hold each computed answer to the rows it rests on."""

from __future__ import annotations

from collections.abc import Mapping

from citewell.reasoners.support.formulas import judge_computed
from citewell.reasoners.tables.answers import compute
from citewell.reasoners.tables.asking import read_ask
from citewell.reasoners.tables.catalog import Catalog, catalog
from citewell.retrievers.parsers import extract, with_uri


def tables_of(files: Mapping[str, str]) -> Catalog:
    """Return the tables of files by name; csv and json are exports."""
    rows = [row for name, text in files.items() for row in with_uri(extract(text.encode(), name=name).rows, name)]
    return catalog(rows, {name: name.endswith((".csv", ".json")) for name in files})


def told(files: Mapping[str, str], question: str) -> list[str]:
    """Return the computed answers; fail where one is not borne out by its own rows."""
    answers = compute(read_ask(question), tables_of(files))
    for answer in answers:
        cited = ["; ".join(f"{cell.header}: {cell.text}" for cell in row.cells) for row in answer.rows]
        context = [f"{row.uri.replace('_', ' ')} {row.caption} {row.label}" for row in answer.rows]
        verdict = judge_computed(answer.text, cited, context=context)
        assert verdict is None or verdict.support == "supported", (answer.text, verdict)
    return [answer.text for answer in answers]
