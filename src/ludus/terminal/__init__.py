"""The terminal: a game between a person and a player, and the analysis of a position, in plain text."""
