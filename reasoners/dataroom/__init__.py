"""A dataroom policy around any engine: exports outrank narratives, unknowns are said, computed numbers show how."""
