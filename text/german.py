"""German words by their base: verbs in two parts put together, strong ones by their infinitive, compounds by parts."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache, lru_cache

import regex

from .stop_words import STOP_WORDS_BY_LANGUAGE
from .words import stem_in, strip_accents

# A verb with the forms and nouns whose vowel differs, the infinitive first.
_STRONG = """
beginnen begann begonnen Beginn, bieten bot boten geboten Gebot, binden band gebunden Bindung, bitten bat baten gebeten,
bleiben blieb geblieben Verbleib, brechen bricht brach gebrochen Bruch, brennen brannte gebrannt Brand, bringen brachte
gebracht, denken dachte gedacht, essen isst aß gegessen, fahren fährt fuhr fuhren gefahren Fahrt, fallen fällt fiel
fielen gefallen Fall, fangen fängt fing gefangen Fang, finden fand fanden gefunden Fund, fliegen flog flogen geflogen
Flug Flüge, fließen floss geflossen Fluss, geben gibt gab gaben gegeben Gabe, gehen geht ging gingen gegangen Gang,
gelten gilt galt gegolten Geltung, gewinnen gewann gewonnen Gewinn, greifen griff gegriffen Griff, halten hält hielt
hielten gehalten Haltung, heben hob gehoben Hebung, helfen hilft half geholfen Hilfe, kennen kannte gekannt Kenntnis,
kommen kommt kam kamen gekommen Kunft, laden lädt lud geladen Ladung, lassen lässt ließ ließen gelassen Lass, laufen
läuft lief gelaufen Lauf, leihen lieh geliehen Leihe, lesen liest las gelesen Lesung, liegen lag lagen gelegen Lage,
messen misst maß gemessen Messung Maß, nehmen nimmt nahm nahmen genommen Nahme, nennen nannte genannt Nennung, reißen
riss gerissen Riss, rufen rief riefen gerufen Ruf, schaffen schuf geschaffen, scheiden schied schieden geschieden
Scheid, schieben schob geschoben Schub Schiebung, schlagen schlägt schlug schlugen geschlagen Schlag, schließen schloss
schlossen geschlossen Schluss Schließung, schneiden schnitt geschnitten Schnitt, schreiben schrieb schrieben geschrieben
Schrift, schreiten schritt geschritten Schritt, sehen sieht sah sahen gesehen Sicht, senden sandte gesandt Sendung,
sinken sank sanken gesunken Sinken Senkung, sitzen saß gesessen Sitzung, sprechen spricht sprach sprachen gesprochen
Sprache Spruch, springen sprang gesprungen Sprung, stehen steht stand standen gestanden Stand, steigen stieg stiegen
gestiegen Stieg Steigerung, sterben stirbt starb gestorben, stoßen stößt stieß gestoßen Stoß, tragen trägt trug trugen
getragen Trag, treffen trifft traf trafen getroffen, treiben trieb getrieben Trieb, treten tritt trat traten getreten
Tritt, trinken trank getrunken Trunk, tun tat getan, verlieren verlor verloren Verlust, wachsen wächst wuchs gewachsen
Wachstum, weisen wies wiesen gewiesen Weis Weisung, wenden wandte gewandt Wendung, werben wirbt warb geworben Werbung,
werfen wirft warf geworfen Wurf, wiegen wog gewogen, wissen weiß wusste gewusst, ziehen zieht zog zogen gezogen Zug
"""
_APART = """
    zurück rück zusammen fest statt teil nieder fort ab an auf aus bei ein her hin los mit nach um unter vor weg zu
    durch über""".split()  # noqa: SIM905 - a word list reads better as running text
_TOGETHER = ("be", "ver", "er", "ent", "emp", "zer", "ge", "miss")
_AT_CLAUSE_END = regex.compile(
    rf"\b(?P<particle>{'|'.join(_APART)})(?=\s*(?:[.,;:!?)–]|$|\s(?:und|oder|weil|da|dass|wenn|als)\b))",
    regex.IGNORECASE,
)
_CLAUSE_BREAK = regex.compile(r"[,;:.!?–]")
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*")
_ENDINGS = regex.compile(r"(?:ungen|ung|eten|test|ten|tet|tes|ter|tem|te|end|en|et|em|er|es|st|t|e|n|s)$")
_LEAST = 3
_LINKS = ("", "s", "es", "n", "en", "e", "er", "ung", "ungs")
_LEAST_PART, _LEAST_HEAD = 4, 4
# What something costs is called one of these.
_PRICE = regex.compile(r"(?:kost|preis|gebuhr|entgelt|rechnung|betrag|tarif|pauschal|beitrag)\p{L}{0,3}")


@lru_cache(maxsize=65_536)
def base_key(word: str) -> str:
    """Return the key that the forms of a verb and the nouns made of it share; empty for a short or common word.

    `zugestimmt`, `Zustimmung` and `zustimmen` have one, `flog`, `Flüge` and `fliegen` another.
    """
    folded = word.casefold()
    if len(folded) < _LEAST or folded in STOP_WORDS_BY_LANGUAGE["de"]:
        return ""
    prefix, rest = _parted(folded)
    return f"de:{prefix}+{_base(rest)}"


@lru_cache(maxsize=16_384)
def text_keys(text: str) -> frozenset[str]:
    """Return the keys of the words of a German text, those of verbs whose particle stands at the clause's end too."""
    keys = {base_key(word) for word in _WORD.findall(text)}
    keys |= {key for _, _, key in separated(text)}
    return frozenset(keys - {""})


