"""Whether what was found tells of the very thing asked for: its `half-life`, what it costs, `week 52`, who is named.

Sentences that share all other words of a question, about the same thing, are no answer to what they do not speak of.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

import regex

from ....text.concepts import same_in_english
from ....text.periods import month_names
from ....text.words import analyse
from ...protocol import Passage
from ..asked.answer_types import money_terms
from ..asked.implied import as_founded, is_founding
from ..asked.initials import long_form_of
from ..asked.labels import labels_in, mentions_label
from ..asked.names import names_in
from ..asked.question import Question, as_asked
from ..asked.soft import soft_terms
from .findings import Finding
from .telling import subject_terms
from .weights import held_terms, holds, holds_all

_FIRST = 8
_HALF = 0.5
_ROOT = 4
_MOSTLY_NAMES = 0.7
_WORDS = r"[\p{L}\p{N}&’'/-]+"
_ENDS = (
    r"of|in|at|for|on|from|by|during|under|per|between|within|to|with|before|after|since|until|when|if|as|and|or|that|"
    r"which|among|over|than|used|given|paid|made|expected|due|required|needed|asked|reported|because|against"
)
_ASKS = regex.compile(
    r"^\W*(?:(?:and|so|but|then) )?(?:what|how (?:high|large|big|strong|low))(?:['’]s| (?:is|are|was|were|will be))"
    rf"(?: (?:the|its|their|his|her|our|an?|this|that))?(?: (?:{_WORDS} ){{0,3}}{_WORDS}['’]s?(?= ))?"
    rf" (?P<thing>{_WORDS}(?: {_WORDS}){{0,4}}?)(?= (?:{_ENDS})\b|\W*$|[,;(])",
    regex.IGNORECASE,
)
# `When was the bridge painted`: of what was done to a thing the date is asked.
_WHEN_DONE = regex.compile(
    r"^\W*(?:in (?:what|which) year|when|on (?:what|which) (?:day|date)) "
    r"(?:was|were|did|has|have|had|will|is|are) [^?]+? (?P<deed>\p{L}{4,})\W*$",
    regex.IGNORECASE,
)
_PRICED = regex.compile(
    r"\bhow much\b(?! (?:time|leave|notice|paid)\b).*\b(?:costs?|pays?|paid|earn(?:s|ed)?|spen[dt]s?|charge[ds]?)\b|"
    r"\bwhat (?:do|does|did|will|would|has|have) [^?]+ (?:cost|pay|paid|spend|spent|earn)\b|"
    r"\bwie ?viel\b.*\b(?:kostet|kosten|verdien\p{L}+|zahl\p{L}+|bezahlt)\b|\bwie teuer\b|\bwas kostet\b|"
    r"\bcombien\b.*\b(?:coût|gagn|pai|pay)\p{L}+|\bcuánto\b.*\b(?:cuesta|gana|paga)\p{L}*",
    regex.IGNORECASE,
)
_HEAD_OF = regex.compile(
    r"^\W*who (?:is|was|are) (?:the |its |their |our )?(?:\p{L}+ ){0,2}"
    r"(?P<post>head|director|manager|vice president|VP|chief) of (?:the )?(?P<field>(?:\p{Ll}+ )?"
    r"(?:marketing|sales|finance|accounting|engineering|research|development|legal|operations|procurement|purchasing|"
    r"production|quality|security|communications|compliance|logistics|personnel|staff|design|technology|training|"
    r"maintenance|customer service|human resources|HR|IT)(?: (?:department|team))?)\W*$",
    regex.IGNORECASE,
)
_PERCENT = regex.compile(r"\b(?:interest|tax|commission|rate|share|percent\w*|zins\w*|steuer\w*)\b", regex.IGNORECASE)
_MONEY = regex.compile(
    r"\p{Sc}|(?<!\p{L})(?:USD|EUR|GBP|CHF|JPY|SEK|NOK|DKK|CAD|AUD|euros?|dollars?|pounds|francs?)(?!\p{L})"
)
# Nouns that a text need not have to tell what they ask for.
_VAGUE_WORDS = """
    name title kind type sort category class role function purpose use aim goal reason cause ground status state
    situation condition procedure process step way method rule requirement policy problem issue difference result
    outcome effect impact consequence plan view opinion position stance attitude nationality occupation profession
    job genre origin background address location place city town country region birthplace capital meaning
    definition explanation answer point thing detail information fact content subject topic theme message summary
    main current latest next first last change alternative option possibility date day time year month week period
    duration term deadline number amount total figure value level size quantity percentage proportion new old full
    exact average overall annual yearly monthly weekly daily maximum minimum highest lowest biggest largest smallest
    most least best worst common official original final same other general chief basic actual expected approximate
    right correct recent present previous former usual normal standard typical real key major minor important
    significant primary short long high low big small great good bad relationship connection link advantage
    disadvantage benefit drawback weakness strength feature characteristic property part element component member
    contents item example case event activity action measure decision conclusion recommendation finding advice
    suggestion proposal idea lesson response reaction reply comment statement claim argument objection criticism
    concern story plot setting language word phrase letter code colour color symbol sign nickname population author
    writer director owner founder father mother wife husband son daughter circumstance terms limit limitation
    restriction exception extent scope range basis trend development progress prospect outlook future past history
    works going happening wrong done said true dispute lawsuit litigation proceedings suit quarrel deal matter
    trouble middle shared uppermost"""
# What something is to cost is not told by what else is expected.
_LOOSE = frozenset(analyse("expected estimated planned supposed likely budgeted altogether"))
_VAGUE = frozenset(analyse(_VAGUE_WORDS))


def lacking(question: Question, findings: Sequence[Finding], passages: Sequence[Passage]) -> str:
    """Return the words of what is asked that nothing found speaks of; empty where what was found may answer.

    Args:
        findings: What was found for the question, best first.
        passages: Every passage it was looked for in.
    """
    return (
        unknown_name(question, passages)
        or _other_label(question, findings, passages)
        or _untold_deed(question, findings, passages)
        or _untold_price(question, findings)
        or _unnamed_head(question, findings)
        or _untold_attribute(question, findings)
    )


def unknown_name(question: Question, passages: Sequence[Passage]) -> str:
    """Return the first proper name of an English question of which no passage has a word, in whatever form."""
    if question.language != "en" or not passages:
        return ""
    words = [word for word in question.text.split() if word[:1].isalpha()]
    if sum(word[0].isupper() for word in words) > _MOSTLY_NAMES * len(words):
        return ""  # a headline
    held = frozenset[str]().union(*(held_terms(question, passage) for passage in passages))
    roots = {term[:_ROOT] for term in held}
    for name in names_in(question.text):
        terms = [term for term in analyse(name) if not term.isdigit()]
        asked = [term for term in question.terms if term in terms]
        spelled = analyse(long_form_of(name))
        if (
            not asked
            or len(name.split()) > 2 * len(terms)  # a title of little words, easily spelled otherwise
            or min(map(len, terms)) < 3
            or set(terms) <= _months()
            or (spelled and holds_all(held, spelled))
        ):
            continue
        if not any(holds(held, term) or term[:_ROOT] in roots for term in asked):
            return name
    return ""


@cache
def _months() -> frozenset[str]:
    return frozenset(term for month in range(1, 13) for term in analyse(month_names(month)))


@lru_cache(maxsize=1_024)
def attribute_terms(question: Question) -> tuple[str, ...]:
    """Return the index terms that name what is asked of a thing: of `the half-life of X` half and life."""
    match = _ASKS.match(question.text) if question.language == "en" else None
    if match is None:
        return ()
    skipped = _VAGUE.union(soft_terms(question.text), *(analyse(name) for name in names_in(question.text)))
    return tuple(
        term for term in analyse(match["thing"]) if term in question.terms and term not in skipped and len(term) > 2
    )


def _untold_attribute(question: Question, findings: Sequence[Finding]) -> str:
    """Return the attribute asked for where no finding has each telling word of it, or another word for that."""
    wanted = attribute_terms(question)
    if not wanted or any(all(_says(term, finding) for term in wanted) for finding in findings[:_FIRST]):
        return ""
    match = _ASKS.match(question.text)
    return match["thing"] if match else ""


def _says(term: str, finding: Finding) -> bool:
    """Whether a finding has a term, or another word for it, in its words or in the headings above it."""
    held = _heard(finding)
    return holds(held, term) or bool(same_in_english(term) & held)


def _heard(finding: Finding) -> frozenset[str]:
    candidate = finding.candidate
    text = candidate.passage.chunk.text
    heads = [text[slice(*place)] for place in (candidate.heading, candidate.section) if place]
    heads += [candidate.title, finding.statement, *candidate.passage.chunk.headings]
    return candidate.terms.union(*map(analyse, heads))


def _untold_deed(question: Question, findings: Sequence[Finding], passages: Sequence[Passage]) -> str:
    """Return what was done to a thing, of which the date is asked, where no passage says that it was done.

    Of `founded` the first findings must tell, which are easily of what was found.
    """
    match = _WHEN_DONE.match(question.text) if question.language == "en" else None
    terms = [term for term in question.terms if match and term in as_founded(analyse(match["deed"]), match["deed"])]
    if match is None or not terms or not findings:
        return ""
    if is_founding(terms[0]):
        told = any(_says(terms[0], finding) for finding in findings[:_FIRST])
    else:
        held = [held_terms(question, passage) for passage in passages]
        told = any(holds(each, terms[0]) or same_in_english(terms[0]) & each for each in held)
    return "" if told else str(match["deed"])


def _untold_price(question: Question, findings: Sequence[Finding]) -> str:
    """Return what a price, a cost or a pay is asked of, where no amount of money is told of it."""
    if not _PRICED.search(question.text) or _PERCENT.search(question.text) or not findings:
        return ""
    about = [each for each in findings[:_FIRST] if _is_amount(each)]
    if question.language != "en" and about:
        return ""  # which of its words name the thing is not known there
    subject = [term for term in subject_terms(question) if term not in money_terms(question)]
    told = [term for term in subject if term not in question.name_terms and term not in _LOOSE]
    plain = told or [term for term in subject if term not in _LOOSE] or subject
    least = _HALF * len(plain) if told else len(plain)
    if any(sum(_says(term, each) for term in plain) >= least for each in about):
        return ""
    return " ".join(as_asked(question, [*money_terms(question), *plain]))


def _unnamed_head(question: Question, findings: Sequence[Finding]) -> str:
    """Return the department whose head is asked for, where no finding that names a person speaks of it."""
    match = _HEAD_OF.search(question.text)
    terms = analyse(match["field"]) if match else ()
    if match is None or not terms or not findings:
        return ""
    people = [each for each in findings[:_FIRST] if each.scored.kind >= 1]
    for each in people:
        # A row names who has the post only where it names the post.
        wanted = terms if each.candidate.row is None else (*terms, *analyse(match["post"]))
        if all(_says(term, each) for term in wanted):
            return ""
    return str(match["field"])


def _is_amount(finding: Finding) -> bool:
    if finding.scored.kind >= 1:
        return True
    row = finding.candidate.row
    cells = " ".join([row.caption, *(f"{cell.header} {cell.text}" for cell in row.cells)]) if row is not None else ""
    around = finding.candidate.passage.chunk.text if row is not None else ""
    return finding.scored.kind > 0 and bool(_MONEY.search(f"{finding.statement} {cells} {around}"))


def _other_label(question: Question, findings: Sequence[Finding], passages: Sequence[Passage]) -> str:
    """Return the label asked for (`week 52`) where findings have others of its kind and no passage has it."""
    for label in labels_in(question.text):
        others = [each for each in findings[:_FIRST] if label.is_other_than_in(each.statement)]
        if others and not any(mentions_label(label, passage.chunk.text) for passage in passages):
            return label.text
    return ""
