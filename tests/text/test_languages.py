"""The language of a question is told by its script and its small words."""

from __future__ import annotations

import pytest
from citewell.text.languages import detect, script


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How much water does the dam hold?", "en"),
        ("Wie viel Wasser fasst der Damm?", "de"),
        ("Quelle est la capacité du barrage ?", "fr"),
        ("¿Cuánta agua contiene la presa?", "es"),
        ("Quanta acqua contiene la diga e quando è stata costruita?", "it"),
        ("Hoeveel water houdt de dam en wanneer is hij gebouwd?", "nl"),
        ("水坝有多少水", "zh"),
        ("ダムの水はどのくらいですか", "ja"),
        ("댐에 물이 얼마나 있습니까", "ko"),
        ("Сколько воды в плотине?", "ru"),
        ("Скільки води вміщує гребля?", "uk"),
        ("كم الماء في السد", "ar"),
        ("כמה מים יש בסכר", "he"),
        ("Revenue 2022", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_told(text: str, language: str) -> None:
    assert detect(text) == language


def test_the_default_stands_where_nothing_tells() -> None:
    assert detect("4711", default="de") == "de"


def test_the_script_is_that_of_most_letters() -> None:
    assert script("水 water") == "Latin"
    assert script("כמה מים") == "Hebrew"
