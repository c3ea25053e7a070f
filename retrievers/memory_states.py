"""Which state of a thing a sentence tells, of those it has one at a time: where it is, what it costs, when it ends."""

from __future__ import annotations

import regex

_NAME = r"[\p{L}\p{N}][\p{L}\p{N}.\-'’]*(?: [\p{L}\p{N}][\p{L}\p{N}.\-'’]*){0,4}?"
_NOW = r"(?:(?:now|currently|today|still|just|recently|since then|jetzt|heute|nun|maintenant|ahora|nu) )*"
_BE = r"(?:is|are|am)"
_MONTH = r"(?:jan|feb|mar|apr|may\b|jun|jul|aug|sep|oct|nov|dec)"
_TIME = regex.compile(
    rf"^(?:the |early |late |mid |about |around )*(?:mon|tues|wednes|thurs|fri|satur|sun|{_MONTH}|spring|summer|autumn|"
    r"winter|noon|midnight|today|tomorrow|next\b|half\b|\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\b.*| o'clock.*| uhr)?$|"
    rf"\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?{_MONTH}|\d{{4}}\b)",
    regex.I,
)
_NUMBER = regex.compile(r"^\d")
# State, the words between its owner and its value, and whether the value is a time; None where it may be anything.
_STATES: tuple[tuple[str, str, bool | None], ...] = (
    (
        "place",
        rf"(?:(?:lives?|resides?|dwells?|{_BE} {_NOW}(?:living|residing|based|located|situated|headquartered|kept|"
        rf"stored|parked)) {_NOW}(?:in|at|on|near|under|by)|(?:(?:has|have|had) )?{_NOW}(?:moved|relocated) "
        rf"(?:back |over |away |(?:away )?from .+ )?to|{_BE} {_NOW}(?:in|at)(?= (?:the )?(?-i:\p{{Lu}}))|"
        r"(?:wohnt|wohne|wohnen|lebt|lebe|leben) (?:in|am|auf|bei)|(?:zog|zogen) nach|"
        r"(?:habite|habitent|vit|vis) (?:à|en|au|aux|dans)|(?:a|ai|ont) déménagé (?:à|en|au)|"
        r"(?:vive|vivo|viven) en|se mudó a|(?:bor|flyttade till|har flyttat till)(?: i| på)?)",
        False,
    ),
    (
        "work",
        rf"(?:works? {_NOW}(?:at|for)|{_BE} {_NOW}(?:employed|working) (?:at|by|for)|arbeitet (?:bei|für)|"
        r"travaille (?:chez|pour)|trabaja (?:en|para)|(?:jobbar|arbetar) (?:på|hos))",
        False,
    ),
    ("partner", rf"{_BE} {_NOW}(?:married|engaged) to", None),
    ("boss", r"reports? to", None),
    ("owner", rf"(?:belongs? to|{_BE} {_NOW}owned by)", None),
    ("lead", rf"{_BE} {_NOW}(?:led|run|headed|managed|chaired) by", None),
    ("price", rf"(?:costs?|sells? for|{_BE} {_NOW}priced at|kostet|coûte|cuesta|kostar)", None),
    ("weight", r"weighs?", None),
    ("start", r"(?:starts?|begins?|opens?) (?:at|on|in)", True),
    ("end", r"(?:ends?|closes?|finish(?:es)?|expires?|runs out) (?:at|on|in)", True),
    (
        "time",
        rf"(?:takes? place|{_BE} {_NOW}(?:scheduled|planned|set|due)) (?:for|on|at|in|by)|"
        rf"(?:was|were|has been|have been) (?:moved|postponed|rescheduled|brought forward) (?:from .+ )?to",
        True,
    ),
    ("age", rf"{_BE} {_NOW}(?=\d+ years? old)", None),
    ("platform", rf"{_NOW}runs {_NOW}on", None),
)
_PATTERNS = tuple(
    (state, regex.compile(rf"^(?P<owner>{_NAME}) {_NOW}(?:{words}) (?P<value>.+)$", regex.I), time)
    for state, words, time in _STATES
)
_COUNT = regex.compile(
    rf"^(?P<owner>{_NAME}) {_NOW}(?:has|have) {_NOW}(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|"
    r"eleven|twelve|no) (?P<what>[\p{L}-]+(?: [\p{L}-]+)?)$",
    regex.I,
)
# Of these there are several, or nobody knows whom they stand for.
_NO_OWNER = regex.compile(
    r"^(?:an?|one|two|three|some|another|other|many|most|several|every|each|all|both|any|few|half|ein|eine|einer|un|"
    r"une|una|en|ett|he|she|it|they|this|that|these|those|there|here|who|which|what|where|when|if|er|sie|es|il|elle|"
    r"ils|han|hon|maybe|perhaps)\b|\b(?:not|never|no longer|nobody|friend of|used to|if|whether|says?|said|think|"
    r"thinks|believes?|heard|that|who|which|will|would|could|should|might|may)\b",
    regex.I,
)


def state_of(sentence: str) -> tuple[str, str] | None:
    """Return whose state a sentence tells and which one (`Ann moved to Kelm`: Ann, place), or None.

    Args:
        sentence: One sentence without its final stop.
    """
    for state, pattern, wants_time in _PATTERNS:
        match = pattern.match(sentence)
        if match and not _NO_OWNER.search(match["owner"]):
            timed = _TIME.match(match["value"]) is not None
            if wants_time and not timed:
                continue
            if wants_time is False and (timed or _NUMBER.match(match["value"])):
                continue
            return match["owner"], state
    match = _COUNT.match(sentence)
    if match and not _NO_OWNER.search(match["owner"]):
        return match["owner"], f"number of {match['what']}"
    return None
