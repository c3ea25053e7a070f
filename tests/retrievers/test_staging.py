"""A run sees a read-only copy of the dataroom, and the room stays as it was."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from citewell.errors import UsageError
from citewell.retrievers.staging import refuse_output_inside, stage


@pytest.fixture
def room(tmp_path: Path) -> Path:
    (tmp_path / "room/b").mkdir(parents=True)
    (tmp_path / "room/b/two.md").write_text("two", encoding="utf-8")
    (tmp_path / "room/a.csv").write_text("x\n1\n", encoding="utf-8")
    (tmp_path / "room/manifest.json").write_text('{"mine": 1}', encoding="utf-8")
    return tmp_path / "room"


def test_the_copy_holds_every_file_and_the_manifest_lists_them_sorted(room, tmp_path):
    staged = stage(room, tmp_path / "home")
    content = json.loads(staged.manifest.read_text(encoding="utf-8"))
    assert content == {"runtime_scope": "dataroom", "files": ["a.csv", "b/two.md", "manifest.json"]}
    assert (staged.root / "manifest.json").read_text(encoding="utf-8") == '{"mine": 1}'
    assert [file.tier for file in staged.files] == ["structured", "narrative", "structured"]
    assert not os.stat(staged.root / "a.csv").st_mode & 0o222


def test_a_second_staging_takes_what_changed_and_drops_what_is_gone(room, tmp_path):
    first = stage(room, tmp_path / "home")
    (room / "a.csv").write_text("x\n22\n", encoding="utf-8")
    (room / "b/two.md").unlink()
    second = stage(room, tmp_path / "home")
    assert first.root == second.root
    assert (second.root / "a.csv").read_text(encoding="utf-8") == "x\n22\n"
    assert not (second.root / "b").exists()


def test_links_out_of_the_room_and_loops_are_refused_with_a_reason(room, tmp_path):
    (tmp_path / "room2").mkdir()
    (tmp_path / "room2/secret.md").write_text("secret", encoding="utf-8")
    (room / "sibling.md").symlink_to(tmp_path / "room2/secret.md")
    (room / "loop").symlink_to(room)
    (room / "inside.md").symlink_to(room / "b/two.md")
    staged = stage(room, tmp_path / "home")
    assert {uri for uri, _ in staged.refused} == {"sibling.md", "loop"}
    assert all(reason for _, reason in staged.refused)
    assert "secret" not in "".join(path.read_text() for path in staged.root.rglob("*") if path.is_file())


def test_an_output_folder_inside_the_room_is_refused_and_a_sibling_is_not(room, tmp_path):
    (tmp_path / "way-in").symlink_to(room)
    refuse_output_inside(room, tmp_path / "room-out")
    for inside in (room, room / "out", tmp_path / "way-in" / "out", tmp_path / "x" / ".." / "room" / "out"):
        with pytest.raises(UsageError, match="inside the dataroom"):
            refuse_output_inside(room, inside)


def test_a_room_that_is_no_folder_is_one_line(tmp_path):
    with pytest.raises(UsageError, match="not a folder"):
        stage(tmp_path / "nowhere", tmp_path / "home")


def test_a_home_inside_the_room_is_refused_unless_hidden(room):
    with pytest.raises(UsageError, match="inside the dataroom"):
        stage(room, room / "home")
    staged = stage(room, room / ".citewell")
    assert [file.path for file in staged.files] == ["a.csv", "b/two.md", "manifest.json"]
