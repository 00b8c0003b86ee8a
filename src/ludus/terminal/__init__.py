"""The terminal: a game between a person and a player, and what a player thinks, in plain text."""
