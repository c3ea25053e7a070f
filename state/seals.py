"""Checksums of stored rows: a byte that a disk changed is found when the row is read, and never becomes a quote."""

from __future__ import annotations

from zlib import crc32

Sealed = str | bytes | int | float | None


def seal(*values: Sealed) -> int:
    """Return the CRC-32 of a row's values in their order, in [0, 2**32); None and an empty text differ."""
    found = 0
    for value in values:
        if isinstance(value, bytes):
            data = b"b" + value
        elif value is None:
            data = b"n"
        else:
            data = b"t" + str(value).encode("utf-8", "surrogatepass")
        found = crc32(data + b"\x1f", found)
    return found


def broken(held: int | None, *values: Sealed) -> bool:
    """Whether a row is not what was written; one that was written before there were seals (None) passes."""
    return held is not None and held != seal(*values)
