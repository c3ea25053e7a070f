"""The steps of a run: plan, facts, gaps, whether to decline, the draft and its repair."""
