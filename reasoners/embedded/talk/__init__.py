"""Conversations and the temporal graph without a model: what a message wants, and the calls it becomes."""
