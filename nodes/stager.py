"""Stage the dataroom: a read-only copy with a manifest.  Reads dataroom, out; writes docs, staged."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from langgraph.errors import InvalidUpdateError

from ..errors import UsageError
from ..reports.artifacts import earlier_run_in
from ..reports.traces.recording import work
from ..retrievers.roots import Roots
from ..retrievers.staging import refuse_output_inside, stage
from ..settings import Environment
from ..state.diligence import DiligenceState
from ..state.harness import Harness, check_promoted


class RefusedInput(UsageError, InvalidUpdateError):
    """An input that a run cannot begin with.

    LangGraph's server tells its callers the words of its own input errors, and hides those of all others.
    """


@dataclass(frozen=True)
class Stager:
    """Copies what a run may see, and refuses a policy that was edited behind its promotion."""

    harness: Harness
    environment: Environment

    async def __call__(self, state: DiligenceState) -> DiligenceState:
        try:
            return await asyncio.to_thread(self.stage, state)
        except UsageError as error:
            raise RefusedInput(str(error)) from error

    def stage(self, state: DiligenceState) -> DiligenceState:
        """Stage the dataroom, in this thread.  Raises: UsageError where folders or the policy cannot be used."""
        check_promoted(self.harness)
        dataroom, out = dataroom_of(state), state.get("out") or ""
        room = Path(dataroom).expanduser()
        Roots.of(self.environment).refuse_outside(*filter(None, (dataroom, out)))
        if out:
            refuse_output_inside(room, Path(out).expanduser())
            earlier_run_in(Path(out).expanduser())
        with work("harness", version=self.harness.version, sha256=self.harness.sha256):
            pass
        with work("stage_workspace", dataroom=room.name):
            staged = stage(room, self.environment.home)
        files = [
            {"path": file.path, "bytes": file.size, "sha256": file.sha256, "tier": file.tier} for file in staged.files
        ]
        return {"docs": [str(staged.root)], "staged": files, "refused": [list(each) for each in staged.refused]}


def dataroom_of(state: DiligenceState) -> str:
    """Return the folder that a run is about.  Raises: UsageError that names the field where it is missing."""
    if dataroom := state.get("dataroom"):
        return dataroom
    raise UsageError("`dataroom` is missing: name the folder of exports and narratives; `docs` is not read here")
