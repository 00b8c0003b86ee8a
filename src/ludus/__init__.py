"""Ludus: a school for board-game players."""

from importlib.metadata import version

__version__ = version("ludus")
