"""How fast the parts and the whole are, beside their peers, on one machine.  `make bench` runs all of it."""
