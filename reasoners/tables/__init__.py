"""Answers computed over the tables of a dataroom, each with its formula and its cells."""
