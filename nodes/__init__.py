"""One step of a run per file."""
