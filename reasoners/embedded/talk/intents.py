"""What a message of a conversation asks for, told by rules: remember, compute, search, research or recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import regex

from ....text.words import content_words
from .forgetting import POLITE

IntentKind = Literal["remember", "compute", "search", "research", "recall", "overview", "tools", "greeting", "none"]

_REMEMBER = regex.compile(
    rf"^{POLITE}(?:remember|memori[sz]e|note|make a note|take a note|keep in mind|bear in mind|"
    r"(?:don['’]t|do not|never) forget|save|store|write down|merke? dir|souviens-toi|retiens|recuerda)"
    r"(?: (?:this|it|down|for me|in (?:your )?memory|to (?:your )?memory|of the fact))*"
    r"(?:\s*[:,]\s*|\s+)(?:that |dass |que )?(?P<what>.+)$",
    regex.IGNORECASE | regex.DOTALL,
)
_NO_ORDER = regex.compile(rf"^{POLITE}(?:note|store|save) (?:is|are|was|the price)\b", regex.IGNORECASE)
_SEARCH = regex.compile(
    rf"^{POLITE}(?:(?:search|browse|check|look (?:on|in))(?: on)? (?:the )?(?:web|internet|net|online)"
    r"(?: and find)?(?: for| about| on)?|(?:do a |run a )?web[ -]?search(?: for| about| on)?|google|look up|"
    r"search (?:for )?(?!(?:your |my |the |our )?memor)|find out about|"
    r"find (?:me )?(?:information|something) (?:on|about)|what does the (?:web|internet) say about)"
    r"\s*:?\s*(?P<what>.+)$",
    regex.IGNORECASE | regex.DOTALL,
)
_WEB = regex.compile(r"\b(?:web|internet|net|online|google|browse)\b", regex.IGNORECASE)
_RESEARCH = regex.compile(
    rf"^{POLITE}(?:/?research|investigate|do (?:some |a )?(?:deep )?research (?:on|into|about)|"
    r"write a (?:sourced )?report (?:on|about))\s*:?\s+(?P<what>.+)$",
    regex.IGNORECASE | regex.DOTALL,
)
# `look up X and tell me whether it fits`: the second half is a question of its own.
_AND_THEN = regex.compile(
    r"[,;.]?\s+(?:and|then)\s+(?:then\s+)?(?:(?:tell|let|give|show)\s+me(?:\s+know)?|say|explain|check|decide|see|judge)"
    r"\s+(?=\w)|[.?!]\s+(?=(?:do|does|would|could|will|is|are|which|what|how|should)\b)",
    regex.IGNORECASE,
)
_OVERVIEW = regex.compile(
    r"\b(?:what|everything|all|anything)\b.{0,30}\b(?:you|do you|have you)\b.{0,12}\b(?:remember|know|stored?|noted)\b"
    r"(?: (?:about|of) (?:me|us))?\s*[?.!]*$|^(?:list|show|dump)\b.{0,20}\bmemor(?:y|ies)\b",
    regex.IGNORECASE,
)
_TOOLS = regex.compile(r"\b(?:which|what|list|show)\b.{0,20}\btools\b|^what can you do\b", regex.IGNORECASE)
_GREETING = regex.compile(
    r"^(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks?|thank you|bye|goodbye)\b[\w ,]{0,20}[.!]*$",
    regex.IGNORECASE,
)
_RECALL_ORDER = regex.compile(
    rf"^{POLITE}(?:recall|remind me|tell me|show me|give me|list|what|which|who|whom|whose|when|where|why|how|"
    r"is|are|was|were|do|does|did|has|have|had|can|could|should|would|will|look in|"
    r"search (?:your |my |the |our )?memor)",
    regex.IGNORECASE,
)
_QUESTION_WORD = r"(?:what|which|who|whom|whose|when|where|why|how|whether|if)"
_SPLIT = regex.compile(
    rf"[,;]?\s+(?:and|as well as)\s+(?=(?:also\s+)?{_QUESTION_WORD}\b)|[?;]\s+(?=\w)", regex.IGNORECASE
)


@dataclass(frozen=True)
class Intent:
    """One thing that a message asks for.

    Attributes:
        text: The argument: what to remember, the expression, the query or the question.
        note: For `compute` the unit of the result; for `remember` the category; for `search` `web` where the message
            names the web.
    """

    kind: IntentKind
    text: str = ""
    note: str = ""


def read_intents(message: str) -> list[Intent]:
    """Return what a message asks for, in order; `none` where it is a plain statement."""
    from .arithmetic import read_arithmetic

    text = message.strip()
    if _GREETING.match(text):
        return [Intent("greeting")]
    if remembered := what_to_remember(text):
        return [Intent("remember", remembered, category_of(remembered))]
    if found := read_arithmetic(text):
        return [Intent("compute", *found)]
    for kind, pattern in (("research", _RESEARCH), ("search", _SEARCH)):
        if match := pattern.match(text):
            # `…and whether they fit the project`: they are what is looked up.
            query, rest = _parted(match["what"])
            on_web = "web" if _WEB.search(text[: match.start("what")]) else ""
            first = Intent("research", query) if kind == "research" else Intent("search", query, on_web)
            return [first, *(Intent("recall", f"{part} ({query})") for part in rest)]
    if _TOOLS.search(text):
        return [Intent("tools")]
    if _OVERVIEW.search(text):
        return [Intent("overview")]
    if text.endswith("?") or _RECALL_ORDER.match(text):
        return [Intent("recall", part) for part in sub_questions(text)]
    return [Intent("none", text)]


def what_to_remember(message: str) -> str:
    """Return what a message asks to remember, or "" where it does not ask that."""
    text = message.strip()
    match = _REMEMBER.match(text)
    if not match or text.endswith("?") or _NO_ORDER.match(text):
        return ""
    return str(match["what"]).strip()


def sub_questions(question: str) -> list[str]:
    """Return the parts of a question that ask for different things; the whole where it asks for one."""
    parts = [part.strip() for part in _SPLIT.split(question) if part and content_words(part)]
    return parts if len(parts) > 1 else [question.strip()]


_CATEGORIES = (
    ("order", regex.compile(r"\border(?:ed)?\b.{0,12}#?\d|\binvoice\b", regex.IGNORECASE)),
    (
        "calendar",
        regex.compile(
            r"\b(?:meeting|appointment|calendar|call with|lunch|dinner|flight)\b.*\b(?:on|at|next|tomorrow|monday|"
            r"tuesday|wednesday|thursday|friday|saturday|sunday|\d{1,2} ?[ap]m)\b",
            regex.IGNORECASE,
        ),
    ),
    ("user_pref", regex.compile(r"\b(?:prefers?|favou?rites?|likes?|loves?|dislikes?|hates?)\b", regex.IGNORECASE)),
    (
        "task",
        regex.compile(r"\b(?:deadline|due|todo|to-do|task|working on|must|needs? to|have to)\b", regex.IGNORECASE),
    ),
    (
        "decision",
        regex.compile(
            r"\b(?:decid\w+|decision|chang(?:es?|ed|ing) from|switch\w*|instead of|migrat\w+)\b", regex.IGNORECASE
        ),
    ),
)


def category_of(text: str) -> str:
    """Return the category that the words of a memory suggest; `fact` where none does."""
    return next((name for name, pattern in _CATEGORIES if pattern.search(text)), "fact")


def _parted(text: str) -> tuple[str, list[str]]:
    """Split what to look up from a question that follows it."""
    match = _AND_THEN.search(text)
    if not match:
        return text.strip().rstrip("?.! "), []
    return text[: match.start()].strip().rstrip("?.! "), [text[match.end() :].strip()]
