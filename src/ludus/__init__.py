"""Ludus: a school for board-game players."""
