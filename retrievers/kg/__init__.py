"""The temporal knowledge graph: who says what about whom, and from when to when it holds."""
