"""Tell which elements of a web page nobody sees, and which are only folded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml.html import HtmlElement

_DECLARATION = re.compile(r"([a-z-]+)\s*:\s*([^;]+)")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}@]+)\{([^{}]*)\}")
# The compound selectors worth reading: tag, .class, #id and their joins.  Others decide too much to be guessed.
_SELECTOR = re.compile(r"([a-z][a-z0-9]*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_PROPERTIES_NAMES = (
    "display visibility opacity font-size color background background-color background-image width height max-height "
    "text-indent left top position clip clip-path content-visibility overflow"
)
_PROPERTIES = frozenset(_PROPERTIES_NAMES.split())
_FOLDING_WORDS = re.compile(r"accordion|collaps|expand|tab-?pane|tab-?panel|toggle|faq|details|dropdown-content", re.I)
_NO_SIZE = re.compile(r"0*\.?0+(?:px|pt|em|rem|%|vw|vh)?")
_TINY_FONT = re.compile(r"0*(?:\.\d+|0|1(?:\.0*)?)(?:px|pt)?|0*\.0*[0-4]\d*(?:em|rem)|[0-4]%")
_FAR_AWAY = re.compile(r"-\d{4,}(?:px|pt|em)?")
_CONTROL_ATTRIBUTES = ("aria-controls", "data-target", "data-bs-target", "href", "for")
_NAMED_COLORS = {"white": (255, 255, 255), "black": (0, 0, 0), "snow": (255, 250, 250), "ivory": (255, 255, 240)}
# Colours closer than this, summed over red, green and blue, cannot be told apart by eye.
_SAME_COLOR = 24

Rgb = tuple[int, int, int]
Style = dict[str, str]


@dataclass(frozen=True)
class Colors:
    """Text and background colour where an element stands; None where it cannot be known."""

    text: Rgb | None = (0, 0, 0)
    back: Rgb | None = (255, 255, 255)


@dataclass
class Visibility:
    """The style rules of one page that decide what is seen."""

    rules: list[tuple[str, frozenset[str], frozenset[str], Style]] = field(default_factory=list)
    controlled: frozenset[str] = frozenset()
    has_foreign_styles: bool = False

    @classmethod
    def of(cls, root: HtmlElement) -> Visibility:
        """Read the page's own style sheets, and which ids its buttons and links open."""
        found = cls()
        targets: set[str] = set()
        for element in root.iter():
            if not isinstance(element.tag, str):
                continue
            if element.tag == "style":
                found.rules += _rules(element.text or "")
            elif element.tag == "link" and "stylesheet" in (element.get("rel") or "").lower():
                found.has_foreign_styles = True
            for name in _CONTROL_ATTRIBUTES:
                value = element.get(name)
                if value and (name != "href" or value.startswith("#")):
                    targets.update(value.replace("#", " ").split())
        found.controlled = frozenset(targets)
        return found

    def style(self, element: HtmlElement) -> Style:
        """Return the declared properties of an element: rules in order, then its own attribute."""
        style: Style = {}
        if self.rules:
            classes, ident = frozenset((element.get("class") or "").split()), element.get("id")
            for tag, wanted, ids, declared in self.rules:
                if (not tag or tag == element.tag) and wanted <= classes and (not ids or ids == {ident}):
                    style |= declared
        if own := element.get("style"):
            style |= _declarations(own)
        return style

    def is_hidden(self, element: HtmlElement, style: Style, colors: Colors) -> bool:
        """Whether an element and all in it are never seen; content that a control unfolds is not hidden."""
        if _never_seen(style, colors):
            return True
        put_away = (
            element.get("hidden") is not None
            or (element.get("aria-hidden") or "").lower() == "true"
            or style.get("display") == "none"
            or style.get("visibility") in ("hidden", "collapse")
            or style.get("content-visibility") == "hidden"
            or (_NO_SIZE.fullmatch(style.get("max-height", "x")) is not None and style.get("overflow") == "hidden")
        )
        return put_away and not self._is_folded(element)

    def _is_folded(self, element: HtmlElement) -> bool:
        if element.tag == "details" or element.get("hidden") == "until-found":
            return True
        names = f"{element.get('class') or ''} {element.get('role') or ''} {element.get('id') or ''}"
        return element.get("id") in self.controlled or _FOLDING_WORDS.search(names) is not None

    def colors(self, element: HtmlElement, style: Style, outer: Colors) -> Colors:
        """Return the colours inside an element, from styles and the attributes of old pages."""
        text, back = outer.text, outer.back
        if value := style.get("color") or element.get("color") or element.get("text"):
            text = _rgb(value)
        declared = style.get("background-color") or style.get("background") or element.get("bgcolor")
        if declared or "background-image" in style or element.get("background"):
            back = _rgb(declared) if declared and "url(" not in declared else None
            if declared in ("none", "transparent", "inherit"):
                back = outer.back
        elif self.has_foreign_styles and element.get("class"):
            # A style sheet that was not read may paint this element.
            back = None
        return Colors(text, back)


def _never_seen(style: Style, colors: Colors) -> bool:
    """Whether size, place, opacity or colour keep an element from any reader."""
    if _TINY_FONT.fullmatch(style.get("font-size", "x")) or _NO_SIZE.fullmatch(style.get("opacity", "x")):
        return True
    if any(_FAR_AWAY.fullmatch(style.get(name, "")) for name in ("text-indent", "left", "top")):
        return True
    clipped = style.get("overflow") == "hidden" and any(
        _NO_SIZE.fullmatch(style.get(name, "x")) for name in ("width", "height")
    )
    return clipped or _same(colors.text, colors.back)


def _same(one: Rgb | None, other: Rgb | None) -> bool:
    return (
        one is not None and other is not None and sum(abs(a - b) for a, b in zip(one, other, strict=True)) < _SAME_COLOR
    )


def _declarations(text: str) -> Style:
    pairs = _DECLARATION.findall(_COMMENT.sub("", text).lower())
    return {name: value.replace("!important", "").strip() for name, value in pairs if name in _PROPERTIES}


def _rules(sheet: str) -> Iterator[tuple[str, frozenset[str], frozenset[str], Style]]:
    """Yield the rules whose selector is one compound of tag, classes and id."""
    for selectors, body in _RULE.findall(_COMMENT.sub("", sheet)):
        declared = _declarations(body)
        if not declared:
            continue
        for selector in selectors.split(","):
            match = _SELECTOR.fullmatch(selector.strip())
            if match and selector.strip():
                names = re.findall(r"[.#][\w-]+", match.group(2))
                classes = frozenset(name[1:] for name in names if name[0] == ".")
                ids = frozenset(name[1:] for name in names if name[0] == "#")
                yield (match.group(1) or "").lower(), classes, ids, declared


def _rgb(value: str) -> Rgb | None:
    """Read a colour as hex, rgb() or one of the names that hide text; None for what is not read."""
    value = value.strip().lower().split()[0] if value.strip() else ""
    if value in _NAMED_COLORS:
        return _NAMED_COLORS[value]
    if match := re.fullmatch(r"#?([0-9a-f]{3}|[0-9a-f]{6})[0-9a-f]{0,2}", value):
        digits = match.group(1)
        if len(digits) == 3:
            digits = "".join(digit * 2 for digit in digits)
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    return None
