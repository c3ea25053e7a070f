"""What documents state, read into the temporal graph: by rules, or with a chat model."""
