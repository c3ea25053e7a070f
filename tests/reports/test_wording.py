from __future__ import annotations

import json
from importlib.resources import files
from typing import get_args

from citewell.reports.wording import language_for, words_for
from citewell.state.records import Patch, Source, Status, StopReason, Support

TABLES = json.loads((files("citewell.reports") / "templates" / "words.json").read_text(encoding="utf-8"))


def test_every_language_has_every_word():
    assert all(set(table) == set(TABLES["en"]) for table in TABLES.values())
    assert all(text.strip() for table in TABLES.values() for text in table.values())


def test_every_value_of_a_record_has_a_word():
    wanted = [f"stop_{value}" for value in get_args(StopReason)] + [f"status_{value}" for value in get_args(Status)]
    wanted += [f"support_{value}" for value in get_args(Support)]
    wanted += [f"source_{value}" for value in get_args(Source.model_fields["status"].annotation)]
    wanted += [f"tier_{value}" for value in get_args(Source.model_fields["tier"].annotation)]
    wanted += [f"patch_{value}" for value in get_args(Patch.model_fields["action"].annotation)]
    assert [name for name in wanted if name not in TABLES["en"]] == []


def test_a_region_falls_back_to_its_language_and_an_unknown_one_to_english():
    assert words_for("fr-CA")["summary"] == "Résumé"
    assert (language_for("FR-ca"), language_for("sw")) == ("fr", "en")
