"""What a sentence asserts of what is asked, and what only stands in it: an exception, a wish, a case of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import regex

from ....text.words import analyse
from ..asked.question import Question
from ..found.weights import holds, holds_all

_EXCEPTION = regex.compile(
    r"(?:,\s*|\(|\b)(?:other than|except(?:ing)?(?: for)?|save(?: for)?(?! (?:money|time|up|on)\b)|apart from|"
    r"excluding|with the exception of|but not) (?!(?:if|when|where|while|that|as|with|in|by)\b)(?P<what>[^;:.()]+)",
    regex.IGNORECASE,
)
_ITEMS = regex.compile(r",\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+")
# Who wishes for something tells that it is not yet so.
_WISH = regex.compile(
    r"\b(?:ask(?:s|ed)? (?:you |them |him |her |again |therefore |only )?(?:that|for|to)|"
    r"(?:request|propose|suggest|recommend|urge|demand|desire)(?:s|d|ed)? (?:that|to)|would (?:like|prefer)|"
    r"(?:hope|wish|want|long)(?:s|es|ed)? (?:that|for|to|the)|call(?:s|ed)? (?:for|on)|(?:is|are|was|were) (?:asking|"
    r"seeking|calling|pressing|hoping) (?:that|for|to)|(?:our|the|their|his|her|my) (?:request|proposal|demand|wish|"
    r"suggestion|claim) (?:is|was)(?: that| to)?)\b",
    regex.IGNORECASE,
)
_CASE = regex.compile(
    r"\b(?:while|whilst|if|when(?:ever)?|where(?:ver)?|as long as|in case|in the event|during)\b\s(?P<case>[^;:.()]+)",
    regex.IGNORECASE,
)
_DENIES = regex.compile(
    r"\b(?:not|no(?!-)|none|nobody|never|neither|nor|without|fail\w*|unable)\b|n['’]t\b", regex.IGNORECASE
)
_CONTRAST = regex.compile(
    r"(?:,|\b(?:and|but)) not (?:(?:the|a|an|of|by|in|for) )?[\p{L}’']+(?=\s*(?:[(.,;:]|$))", regex.IGNORECASE
)
_MANY = regex.compile(r"(?:als|ions|ances|ments|ures|ings)$", regex.IGNORECASE)
_WORD = regex.compile(r"[\p{L}\d'’-]+")


def is_wish(text: str, question: Question) -> bool:
    """Whether a sentence tells what somebody asks for, where the question is not whether it was asked for."""
    known = set(question.terms)
    return any(not set(analyse(match.group())) & known for match in _WISH.finditer(text))


def turned_by_exception(text: str, question: Question, answer: str) -> str:
    """Return a `Yes` or `No` as the exceptions in a sentence turn it; nothing where only a part of it is excepted.

    What is excepted has the words of the question that stand nowhere else in the sentence.  It is the very thing asked
    about where the exception holds no further word, its names apart.
    """
    exception = next((match for match in _EXCEPTION.finditer(text) if _takes(match, text, question)), None)
    if exception is None or not answer:
        return answer
    asked = frozenset(question.terms) | frozenset(analyse(question.text))
    whole = any(_is_within(item, asked) for item in _ITEMS.split(exception["what"]) if analyse(item))
    return {"Yes": "No", "No": "Yes"}[answer] if whole else ""


def is_of_a_case(text: str, question: Question) -> bool:
    """Whether a sentence tells of a case only, `while played in public`, that the question does not speak of."""
    asked = frozenset(question.terms) | frozenset(analyse(question.text))
    return any(not holds_all(asked, analyse(match["case"])) for match in _CASE.finditer(text))


def denies(text: str, terms: Iterable[str] = ()) -> bool:
    """Whether a text has a denial whose word is none of the terms; `yours and not mine` denies nothing of the rest."""
    said = _CONTRAST.sub(" ", text)
    return any(not set(analyse(word)) & set(terms) for word in _DENIES.findall(said))


def tells_of_all(text: str, terms: frozenset[str]) -> bool:
    """Whether a text speaks of the terms in general, `approvals above 500`, and tells of no single one."""
    words = [word for word in _WORD.findall(text) if set(analyse(word)) & terms]
    return bool(words) and all(_MANY.search(word) for word in words)


def _takes(exception: regex.Match[str], text: str, question: Question) -> bool:
    inside = frozenset(analyse(exception["what"]))
    outside = frozenset(analyse(f"{text[: exception.start()]} . {text[exception.end() :]}"))
    return any(holds(inside, term) and not holds(outside, term) for term in question.terms)


def _is_within(words: str, asked: frozenset[str]) -> bool:
    return all(holds(asked, term) for word in _plain_words(words) for term in analyse(word))


def _plain_words(words: str) -> Iterator[str]:
    """Yield the words of a phrase that are no names."""
    return (word for word in _WORD.findall(words) if not word[0].isupper())
