"""Keep what reviewers say about a run, so that it can be asked again of the next policy."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from filelock import FileLock

from ..errors import UsageError, cause
from ..reports.artifacts import as_json
from ..reports.files import write_atomically
from ..state.records import Report
from .dataroom import Case, Observation


def keep_run(home: Path, thread_id: str, dataroom: Path, report: Report) -> Path:
    """Keep a finished run under the home folder, for feedback."""
    path = _run_path(home, thread_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"dataroom": str(dataroom.expanduser().resolve()), "report": report.model_dump(mode="json")}
    write_atomically(path, as_json(content))
    return path


def add_feedback(home: Path, run: str, require: Sequence[str], forbid: Sequence[str]) -> Case:
    """Record observations on a run; said again about the same question, they add up.

    Args:
        run: Id of a kept run, or a prefix that only one has.
        require: Wordings that the answer must contain.
        forbid: Wordings that no claim may contain.
    Raises: UsageError where there is no such run or nothing is said.
    """
    if not require and not forbid:
        raise UsageError("say what to require or to forbid: --require TEXT, --forbid TEXT")
    found = sorted((home / "runs").glob("*.json")) if (home / "runs").is_dir() else []
    matching = [path for path in found if path.stem == run] or [path for path in found if path.stem.startswith(run)]
    if len(matching) != 1:
        raise UsageError(f"no run {run!r}: there are {', '.join(path.stem for path in found) or 'none'}")
    kept = json.loads(matching[0].read_text(encoding="utf-8"))
    question = kept["report"]["question"]
    home.mkdir(parents=True, exist_ok=True)
    with FileLock(home / "feedback.lock"):
        entries = read_feedback(home)
        entry = next(
            (each for each in entries if (each["dataroom"], each["question"]) == (kept["dataroom"], question)), None
        )
        if entry is None:
            entry = {"dataroom": kept["dataroom"], "question": question, "required": [], "prohibited": []}
            entries.append(entry)
        for name, texts in (("required", require), ("prohibited", forbid)):
            entry[name] = list(dict.fromkeys((*entry[name], *texts)))
        write_atomically(home / "feedback.json", as_json(entries))
    return _case(entry, len(entries))


def read_feedback(home: Path) -> list[dict[str, Any]]:
    """Return the recorded entries, empty where there are none.  Raises: UsageError where the file is damaged."""
    path = home / "feedback.json"
    if not path.exists():
        return []
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        assert isinstance(content, list)
    except (OSError, ValueError, AssertionError) as error:
        raise UsageError(f"{path}: damaged ({cause(error)})") from error
    return content


def feedback_cases(home: Path, dataroom: Path) -> list[Case]:
    """Return what reviewers taught about a dataroom, as cases."""
    room = str(dataroom.expanduser().resolve())
    entries = [each for each in read_feedback(home) if each["dataroom"] == room]
    return [_case(entry, number) for number, entry in enumerate(entries, start=1)]


def _case(entry: dict[str, Any], number: int) -> Case:
    return Case(
        id=f"feedback-{number}",
        question=entry["question"],
        required=tuple(Observation(what=text, any_of=(text,)) for text in entry["required"]),
        prohibited=tuple(Observation(what=text, any_of=(text,)) for text in entry["prohibited"]),
    )


def _run_path(home: Path, thread_id: str) -> Path:
    return home / "runs" / f"{re.sub(r'[^A-Za-z0-9_-]', '_', thread_id)[:64]}.json"
