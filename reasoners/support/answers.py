"""Check somebody else's answer: split it into cited claims, whatever the style of citation, and judge each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import regex
from pydantic import Field

from ...state.records import Claim, Issue, Record
from ...text.sentences import sentences
from .check import check_support
from .features import Embed
from .reading import read

_REFERENCES = regex.compile(
    r"^\s*(?:#{1,6}\s*|\*\*)?(?:references|sources|citations|footnotes|notes|bibliography|quellen|literatur)\s*:?(?:\*\*)?\s*$",
    regex.IGNORECASE | regex.MULTILINE,
)
_ENTRY = regex.compile(
    r"^\s*(?:[-*]\s*)?(?:\[\^?(?P<a>[\w.-]{1,40})\]:?|(?P<b>\d{1,3})[.)])\s+(?P<target>\S[^\n]*)$", regex.MULTILINE
)
_FOOTNOTE = regex.compile(r"^\s*\[\^(?P<name>[\w.-]{1,40})\]:\s*(?P<target>[^\n]*)$", regex.MULTILINE)
_CITATION = regex.compile(
    r"""\(cite:\s*(?P<cite>[^)]{1,400})\)
      | \[\^(?P<foot>[\w.-]{1,40})\]
      | \[(?P<numbers>\d{1,3}(?:\s*(?:,|;|–|-)\s*\d{1,3})*)\](?!\()
      | 【(?P<lens>[^】]{1,80})】
      | \[(?:source|doc|document|passage|ref|citation)\s*:?\s*(?P<named>[\w./:-]{1,120})\]
      | (?<=[\p{L}\p{P}])(?P<raised>[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+)
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
_LINK = regex.compile(
    r"\[(?P<words>[^\]\n]{1,200})\]\((?P<url>[^)\s]{1,500})\)|(?P<bare>https?://[^\s<>)\]]+|\bdoi:\S+)",
    regex.IGNORECASE,
)
_RAISED = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789")
_MAX_CLAIMS = 500


class CheckedAnswer(Record):
    """An answer taken apart.

    Attributes:
        claims: Its sentences in order, each with the passages it cites and the verdict on them.
        issues: Citations that point nowhere, sentences without one, sentences their passages do not support.
    """

    claims: tuple[Claim, ...]
    issues: tuple[Issue, ...] = ()
    unknown: tuple[str, ...] = Field(default=(), description="Citations and links that name no passage, as written.")

    @property
    def passed(self) -> bool:
        """Whether every claim is cited and supported and no citation points nowhere."""
        return not self.issues


@dataclass(frozen=True)
class _Library:
    """The passages by id, and what a citation may call them."""

    texts: dict[str, str]
    targets: dict[str, str]

    def find(self, mark: str) -> str | None:
        """Return the id that a citation names, or None."""
        name = mark.strip().strip("\"'`<>[]().,;").removeprefix("^")
        if name in self.texts:
            return name
        if name in self.targets:
            target = self.targets[name]
            return target if target in self.texts else self._by_words(target)
        if name.isdigit():
            ids = list(self.texts)
            return ids[int(name) - 1] if 1 <= int(name) <= len(ids) else None
        return None

    def _by_words(self, target: str) -> str | None:
        return next((key for key in self.texts if regex.search(rf"(?<!\w){regex.escape(key)}(?!\w)", target)), None)


def check_answer(
    text: str,
    passages: Sequence[str] | Mapping[str, str],
    *,
    question: str = "",
    embed: Embed | None = None,
) -> CheckedAnswer:
    """Split an answer with inline citations into claims and judge each against the passages it cites.

    Understood are `[1]`, `[1, 2]`, `[1-3]`, `【1】`, `(cite: id)`, `[^1]` with its footnote, `[source: id]`, raised
    numbers, and a closing list of references that maps numbers to ids.  `[n]` is the n-th passage where no list says
    otherwise.  A list that stands for a whole paragraph at its end counts for the sentence it follows.

    Args:
        passages: Texts in order, named "1", "2", …, or texts by id.
    Returns: Claims `C-001` and on; a sentence without a citation is `not_checked`.
    """
    texts = dict(passages) if isinstance(passages, Mapping) else {str(i): p for i, p in enumerate(passages, start=1)}
    body, targets = _references(text)
    library = _Library(texts, targets)
    claims: list[Claim] = []
    issues: list[Issue] = []
    unknown: list[str] = []
    for sentence in _statements(body):
        words, ids, foreign = _cited(sentence, library)
        claim_id = f"C-{len(claims) + 1:03d}"
        unknown.extend(foreign)
        if not read(words).content:
            issues.extend(_unknown_issue(mark, claim_id) for mark in foreign)
            continue
        claim, found = _judge(claim_id, words, ids, foreign, library, question, embed)
        claims.append(claim)
        issues.extend(found)
        if len(claims) >= _MAX_CLAIMS:
            break
    for name, target in targets.items():
        if library.find(name) is None:
            unknown.append(target)
            issues.append(
                Issue(kind="foreign_source", message=f"the reference list names {target}, which was not given")
            )
    return CheckedAnswer(claims=tuple(claims), issues=tuple(issues), unknown=tuple(dict.fromkeys(unknown)))


def _judge(
    claim_id: str, words: str, ids: list[str], foreign: list[str], library: _Library, question: str, embed: Embed | None
) -> tuple[Claim, list[Issue]]:
    issues = [_unknown_issue(mark, claim_id) for mark in foreign]
    if not ids:
        reason = "citation: none of its citations names a passage" if foreign else "citation: it has none"
        issues.append(Issue(kind="uncited", message=f"no passage is cited: {words}", claim_id=claim_id))
        return Claim(claim_id=claim_id, text=words, reasons=(reason,)), issues
    verdict = check_support(words, [library.texts[key] for key in ids], question=question, embed=embed, chunk_ids=ids)
    if verdict.support in ("unsupported", "partial"):
        kind = "partial" if verdict.support == "partial" else "unsupported"
        issues.append(
            Issue(
                kind=kind,
                message=verdict.reasons[0] if verdict.reasons else kind,
                claim_id=claim_id,
                chunk_ids=tuple(ids),
            )
        )  # type: ignore[arg-type]
    claim = Claim(
        claim_id=claim_id,
        text=words,
        citations=tuple(ids),
        quotes=verdict.quotes,
        support=verdict.support,
        score=verdict.score,
        reasons=verdict.reasons,
    )
    return claim, issues


def _unknown_issue(mark: str, claim_id: str) -> Issue:
    kind = "foreign_source" if "/" in mark or mark.startswith("doi:") else "unknown_id"
    return Issue(kind=kind, message=f"{mark} names no passage", claim_id=claim_id)  # type: ignore[arg-type]


def _references(text: str) -> tuple[str, dict[str, str]]:
    """Return the answer without its footnotes and closing list of references, and what they map to."""
    targets: dict[str, str] = {}
    headings = list(_REFERENCES.finditer(text))
    body = text
    if headings:
        heading = headings[-1]
        entries = list(_ENTRY.finditer(text, heading.end()))
        rest = _ENTRY.sub("", text[heading.end() :])
        if entries and not rest.strip():
            for entry in entries:
                targets[entry["a"] or entry["b"]] = entry["target"].strip()
            body = text[: heading.start()]
    for note in _FOOTNOTE.finditer(body):
        targets[note["name"]] = note["target"].strip()
    return _FOOTNOTE.sub("", body), targets


def _statements(body: str) -> list[str]:
    """Return the sentences of an answer; citations that follow a full stop belong to the sentence before it."""
    statements: list[str] = []
    for start, end in sentences(body):
        sentence = body[start:end]
        if sentence.lstrip().startswith("#") and not _CITATION.search(sentence):
            continue
        leading = regex.match(rf"(?:\s*(?:{_CITATION.pattern}))+\s*[.,;]?", sentence, regex.VERBOSE | regex.IGNORECASE)
        if leading and statements:
            statements[-1] += f" {leading.group()}"
            sentence = sentence[leading.end() :]
        if sentence.strip():
            statements.append(sentence)
    return statements


def _cited(sentence: str, library: _Library) -> tuple[str, list[str], list[str]]:
    """Return a sentence without its citations, the ids they name, and the marks that name nothing."""
    ids: list[str] = []
    foreign: list[str] = []
    for match in _LINK.finditer(sentence):
        url = match["url"] or match["bare"].rstrip(".,;")
        found = library.find(url)
        (ids if found else foreign).append(found or url)
    words = _LINK.sub(lambda m: m["words"] or "", sentence)
    for match in _CITATION.finditer(words):
        for mark, shown in _marks(match):
            found = library.find(mark)
            (ids if found else foreign).append(found or shown)
    plain = _CITATION.sub("", words)
    plain = regex.sub(r"\s+([.,;:!?])", r"\1", plain)
    plain = regex.sub(r"^\s*(?:[-*•]|\d{1,3}[.)])\s+", "", plain)
    return " ".join(plain.split()), list(dict.fromkeys(ids)), list(dict.fromkeys(foreign))


def _marks(match: regex.Match[str]) -> list[tuple[str, str]]:
    """Return (name, as written) of each passage that one citation names."""
    if match["cite"]:
        return [
            (part.strip(), part.strip()) for part in regex.split(r"[,;]\s*|\s+and\s+", match["cite"]) if part.strip()
        ]
    if match["foot"]:
        return [(match["foot"], f"[^{match['foot']}]")]
    if match["numbers"]:
        return [(number, f"[{number}]") for number in _spread(match["numbers"])]
    if match["lens"]:
        inner = match["lens"].split("†")[0].split(":")[0]
        return [(part.strip(), f"【{part.strip()}】") for part in inner.split(",") if part.strip()]
    if match["raised"]:
        return [(match["raised"].translate(_RAISED), match["raised"])]
    return [(match["named"], f"[{match['named']}]")]


def _spread(numbers: str) -> list[str]:
    """Return `1, 3-5` as 1, 3, 4, 5."""
    found: list[str] = []
    for part in regex.split(r"\s*[,;]\s*", numbers):
        ends = regex.split(r"\s*[–-]\s*", part)
        if len(ends) == 2 and int(ends[0]) <= int(ends[1]) <= int(ends[0]) + 20:
            found.extend(str(number) for number in range(int(ends[0]), int(ends[1]) + 1))
        else:
            found.extend(ends)
    return found
