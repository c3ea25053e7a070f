"""The list of threads, of which the disk damaged one."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import citewell
import pytest
from citewell.cli import cli
from citewell.settings import Environment, Settings
from click.testing import CliRunner

EMBEDDED = Settings(engine="embedded")
DAMAGES = {
    "a byte of the state": "UPDATE checkpoints SET checkpoint = CAST(substr(checkpoint, 1, length(checkpoint) - 1)"
    " || X'00' AS BLOB) WHERE thread_id = 'b'",
    "its kind in the file": "UPDATE checkpoints SET checkpoint = CAST(checkpoint AS TEXT) WHERE thread_id = 'b'",
    "the state is gone": "UPDATE checkpoints SET checkpoint = X'' WHERE thread_id = 'b'",
    "another type": "UPDATE checkpoints SET type = 'msgpack', checkpoint = X'c1' WHERE thread_id = 'b'",
    "the account of it": "UPDATE checkpoints SET metadata = X'7b' WHERE thread_id = 'b'",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_thread_is_named_and_the_others_are_listed(damage, tmp_path, monkeypatch):
    monkeypatch.setenv("CITEWELL_HOME", str(tmp_path / "home"))
    environment = Environment(home=tmp_path / "home")
    (tmp_path / "a.txt").write_text("The quay of Orrin is 420 metres long.", encoding="utf-8")
    for name in "abc":
        citewell.research(
            "How long is the quay?",
            docs=[tmp_path / "a.txt"],
            thread_id=name,
            settings=EMBEDDED,
            environment=environment,
        )
    with closing(sqlite3.connect(tmp_path / "home" / "checkpoints.sqlite")) as database, database:
        assert database.execute(damage).rowcount
    listed = citewell.list_threads(environment)
    assert [(info.thread_id, info.status) for info in listed] == [
        ("c", "answered"),
        ("a", "answered"),
        ("b", "damaged"),
    ]
    assert listed[-1].problem
    result = CliRunner().invoke(cli, ["threads"])
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].startswith("b  damaged")
    assert CliRunner().invoke(cli, ["resume", "b"]).exit_code == 2
