"""Turn a model's answer into a draft: markers and foreign links out of the text, references into chunk ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ...retrievers.urls import find_urls, normal_form
from ...state.records import Claim, Draft, OpenQuestion, Section
from ...text.sentences import sentences
from ..prompts.synthesizer import DraftReply, SectionReply, Sentence
from ..protocol import Passage
from .grounding import Shown, without_orders
from .labels import Known
from .parsing import spoken_text

# [1], [1, 2], 【3】, (cite: <id>), [passage 4]: how models mark citations inside a text.
_MARKER = re.compile(
    r"\s*(?:[\[【]\s*((?:passages?\s*)?\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\s*[\]】](?!\()"
    r"|[(\[]\s*(?:cite|source|passage)s?:?\s*([^()\[\]]{1,200})[)\]])",
    re.I,
)
_LINK = re.compile(r"!?\[([^\]]*)\]\(\s*<?([^)\s>]+)[^)]*\)")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$|^\s*\*\*([^*]+)\*\*:?\s*$")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_REFERENCES = re.compile(r"^(?:references|sources|citations|bibliography|quellen|sources citées|références)\b", re.I)


@dataclass
class Drafting:
    """Makes claims of sentences and counts what was removed from them.

    Attributes:
        shown: The passages as the model saw them.
        sources: Uris that may be linked.
        question: What is answered; titles, headings and limits keep to its words and those of the passages.
        links: How many links that are no source of this run were removed.
    """

    shown: Shown
    sources: frozenset[str]
    question: str = ""
    links: int = 0
    _claims: dict[tuple[str, tuple[str, ...]], Claim] = field(default_factory=dict)

    def draft(self, reply: DraftReply) -> Draft:
        """Return the draft of a reply; a reference to no passage stays visible as a citation that will be refused.

        The title is empty, the question stands for a heading, and a limit is left out, where they state what nobody
        checked.
        """
        known = known_words(self.question, self.shown.passages)
        sections = [
            Section(heading=known.label(self.plain(section.heading)) or self.question, claims=claims)
            for section in reply.sections
            if (claims := self._claims_of(section.sentences))
        ]
        return Draft(
            title=known.label(self.plain(reply.title)),
            summary=self._claims_of(reply.summary),
            sections=tuple(sections),
            open_questions=tuple(
                OpenQuestion(question=self.plain(item.question), reason=self.plain(item.reason))
                for item in reply.open_questions
                if self.plain(item.question)
            ),
            notes=tuple(note for limit in reply.limits if (note := known.limit(self.plain(limit)))),
        )

    def citations(self, references: Iterable[str]) -> tuple[str, ...]:
        """Return chunk ids for references, those to no passage as they were given."""
        found = []
        for reference in references:
            for single in re.split(r"[,;]\s*", reference) if "://" not in reference else [reference]:
                passage = self.shown.find(single)
                found.append(passage.chunk.chunk_id if passage else single.strip()[:80])
        return tuple(dict.fromkeys(name for name in found if name))

    def _claims_of(self, items: Sequence[Sentence]) -> tuple[Claim, ...]:
        made = [claim for item in items for claim in self._split(item)]
        return tuple(dict.fromkeys(made))

    def _split(self, item: Sentence) -> list[Claim]:
        """Return the claims of one item: several sentences with markers of their own become several claims."""
        pieces = cited_sentences(item.text)
        own = any(marks for _, marks in pieces)
        if not own or len(pieces) == 1:
            marks = [mark for _, found in pieces for mark in found]
            pieces = [(" ".join(text for text, _ in pieces), [*item.citations, *marks])]
        claims = []
        for text, marks in pieces:
            before = self.links
            plain = self.plain(text)
            citations = self.citations(marks)
            if not re.search(r"\w", plain) or (not citations and self.links > before):
                continue  # Nothing is left, or only an invitation to follow a link.
            key = (plain, citations)
            if key not in self._claims:
                claim_id = f"C-{len(self._claims) + 1:03d}"
                self._claims[key] = Claim(
                    claim_id=claim_id, text=plain, citations=citations, question_id=item.question_id.strip()
                )
            claims.append(self._claims[key])
        return claims

    def plain(self, text: str) -> str:
        """Return a text without markers, with links replaced by their words and foreign addresses removed."""
        text = _LINK.sub(self._link_words, text)
        for url in sorted(set(find_urls(text)), key=len, reverse=True):
            if not self._is_source(url):
                self.links += 1
                text = text.replace(url, "")
        text = _MARKER.sub("", text)
        text = re.sub(r"\(\s*\)|\[\s*\]|<\s*>", "", text)
        return re.sub(r"\s+([.,;:!?])", r"\1", " ".join(text.split()))

    def _link_words(self, match: re.Match[str]) -> str:
        if not self._is_source(match[2]):
            self.links += 1
        return match[1]

    def _is_source(self, url: str) -> bool:
        return normal_form(url) in self.sources


def known_words(question: str, passages: Sequence[Passage]) -> Known:
    """Return the words of a question and of passages, orders to an assistant left out."""
    return Known((question, *(without_orders(passage).chunk.text for passage in passages)))


def without_links(text: str, question: str = "") -> str:
    """Return a model's words without addresses, except those the question itself names."""
    named = {normal_form(url) for url in find_urls(question)}
    text = _LINK.sub(lambda match: match[1], text)
    for url in sorted(set(find_urls(text)), key=len, reverse=True):
        if normal_form(url) not in named:
            text = text.replace(url, "")
    return " ".join(text.split())


def cited_sentences(text: str) -> list[tuple[str, list[str]]]:
    """Return the sentences of a text, each with the citation markers that stand in or right after it."""
    pieces: list[tuple[str, list[str]]] = []
    # A marker after the full stop belongs to the sentence before it: moved inside, it is found there.
    text = re.sub(r"([.!?。！？])((?:" + _MARKER.pattern + r")+)", _moved_inside, text, flags=re.I)
    for start, end in sentences(text):
        sentence = text[start:end]
        marks = [part for found in _MARKER.findall(sentence) for part in found if part]
        bare = _MARKER.sub("", sentence).strip()
        if not re.search(r"\w", bare) and pieces:
            pieces[-1][1].extend(marks)
        elif bare:
            pieces.append((bare, marks))
    return pieces


def _moved_inside(match: re.Match[str]) -> str:
    return f"{match[2]}{match[1]}"


def read_prose(text: str) -> DraftReply | None:
    """Read an answer written as text with `[n]` markers; None where it holds no marker at all.

    Headings begin sections, what stands before the first is the summary, and a list of references is left out, since
    it repeats what the run knows better.
    """
    text = spoken_text(text)
    if not _MARKER.search(text):
        return None
    summary: list[Sentence] = []
    sections: list[tuple[str, list[Sentence]]] = []
    paragraph: list[str] = []

    def close() -> None:
        block = " ".join(paragraph)
        paragraph.clear()
        target = sections[-1][1] if sections else summary
        target += [Sentence(text=words, citations=marks) for words, marks in cited_sentences(block)]

    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            close()
            title = (heading[1] or heading[2]).strip(" *:")
            if _REFERENCES.match(title):
                break
            sections.append((title, []))
        elif not line.strip() or _BULLET.match(line):
            close()
            paragraph.append(_BULLET.sub("", line).strip())
        else:
            paragraph.append(line.strip())
    close()
    if not summary and sections:
        summary = sections.pop(0)[1]
    return DraftReply(
        summary=summary,
        sections=[SectionReply(heading=heading, sentences=said) for heading, said in sections if said],
    )
