"""Files that leave the server: a report in each format, an artifact of a diligence run, a source's own file."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from ...reports.files import safe_name
from ...reports.html import render_html
from ...reports.markdown import render_markdown
from ...settings import Environment
from ...state.records import Report
from .replies import QUIET, Refused, answers, aside, asked
from .sources import file_of
from .threads import Turn, one_turn

# Opened by itself, such a page has an origin of its own: what it holds came from outside.
SANDBOX = {**QUIET, "content-security-policy": "sandbox allow-scripts allow-popups"}
CLOSED = {**QUIET, "content-security-policy": "sandbox; default-src 'none'"}
TYPES = {"md": "text/markdown", "json": "application/json", "html": "text/html"}


@answers
async def report(request: Request) -> Response:
    """Return the report of a turn as `md`, `json` or `html`; `save` makes it a download."""
    kind = request.path_params["format"]
    if kind not in TYPES:
        raise Refused(f"no such format: {kind} (md, json, html)", 404)
    found = (await turn_of(request)).report
    text = await asyncio.to_thread(_text, found, kind)
    headers = dict(SANDBOX if kind == "html" else CLOSED)
    if "save" in request.query_params:
        headers["content-disposition"] = _attachment(safe_name(found.question[:80], f".{kind}"))
    return Response(text, media_type=TYPES[kind], headers=headers)


@answers
async def artifact(request: Request) -> Response:
    """Return an artifact of a diligence run as a download."""
    turn, name = await turn_of(request), asked(request, "name")
    paths = {Path(path).name: Path(path) for path in turn.values.get("artifacts") or ()}
    if name not in paths or not await asyncio.to_thread(paths[name].is_file):
        raise Refused(f"{name}: this run left no such file", 404)
    return FileResponse(paths[name], headers={**CLOSED, "content-disposition": _attachment(name)})


@answers
async def source_file(request: Request) -> Response:
    """Return the file of a source: a PDF to be looked at, anything else as a download."""
    turn, uri = await turn_of(request), asked(request, "uri")
    path = await asyncio.to_thread(file_of, turn, uri, Environment.read())
    if path.suffix.lower() == ".pdf":
        return FileResponse(path, media_type="application/pdf", headers=QUIET)
    headers = {**CLOSED, "content-disposition": _attachment(path.name)}
    return FileResponse(path, media_type="application/octet-stream", headers=headers)


async def turn_of(request: Request, thread: str = "id", run: str = "run") -> Turn:
    """Return the turn that a request names by thread and run."""
    thread_id, run_id = asked(request, thread), request.query_params.get(run, "")
    return await aside(lambda: one_turn(thread_id, run_id, Environment.read()))


def _text(report: Report, kind: str) -> str:
    if kind == "md":
        return render_markdown(report)
    return render_html(report) if kind == "html" else report.model_dump_json(indent=2) + "\n"


def _attachment(name: str) -> str:
    return f"attachment; filename*=UTF-8''{quote(name, safe='')}"
