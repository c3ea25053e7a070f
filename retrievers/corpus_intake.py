"""Make files, pages and given texts ready to be stored in a corpus."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from ..errors import SourceError
from ..settings import Settings
from ..state.records import Document, Source
from .chunking import cut
from .corpus_records import DUPLICATE, Held, Intake
from .folder import FileEntry, walk
from .parsers import Extraction, extract, with_uri
from .parsers.extraction import Block, clean
from .parsers.limits import MAX_BYTES
from .parsers.source_dates import source_date

# Pages of one site share foot and menus: pages that begin alike for so many characters are one page.
WEB_CONTENT_CHARS = 25_000
_PARAGRAPH = re.compile(r"\S(?:.|\n(?!\s*\n))*")


@dataclass(frozen=True)
class Root:
    """A given folder or file, with what names its files.

    Attributes:
        path: Resolved.
        name: Prefix of its uris; empty for the first folder.  Of a file: its uri.
        part: What was given, where that lies within a folder the corpus has as a root.
    """

    path: Path
    name: str
    part: Path

    def entries(self) -> list[FileEntry]:
        """List the files under it, by uri.  Raises: UsageError where it cannot be read."""
        found = walk([self.path])
        if self.path.is_file():
            return [replace(entry, uri=self.name) for entry in found]
        prefix = f"{self.name}/" if self.name else ""
        named = [replace(entry, uri=prefix + entry.uri) for entry in found]
        return [entry for entry in named if self.holds(entry.uri)]

    def holds(self, uri: str) -> bool:
        """Whether a uri of this root lies in the part that was given."""
        if self.part == self.path:
            return True
        inside = (PurePosixPath(self.name) / self.part.relative_to(self.path).as_posix()).as_posix()
        return uri == inside or uri.startswith(f"{inside}/")


def roots_of(paths: Sequence[Path], known: Mapping[str, str], taken: Collection[str]) -> list[Root]:
    """Tell which roots given paths are: known ones, parts of known folders, or new ones under a free name.

    Args:
        paths: As given; one that lies under another is part of that.
        known: Name of each root of the corpus, by path.
        taken: First parts of the uris that the corpus has.
    """
    real = list(dict.fromkeys(path.expanduser().resolve() for path in paths))
    given = [path for path in real if not any(path != other and path.is_relative_to(other) for other in real)]
    new = [path for path in given if _root_above(path, known) is None]
    used = set(taken) | set(known.values())
    roots: list[Root] = []
    for path in given:
        above = _root_above(path, known)
        if above is not None:
            roots.append(Root(Path(above), known[above], path))
            continue
        name = "" if not known and len(new) == 1 and not path.is_file() else _free_name(path, used)
        used.add(name)
        roots.append(Root(path, name, path))
    return roots


def _root_above(path: Path, known: Mapping[str, str]) -> str | None:
    return next((root for root in known if path.is_relative_to(root)), None)


def _free_name(path: Path, used: Collection[str]) -> str:
    stem, suffix = (path.stem, path.suffix) if path.is_file() else (path.name or "root", "")
    name, number = stem + suffix, 2
    while name in used:
        name, number = f"{stem}-{number}{suffix}", number + 1
    return name


def cut_name(settings: Settings) -> str:
    """Name the way sources are cut, so that another way is noticed."""
    return f"{settings.chunk_chars}/{settings.chunk_overlap}"


def read_file(
    entry: FileEntry, root: Root, held: Held | None, contents: Collection[str], settings: Settings
) -> Intake | None:
    """Read and cut a file; None where the corpus holds it as it is.

    Args:
        held: What the corpus holds under its uri.
        contents: Contents that the corpus holds the text of.
    """
    source = Source(uri=entry.uri, kind="file", title=Path(entry.uri).stem)
    blank = Intake(source, cut=cut_name(settings), root=str(root.path), path=str(entry.path))
    reason = entry.refused
    if not reason and entry.size > MAX_BYTES:
        reason = f"too large: {entry.size:,} bytes, at most {MAX_BYTES:,} are read"
    data = b""
    if not reason:
        try:
            data = entry.path.read_bytes()
        except OSError as error:
            reason = f"the file cannot be read ({error.strerror})"
    if reason:
        return replace(blank, source=_failed(source, reason))
    digest = sha256(data).hexdigest()
    content = f"file:{digest}"
    if held is not None and _as_held(held, content, str(entry.path), contents, settings):
        return None
    source = source.model_copy(update={"sha256": digest})
    try:
        extraction = extract(data, name=entry.uri)
    except SourceError as error:
        return replace(blank, source=_failed(source, error.reason), content=content)
    except Exception as error:  # a parser met what it was not made for: one bad file never stops a folder
        return replace(blank, source=_failed(source, f"could not be read: {type(error).__name__}"), content=content)
    return replace(ready(source, extraction, settings, content=content), root=blank.root, path=blank.path)


def _failed(source: Source, reason: str) -> Source:
    return source.model_copy(update={"status": "failed", "reason": reason})


def _as_held(held: Held, content: str, path: str, contents: Collection[str], settings: Settings) -> bool:
    if (held.content, held.cut, held.path) != (content, cut_name(settings), path):
        return False
    # A duplicate whose first copy left takes its place.
    return content in contents if held.source.reason.startswith(DUPLICATE) else True


def ready(
    source: Source,
    extraction: Extraction,
    settings: Settings,
    *,
    content: str = "",
    metadata: Mapping[str, Any] | None = None,
) -> Intake:
    """Cut an extracted text and tie it to its source."""
    is_given = source.kind in ("document", "graph")
    stated = {
        "title": extraction.title or source.title,
        "media_type": extraction.media_type or source.media_type,
        "tier": extraction.tier,
        "published_at": source.published_at if is_given else source_date(extraction, source),
        "extractor": extraction.extractor,
        "tables_whole": extraction.tables_whole,
        "reason": extraction.skipped or extraction.note or source.reason,
        "status": "skipped" if extraction.skipped else source.status,
    }
    source = source.model_copy(update=stated)
    if extraction.skipped or source.status != "ok":
        return Intake(source, content=content, cut=cut_name(settings), metadata=metadata or {})
    limit = settings.max_chunks_per_source if source.kind == "web" else None
    chunks = cut(extraction, source.uri, chars=settings.chunk_chars, overlap=settings.chunk_overlap, limit=limit)
    pages: dict[int, int] = {}
    for block in extraction.blocks:
        if block.page is not None:
            pages.setdefault(block.page, block.start)
    return Intake(
        source,
        text=extraction.text,
        chunks=chunks,
        rows=with_uri(extraction.rows, source.uri),
        content=content,
        cut=cut_name(settings),
        metadata=metadata or {},
        pages=pages,
    )


def page_content(source: Source, extraction: Extraction) -> str:
    """Return what makes two web pages one: their text, as far as it is compared."""
    compared = extraction.text[:WEB_CONTENT_CHARS] if source.kind == "web" else extraction.text
    return f"{source.kind}:{sha256(compared.encode()).hexdigest()}"


def read_document(document: Document, settings: Settings) -> Intake:
    """Cut a text that a program hands in; one that the temporal graph keeps says so in its metadata."""
    text = clean(document.text)
    metadata = dict(flattened(document.metadata))
    source = Source(
        uri=clean(document.uri),
        kind="graph" if metadata.get("kind") == "graph" else "document",
        title=str(metadata.get("title", "")),
        media_type="text/plain",
        sha256=sha256(text.encode()).hexdigest(),
        published_at=_stated_date(metadata),
    )
    blocks = tuple(Block(match.start(), match.end()) for match in _PARAGRAPH.finditer(text))
    extraction = Extraction(
        text=text,
        title=source.title,
        tier="structured" if metadata.get("tier") == "structured" else "narrative",
        blocks=blocks,
        skipped="" if blocks else "blank: no text in it",
    )
    described = sha256(repr(sorted(metadata.items())).encode()).hexdigest()
    return ready(source, extraction, settings, content=f"document:{source.sha256}:{described}", metadata=metadata)


def flattened(metadata: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str | int | float | bool]]:
    """Give plain values as they are, lists joined, tables as `outer.inner`; what has no plain form falls away."""
    for key, value in metadata.items():
        name = f"{prefix}{key}"
        if isinstance(value, str):
            yield name, clean(value)
        elif isinstance(value, bool | int | float):
            yield name, value
        elif isinstance(value, datetime):
            yield name, value.isoformat()
        elif isinstance(value, Mapping):
            yield from flattened(value, f"{name}.")
        elif isinstance(value, list | tuple):
            plain = [clean(str(item)) for item in value if isinstance(item, str | int | float)]
            if plain:
                yield name, ", ".join(plain)


def _stated_date(metadata: Mapping[str, Any]) -> datetime | None:
    for key in ("published_at", "date"):
        try:
            return datetime.fromisoformat(str(metadata.get(key, "")))
        except ValueError:
            continue  # free metadata: what is no date dates nothing
    return None
