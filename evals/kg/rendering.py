"""Render a document as a file: a Markdown report, a mail, a press note or a web page."""

from __future__ import annotations

from random import Random

from .pages import Page
from .story import CHIEF_EXECUTIVE, Company
from .times import MONTH_FIRST, written_day
from .wordings import DECOYS, FILLER

ROLES = (CHIEF_EXECUTIVE, "chief financial officer")


def rendered(number: int, page: Page) -> tuple[str, str]:
    """Return name and text of a document; its number draws its form and what stands between its sentences."""
    pick = Random(number)
    name = page.company.name
    text = _body(page, pick)
    stem = f"{number:03d}-{name.split()[0].lower()}"
    if page.undated:
        return f"{stem}.txt", f"About {name}\n\n{text}\n"
    match pick.randint(0, 3):
        case 0:
            return f"{stem}.md", f"---\ntitle: {name}\ndate: {page.day}\n---\n\n# {name}\n\n{text}\n"
        case 1:
            return f"{stem}.eml", f"{_mail_head(page)}\n{text}\n"
        case 2:
            dateline = f"{page.company.places[0].upper()}, {written_day(page.day, MONTH_FIRST)}"
            return f"{stem}.txt", f"{name}\n\n{dateline} — {text}\n"
        case _:
            return f"{stem}.html", (
                f'<html><head><title>{name}</title><meta name="date" content="{page.day}"></head>'
                f"<body><h1>{name}</h1><p>{text}</p></body></html>"
            )


def _body(page: Page, pick: Random) -> str:
    """Return the sentences among others that state nothing."""
    body: list[str] = []
    for sentence in page.sentences:
        body.append(sentence)
        if pick.random() < 0.7:
            body.append(pick.choice(FILLER))
    if pick.random() < 0.35 and not page.undated:
        body.append(_decoy(page.company, pick))
    return " ".join(body)


def _decoy(co: Company, pick: Random) -> str:
    """Return a denial, a rumour or a supposition."""
    return pick.choice(DECOYS).format(
        co=co.name, decoy="Umbra Trading", place="Geneva", p="Ivo Stark", role=pick.choice(ROLES), good=co.good
    )


def _mail_head(page: Page) -> str:
    return (
        "From: press@example.com\n"
        "To: desk@example.com\n"
        f"Subject: News from {page.company.name}\n"
        f"Date: {page.day:%a, %d %b %Y} 09:00:00 +0000\n"
        "MIME-Version: 1.0\n"
        "Content-Type: text/plain; charset=utf-8\n"
    )
