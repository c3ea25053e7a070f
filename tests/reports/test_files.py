from __future__ import annotations

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from citewell.errors import UsageError
from citewell.reports import files
from citewell.reports.files import safe_name, write_atomically, write_report, write_set
from hypothesis import given
from hypothesis import strategies as st
from report_builder import sample_report

TITLES = [
    "A" * 300,
    "",
    "   ",
    "../../srv/pwned",
    "a/b:c?*",
    "CON",
    ".hidden",
    "日本語の表題",
    "report.md",
    "報告" * 200,
]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_report_is_three_files(tmp_path):
    report = sample_report()
    paths = write_report(report, tmp_path / "new" / "out")
    assert [path.name for path in paths] == ["report.md", "report.json", "report.html"]
    assert json.loads(paths[1].read_text())["schema"] == "citewell.report/1"
    assert names(tmp_path / "new" / "out") == ["report.html", "report.json", "report.md"]


def test_another_run_gets_numbered_names_and_the_same_run_its_own(tmp_path):
    write_report(sample_report(), tmp_path)
    second = write_report(sample_report(run_id="run-0002"), tmp_path)
    again = write_report(sample_report(run_id="run-0002", question="changed?"), tmp_path)
    assert [path.name for path in second] == ["report-2.md", "report-2.json", "report-2.html"]
    assert again == second
    assert json.loads((tmp_path / "report.json").read_text())["run_id"] == "run-0001"
    assert json.loads((tmp_path / "report-2.json").read_text())["question"] == "changed?"


def test_a_foreign_file_of_that_name_stays(tmp_path):
    (tmp_path / "report.md").write_text("mine")
    (tmp_path / "report-2.html").symlink_to("nowhere")
    paths = write_report(sample_report(), tmp_path)
    assert paths[0].name == "report-3.md"
    assert (tmp_path / "report.md").read_text() == "mine"


def test_many_runs_at_once_take_different_names(tmp_path):
    reports = [sample_report(run_id=f"run-{number}") for number in range(12)]
    with ThreadPoolExecutor(6) as pool:
        written = list(pool.map(lambda report: write_report(report, tmp_path), reports))
    assert len({path for paths in written for path in paths}) == 36
    for report, paths in zip(reports, written, strict=True):
        assert json.loads(paths[1].read_text())["run_id"] == report.run_id
    assert not [name for name in names(tmp_path) if name.endswith(".part")]


def test_titles_make_safe_new_files_inside_the_folder(tmp_path):
    stems = [safe_name(title, ".md").removesuffix(".md") for title in [*TITLES, "report.md"]]
    paths = [write_set({".md": "x"}, tmp_path / "out", stem)[0] for stem in stems]
    assert len(set(paths)) == len(paths)
    for path in paths:
        assert path.parent == tmp_path / "out"
        assert len(path.name.encode()) <= 255
        assert not path.name.startswith(".")
        assert path.stem.strip()
        assert not path.name.endswith(".md.md")
        assert path.stem.lower() != "con"
    assert names(tmp_path) == ["out"]
    assert paths[8].name != paths[-1].name


@given(st.text(max_size=400))
def test_any_title_is_a_name_of_one_folder(title):
    name = safe_name(title, ".json")
    assert "/" not in name
    assert "\\" not in name
    assert "\x00" not in name
    assert len(name.encode()) <= 255 - 8
    assert name.endswith(".json")
    assert not name.startswith((".", "-", " ", "~"))
    assert safe_name(name, ".json") == name


@pytest.mark.parametrize("title", ["nul", "Com1", "LPT9.txt", "aux.tar.gz", "CONIN$"])
def test_reserved_names_are_changed(title):
    assert safe_name(title).startswith("report-")


def test_a_cut_never_splits_a_character():
    assert safe_name("é" * 300).encode().decode() == safe_name("é" * 300)
    assert not safe_name("a" * 246 + "\u0301e\u0301").endswith("\u0301e")


def test_a_file_is_replaced_in_one_step_and_readable_by_others(tmp_path):
    path = tmp_path / "a.json"
    write_atomically(path, "one")
    write_atomically(path, "two")
    mask = os.umask(0)
    os.umask(mask)
    assert path.read_text() == "two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    assert names(tmp_path) == ["a.json"]


def test_a_full_disk_leaves_the_old_report_whole_and_no_scraps(tmp_path, monkeypatch):
    paths = write_report(sample_report(), tmp_path)
    before = paths[1].read_text()

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(UsageError, match="No space left on device"):
        write_report(sample_report(question="changed?"), tmp_path)
    with pytest.raises(UsageError, match="cannot be written"):
        write_report(sample_report(run_id="run-0002"), tmp_path)
    assert paths[1].read_text() == before
    assert names(tmp_path) == ["report.html", "report.json", "report.md"]


def test_a_file_system_without_hard_links_still_claims_names(tmp_path, monkeypatch):
    def refused(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(files.os, "link", refused)
    first, second = (write_report(sample_report(run_id=run), tmp_path) for run in ("a", "b"))
    assert (first[1].name, second[1].name) == ("report.json", "report-2.json")
    assert json.loads(second[1].read_text())["run_id"] == "b"


def test_a_folder_that_is_a_file_is_named_in_the_error(tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(UsageError, match="out"):
        write_report(sample_report(), tmp_path / "out")


def test_lone_surrogates_do_not_stop_a_report_from_being_written(tmp_path):
    path = write_set({".md": "bad \ud83d end"}, tmp_path, safe_name("x\udc80y"))[0]
    assert path.read_text(encoding="utf-8") == "bad \\ud83d end"
