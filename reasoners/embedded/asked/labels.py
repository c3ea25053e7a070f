"""Points that a number tells apart: `week 52`, `version 4.0`, `cohort B`; another one's figure is no answer."""

from __future__ import annotations

from dataclasses import dataclass

import regex

# Words whose number a text writes beside them; a section or a page is told by its place.
_WORDS = (
    r"week|month|visit|phase|stage|cohort|arm|version|release|revision|edition|amendment|grade|level|tier|model|batch|"
    r"lot|route|line|platform|terminal|unit|block|lap|round|episode|season|cycle|quarter|zone|ward|lane|gate|room|floor"
)
_LABEL = regex.compile(
    rf"\b(?P<word>{_WORDS})s? (?:no\. ?|number )?(?P<number>\d{{1,4}}(?:\.\d{{1,2}})*(?![\d%]|[.,]\d)(?! ?per ?cent))",
    regex.IGNORECASE,
)


@dataclass(frozen=True)
class Label:
    """One of several of a kind: its word, its number, and both as the question has them."""

    word: str
    number: str
    text: str

    def is_other_than_in(self, text: str) -> bool:
        """Whether a text has this word with other numbers only."""
        numbers = {each.number for each in labels_in(text) if each.word == self.word}
        return bool(numbers) and self.number not in numbers


def labels_in(text: str) -> tuple[Label, ...]:
    """Return the labels of a text, in order."""
    return tuple(Label(each["word"].casefold(), each["number"], each.group()) for each in _LABEL.finditer(text))


def mentions_label(label: Label, text: str) -> bool:
    """Whether a text has the number of a label by its word, before or behind it: `52 weeks`, `weeks 4 to 52`."""
    number = rf"(?<![\d.,]){regex.escape(label.number)}(?![\d]|[.,]\d)"
    gap = r"[^\w.;|\n]{1,3}"
    beside = rf"{label.word}\p{{L}}*{gap}(?:[\w.,]+{gap}){{0,2}}?{number}|{number}(?:st|nd|rd|th)?[\W_]?{label.word}"
    return regex.search(beside, text, regex.IGNORECASE) is not None
