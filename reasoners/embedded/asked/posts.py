"""A post asked for: `Who is the chair of the audit committee?`, `Wer ist Vorsitzende des Aufsichtsrats?`"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import regex

from ....text.german import base_key
from ....text.stop_words import STOP_WORDS_BY_LANGUAGE
from ....text.words import analyse, stem_in
from .names import names_post
from .offices import in_short, offices_in

_NOW = r"(?:currently |now |presently |today |at present |derzeit |aktuell |momentan |jetzt |heute |actuellement )?"
_ARTICLE = r"(?:the |our |its |their |your |an? |der |die |das |unser\w* |ihr\w* |le |la |l['’]|notre |leur |el )?"
_NEW = (
    r"(?:current |present |new |acting |incumbent |derzeitige[rn]? |aktuelle[rn]? |neue[rn]? |nouve(?:au|lle) |"
    r"actuel(?:le)? )?"
)
_OF = r"(?:of|at|for|in|on|with|des|der|von|vom|bei|beim|im|in|für|de la|de l['’]|du|des|de|d['’]|chez|del|en)"
_ASKED = (
    regex.compile(
        rf"^\W*(?:who(?: is|['’]s)|wer ist|qui est|quién es) {_NOW}{_ARTICLE}{_NEW}"
        rf"(?P<post>\p{{L}}[\p{{L}}&'’-]*(?: (?!{_OF}\b)[\p{{L}}&'’-]+){{0,4}}?)"
        rf"(?:(?: (?:of|for) (?P<field>\p{{Lu}}[\p{{L}}&-]*(?: (?:and |& )?\p{{Lu}}[\p{{L}}&-]*){{0,3}}))?"
        rf" {_OF}(?:\s+|(?<=['’]))(?P<body>[^?]+?))?(?: (?:now|today|at present|currently|jetzt|heute))?\W*$",
        regex.IGNORECASE,
    ),
    regex.compile(
        r"^\W*who (?:holds|has|occupies|fills) (?:the )?(?:office|post|position|role|job) of "
        rf"{_ARTICLE}(?P<post>[\p{{L}}&'’ -]+?)(?: {_OF} (?P<body>[^?]+?))?\W*$",
        regex.IGNORECASE,
    ),
)
_NAMED = regex.compile(
    r"^\W*(?:who(?: is|['’]s)|wer ist|qui est|quién es) (?:\p{Lu}[\p{L}.'’-]+ ){1,3}\p{Lu}[\p{L}.'’-]+\W*$"
)
_DEEDS = (
    (regex.compile(r"^\W*who (?:chairs|presides over) (?P<body>[^?]+?)\W*$", regex.IGNORECASE), "chair"),
    (regex.compile(r"^\W*wer (?:leitet|führt) (?P<body>[^?]+?)\W*$", regex.IGNORECASE), "Leiter"),
    (
        regex.compile(
            r"^\W*wer (?:hat|führt) den vorsitz (?:im|in der|des|der) (?P<body>[^?]+?)\W*$", regex.IGNORECASE
        ),
        "Vorsitz",
    ),
    (regex.compile(r"^\W*who (?:heads|leads|directs) (?P<body>[^?]+?)\W*$", regex.IGNORECASE), "head"),
)
# Whoever a paper calls one of these holds the same post.
_ALIKE = (
    "chair chairman chairwoman chairperson chaired",
    "head leader leads heads director",
    "vorsitz vorsitzende vorsitzender vorsitzenden vorsitzendem obmann obfrau",
    "leiter leiterin leitung leitet",
    "président présidente",
    "directeur directrice responsable",
    "treasurer",
)
_NO_POST = regex.compile(
    r"\b(?:responsible|allowed|entitled|liable|who|that|which|going|expected|mentioned|named|called|affected|"
    r"zuständig|verantwortlich|gewählt|zurückgetreten|betroffen|\p{L}+(?:ing|ed)|ge\p{L}+(?:t|en))\b",
    regex.IGNORECASE,
)
_SMALL = frozenset[str]().union(*(STOP_WORDS_BY_LANGUAGE[language] for language in ("en", "de", "fr", "es")))


@dataclass(frozen=True)
class Post:
    """The post whose holder is asked for.

    Attributes:
        words: For each word of it the index terms of which a text holds one.
        body: The same for the words of where it is held; empty where the question does not say.
        text: As asked.
    """

    words: tuple[frozenset[str], ...]
    body: tuple[frozenset[str], ...]
    text: str


@lru_cache(maxsize=4_096)
def post_asked(question: str) -> Post | None:
    """Return the post of which a question asks who holds it; None where it asks for somebody else."""
    asks_name = _NAMED.match(question.strip()[:1].casefold() + question.strip()[1:])
    if asks_name and not (offices_in(question) or names_post(question)):
        return None
    line = in_short(" ".join(question.split()))
    for pattern, post in _DEEDS:
        if (match := pattern.match(line)) is not None:
            return Post(_forms(post), _forms(match["body"]), post)
    for pattern in _ASKED:
        match = pattern.match(line)
        if match is None:
            continue
        groups = match.groupdict()
        post = " ".join(filter(None, (groups["post"], groups.get("field"))))
        if _NO_POST.search(post):
            return None
        words = _forms(post)
        return Post(words, _forms(groups.get("body") or ""), post) if words else None
    return None


def terms_of(text: str, *, both: bool = True) -> frozenset[str]:
    """Return the index terms by which the words of a post or a body are met, those of its offices' short forms too.

    Args:
        both: Add the short forms; else the words as they are.
    """
    words = regex.findall(r"[\p{L}&'’]+", f"{text} {in_short(text)}" if both and offices_in(text) else text)
    return frozenset[str]().union(*(_form(word) for word in words if word.casefold() not in _SMALL))


def _forms(text: str) -> tuple[frozenset[str], ...]:
    words = (word for word in regex.findall(r"[\p{L}&'’]+", text) if analyse(word) and word.casefold() not in _SMALL)
    return tuple(dict.fromkeys(_form(word) for word in words))


@lru_cache(maxsize=16_384)
def _form(word: str) -> frozenset[str]:
    folded = word.casefold()
    alike = next((line.split() for line in _ALIKE if folded in line.split()), [folded])
    return frozenset(
        term for each in alike for term in (*analyse(each), stem_in(each, "de"), base_key(each)) if len(term) > 1
    )
