"""Write the dated corpus: documents of six companies over five years, and what they state with its validity."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from random import Random

from .annual_reports import tell_annual_reports
from .hard_pages import add_hard_pages
from .history import tell_history
from .pages import Pages
from .questions import answered_questions
from .registers import write_registers
from .rendering import rendered
from .sentences import Sentences
from .story import COMPANIES

SEED = 7


def write_corpus(folder: Path, seed: int = SEED) -> None:
    """Write the corpus into a folder: `documents/` and `gold.json`.  The same seed gives the same bytes."""
    pages = _told_pages(Random(seed))
    documents = folder / "documents"
    documents.mkdir(parents=True, exist_ok=True)
    _write_pages(documents, pages)
    write_registers(documents, pages)
    told = {"gold": [asdict(gold) for gold in pages.gold], "questions": answered_questions(pages.gold)}
    (folder / "gold.json").write_text(json.dumps(told, default=str, indent=1, ensure_ascii=False), encoding="utf-8")


def _told_pages(random: Random) -> Pages:
    """Tell the story of each company, then add the documents that are hard to read."""
    pages = Pages()
    sentences = Sentences(pages, random)
    for turn, co in enumerate(COMPANIES):
        tell_history(sentences, co, turn)
        tell_annual_reports(sentences, co, turn)
    add_hard_pages(pages)
    return pages


def _write_pages(documents: Path, pages: Pages) -> None:
    for number, page in enumerate(pages.pages):
        name, text = rendered(number, page)
        for gold in page.gold:
            gold.uri = name
        (documents / name).write_text(text, encoding="utf-8")
