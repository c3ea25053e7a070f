"""How much is taken from one source, so that no single file exhausts the machine."""

from __future__ import annotations

MAX_BYTES = 512 * 1024 * 1024
"""Files larger than this are refused with a reason."""

MAX_CHARS = 20_000_000
"""Characters of extracted text kept of one source; what follows is left out and the note says so."""

MAX_OVERRUN = 100_000
"""A parser that stops at the end of a block may exceed the limit by this many characters."""

MAX_CELLS = 200_000
"""Table cells of one source that are kept as records; later rows are text only."""

MAX_ROW_CELLS = 2_000
"""Cells of a row that is kept as a record, which is read whole with each of its passages.  Longer ones are text."""

MAX_UNPACKED_BYTES = 256 * 1024 * 1024
"""Unpacked size of an office file's parts; beyond it the file counts as a zip bomb."""

MAX_RATIO = 200
"""Unpacked to packed size of one part of an office file, checked for parts above `RATIO_FROM_BYTES`."""

RATIO_FROM_BYTES = 8 * 1024 * 1024
"""Small parts may be as compressible as they like."""

MAX_DEPTH = 60
"""Nesting of JSON objects, mail parts and HTML lists that is followed."""
