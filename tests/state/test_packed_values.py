"""A checkpoint whose unchanged values are taken over has the very bytes of one that is packed whole."""

from __future__ import annotations

from typing import Any

import pytest
from citewell.settings import Environment
from citewell.state.packed_values import THREADS_KEPT, PackedValues
from citewell.state.records import Plan
from citewell.state.savers import checkpoint_serde, open_saver

HERE = ("t", "")
PLAN = Plan(goal="quay", subtasks=(), queries=("quay",))


class Counting:
    def __init__(self) -> None:
        self.packed: list[Any] = []

    def __call__(self, value: Any) -> bytes:
        self.packed.append(value)
        return repr(value).encode()


def checkpoint(values: dict[str, Any], number: int) -> Any:
    versions = dict.fromkeys(values, f"{number}")
    return {
        "v": 4, "id": f"1f0e4a3e-0000-6000-8000-{number:012}", "ts": "2026-01-05T12:00:00+00:00",
        "channel_values": values, "channel_versions": versions, "versions_seen": {}, "updated_channels": ["plan"],
    }  # fmt: skip


def test_only_what_changed_is_packed():
    pack = Counting()
    values, said = PackedValues(pack), ["quay"]
    first = values.of_checkpoint(HERE, {"plan": PLAN, "said": said}, {"plan": 1, "said": 1})
    again = values.of_checkpoint(HERE, {"plan": PLAN, "said": said}, {"plan": 1, "said": 1})
    assert again == first
    assert pack.packed == [PLAN, said]
    values.of_checkpoint(HERE, {"plan": PLAN, "said": ["quay"]}, {"plan": 1, "said": 1})
    assert pack.packed == [PLAN, said, ["quay"]]


def test_a_list_that_grew_in_its_place_is_packed_again():
    pack = Counting()
    values, said = PackedValues(pack), ["quay"]
    values.of_checkpoint(HERE, {"said": said}, {"said": 1})
    said.append("ferry")
    assert values.of_checkpoint(HERE, {"said": said}, {"said": 2})["said"] == b"['quay', 'ferry']"


def test_what_a_step_wrote_is_taken_over_where_nobody_can_change_it():
    pack = Counting()
    values, said = PackedValues(pack), ["quay"]
    values.note(HERE, PLAN, b"plan")
    values.note(HERE, said, b"said")
    assert values.of_checkpoint(HERE, {"plan": PLAN, "said": said}, {}) == {"plan": b"plan", "said": b"['quay']"}


def test_threads_do_not_share_values_and_only_the_last_are_kept():
    pack = Counting()
    values = PackedValues(pack)
    for number in range(THREADS_KEPT + 1):
        values.of_checkpoint((f"t{number}", ""), {"plan": PLAN}, {"plan": 1})
    assert len(pack.packed) == THREADS_KEPT + 1
    values.of_checkpoint((f"t{THREADS_KEPT}", ""), {"plan": PLAN}, {"plan": 1})
    assert len(pack.packed) == THREADS_KEPT + 1
    values.of_checkpoint(("t0", ""), {"plan": PLAN}, {"plan": 1})
    assert len(pack.packed) == THREADS_KEPT + 2


@pytest.mark.parametrize(
    "values", [{}, {"none": None, "bytes": b"quay", "plan": PLAN, "said": ["quay", PLAN], "ä": {"a": 1, 2: (3, None)}}]
)
def test_the_bytes_are_those_of_a_checkpoint_packed_whole(values):
    serde = checkpoint_serde()
    whole = checkpoint(values, 1)
    packed = PackedValues(serde.packed).of_checkpoint(HERE, values, whole["channel_versions"])
    assert serde.checkpoint_of(whole, packed) == serde.dumps_typed(whole)


async def test_each_checkpoint_of_a_thread_is_read_back_as_it_was_put(tmp_path):
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    states = [{"plan": PLAN}, {"plan": PLAN, "n": 1}, {"plan": PLAN.model_copy(update={"goal": "ferry"}), "n": 1}]
    async with open_saver(Environment(home=tmp_path)) as saver:
        for number, state in enumerate(states):
            put = await saver.aput(config, checkpoint(state, number), {"step": number}, {})
            held = await saver.aget_tuple(put)
            assert held is not None
            assert held.checkpoint["channel_values"] == state
