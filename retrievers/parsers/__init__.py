"""Bytes of a known format to text with locators, one format per file."""
