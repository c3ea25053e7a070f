"""Read a text file: find its encoding, keep its paragraphs."""

from __future__ import annotations

import codecs
import re
import unicodedata
from importlib.metadata import version

from charset_normalizer import from_bytes

from .extraction import Extraction, TextBuilder, clean

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# How much of a long file the detector looks at; encodings are told by their first bytes or not at all.
_SAMPLE_BYTES = 65_536
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")


def decode(data: bytes, charset: str | None = None) -> tuple[str, str]:
    """Decode bytes and say how: byte-order mark, then the declared charset, then UTF-8, then the best guess.

    No byte is lost: an undecodable one ends as U+FFFD only where no encoding fits at all.

    Args:
        data: The bytes.
        charset: What a header or meta tag declares; ignored where it is unknown or does not fit.
    Returns: (text, encoding name).
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            return _decoded(data, name) or (data.decode(name, "replace"), name)
    declared = _known(charset)
    # Bytes that are UTF-8 beyond ASCII are so by no accident, whatever a server says of Western text.
    names = ("utf-8", declared) if declared == "cp1252" else (declared, "utf-8")
    for name in filter(None, names):
        if found := _decoded(data, name):
            return found
    if cut := _utf8_cut_short(data):
        return cut
    return _guessed(data)


def _known(charset: str | None) -> str | None:
    """Return the codec of a declared charset, or None; Latin-1 means cp1252 in practice (WHATWG encodings)."""
    try:
        name = codecs.lookup((charset or "").strip().strip("\"'")).name
    except (LookupError, ValueError):
        return None
    if name not in _TEXT_CODECS and not name.startswith(("cp", "iso8859", "utf", "mac", "koi8", "gb", "big5", "euc")):
        return None
    return {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}.get(name, name)


_TEXT_CODECS = {"shift_jis", "shift_jisx0213", "johab", "hz", "tis-620", "ptcp154", "iso2022_jp", "iso2022_kr", "ascii"}


def _decoded(data: bytes, name: str) -> tuple[str, str] | None:
    try:
        return data.decode(name), "utf-8" if name == "utf-8-sig" else name
    except (UnicodeDecodeError, LookupError):
        return None


def _utf8_cut_short(data: bytes) -> tuple[str, str] | None:
    """Accept UTF-8 with few broken bytes, as a file cut off or glued together has them."""
    text = data.decode("utf-8", "replace")
    broken, kept = text.count("\ufffd"), sum(char > "\x7f" for char in text)
    return (text, "utf-8 with broken bytes") if broken * 20 < kept else None


def _guessed(data: bytes) -> tuple[str, str]:
    """Ask charset-normalizer, but prefer cp1252 where the bytes read well as it (case B03)."""
    western = _decoded(data, "cp1252")
    if western and _reads_well(western[0]):
        return western
    best = from_bytes(data[:_SAMPLE_BYTES]).best()
    if best is not None and (found := _decoded(data, best.encoding)):
        return found
    return western or (data.decode("cp1252", "replace"), "cp1252 with broken bytes")


# Letters of the languages that cp1252 serves, and the signs around their words.
_WESTERN = re.compile("[A-Za-zÀ-ÖØ-öø-ÿŠšŽžŒœŸ]")
# Central European letters misread as cp1252 are signs within words.
_SIGN_IN_WORD = re.compile("[a-z][¡-©«-¶¸-º¼-¿][a-z]")
_LETTER_PAIR = re.compile("[À-ÖØ-öø-ÿ]{2}")


def _reads_well(text: str) -> bool:
    """Whether a cp1252 reading is plausible: Western words in which accented letters stand alone.

    Other single-byte and multi-byte encodings misread as cp1252 give runs of accented letters and signs.
    """
    high = sum(char > "\x7f" for char in text)
    letters = len(_WESTERN.findall(text))
    if high * 2 > letters or _SIGN_IN_WORD.search(text):
        return False
    pairs = len(_LETTER_PAIR.findall(text))
    controls = sum(unicodedata.category(char) == "Cc" and char not in "\n\r\t\x0c" for char in text[:_SAMPLE_BYTES])
    return pairs * 10 <= high and controls == 0


def parse_text(data: bytes, charset: str | None = None) -> Extraction:
    """Read plain text; blank lines part its paragraphs."""
    text, encoding = decode(data, charset)
    builder = TextBuilder()
    for paragraph in _BLANK_LINE.split(clean(text)):
        builder.block(paragraph)
    return Extraction(
        text=builder.text,
        media_type="text/plain",
        extractor=f"text, {encoding} (charset-normalizer {version('charset-normalizer')})",
        blocks=tuple(builder.blocks),
    )
