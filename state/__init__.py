"""What a run remembers: records, channels and reducers, budgets, savers and the call journal."""
