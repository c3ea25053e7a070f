"""A sample of the campaign over mutated files, and that the campaign sees what it looks for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from astray import lead_astray
from citewell.evals import fuzz
from citewell.evals.fuzz import campaign, examined, mutated, originals


def test_whole_files_of_every_format_are_read():
    assert {name.rpartition(".")[2] for name in originals()} >= {
        "csv", "tsv", "json", "jsonl", "md", "txt", "html", "pdf", "docx", "xlsx", "pptx", "eml"
    }  # fmt: skip


def test_a_seed_gives_the_same_file_again():
    assert [mutated(seed) for seed in range(40)] == [mutated(seed) for seed in range(40)]
    assert len({mutated(seed) for seed in range(40)}) == 40


@pytest.mark.slow
def test_a_sample_of_mutated_files_ends_in_text_or_a_reason():
    outcomes = [examined(seed) for seed in range(1_000_000, 1_000_250)]
    assert [outcome for outcome in outcomes if outcome.fault] == []


@pytest.mark.slow
def test_a_file_that_hangs_or_ends_the_process_is_told_and_stops_no_other():
    ended = {outcome.seed: outcome.ended for outcome in campaign(range(6), hang_s=3, serve=lead_astray)}
    assert ended == {0: "text", 1: "text", 2: "hung", 3: "text", 4: "crashed", 5: "text"}


def test_an_extraction_with_false_offsets_is_a_fault(monkeypatch):
    real = fuzz.extract

    def shifted(data, *, name):
        found = real(data, name=name)
        return replace(found, text=found.text[1:])

    monkeypatch.setattr(fuzz, "extract", shifted)
    assert any(examined(seed).ended == "broken" for seed in range(40))
