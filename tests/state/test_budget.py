"""A budget refuses before the spending, counts after it, and names what ran out."""

from __future__ import annotations

import threading

import pytest
from citewell.errors import BudgetExhausted
from citewell.state.budget import Budget, Limits, Usage


def test_a_reservation_holds_room_until_it_is_settled():
    budget = Budget(Limits(tokens=100))
    held = budget.reserve(tokens=80)
    with pytest.raises(BudgetExhausted, match="token budget"):
        budget.reserve(tokens=30)
    budget.settle(held, Usage(calls=1, prompt_tokens=10, completion_tokens=5))
    budget.reserve(tokens=85)
    assert budget.spent == Usage(calls=1, prompt_tokens=10, completion_tokens=5)


def test_parallel_branches_never_exceed_the_calls_allowed():
    budget = Budget(Limits(model_calls=7))
    admitted = []

    def call() -> None:
        try:
            admitted.append(budget.reserve())
        except BudgetExhausted:
            return

    threads = [threading.Thread(target=call) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(admitted) == 7


@pytest.mark.parametrize(
    ("limits", "spent", "reason"),
    [
        (Limits(model_calls=2), Usage(calls=2), "model_call_budget"),
        (Limits(tokens=10), Usage(prompt_tokens=6, completion_tokens=4), "token_budget"),
        (Limits(cost_usd=0.5), Usage(cost_usd=0.5), "cost_budget"),
        (Limits(seconds=0.0), Usage(), "time_budget"),
        (Limits(model_calls=2, tokens=10, cost_usd=0.5, seconds=60), Usage(), ""),
    ],
)
def test_what_ran_out_is_named(limits, spent, reason):
    assert Budget(limits, spent).exhausted() == reason


def test_a_run_without_a_model_only_runs_out_of_time():
    now = [0.0]
    budget = Budget(Limits(model_calls=0, seconds=10), clock=lambda: now[0], carried_s=4.0)
    assert budget.exhausted(model=False) == ""
    now[0] = 6.0
    assert (budget.exhausted(model=False), budget.remaining_s, budget.seconds) == ("time_budget", 0.0, 10.0)


def test_one_unknown_price_makes_the_cost_unknown():
    assert (Usage(cost_usd=0.1) + Usage(cost_usd=None)).cost_usd is None
