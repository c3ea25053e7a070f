"""The engine that asks a chat model."""
