"""A value that another statement calls wrong, or names as the one before: what that one gives for it."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ..asked.question import Question
from ..found.candidates import Candidate
from ..found.dating import is_older
from ..found.findings import Finding
from .stated_values import StatedValue, is_newer, values_in
from .told_values import Spans, ToldPair, overlap, shared_terms, told_by, told_in

_VOID = regex.compile(
    r"^[^.;]{0,120}?\b(?:(?:is|are|was|were|has been|have been|had been)\s(?:(?:now|therefore|thus|already|since)\s)?"
    r"(?:superseded|wrong|incorrect|inaccurate|mistaken|obsolete|outdated|out of date|void|withdrawn|corrected|"
    r"overstated|understated|replaced|too (?:high|low)|an? (?:error|mistake|typo|misprint))|no longer\s\p{L}+|"
    r"(?:does|do) not (?:hold|stand|apply)|should (?:read|be|have (?:been|read))|must (?:read|be corrected)|"
    r"(?:ist|sind|war|wurde)\s(?:überholt|falsch|veraltet|nicht mehr|ein (?:Fehler|Irrtum)|berichtigt|korrigiert)|"
    r"(?:est|était|a été)\s(?:erronée?|faux|fausse|périmée?|caduque?|dépassée?|corrigée?|remplacée?)|n['’]est plus|"
    r"(?:es|era|fue)\s(?:erróne[oa]|incorrect[oa]|obsolet[oa]|corregid[oa])|ya no|"
    r"(?:è|era)\s(?:errat[oa]|superat[oa]))\b",
    regex.IGNORECASE,
)
_VOIDS = regex.compile(
    r"(?:\b(?:corrects?|correcting|correction (?:of|to)|supersed(?:es|ing)|replac(?:es|ing)|instead of|rather than|"
    r"no longer|berichtigt|ersetzt|statt|anstelle von|remplace|au lieu de|corrige|en lugar de|sustituye|sostituisce|"
    r"invece di)\b[^.;\d]{0,60}|,\s(?:and\s)?not\s)$",
    regex.IGNORECASE,
)
_NEXT_SENTENCES = 2


def voided(question: Question, lead: Finding, values: Sequence[StatedValue], sources: Spans) -> ToldPair | None:
    """Return what another statement gives for a value of a finding that it calls wrong, or names as the one before."""
    own = lead.candidate
    for span in sources.spans:
        if span.row is not None or overlap(span, own) or is_older(span, own):
            continue
        told = list(values_in(span.text))
        for value in values:
            gone = next((each for each in told if each.equals(value)), None)
            if gone is None:
                continue
            shared = shared_terms(question, span, own)
            before, behind = span.text[: gone.start], span.text[gone.end :]
            if _VOID.match(behind) or _VOIDS.search(before):
                if not shared and not value.is_specific:
                    continue
                if (found := _in_its_place(span, gone, told, sources)) is not None:
                    new, end = found
                    return told_in(lead, span, new, end, says_so=True), told_by(lead, value)
            holds_now = next((each for each in told if is_newer(span.text, each, gone)), None)
            if holds_now is not None and len(shared) > 1:
                return told_in(lead, span, holds_now, span.end, says_so=True), told_by(lead, value)
    return None


def _in_its_place(
    span: Candidate, gone: StatedValue, told: Sequence[StatedValue], sources: Spans
) -> tuple[StatedValue, int] | None:
    """Return the value that holds, and the end of the sentence that gives it: the same one or one of the next."""
    own = [each for each in told if each.is_like(gone) and not each.equals(gone)]
    if own:
        return min(own, key=lambda each: (each.start < gone.start, abs(each.start - gone.start))), span.end
    text = span.passage.chunk.text
    behind = sorted(
        (each for each in sources.spans if each.chunk_id == span.chunk_id and each.start >= span.end and not each.row),
        key=lambda each: each.start,
    )
    for each in behind[:_NEXT_SENTENCES]:
        if "\n\n" in text[span.end : each.start]:
            return None
        like = [value for value in values_in(each.text) if value.is_like(gone) and not value.equals(gone)]
        if len(like) == 1:
            return like[0], each.end
    return None
