"""Traces of a run on disk: one line per finished span, in the shape that OpenInference readers know."""
