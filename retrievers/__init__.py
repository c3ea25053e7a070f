"""Everything that turns the world into ranked passages."""
