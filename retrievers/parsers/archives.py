"""Check an office file's archive before a parser unpacks it."""

from __future__ import annotations

import zipfile
from io import BytesIO

from ...errors import SourceError
from .limits import MAX_RATIO, MAX_UNPACKED_BYTES, RATIO_FROM_BYTES

_MOST_PARTS = 20_000


def check_archive(data: bytes, name: str) -> None:
    """Refuse an archive that would unpack to more than the limits.

    A stated size may lie, but `zipfile` stops at it, so the statement bounds what is unpacked.

    Raises: SourceError naming the size.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise SourceError(name, "damaged: not a whole office file") from error
    if len(parts) > _MOST_PARTS:
        raise SourceError(name, f"too large: {len(parts):,} parts in the archive")
    if any(part.flag_bits & 1 for part in parts):
        raise SourceError(name, "password: the office file is locked")
    total = sum(
        part.file_size for part in parts if not part.filename.startswith(("word/media", "ppt/media", "xl/media"))
    )
    if total > MAX_UNPACKED_BYTES:
        raise SourceError(name, f"too large: unpacks to {total:,} bytes")
    for part in parts:
        if part.file_size > RATIO_FROM_BYTES and part.file_size > MAX_RATIO * max(1, part.compress_size):
            raise SourceError(name, f"too large: {part.filename} unpacks to {part.file_size:,} bytes (a zip bomb)")
