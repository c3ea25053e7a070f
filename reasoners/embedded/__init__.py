"""The extractive engine: no model, deterministic."""
