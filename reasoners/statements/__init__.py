"""Answers computed over the financial statements of narrative documents, each with its formula and its rows."""
