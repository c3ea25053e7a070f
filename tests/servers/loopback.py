"""A real HTTP server on loopback that answers as a test says, and can fail in every way a network does."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self
from urllib.parse import parse_qs, urlsplit

_LAST_CALL_S = 5.0


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body read as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """What to send back.

    Attributes:
        end: How the connection ends: well, cut in the middle of the body, reset, or never within `hang_s`.
        pieces: Where given, the body is sent chunked, piece by piece.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    end: Literal["well", "truncated", "reset", "hang"] = "well"
    pieces: Iterable[bytes] | None = None

    @classmethod
    def of(cls, value: Any, status: int = 200, **more: Any) -> Reply:
        """Return a JSON reply."""
        headers = {"content-type": "application/json", **more.pop("headers", {})}
        return cls(status, json.dumps(value, ensure_ascii=False).encode(), headers, **more)


@dataclass(frozen=True)
class Call:
    """One answered request with its times, by `time.monotonic()`, and this process's processor time at them."""

    asked: Asked
    status: int
    start_s: float
    end_s: float
    start_cpu_s: float
    end_cpu_s: float


class LoopbackServer:
    """Serves `answer` on a free port of 127.0.0.1 while the context is open."""

    def __init__(self, answer: Callable[[Asked], Reply], *, hang_s: float = 60.0) -> None:
        self.answer, self.hang_s = answer, hang_s
        self.calls: list[Call] = []
        self.in_flight = self.most_in_flight = 0
        self._lock = threading.Condition()
        self._stopped = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # headers and body are two writes; a kept connection would wait between them
            timeout = 30

            def log_message(self, format: str, *args: Any) -> None:
                """Keep the test output clean; `calls` is the log."""

            def serve(self) -> None:
                outer._serve(self)

            do_GET = do_POST = do_HEAD = do_PUT = serve

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

            def handle_error(self, request: Any, client_address: Any) -> None:
                """A client that hangs up is part of the test."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """Its address without a trailing slash."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        with self._lock:  # A client has its reply a moment before the call is noted.
            self._lock.wait_for(lambda: not self.in_flight, timeout=_LAST_CALL_S)

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        start_s, start_cpu_s = time.monotonic(), time.process_time()
        with self._lock:
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
        parts = urlsplit(handler.path)
        length = int(handler.headers.get("content-length") or 0)
        headers = {name.lower(): value for name, value in handler.headers.items()}
        body = handler.rfile.read(length)
        if len(body) < length:  # The client died over its request.
            handler.close_connection = True
            with self._lock:
                self.in_flight -= 1
                self._lock.notify_all()
            return
        asked = Asked(handler.command, parts.path, parse_qs(parts.query), headers, body)
        reply = self.answer(asked)
        try:
            if reply.delay_s:
                self._stopped.wait(reply.delay_s)
            with contextlib.suppress(ConnectionError):
                self._send(handler, reply)
        finally:
            with self._lock:
                self.in_flight -= 1
                ended = time.monotonic(), time.process_time()
                self.calls.append(Call(asked, reply.status, start_s, ended[0], start_cpu_s, ended[1]))
                self._lock.notify_all()

    def _send(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        if reply.end == "hang":
            self._stopped.wait(self.hang_s)
            handler.close_connection = True
            return
        if reply.end == "reset":
            # Linger 0 makes closing send RST instead of FIN.
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.connection.close()
            handler.close_connection = True
            return
        handler.send_response_only(reply.status)
        if "date" not in reply.headers:
            handler.send_header("date", handler.date_time_string())
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        if reply.pieces is not None:
            handler.send_header("transfer-encoding", "chunked")
            handler.end_headers()
            for piece in reply.pieces:
                handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                handler.wfile.flush()
            if reply.end == "well":
                handler.wfile.write(b"0\r\n\r\n")
            else:
                handler.close_connection = True
            return
        handler.send_header("content-length", str(len(reply.body)))
        handler.end_headers()
        if handler.command != "HEAD" and reply.status != 304:
            handler.wfile.write(reply.body if reply.end == "well" else reply.body[: len(reply.body) // 2])
        if reply.end == "truncated":
            handler.close_connection = True
