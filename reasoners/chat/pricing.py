"""What a call costs, from a table of list prices; a model that is not in it has no price, and none is claimed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens."""

    prompt: float
    completion: float

    def usd(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return the cost of a call in US dollars."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1_000_000


def price_of(model: str, address: str = "") -> Price | None:
    """Return the price of `provider:name` at the provider's own endpoint; None elsewhere and where it is not listed."""
    if address and "api.openai.com" not in address:
        return None
    return _prices().get(model)


@cache
def _prices() -> dict[str, Price]:
    table = json.loads((files(__package__) / "prices.json").read_text(encoding="utf-8"))
    return {name: Price(**price) for name, price in table["prices"].items()}
