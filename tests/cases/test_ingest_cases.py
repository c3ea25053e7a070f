"""Files that other tools choke on, asked with no key: the right answer, its place, its source."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import citewell
import pytest
from citewell.cli import cli
from citewell.state.records import Report
from click.testing import CliRunner

CASES = Path(__file__).parents[1] / "data" / "cases"


def ask(question: str, *names: str, **options: Any) -> Report:
    """Ask the named case inputs with the embedded engine."""
    return citewell.research(question, docs=[CASES / name for name in names], engine="embedded", **options)


def said(report: Report) -> str:
    return " ".join(claim.text for claim in report.answer.claims)


def shown(report: Report) -> str:
    """Everything a reader of the report sees of answer and evidence."""
    return said(report) + report.answer.summary_text + " ".join(passage.text for passage in report.evidence)


def test_b01_a_semicolon_file_with_a_mark_and_a_broken_line_keeps_its_records():
    report = ask("What was Nordwind AG's turnover (Umsatz) in 2023?", "B01.csv")
    assert "2.345,67" in said(report)
    assert not {"1.234,56", "987,00"} & set(report.answer.executive_summary[0].text.split())
    assert "Zeile eins" in shown(report)
    assert "Zeile zwei; mit Semikolon" in shown(report)
    assert "Firma: Nordwind AG" in shown(report)


def test_b03_a_western_encoding_keeps_its_signs():
    report = ask("What is the yearly fee?", "B03.txt")
    assert "€4,500" in said(report)
    assert all(sign in shown(report) for sign in "“”ç§–")
    assert "\ufffd" not in shown(report)
    assert "1252" in report.sources[0].extractor


def test_b04_five_unreadable_files_stop_nothing_and_each_says_why():
    report = ask("How many pallets are in Kelm?", "B04")
    assert "4,120" in said(report)
    reasons = {source.uri: source.reason for source in report.sources if source.status != "ok"}
    wanted = {
        "readme.txt": "binary",
        "locked.pdf": "password",
        "cut.pdf": "damaged",
        "empty.txt": "empty",
        "blank.md": "blank",
    }
    assert {uri: word for uri, word in wanted.items() if word not in reasons[uri]} == {}
    assert set(reasons) == set(wanted)
    assert "77,000" not in shown(report)
    assert "PNG" not in shown(report)
    assert "%PDF" not in shown(report)


def test_b06_block_and_inline_tags_part_and_join_words():
    report = ask("What does shipping cost and when do orders close?", "B06.html")
    text = shown(report)
    assert "$1,299" in said(report)
    assert "Friday" in said(report)
    assert "Shipping cost: $1,299." in text
    assert sum(passage.text.count("Orders close on Friday.") for passage in report.evidence) == 1
    assert report.sources[0].title in {"B06", "B06.html"}


def test_b08_a_blank_page_does_not_shift_the_page_number():
    report = ask("What was net debt at year end?", "B08.pdf")
    assert "318" in said(report)
    cited = set(report.answer.executive_summary[0].citations)
    assert {passage.page for passage in report.evidence if passage.chunk_id in cited} == {3}


def test_b10_broken_code_points_reach_no_report():
    report = ask("What is the bond energy?", "B10.json")
    assert "42 kJ" in said(report)
    report.model_dump_json().encode("utf-8")
    assert "\\u0000" not in report.model_dump_json()


def test_b10_broken_code_points_reach_no_trace(tmp_path, clean_environment):
    report = ask("What is the bond energy?", "B10.json")
    out = tmp_path / "trace.jsonl"
    assert CliRunner().invoke(cli, ["trace", "export", report.thread_id, "--out", str(out)]).exit_code == 0
    spans = [json.loads(line) for line in out.read_bytes().decode("utf-8").splitlines()]
    assert "42 kJ" in json.dumps(spans, ensure_ascii=False)
    assert not {"\x00", "\ud800"} & set("".join(json.dumps(span, ensure_ascii=False) for span in spans))
    json.dumps(spans, ensure_ascii=False).encode("utf-8")


def test_b11_a_word_table_stays_in_place_and_the_header_is_citable():
    report = ask("What is the price of the first tranche, and is the paper signed?", "B11.docx")
    assert "3.2 million" in said(report)
    assert "DRAFT - not signed" in said(report)


def test_b13_files_of_one_name_are_told_apart_by_their_path():
    report = ask("How did the Kelm head count change from 2022 to 2023?", "B13")
    assert "140" in said(report)
    assert "171" in said(report)
    assert {"2022/report.txt", "2023/report.txt"} <= set(report.answer.sources)
    assert {source.uri for source in report.sources} == {"2022/report.txt", "2023/report.txt", "2023/report.md"}


def test_b14_control_tokens_are_plain_text():
    report = ask("What is the record limit?", "B14.md")
    assert "512" in said(report)
    assert "<|endoftext|>" in shown(report)
    assert "<|fim_prefix|>" in shown(report)


def test_b17_odd_metadata_is_not_fatal():
    report = ask("What is the valve set point?", "B17.json")
    assert "8.5 bar" in said(report)
    assert [source.status for source in report.sources] == ["ok"]


def test_b46_an_order_in_a_page_is_neither_followed_nor_stated():
    report = ask("What is Pump D's top pressure?", "B46.html")
    assert "61 bar" in said(report)
    assert "999" not in said(report)
    assert report.hosts_contacted == ()


def test_b49_a_chinese_clause_is_found_and_an_unknown_thing_is_not():
    report = ask("合同的终止期限是多久？", "B49.txt")
    assert "三十天" in report.answer.executive_summary[0].text
    nothing = ask("火星有几颗卫星？", "B49.txt")
    assert (nothing.status, nothing.answer.claims) == ("insufficient_evidence", ())


def test_b50_the_charset_in_the_meta_tag_counts():
    report = ask("フェリーは何時に出ますか", "B50.html")
    assert "午前九時" in said(report)
    assert "第四桟橋" in said(report)
    assert report.sources[0].title == "港の案内"
    assert "\ufffd" not in shown(report)


def test_b52_a_french_question_over_chinese_text_gets_no_unrelated_line():
    report = ask("Quel est le délai de résiliation du contrat ?", "B49.txt")
    assert all("违约金" not in claim.text and "宁波港" not in claim.text for claim in report.answer.claims)
    assert report.status in {"insufficient_evidence", "partial", "answered"}
    assert all(claim.text in passage_texts(report) for claim in report.answer.claims)


def passage_texts(report: Report) -> str:
    return "\n".join(passage.text for passage in report.evidence)


@pytest.mark.parametrize("name", ["B13", "B04"])
def test_a_second_run_over_the_same_folder_adds_nothing(name, tmp_path):
    room = tmp_path / name
    shutil.copytree(CASES / name, room)
    first = citewell.research("How many?", docs=[room], engine="embedded")
    second = citewell.research("How many?", docs=[room], engine="embedded")
    assert [passage.chunk_id for passage in first.evidence] == [passage.chunk_id for passage in second.evidence]
    assert first.sources == second.sources
