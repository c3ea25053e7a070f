"""Measure the temporal graph on dated documents that this package writes."""
