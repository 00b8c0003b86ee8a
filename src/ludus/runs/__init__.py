"""Runs: learners at work in folders, where they can be stopped, killed and resumed.

`Run.create` begins one, `Run.open` finds one again, and `train` goes on with either. `CONFIG` is the file in the folder
of a run by which it is known.

    >>> from ludus import runs
    >>> runs.CONFIG
    'config.toml'
"""

from ludus.runs.config import Config
from ludus.runs.folder import CONFIG, BadRun, find, quoted
from ludus.runs.run import Run, RunState, Status, status_of

__all__ = ["CONFIG", "BadRun", "Config", "Run", "RunState", "Status", "find", "quoted", "status_of"]
