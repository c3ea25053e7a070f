"""The research graph inside other graphs: one small program per way of embedding it."""
