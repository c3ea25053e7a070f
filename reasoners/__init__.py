"""Everything that thinks: one protocol, two engines, one support check."""
