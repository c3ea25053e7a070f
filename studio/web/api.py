"""What the page asks for: the endpoints under `/app/api`, each a thin way to the file that does the work."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from ...reports.diff import diff_reports
from ...settings import Environment
from ...state.episodes import EpisodeStore
from .downloads import turn_of
from .folders import look_into
from .replies import Refused, answers, aside, asked, json_reply
from .sources import source_at
from .start import start_view
from .threads import one_thread, thread_list
from .uploads import MAX_FILE_BYTES, Uploads
from .views import diff_view, report_view


@answers
async def start(_: Request) -> Response:
    """Return what the form offers."""
    return json_reply(await asyncio.to_thread(lambda: start_view(Environment.read())))


@answers
async def threads(_: Request) -> Response:
    """Return the threads of this home."""
    return json_reply(await aside(lambda: thread_list(Environment.read())))


@answers
async def thread(request: Request) -> Response:
    """Return one thread."""
    thread_id = asked(request, "id")
    return json_reply(await aside(lambda: one_thread(thread_id, Environment.read())))


@answers
async def report(request: Request) -> Response:
    """Return the report of a turn as the page draws it."""
    turn = await turn_of(request)
    return json_reply(await asyncio.to_thread(report_view, turn.report))


@answers
async def compare(request: Request) -> Response:
    """Return what changed from one report (`id`, `run`) to another (`other`, `other_run`)."""
    before, after = await turn_of(request), await turn_of(request, "other", "other_run")
    return json_reply(await asyncio.to_thread(lambda: diff_view(diff_reports(before.report, after.report))))


@answers
async def source(request: Request) -> Response:
    """Return the text of a source around a passage."""
    turn, chunk_id = await turn_of(request), asked(request, "chunk")
    return json_reply(await asyncio.to_thread(source_at, turn, chunk_id, Environment.read()))


@answers
async def episodes(_: Request) -> Response:
    """Return the last episodes, newest first."""

    def latest() -> list[dict[str, object]]:
        store = EpisodeStore(Environment.read().home / "episodes.sqlite")
        return [episode.model_dump(mode="json") for episode in store.latest()]

    return json_reply(await asyncio.to_thread(latest))


@answers
async def folder(request: Request) -> Response:
    """List a folder of the server."""
    path = asked(request, "path")
    return json_reply(await asyncio.to_thread(look_into, path, Environment.read()))


@answers
async def upload(request: Request) -> Response:
    """Keep the body as a file of a set (`PUT`), or delete one (`DELETE`)."""
    uploads, name = Uploads.of(Environment.read()), asked(request, "name")
    if request.method == "DELETE":
        return json_reply(await asyncio.to_thread(uploads.drop, asked(request, "set"), name))
    set_id = request.query_params.get("set") or uploads.new_set()
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_FILE_BYTES:
            raise Refused(f"{name}: larger than {MAX_FILE_BYTES // 1_000_000} MB, the most one file may have", 413)
    return json_reply(await asyncio.to_thread(uploads.keep, set_id, name, bytes(body)))
