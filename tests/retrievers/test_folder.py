"""Files are listed in order with uris that do not depend on where the folder lies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from citewell.errors import UsageError
from citewell.retrievers.folder import named_path, printable, walk


def fill(root: Path, *names: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return root


def uris(*paths: Path, taken: tuple[str, ...] = ()) -> list[str]:
    return [entry.uri for entry in walk(paths, taken)]


def test_uris_are_relative_sorted_and_without_hidden_files(tmp_path):
    root = fill(tmp_path / "room", "b.txt", "a/z.txt", "a/b/c.md", ".hidden", ".git/config", "A.txt")
    assert uris(root) == ["A.txt", "a/b/c.md", "a/z.txt", "b.txt"]
    entry = walk([root])[0]
    assert (entry.size, entry.path.read_text(), entry.refused) == (5, "A.txt", "")
    assert entry.mtime_ns > 0


def test_several_roots_prefix_their_names_and_number_equal_ones(tmp_path):
    one = fill(tmp_path / "x" / "room", "a.txt")
    two = fill(tmp_path / "y" / "room", "a.txt")
    file = fill(tmp_path, "note.txt") / "note.txt"
    assert uris(one, two, file) == ["note.txt", "room-2/a.txt", "room/a.txt"]
    assert uris(one, taken=("room",)) == ["room-2/a.txt"]
    assert uris(file) == ["note.txt"]


def test_a_path_given_twice_or_within_another_counts_once(tmp_path):
    root = fill(tmp_path / "room", "a.txt", "sub/b.txt")
    assert uris(root, root, root / "sub", root / "a.txt") == ["a.txt", "sub/b.txt"]


def test_links_out_of_the_folder_and_in_circles_are_refused(tmp_path):
    root = fill(tmp_path / "room", "a.txt", "sub/b.txt")
    fill(tmp_path / "room-secret", "s.txt")
    (root / "out.txt").symlink_to(tmp_path / "room-secret" / "s.txt")
    (root / "outdir").symlink_to(tmp_path / "room-secret")
    (root / "sub" / "up").symlink_to(root)
    (root / "self").symlink_to(root / "self")
    (root / "gone").symlink_to(root / "nothing")
    (root / "inside.txt").symlink_to(root / "sub" / "b.txt")
    found = {entry.uri: entry.refused for entry in walk([root])}
    assert found["a.txt"] == found["sub/b.txt"] == found["inside.txt"] == ""
    assert "out of the folder" in found["out.txt"]
    assert "out of the folder" in found["outdir"]
    assert "circle" in found["sub/up"]
    assert found["self"]
    assert found["gone"]
    assert not any("s.txt" in uri for uri in found)


def test_what_does_not_exist_is_a_usage_error(tmp_path):
    with pytest.raises(UsageError, match="no such file or folder"):
        walk([tmp_path / "nothing"])


def test_an_empty_folder_has_no_files(tmp_path):
    assert walk([tmp_path]) == []


def test_an_unreadable_folder_is_an_entry_with_its_reason(tmp_path, monkeypatch):
    root = fill(tmp_path / "room", "a.txt", "locked/b.txt")
    scandir = os.scandir

    def refuse(path):
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert [(entry.uri, bool(entry.refused)) for entry in walk([root])] == [("a.txt", False), ("locked", True)]
    monkeypatch.setattr(os, "scandir", lambda path: (_ for _ in ()).throw(PermissionError(13, "Permission denied")))
    with pytest.raises(UsageError, match="Permission denied"):
        walk([root])


def test_names_that_are_not_utf8_are_written_as_bytes():
    assert printable("caf\udce9.txt") == "caf%E9.txt"


def test_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    [entry] = walk([tmp_path])
    assert "neither" in entry.refused


@pytest.mark.parametrize("text", ["", "  ", "a\0b", "~nobody-of-this-name/x"])
def test_what_can_be_no_path_is_refused_and_never_taken_for_the_working_directory(text):
    with pytest.raises(UsageError, match=r"is empty|zero byte|no such file"):
        named_path(text)


def test_a_named_path_has_its_home_folder_expanded(monkeypatch):
    monkeypatch.setenv("HOME", "/home/ann")
    assert (named_path("~/filings"), named_path(".")) == (Path("/home/ann/filings"), Path("."))


@pytest.mark.parametrize("kept", ["checkpoints.sqlite", "corpus.sqlite"])
def test_what_a_home_or_a_corpus_keeps_below_the_sources_is_none(tmp_path, kept):
    (tmp_path / "plan.md").write_text("The quay is 40 m long.")
    (tmp_path / "work" / "traces").mkdir(parents=True)
    (tmp_path / "work" / kept).write_bytes(b"")
    (tmp_path / "work" / "traces" / "run.jsonl").write_text("{}")
    assert [entry.uri for entry in walk([tmp_path])] == ["plan.md"]
    assert [entry.uri for entry in walk([tmp_path / "work" / "traces"])] == ["run.jsonl"]
