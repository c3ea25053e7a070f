"""A claim is checked once, whoever asks and however many ask at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from citewell.errors import RetrievalUnavailable
from citewell.reasoners.verdicts import Verdicts
from citewell.state.records import Verdict
from passages import passage_of

YES = Verdict(support="supported", score=1.0)


def test_a_claim_over_the_same_passages_is_checked_once():
    verdicts, cited = Verdicts(), [passage_of("a.md", "The kiln was relined in May.")]
    assert verdicts.found("It was relined.", cited) is None
    assert verdicts.once("It was relined.", cited, lambda: YES) is YES
    assert verdicts.once("It was relined.", cited, _never) is YES
    assert verdicts.found("It was relined.", cited) is YES


def test_another_claim_or_another_text_of_a_passage_is_checked_by_itself():
    verdicts = Verdicts()
    verdicts.once("It was relined.", [passage_of("a.md", "The kiln was relined in May.")], lambda: YES)
    assert verdicts.found("It was not relined.", [passage_of("a.md", "The kiln was relined in May.")]) is None
    assert verdicts.found("It was relined.", [passage_of("a.md", "                            ")]) is None


def test_another_title_or_date_of_its_source_is_another_passage():
    passage, verdicts = passage_of("a.md", "The kiln was relined in May."), Verdicts()
    verdicts.once("It was relined.", [passage], lambda: YES)
    dated = replace(passage, source=passage.source.model_copy(update={"title": "Kelm site 2024"}))
    assert verdicts.found("It was relined.", [dated]) is None
    assert verdicts.found("It was relined.", [replace(passage, queries=("kiln",))]) is YES


def test_the_first_verdicts_are_forgotten_first(monkeypatch):
    monkeypatch.setattr("citewell.reasoners.verdicts.KEPT", 2)
    cited, verdicts = [passage_of("a.md", "The kiln was relined in May.")], Verdicts()
    for claim in ("One.", "Two.", "Three."):
        verdicts.once(claim, cited, lambda: YES)
    assert [verdicts.found(claim, cited) for claim in ("One.", "Two.", "Three.")] == [None, YES, YES]


def test_who_asks_while_a_claim_is_checked_waits_for_that_check():
    verdicts, cited, begun, go_on = Verdicts(), [passage_of("a.md", "Text.")], threading.Event(), threading.Event()

    def slowly() -> Verdict:
        begun.set()
        assert go_on.wait(30)
        return YES

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(verdicts.once, "Text.", cited, slowly)
        assert begun.wait(30)
        second = pool.submit(verdicts.once, "Text.", cited, _never)
        assert verdicts.found("Text.", cited) is None
        go_on.set()
        assert first.result(30) is second.result(30) is YES


def test_a_check_that_fails_is_made_again():
    verdicts, cited = Verdicts(), [passage_of("a.md", "Text.")]
    with pytest.raises(RetrievalUnavailable):
        verdicts.once("Text.", cited, _fails)
    assert verdicts.once("Text.", cited, lambda: YES) is YES


def _never() -> Verdict:
    raise AssertionError("checked twice")


def _fails() -> Verdict:
    raise RetrievalUnavailable("embedding", "Text.")
