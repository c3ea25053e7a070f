"""`citewell serve`: on loopback by itself, elsewhere only with a token."""

from __future__ import annotations

import os
import socket
import sys

import pytest
from citewell.cli import cli


@pytest.fixture
def started(monkeypatch):
    calls: list[list[str]] = []
    monkeypatch.setenv("CITEWELL_ROOTS", "")
    monkeypatch.setenv("LOG_LEVEL", "")
    monkeypatch.delenv("LOG_LEVEL")
    monkeypatch.setattr("citewell.commands.serve.os.execv", lambda path, command: calls.append(command))
    return calls


def test_it_starts_the_server_on_loopback_with_the_shipped_configuration(started, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["serve", "--port", "2999"])
    assert ended.value.code == 0
    (command,) = started
    assert command[:4] == [sys.executable, "-m", "langgraph_cli", "dev"]
    assert command[command.index("--host") + 1] == "127.0.0.1"
    assert command[command.index("--port") + 1] == "2999"
    assert command[command.index("--config") + 1].endswith("langgraph.json")
    assert "--allow-blocking" not in command
    assert os.environ["LOG_LEVEL"] == "WARNING"
    assert "http://127.0.0.1:2999/app/" in capsys.readouterr().err


def test_another_host_needs_a_token(started, capsys, monkeypatch):
    with pytest.raises(SystemExit) as ended:
        cli.main(["serve", "--host", "0.0.0.0", "--port", "2998"])
    assert ended.value.code == 2
    assert started == []
    assert "CITEWELL_TOKEN" in capsys.readouterr().err
    monkeypatch.setenv("CITEWELL_TOKEN", "s3cret")
    with pytest.raises(SystemExit) as ended:
        cli.main(["serve", "--host", "0.0.0.0", "--port", "2998"])
    assert ended.value.code == 0
    assert len(started) == 1


def test_what_may_be_read_is_the_working_directory_or_each_root_given(started, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        cli.main(["serve", "--port", "2997"])
    here, sample = os.environ["CITEWELL_ROOTS"].split(os.pathsep)
    assert (here, sample.endswith("dataroom")) == (str(tmp_path), True)
    (tmp_path / "filings").mkdir()
    with pytest.raises(SystemExit):
        cli.main(["serve", "--root", "filings", "--port", "2997"])
    assert os.environ["CITEWELL_ROOTS"].startswith(f"filings{os.pathsep}")
    with pytest.raises(SystemExit) as ended:
        cli.main(["serve", "--root", "nowhere"])
    assert ended.value.code == 2
    assert "nowhere: no such folder" in capsys.readouterr().err


def test_a_port_in_use_is_said_before_the_server_moves_to_another(started, capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit) as ended:
            cli.main(["serve", "--port", str(port)])
    assert (ended.value.code, started) == (2, [])
    assert f"port {port} is in use" in capsys.readouterr().err
