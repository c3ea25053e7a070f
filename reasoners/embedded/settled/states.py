"""Answer whether something is in a state: the last that is told of it counts, `It was leaking; it has been fixed`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex

from ....state.records import Quote
from ....text.periods import find_periods
from ....text.words import analyse
from ..asked.question import Question
from ..found.candidates import Candidate
from ..found.findings import Finding
from ..found.weights import holds, holds_all
from .confirming import is_of_another
from .continuing import sentence_behind, with_behind
from .verdicts import Verdict, latest

_FIRST = 12
_NOW = r"(?:is|are|does|do|has|have)"
_WORKS = (
    r"(?:repair|mend|fix|restor|reinstat|replac)\p{L}*ed|restored|mended|fixed|replaced|reinstated|"
    r"back (?:in|to|on) (?:service|use|operation|work|normal|line)|(?:work|runn|function)ing(?: \p{L}+)? again|"
    r"(?:work|runn|function)ing|works|functions|operational|in (?:service|operation|(?:full |good )?working order)"
)
_BROKEN = (
    r"brok(?:e|en)(?: down)?|out of (?:order|service|action|use)|fail(?:s|ed)|defective|faulty|unserviceable|"
    r"(?:no longer|stopped|ceased)(?: \p{L}+)? (?:work|runn|function)\p{L}*|"
    r"(?:does|do|did)(?: not|n['’]t) (?:work|run|function)|no longer (?:in (?:service|use|operation)|operational)"
)
_MADE_WHOLE = r"repaired|mended|fixed|sealed|cleared|unblocked|replaced|restored|pumped out|pumped dry|stopped leaking"
_GAIN = r"profits?(?!ab)|surplus(?:es)?|in the black|profitable|broke even"
_LOSS = r"loss(?:es)?(?! of (?:a|an|the|life|data))|deficits?|in the red|loss-making|unprofitable"
_EARNS = (
    r"(?:mak(?:e|ing)|made|earn(?:ing)?|report(?:ed)?|post(?:ed)?|turn(?:ed)?|show(?:ing)?) "
    r"(?:a |any )?(?:net |operating )?"
)


@dataclass(frozen=True)
class State:
    """A state that a question asks about.

    Attributes:
        asked: How it is asked; the question begins with `when`.
        begun: What brings it about, or says that it is so; ended: what ends it, or says the opposite.
        is_told_once: Whether it is told of a time and does not end by what comes later.
    """

    asked: regex.Pattern[str]
    begun: str
    ended: str
    is_told_once: bool = False


def _asked(words: str, when: str = _NOW) -> regex.Pattern[str]:
    return regex.compile(
        # `a working day` is in no state, though `a profitable firm` is.
        rf"^\W*{when}\b.+?\b(?:(?<!\b(?:an?|any|every|the) |[\"“'])|(?=profit|loss|unprofit))"
        rf"(?P<state>(?:still |now |currently |again )*(?:{words}))\b",
        regex.IGNORECASE,
    )


_STATES = (
    State(_asked(r"leak(?:s|ing|y)?"), r"leak(?:s|ing|ed|y)", _MADE_WHOLE),
    State(_asked(r"(?:blocked|damaged|flooded|cracked|jammed|stuck|clogged)"),
          r"(?:blocked|damaged|flooded|cracked|jammed|stuck|clogged)", _MADE_WHOLE),
    State(_asked(r"broken(?: down)?|out of (?:order|service|action|use)|faulty|defective"), _BROKEN, _WORKS),
    State(_asked(r"work(?:s|ing)?|function(?:al|s|ing)?|operational|in (?:service|operation|(?:good )?working order)"),
          _WORKS, _BROKEN),
    State(_asked(r"(?:been )?(?:repaired|mended|fixed|restored)", r"(?:is|are|has|have|was|were)"), _MADE_WHOLE,
          rf"leak(?:s|ing|y)|{_BROKEN}"),
    State(_asked(r"open"), r"(?:re-?)?open(?:s|ed)?(?: again)?", r"clos(?:es|ed)|shut"),
    State(_asked(r"closed|shut"), r"clos(?:es|ed)|shut", r"(?:re-?)?open(?:s|ed)?(?: again)?"),
    State(_asked(rf"profitable|in (?:the )?(?:profit|black)|{_EARNS}(?:profit|surplus|money)",
                 r"(?:is|are|was|were|does|do|did|has|have)"), _GAIN, _LOSS, is_told_once=True),
    State(_asked(rf"loss-making|unprofitable|in the red|{_EARNS}(?:loss|deficit)|losing money",
                 r"(?:is|are|was|were|does|do|did|has|have)"), _LOSS, _GAIN, is_told_once=True),
)  # fmt: skip
_NOT = regex.compile(r"\b(?:not|never|no(?! longer)|neither|nor|without|cannot)\b|n['’]t\b", regex.IGNORECASE)
_UNSURE = regex.compile(
    r"\b(?:will|shall|would|should|could|might|may|must|to be|to|if|unless|until|whether|when|once|before|expect\w*|"
    r"plan\w*|due|likely|risk|aim\w*|hope\w*|forecast\w*)\b",
    regex.IGNORECASE,
)
_CLAUSE = regex.compile(r"[.;:,]|\b(?:but|and|while|whereas)\b", regex.IGNORECASE)
# What stands behind these is of an earlier time.
_BEFOREHAND = regex.compile(
    r"(?<=\p{L}.{8,})\b(?:after|compared (?:with|to)|as against|against|versus|following|from)\b", regex.IGNORECASE
)
_OF_THE_SAME = regex.compile(
    r"^(?:it|they|this|these|both|all of (?:it|them)|the (?P<thing>\p{L}+))\b", regex.IGNORECASE
)
# Of whom a figure of earnings is where the question names nobody: `the company`.
_THE_WHOLE = regex.compile(
    r"^(?:in \d{4},? )?(?:(?:the|our|this) (?:company|group|firm|business|trust|association|society|club|charity)|we|"
    r"(?:consolidated )?net (?:profit|loss|income)|(?:profit|loss) (?:for the (?:year|period)|after tax))\b",
    regex.IGNORECASE,
)


def state_verdict(question: Question, findings: Sequence[Finding]) -> Verdict | None:
    """Return whether something is in the state asked about, by the last event that is told; None where none is told.

    An event that is denied tells the opposite; one that is only to come tells nothing.  Of a profit the period asked
    for counts.  Where statements differ, the later one holds.
    """
    found: list[tuple[tuple[int, int], str, Finding]] = []
    for place, finding in enumerate(findings[:_FIRST]):
        told = _told(question, finding.candidate)
        if told is not None:
            found.append(((0, place), told[0], with_behind(finding, told[1])))
    if not found:
        return None
    if len({answer for _, answer, _ in found}) == 1:
        return Verdict(found[0][1], found[0][2])
    return latest(found)


def tells_state(question: Question, candidate: Candidate) -> bool:
    """Whether a sentence settles what a question asks of a state, which it may name by another word."""
    told = _told(question, candidate)
    return told is not None and bool(told[0]) and bool(_asked_of(question)[1])


@lru_cache(maxsize=1_024)
def _asked_of(question: Question) -> tuple[State | None, tuple[str, ...]]:
    """Return the state that a question for yes or no asks about and the index terms of the thing that is in it."""
    if question.answer_type != "yes_no" or question.language != "en" or _NOT.search(question.text):
        return None, ()
    for state in _STATES:
        if (match := state.asked.search(question.text)) is not None:
            own = set(analyse(match["state"]))
            return state, tuple(term for term in question.terms if term not in own and not term.isdigit())
    return None, ()


def _told(question: Question, candidate: Candidate) -> tuple[str, Quote | None] | None:
    """Return the word that a sentence gives, with the sentence behind it if that one tells what came last."""
    state, subject = _asked_of(question)
    if state is None or candidate.row is not None or not _is_of(candidate, subject, state):
        return None
    if is_of_another(question.text, candidate.text):
        return None
    events = list(_events(question, state, candidate.text))
    if not events:
        return None
    behind = None if state.is_told_once else sentence_behind(candidate)
    later: list[bool | None] = []
    same = behind is not None and _is_of_the_same(candidate.text, behind.text)
    if behind is not None and same and not is_of_another(question.text, behind.text):
        later = list(_events(question, state, behind.text))
    so = later[-1] if later else events[0] if state.is_told_once else events[-1]
    return ("" if so is None else "Yes" if so else "No"), behind if later else None


def _is_of(candidate: Candidate, subject: Sequence[str], state: State) -> bool:
    """Whether a sentence tells of the thing asked about, half of whose words it holds itself."""
    if not subject:
        return state.is_told_once and bool(_THE_WHOLE.search(candidate.text))
    own = [term for term in subject if holds(candidate.terms, term)]
    return 2 * len(own) >= len(subject) and holds_all(candidate.known, subject)


def _is_of_the_same(text: str, behind: str) -> bool:
    """Whether a sentence goes on about what the one before it tells of."""
    match = _OF_THE_SAME.match(behind)
    return match is not None and (match["thing"] is None or set(analyse(match["thing"])) <= set(analyse(text)))


def _events(question: Question, state: State, text: str) -> Iterator[bool | None]:
    """Yield for each event that a text tells whether the state holds after it; None where another period is told of."""
    cut = _BEFOREHAND.search(text)
    years = {period.start.year for period in question.periods}
    if state.is_told_once and years and find_periods(text):
        parts = [text[: cut.start()], text[cut.start() :]] if cut else [text]
        of_years = [part for part in parts if years & {period.start.year for period in find_periods(part)}]
        if not of_years:
            yield None
            return
        text = of_years[0]
    elif cut:
        text = text[: cut.start()]
    for event in regex.finditer(rf"\b(?:(?P<ended>{state.ended})|(?P<begun>{state.begun}))\b", text, regex.IGNORECASE):
        before = _CLAUSE.split(text[: event.start()])[-1]
        if not _UNSURE.search(before):
            yield (event["begun"] is not None) != bool(_NOT.search(before))
