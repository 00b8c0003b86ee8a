"""Runs commands in forks of a program that has loaded Ludus: that takes longer than most commands of a torture.

A command that is still loading has written nothing, so a kill at that time shows nothing.
"""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

# For each line it forks a process. It says the number of the process, and the status when it has ended.
_SERVER = """
import importlib, json, os, pkgutil, sys
sys.path.insert(0, sys.argv[1])
import ludus.cli, typer._adapters
for name in ("arena", "endgames", "learning", "reports", "runs", "studies"):
    package = importlib.import_module("ludus." + name)
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
import ludus.arena.openings, ludus.games
for plies in (2, 3):
    ludus.arena.openings.ballots(ludus.games.find("draughts"), plies)  # kept: it takes longer than a match
# Checkpoints come quickly, so that kills come between them, upon them and after them.
ludus.runs.session.CHECKPOINT_SECONDS = 0.02
for line in sys.stdin:
    words, environment, errors = json.loads(line)
    child = os.fork()
    if child == 0:
        break
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    sys.exit()
os.environ.update(environment)
os.dup2(os.open(os.devnull, os.O_RDWR), 0)
os.dup2(0, 1)
os.dup2(os.open(errors, os.O_WRONLY | os.O_TRUNC | os.O_CREAT), 2)
sys.argv = ["ludus", *words]
ludus.cli.main()
"""


class Ended(NamedTuple):
    """How a process has ended, and what it wrote to its standard error."""

    returncode: int
    stderr: str


class Forks:
    """Runs one command after the other, each in a process of its own."""

    def __init__(self, modules: Path, errors: Path, **environment: str) -> None:
        """`modules` is a folder to import from, `errors` a file that is written; `environment` is that of all."""
        self._errors = errors
        self._server = subprocess.Popen(
            [sys.executable, "-c", _SERVER, str(modules)],
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, words: list[str], seconds: float | None = None, **environment: str) -> Ended:
        """Runs `ludus` with these words to its end, or kills it with SIGKILL after so many seconds."""
        reading, writing = self._server.stdout, self._server.stdin
        print(json.dumps([words, environment, str(self._errors)]), file=writing, flush=True)
        child = int(reading.readline())
        if not select.select([reading], [], [], seconds)[0]:
            os.kill(child, signal.SIGKILL)  # it is not another process: the server has not said that it ended
        return Ended(int(reading.readline()), self._errors.read_text(errors="replace"))

    def close(self) -> None:
        """Ends the server."""
        self._server.stdin.close()
        self._server.wait()
