"""The sentence behind one, where only both say it: a denial, a correction, an exception, a reply, what follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import regex

from ....state.records import Quote
from ....text.periods import find_periods, stands_in
from ....text.sentences import sentences
from ..asked.answer_types import answering_numbers
from ..asked.question import Question
from ..found.candidates import Candidate, passage_terms
from ..found.causes import asks_cause, gives_cause, says_why
from ..found.findings import Finding
from ..found.weights import holds, holds_all, holds_any, share_held
from .succession import LEAVES, SUCCEEDS
from .verdicts import Verdict

_MOST_CHARS = 600
_MOSTLY = 0.6
_PARTLY = 0.5
_FALSE = r"(?:not|never|no longer|wrong|untrue|false|incorrect|mistaken|unfounded)"
_DENIES = regex.compile(
    rf"^(?:(?:But|However|In fact|In truth),? )?(?:it|this|that|they|these|he|she|neither|"
    rf"the (?:statement|claim|figure|report|rumou?r|sentence|allegation)s?) "
    rf"(?:is|was|are|were|has|have|had|did|does|do)(?:n['’]t| {_FALSE})\b(?! (?:only|just|yet))|"
    r"^not (?:so|true)\b|^none of (?:this|these|them)\b|^nothing of the (?:sort|kind)\b|"
    r"^(?:das|dies|es) (?:ist|war|stimmt|trifft) (?:nicht|falsch)\b|^(?:ce n['’]est pas|c['’]est faux)\b|"
    r"^(?:no es cierto|eso no es|no lo es)\b|^(?:non è vero|non lo è)\b",
    regex.IGNORECASE,
)
_CORRECTS = regex.compile(
    r"^the (?:correct|right|true|actual|corrected|proper) (?:\p{L}+ ){1,3}(?:is|was|are|were|reads?)\b|"
    r"^(?:it|this|that|they) should (?:be|read|have)\b|^correct(?:ion)?(?: is)?:|"
    r"^(?:richtig|korrekt) (?:ist|sind|wäre)\b|"
    r"^der richtige \p{L}+ (?:ist|lautet)\b|^(?:le|la) bon(?:ne)? \p{L}+ est\b|^(?:la|el) \p{L}+ correct[oa] es\b|"
    r"^(?:il|la) \p{L}+ corrett[oa] è\b",
    regex.IGNORECASE,
)
_EXCEPTS = regex.compile(
    r"^(?:(?:the|this|that|such|it|these|they) ?(?:\p{L}+ ){0,2}(?:does|do|did|shall|is|are|will) not "
    r"(?:extend|apply|include|cover|concern|count|hold)\b)|^(?:except(?:ions?|ed|ing)?|excluded|exempt(?:ed)?)\b|"
    r"^(?:however|otherwise|unless)\b|^(?:\p{L}+ ){1,7}(?:is|are) (?:exempt(?:ed)?|excluded|excepted)\b|"
    r"^(?:ausgenommen|dies gilt nicht|das gilt nicht)\b|^(?:sauf|excepté|cela ne s['’]applique)\b|^(?:salvo|excepto)\b|"
    r"^(?:eccetto|tranne)\b",
    regex.IGNORECASE,
)
_ASKS = regex.compile(
    r"\b(?:asked|asks|alleged|alleges|claimed|claims|demanded|requested|proposed|applied|moved|wanted|complained|"
    r"inquired|enquired|suggested)\b",
    regex.IGNORECASE,
)
_REPLIES = regex.compile(
    r"^(?:\p{L}+\.? ){1,4}(?:replied|answered|denied|rejected|refused|responded|declined|agreed|confirmed|explained|"
    r"dismissed|refuted|granted|accepted)\b",
    regex.IGNORECASE,
)
_ASKS_WHETHER = regex.compile(
    r"\b(?:asked|asks|enquired|inquired|wondered)\b[^.;]{0,40}\b(?:whether|if)\b", regex.IGNORECASE
)
_SAYS_SO = regex.compile(
    r"^(?:\p{L}+\.? ){1,4}(?:said|replied|answered|confirmed|stated|explained)(?: that)? "
    r"(?:it|this|that|they|he|she|there) (?:had|has|did|does|do|was|were|is|are|would|could|can|will)"
    r"(?P<not> not|n['’]t)?\b(?=\s*[:;,.]|\s*$)",
    regex.IGNORECASE,
)
_CONDITION = regex.compile(
    r"^(?:if|unless|should|where|in case|provided|as long as|until)\b|\bwill be \p{L}+ (?:if|unless)\b|"
    r"\b(?:unless|if) \p{L}",
    regex.IGNORECASE,
)
_OUTCOME = regex.compile(
    r"^(?:the|this|that|these|it|they) (?:\p{L}+ ){0,3}(?:is|are|was|were|has been|have been|remains?|stays?) "
    r"(?:maintained|kept|upheld|suspended|withdrawn|met|fulfilled|confirmed|valid|in force|closed|open)\b",
    regex.IGNORECASE,
)
_FIRST = regex.compile(
    r"^(?:the )?(?:first|one)\b|^(?:firstly|erstens|der erste|die erste|das erste|le premier|la première)\b",
    regex.IGNORECASE,
)
_SECOND = regex.compile(
    r"^(?:and )?(?:the )?(?:second|other)\b|^(?:secondly|zweitens|der zweite|die zweite|das zweite|le second)\b|"
    r"^(?:la seconde|le deuxième|la deuxième)\b",
    regex.IGNORECASE,
)
# What is told of the thing just named.
_OF_THE_SAME = regex.compile(
    r"^(?:it|he|she|they|this|these|of (?:this|these|which)|"
    r"the (?:amount|sum|price|total|fee|cost|figure|rate|premium|rent|deposit|payment|length|height|weight|size)|"
    r"er|es|davon|der (?:betrag|preis)|die (?:summe|gebühr|miete)|il|elle|le (?:montant|prix)|del? (?:importe|total)|"
    r"el (?:importe|precio)|l['’]importo|il (?:prezzo|totale))\b",
    regex.IGNORECASE,
)
_NEW_PART = regex.compile(r"\n\s*\n|\n\s*(?:[-*•·▪◦–]|#{1,6}|\(?\d{1,2}[.)]|\(?[a-z][.)]|§)\s")


def continuation_of(question: Question, candidate: Candidate) -> Quote | None:
    """Return the sentence behind a candidate that belongs to it; None where what follows stands by itself.

    Args:
        question: Of one for a number, the figure may stand in the sentence behind the one that names its thing.
    """
    following = sentence_behind(candidate)
    if following is None or candidate.row is not None:
        return None
    said, after = candidate.text, following.text
    belongs = (
        _DENIES.match(after)
        or _CORRECTS.match(after)
        or _EXCEPTS.match(after)
        or (_ASKS.search(said) and _REPLIES.match(after))
        or (_CONDITION.search(said) and _OUTCOME.match(after))
        or (_FIRST.match(said) and _SECOND.match(after))
        or (question.answer_type == "person" and LEAVES.search(said) and SUCCEEDS.search(after))
    )
    if not belongs and asks_cause(question) and question.answer_type in ("explanation", "entity"):
        belongs = not gives_cause(candidate) and _shares(question, candidate) and not says_why(said)
    if not belongs and question.answer_type == "number":
        has_figure, gives_one = (_has_figure(question, text) for text in (said, after))
        belongs = gives_one and not has_figure and _OF_THE_SAME.match(after)
    return following if belongs else None


def _shares(question: Question, candidate: Candidate) -> bool:
    """Whether a sentence tells most of what a question asks the cause of, so that the cause may stand behind it."""
    held = sum(holds(candidate.known, term) for term in question.terms)
    return _MOSTLY * len(question.terms) <= held and holds_any(candidate.terms, question.terms)


def denied_verdict(question: Question, findings: Sequence[Finding]) -> Verdict | None:
    """Return `No` where a sentence holds all that is asked and the one behind it denies it, or the word of a reply.

    Who asks whether something is so, and is told that it is not, leaves a word or two to what was spoken of before.
    """
    if question.answer_type != "yes_no" or question.language != "en" or not question.terms:
        return None
    for finding in findings:
        candidate = finding.candidate
        following = sentence_behind(candidate)
        if candidate.row is not None or following is None:
            continue
        if _DENIES.match(following.text) and holds_all(candidate.terms, question.terms):
            return Verdict("No", finding)
        reply = _SAYS_SO.match(following.text) if _ASKS_WHETHER.search(candidate.text) else None
        if reply is not None and _is_asked_there(question, candidate):
            return Verdict("No" if reply["not"] else "Yes", with_behind(finding, following))
    return None


def _is_asked_there(question: Question, candidate: Candidate) -> bool:
    held = share_held(candidate.terms, question.terms)
    return held >= _PARTLY and holds_all(passage_terms(candidate.passage), question.terms)


def with_behind(finding: Finding, behind: Quote | None) -> Finding:
    """Return a finding that tells the sentence behind its own too."""
    if behind is None or behind in finding.quotes:
        return finding
    told = f"{finding.statement} {' '.join(behind.text.split())}"
    return replace(finding, statement=told, quotes=(*finding.quotes[:-1], behind, finding.quotes[-1]))


def told_once(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings without those that another one before them tells as its end."""
    told: set[tuple[str, int, int]] = set()
    kept: list[Finding] = []
    for finding in findings:
        candidate = finding.candidate
        if candidate.key in told:
            continue
        behind = (quote for quote in finding.quotes if quote.chunk_id == candidate.chunk_id)
        told |= {(quote.chunk_id, quote.start, quote.end) for quote in behind if quote.start >= candidate.end}
        kept.append(finding)
    return kept


def _has_figure(question: Question, text: str) -> bool:
    dated = find_periods(text)
    return any(not stands_in(number.start, dated) for number in answering_numbers(question, text))


def sentence_behind(candidate: Candidate) -> Quote | None:
    """Return the sentence behind a candidate in the same paragraph, unless it is far."""
    text = candidate.passage.chunk.text
    after = next(((start, end) for start, end in sentences(text) if start >= candidate.end), None)
    if after is None or _NEW_PART.search(text[candidate.end : after[0] + 3]):
        return None
    start, end = after
    if end - candidate.start > _MOST_CHARS:
        return None
    return Quote(chunk_id=candidate.chunk_id, start=start, end=end, text=text[start:end])
