"""One prompt per step, its answer schema beside it; `tests/golden` holds them rendered."""
