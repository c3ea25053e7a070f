"""Tell text that gives orders to an assistant from text that states something; orders are data, never facts."""

from __future__ import annotations

from functools import lru_cache

import regex

_ORDER = regex.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.!?\n]{0,40}\b(?:instruction|prompt|rule|direction|message|context|above|"
    r"anweisung|instrucci[oó]n|istruzion)"
    r"|\byou are now\b|\bfrom now on,? you\b|\bact as (?:an?|the) \w+(?:bot|assistant| ai\b)"
    r"|\b(?:reveal|print|show|repeat|leak)\b[^.!?\n]{0,20}\b(?:system )?prompt\b"
    r"|^\s*(?:system|assistant|developer|user)\s*:"
    r"|</?\s*(?:system|source|assistant|instruction|passage|user|tool)s?\b[^>]*>"
    r"|\b(?:call|use|invoke|run|execute)\b[^.!?\n]{0,20}\b(?:tool|function|command|plugin)\b[^.!?\n]{0,20}(?:\bon\b|\bwith\b|:|https?)"
    r"|\b(?:only|always|never) cite\b|\bdo not (?:tell|mention|reveal|cite)\b[^.!?\n]{0,30}\b(?:user|reader|source)"
    r"|\b(?:as an ai|dear (?:ai|assistant|model)|language model)\b[^.!?\n]{0,40}\b(?:must|should|please|ignore|answer)"
    r"|(?:忽略|无视|忘记)[^。！？\n]{0,12}(?:指令|指示|提示|说明)|你现在是"
    r"|(?:以前|上記|これまで)[^。！？\n]{0,8}(?:指示|命令)[^。！？\n]{0,6}(?:無視|忘れ)"
    r"|ignorez[^.!?\n]{0,30}instructions|ignoriere[^.!?\n]{0,30}(?:anweisung|instruktion)"
    r"|ignora[^.!?\n]{0,30}(?:instrucciones|istruzioni)",
    regex.IGNORECASE | regex.MULTILINE,
)


def holds_order(text: str) -> bool:
    """Whether a text addresses an assistant with an order, or spells the tags of a prompt."""
    return _ORDER.search(text) is not None


@lru_cache(maxsize=4_096)
def order_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the paragraphs (lines) of a text that hold an order; what stands beside it is not trusted either.

    Several steps of a run ask it of the same passages.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        if holds_order(line):
            spans.append((start, end))
        start = end + 1
    return tuple(spans)
