"""Read the sources of a report again: the named files, or the corpus it was made from."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..errors import UsageError
from ..reports.verify import SourceNow
from ..retrievers.corpus import Corpus
from ..settings import Environment, Settings
from ..state.records import Report


def sources_now(
    report: Report, docs: Sequence[str], corpus: str | None, settings: Settings, environment: Environment
) -> dict[str, SourceNow]:
    """Return the report's sources as they are today, by uri; none where neither files nor a corpus are named.

    A source that is not among the files under its uri is looked for by the hash of its bytes, since a file that was
    given in another way has another uri.
    Raises: UsageError where a path or corpus does not exist.
    """
    if corpus:
        kept_in = Path(corpus).expanduser().absolute()
        if not kept_in.is_dir():
            raise UsageError(f"{corpus}: no such corpus")
        with Corpus.open(kept_in, settings=settings, environment=environment) as kept:
            return _read(report, kept)
    if not docs:
        return {}
    with (
        tempfile.TemporaryDirectory(prefix="citewell-verify-") as folder,
        Corpus.open(folder, settings=settings, environment=environment, sparse="memory") as fresh,
    ):
        fresh.add_path(*(Path(path).expanduser() for path in docs), embed=False)
        return _read(report, fresh)


def _read(report: Report, corpus: Corpus) -> dict[str, SourceNow]:
    today = {source.uri: source for source in corpus.sources()}
    by_hash = {source.sha256: source for source in reversed(list(today.values())) if source.sha256}
    found = {}
    for source in report.sources:
        if source.status != "ok":
            continue
        match = today.get(source.uri) or by_hash.get(source.sha256)
        if match is None:
            if source.kind == "file":
                found[source.uri] = SourceNow(reason="is not among the named files")
        elif match.status == "failed":
            found[source.uri] = SourceNow(reason=f"cannot be read: {match.reason}")
        else:
            found[source.uri] = SourceNow(text=corpus.source_text(match.uri), sha256=match.sha256)
    return found
