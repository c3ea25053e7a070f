"""One prompt per file, its answer schema beside it."""