def separated(text: str) -> list[tuple[str, str, str]]:
    """Return the verb, the particle and their key for each particle that stands apart: `stimmte dem Antrag zu`."""
    found = []
    for match in _AT_CLAUSE_END.finditer(text):
        before = text[: match.start()]
        breaks = [each.end() for each in _CLAUSE_BREAK.finditer(before)]
        # A date, `am 3. Mai`, or a clause between commas may stand inside: the last three pieces are looked through.
        clause = before[breaks[-3] if len(breaks) > 2 else 0 :]
        particle = match["particle"].casefold()
        found += [
            (word, particle, f"de:{_particle(particle)}+{_base(word)}")
            for word in _WORD.findall(clause)
            if word[0].islower() and len(word) >= _LEAST and word not in STOP_WORDS_BY_LANGUAGE["de"]
        ]
    return found


def meets_compound(term: str, terms: Collection[str]) -> bool:
    """Whether German index terms hold a term as part of a compound, or the parts of the compound that it is.

    `Kosten` is part of `Heizkosten`; `Reisekostenabrechnung` is met where both `Reisekosten` and `abrechnen` stand.
    """
    if len(term) < _LEAST_PART:
        return False
    words = [other for other in terms if len(other) >= _LEAST_PART and other.isalpha()]
    if any(_is_part(term, other) for other in words):
        return True
    for cut in range(_LEAST_HEAD, len(term) - _LEAST + 1):
        heads = {
            term[: cut - len(link)] for link in _LINKS if term[:cut].endswith(link) and cut - len(link) >= _LEAST_HEAD
        }
        tail = term[cut:]
        if len(tail) < _LEAST_PART:
            break
        headed = [other for other in words if any(other.startswith(head) for head in heads)]
        if not headed:
            continue
        if any(other == tail or other.endswith(tail) for other in words):
            return True
        if _PRICE.fullmatch(tail) and any(
            regex.fullmatch(rf"{regex.escape(head)}(?:s|es|n|en|e|er)?{_PRICE.pattern}", other)
            for other in headed
            for head in heads
        ):
            return True
    return False


def _is_part(term: str, other: str) -> bool:
    if len(other) < len(term) + _LEAST:
        return False
    return other.endswith(term) or (len(term) > _LEAST_PART and other.startswith(term))


def _parted(folded: str) -> tuple[str, str]:
    """Return the particle at the front of a word, accents folded, and the rest without `ge` or `zu` behind it."""
    for particle in _APART:
        rest = folded.removeprefix(particle)
        if rest == folded or len(rest) < _LEAST:
            continue
        for mark in ("ge", "zu"):
            bare = rest.removeprefix(mark)
            if bare != rest and len(bare) >= _LEAST and (mark == "ge" or bare.endswith("en")):
                rest = bare
                break
        return _particle(particle), rest
    return "", folded


def _particle(particle: str) -> str:
    """Return a particle, accents folded; what is in nouns `rück` is the verb's `zurück`."""
    return strip_accents("rück" if particle == "zurück" else particle)


def _base(form: str) -> str:
    """Return the stem of a verb's infinitive, or of its noun, from one of its forms without a particle."""
    folded = form.casefold()
    strong = _infinitives()
    for prefix in ("", *_TOGETHER):
        rest = folded.removeprefix(prefix)
        if rest != folded or not prefix:
            for candidate in (rest, _ENDINGS.sub("", rest)):
                if candidate in strong:
                    return f"{prefix}{strong[candidate]}" if prefix != "ge" else strong[candidate]
    weak = folded
    if (
        folded.startswith("ge")
        and folded.endswith(("t", "te", "ten", "ter", "tes", "tem"))
        and len(folded) >= 2 * _LEAST
    ):
        weak = folded[2:]
    bare = _ENDINGS.sub("", weak) if len(weak) > _LEAST else weak
    return strip_accents(bare if len(bare) >= _LEAST else stem_in(weak, "de"))


@cache
def _infinitives() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in " ".join(_STRONG.split()).split(", "):
        forms = line.split()
        base = strip_accents(forms[0].casefold().removesuffix("n").removesuffix("e"))
        for form in forms:
            folded = form.casefold()
            found.setdefault(folded, base)
            if folded.startswith("ge") and folded.endswith("en"):
                found.setdefault(folded.removeprefix("ge"), base)
    return found
