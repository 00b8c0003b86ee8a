"""Runs: learners at work in folders, where they can be stopped, killed and resumed."""

from ludus.runs.config import Config
from ludus.runs.folder import CONFIG, BadRun, find, quoted
from ludus.runs.run import Run, RunState, Status, status_of

__all__ = ["CONFIG", "BadRun", "Config", "Run", "RunState", "Status", "find", "quoted", "status_of"]
