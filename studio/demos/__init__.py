"""Demonstrations that run with no key."""
