"""Arguments that are no text in the terminal's encoding: one line, or what can be read of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from citewell.errors import UsageError
from citewell.retrievers.corpus import Corpus
from citewell.settings import Environment
from hashed_embedder import HashedEmbedder

CITEWELL = Path(sys.executable).with_name("citewell")
BAD = b"name-\xff\xfe"
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def call(folder: Path, *arguments: bytes | str, **variables: str | bytes) -> subprocess.CompletedProcess[bytes]:
    words = [os.fsencode(word) for word in (CITEWELL, *arguments)]
    env = {b"PATH": os.fsencode(os.environ["PATH"]), b"HOME": os.fsencode(folder)}
    env |= {os.fsencode(name): os.fsencode(value) for name, value in variables.items()}
    return subprocess.run(words, cwd=folder, env=env, capture_output=True, timeout=120, check=False)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in (BAD, "länge".encode()):
        folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
        folder.mkdir()
        (folder / "a.txt").write_text("The quay of Orrin is 420 metres long.", encoding="utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("research", "How long is the quay?", "--docs", BAD),
        ("index", BAD, "--corpus", "kept"),
        ("diligence", BAD, "How long is the quay?", "--out", "out"),
        ("kg", "build", BAD),
        ("research", "How long is the quay?", "--docs", BAD + b"/a.txt"),
    ],
    ids=lambda command: " ".join(map(str, command[:2])),
)
def test_a_name_that_is_no_text_is_told_in_one_line(place, command):
    ended = call(place, *command)
    assert (ended.returncode, ended.stdout) == (2, b"")
    (line,) = ended.stderr.decode().splitlines()
    assert "name-\ufffd\ufffd" in line
    assert "rename it" in line
    assert not (place / ".citewell" / "checkpoints.sqlite").exists()


@pytest.mark.slow
def test_in_a_locale_without_such_letters_the_way_out_is_another_locale(place):
    ended = call(place, "research", "How long is the quay?", "--docs", "länge", **ASCII)
    assert ended.returncode == 2
    assert "use a UTF-8 locale" in ended.stderr.decode()
    assert call(place, "research", "How long is the quay?", "--docs", "länge", LC_ALL="C").returncode == 0


@pytest.mark.slow
def test_a_question_with_bytes_that_are_no_text_is_asked_as_far_as_it_can_be_read(place):
    ended = call(place, "research", b"How long is the quay of Orrin\xff?", "--docs", "länge", "--quiet")
    assert ended.returncode in (0, 3)
    assert b"420 metres" in ended.stdout


@pytest.mark.slow
def test_a_home_that_is_no_text_is_told_in_one_line(place):
    ended = call(place, "threads", CITEWELL_HOME=BAD)
    assert ended.returncode == 2
    assert ended.stderr.decode() == "citewell: CITEWELL_HOME holds bytes that are no text: give it as UTF-8\n"


def test_the_python_interface_tells_it_too(place):
    folder = Path(os.fsdecode(os.fsencode(place) + b"/" + BAD))
    environment = Environment(home=place / "home")
    corpus = Corpus.open(place / "kept", embedder=HashedEmbedder(), environment=environment)
    with corpus, pytest.raises(UsageError, match="its name is not UTF-8"):
        corpus.add_path(folder)
