"""The walls that the tests run in."""

from __future__ import annotations

import os
import socket

import pytest
from citewell.settings import Environment


def test_a_test_cannot_resolve_a_name():
    with pytest.raises(RuntimeError, match="outside loopback"):
        socket.getaddrinfo("example.com", 80)


def test_a_test_cannot_connect_outside_loopback():
    with socket.socket() as client, pytest.raises(RuntimeError, match="outside loopback"):
        client.connect(("192.0.2.1", 80))


def test_a_test_may_connect_to_loopback():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as client:
        client.connect(server.getsockname())
        assert client.getpeername() == server.getsockname()


def test_checkpoints_are_strict_and_the_environment_is_clean():
    environment = Environment.read()
    assert os.environ["LANGGRAPH_STRICT_MSGPACK"] == "true"
    assert environment.openai_api_key is None
    assert environment.home.is_dir()
