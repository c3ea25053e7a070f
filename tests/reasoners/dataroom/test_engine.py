"""The policy around an engine asks for what it can at once, and keeps the order of what it asked for."""

from __future__ import annotations

import asyncio

from citewell.reasoners.dataroom.engine import DataroomReasoner
from citewell.reasoners.protocol import PlanTask
from citewell.reasoners.tables.catalog import catalog
from citewell.state.harness import load_harness
from citewell.state.records import Plan
from fakes import ScriptedReasoner

MEMO = "Write an IC-style memo on the financial, legal and customer concentration risks of the company."


class PlansLastFirst(ScriptedReasoner):
    """Answers who asked last first, once nobody else comes to ask."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.answered: list[str] = []

    async def plan(self, task: PlanTask) -> Plan:
        self.asked.append(task.question)
        came = 0
        while came < len(self.asked) or self.asked[-1 - len(self.answered)] != task.question:
            came = len(self.asked)
            await asyncio.sleep(0)
        self.answered.append(task.question)
        return await super().plan(task)


async def test_the_parts_of_a_memo_are_planned_at_once_and_keep_their_order():
    base = PlansLastFirst()
    reasoner = DataroomReasoner(base, load_harness(), lambda: catalog([], {}))
    plan = await asyncio.wait_for(reasoner.plan(PlanTask(question=MEMO, sources=[])), 30)
    assert len(base.asked) > 3
    assert base.answered == base.asked[::-1]
    assert [part.text for part in plan.subtasks] == base.asked
    assert [part.question_id for part in plan.subtasks] == [f"Q{n}" for n in range(1, len(base.asked) + 1)]
