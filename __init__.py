"""citewell: grounded research in which every factual sentence is traceable to the passage that supports it."""
