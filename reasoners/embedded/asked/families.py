"""Verbs with their nouns and irregular forms, which a stemmer does not bring together: `retain`, `retention`."""

from __future__ import annotations

from functools import cache

from ....text.words import analyse

# One family a line entry: the verb, then its nouns and other forms with a stem of their own.
_FAMILIES = """
acquire acquisition, adopt adoption, allocate allocation, amend amendment, apply application, appoint appointment,
approve approval, arrive arrival, assume assumption, attract attraction, authorise authorize authorisation
authorization, award win won winner, begin beginning start, build construction, buy purchase, close closure closing,
collect collection, compete competition competitor, complete completion, conclude conclusion, contribute contribution,
decide decision, declare declaration, decline decrease drop reduction, deliver delivery, depend dependence, depreciate
depreciation, derive derivation, describe description, destroy destruction, develop development, die death, discover
discovery, distribute distribution, due maturity mature, divest divestiture divestment disposal, elect election, employ
employment employee, establish establishment, exceed excess, expand expansion, expect expectation outlook forecast
guidance projection, expire expiry expiration, explain explanation, fail failure, fine penalty, found foundation, grow
growth increase, hire recruitment, impair impairment, improve improvement, introduce introduction, invent invention,
invest investment, child children, depart departure leave, know knowledge, launch introduction, lead leader
leadership, lose loss, maintain maintenance, marry
marriage, merge merger, move relocation, obligate obligation, operate operation, own ownership owner, pay payment,
permit permission, predict prediction, produce production, promise commitment, prove proof, receive receipt, recognise
recognize recognition, redeem redemption, refuse refusal, register registration, reject rejection, remove removal, renew
renewal, repay repayment, require requirement, resign resignation, resolve resolution, responsible responsibility owner,
restrict restriction, retain retention, retire retirement, reveal revelation, sell sale, separate separation, settle
settlement, sign signature dated, spend spending expenditure expense, spin separation, succeed success successor,
survive survival, predecessor former, recommend recommendation advise advice suggest suggestion, cap capped limit
limitation maximum ceiling exceed, subside subsidence, terminate termination, think thought, transfer transfer, vary
variation, choose chose chosen choice, draw drew drawn, drive drove driven driver, eat ate eaten, fly flew flown flight,
forget forgot forgotten, freeze froze frozen, sink sank sunk, speak spoke spoken speaker speech, swim swam swum, teach
taught teacher, wear wore worn, write wrote written writer author, france french, spain spanish, switzerland swiss,
netherlands dutch holland, denmark danish, poland polish, finland finnish, britain british, scotland scottish, wales
welsh, ireland irish, greece greek, japan japanese, china chinese, fall fell fallen, rise rose risen, grow grew grown,
lose lost, break broke broken, bring brought, build built, buy bought, catch caught, come came, deal dealt, feed fed,
feel felt, fight fought, give gave given, go went gone, hear heard, hide hid hidden, hold held, keep kept, know knew
known, lay laid, lead led, leave left, lend lent, make made, mean meant, meet met, pay paid, ride rode ridden, run ran,
send sent, sell sold, shake shook shaken, shoot shot, sing sang sung, sit sat, sleep slept, spend spent, stand stood,
steal stole stolen, strike struck, take took taken, tell told, throw threw thrown, understand understood, withdraw
withdrew withdrawn withdrawal, undergo underwent undergone, overrun overran, bind bound, bear borne, hurt injury injure,
begin began begun"""


@cache
def _of_stem() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in " ".join(_FAMILIES.split()).split(", "):
        words = line.split()
        for word in words:
            for stem in analyse(word):
                found[stem] = tuple(dict.fromkeys((*found.get(stem, ()), *(other for other in words if other != word))))
    return found


def relatives(word: str) -> tuple[str, ...]:
    """Return other words of a word's family, none where it has none here."""
    terms = analyse(word)
    return _of_stem().get(terms[0], ()) if len(terms) == 1 else ()


@cache
def related_terms(term: str) -> frozenset[str]:
    """Return the index terms of the other words of an index term's family."""
    return frozenset(stem for word in _of_stem().get(term, ()) for stem in analyse(word)) - {term}
