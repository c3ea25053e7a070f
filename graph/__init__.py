"""Wiring only: each graph on one screen, routes as pure functions."""
