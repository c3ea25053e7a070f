"""A channel that joins holds a first value, copies cheaply, and comes back from a checkpoint."""

from __future__ import annotations

import pytest
from citewell.state.channels import Joined, last, optional
from citewell.state.records import Draft, Fact, Plan, Quote
from langgraph.errors import EmptyChannelError
from langgraph.types import Overwrite
from pydantic import ValidationError

FACT = Fact(fact_id="F-001", statement="deep", quotes=(Quote(chunk_id="c", start=0, end=4, text="deep"),))


def joined() -> Joined:
    return Joined(dict[str, int], lambda left, right: left | right)


@pytest.mark.parametrize(
    ("channel", "first"),
    [(last(tuple[Fact, ...]), ()), (last(int), 0), (last(Draft), Draft()), (optional(Plan), None), (joined(), {})],
)
def test_a_channel_holds_what_its_type_makes_before_anything_is_written(channel, first):
    assert channel.is_available()
    assert channel.get() == first


def test_a_record_that_needs_fields_has_no_first_value():
    with pytest.raises(EmptyChannelError):
        last(Plan).get()


def test_a_copy_goes_its_own_way():
    channel = joined()
    channel.update([{"a": 1}])
    copy = channel.copy()
    copy.update([{"b": 2}])
    assert (channel.get(), copy.get()) == ({"a": 1}, {"a": 1, "b": 2})
    copy.update([Overwrite({})])
    assert (channel.get(), copy.get()) == ({"a": 1}, {})


def test_a_saved_value_comes_back_and_a_missing_one_is_the_first():
    channel = joined()
    channel.update([{"a": 1}])
    assert joined().from_checkpoint(channel.checkpoint()).get() == {"a": 1}
    empty = last(Plan)
    assert not empty.from_checkpoint(empty.checkpoint()).is_available()
    assert optional(Plan).from_checkpoint(None).get() is None


def test_json_is_read_as_records_and_the_tuple_that_a_step_wrote_stays_the_same():
    channel = last(tuple[Fact, ...])
    channel.update([[FACT.model_dump(mode="json")]])
    assert channel.get() == (FACT,)
    written = (FACT,)
    channel.update([written])
    assert channel.get() is written
    with pytest.raises(ValidationError):
        channel.update([[{"statement": 1}]])
