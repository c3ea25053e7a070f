"""Reading the sources leaves time for the answer."""

from __future__ import annotations

import pytest
from citewell.nodes.intake import time_to_answer_for
from citewell.state.budget import Budget, Limits


class Clock:
    """Stands still until it is moved."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(("carried_s", "embedding_s"), [(0.0, 60.0), (60.0, 20.0), (100.0, 0.0)])
def test_embedding_ends_where_a_third_of_the_time_is_left(carried_s, embedding_s):
    clock = Clock()
    budget = Budget(Limits(seconds=90.0), carried_s=carried_s, clock=clock)
    time_to_answer = time_to_answer_for(budget)
    clock.now = embedding_s - 0.1
    assert time_to_answer() is (embedding_s == 0.0)
    clock.now = embedding_s + 0.1
    assert time_to_answer()


def test_unbounded_time_never_ends_embedding():
    clock = Clock()
    time_to_answer = time_to_answer_for(Budget(Limits(), clock=clock))
    clock.now = 1e9
    assert not time_to_answer()
