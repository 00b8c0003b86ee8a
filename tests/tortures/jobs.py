"""The jobs that are disturbed: commands that keep files, and what they must have written at their end."""

import contextlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ludus.arena.journal import read_file as read_journal
from ludus.lines import decode_object
from ludus.lines import read as read_lines
from tortures.forks import Ended, Forks

TESTS = Path(__file__).parent.parent
PYTHON = sys.executable
MAIN = "from ludus.cli import main; main()"


class Failure(Exception):
    """What went wrong in a try."""


def _files(*names: str) -> Callable[[Path], Any]:
    return lambda folder: [(folder / name).read_bytes() for name in names]


_run = _files("progress.jsonl", "player.safetensors")


def _trials(folder: Path) -> Any:
    """The trials in any order, without the time they took."""
    with (folder / "trials.jsonl").open("rb") as file:
        found = [line.value for line in read_lines(file, decode_object)]
    return sorted(str([each["trial"], each["lines"]]) for each in found)


def _steps(folder: Path) -> Any:
    (match,) = (folder / "matches").iterdir()
    games = read_journal(match / "journal.jsonl")[1]
    return _run(folder / "runs" / "one"), sorted((each.index, each.moves) for each in games)


class Job(NamedTuple):
    """A command, and a function that reads what must be the same after any disturbance."""

    words: tuple[str, ...]
    result: Callable[[Path], Any]


_FEW = " --pool-games 2 --end-games 2"
_TINY = " --games 4 --budget depth=1 --test-boards 2 --final-boards 2 --reference-games 2"
_WORDS = {
    "td": "train td --games 4000 --test-every 1000 --test-games 20",
    "genetic": "train genetic --generations 3 --population 6 --rounds 1 --depth 1" + _FEW,
    "blondie24": "train blondie24 --generations 2 --parents 2 --rounds 1 --depth 1" + _FEW,
    "evolution-strategy": "train evolution-strategy --generations 3 --pairs 2" + _FEW,
    "champion": "train champion --generations 1 --random-games 300 --games 40 --match-games 2",
    "neurodraughts": "train neurodraughts --sets 2" + _TINY,
    "samuel": "train samuel --sets 2" + _TINY,
    "visiondraughts": "train visiondraughts --sets 2" + _TINY,
    "ls-draughts": "train ls-draughts --sets 1 --population 3 --generations 2 --match-boards 1 --finalists 1 "
    "--finalist-sets 1 --finalist-games 4 --finalist-boards 1" + _TINY,
    "mp-draughts": "train mp-draughts --sets 2 --boards 12 --held-boards 4 --units 2 --specialist-sets 1 "
    "--specialist-games 4 --specialist-test-boards 2 --selection-generations 0 --board-players random" + _TINY,
    "match": "match material@nodes=300 random --games 40",
    "ladder": "ladder material@nodes=100 random uct@playouts=20 --games 6 --game draughts",
    "tables": "endgame build --pieces 3",
    "trials": "study tortures.study:trials",
    "steps": "study tortures.study:steps",
    "served": "train td --games 20000 --test-every 1000 --test-games 20",
}
_RESULTS = {
    "match": _files("games.pdn", "result.json"),
    "ladder": _files("ladder.txt"),
    "tables": _files("2.results", "2.distances", "3.results", "3.distances"),
    "trials": _trials,
    "steps": _steps,
}
ALL = {name: Job(tuple(words.split()), _RESULTS.get(name, _run)) for name, words in _WORDS.items()}
JOBS = [name for name in ALL if name != "served"]  # the server of the page starts that one


class Bench:
    """A folder for everything, and the results of undisturbed runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.results: dict[str, Any] = {}
        self.seconds: dict[str, float] = {}
        self.changes: dict[str, int] = {}  # of files, by job
        self.library = self._compiled()
        preloaded = {"LD_PRELOAD": str(self.library)} if self.library else {}
        self.forks = Forks(TESTS, folder / "errors", **preloaded)

    def close(self) -> None:
        """Ends the program whose forks are tortured."""
        self.forks.close()

    def _compiled(self) -> Path | None:
        """The library that disturbs changes of files; None where that cannot be done."""
        compiler, library = shutil.which("cc") or shutil.which("gcc"), self.folder / "faults.so"
        if compiler is None or sys.platform != "linux":
            return None
        source = str(TESTS / "faults.c")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
        return library

    def words(self, job: str, folder: Path) -> list[str]:
        """What begins a job in this folder, or goes on with it."""
        words = ALL[job].words
        resume = words[0] == "train" and (folder / "config.toml").exists()
        return ["train", "--resume", str(folder)] if resume else [*words, "--out", str(folder)]

    def undisturbed(self, job: str) -> Any:
        """The result of a job that was left alone."""
        if job not in self.results:
            folder, begin = self.folder / f"undisturbed-{job}", time.monotonic()
            log = self.folder / f"changes-{job}"
            done = self.run(job, folder, **self.faults(folder, "count", FAULT_LOG=str(log)))
            if done.returncode:
                raise SystemExit(f"{job} does not run: {done.stderr}")
            self.seconds[job] = time.monotonic() - begin
            self.changes[job] = int(log.read_text()) if log.exists() else 60
            self.results[job] = ALL[job].result(folder)
        return self.results[job]

    def run(self, job: str, folder: Path, seconds: float | None = None, **environment: str) -> Ended:
        """Runs a job to its end, or kills it after so many seconds."""
        return self.forks.run(self.words(job, folder), seconds, **environment)

    def faults(self, root: Path, kind: str, **more: str) -> dict[str, str]:
        """The environment of a process whose changes of files are disturbed; empty where that cannot be done."""
        return {"FAULT_ROOT": str(root), "FAULT_KIND": kind, **more} if self.library else {}

    @contextlib.contextmanager
    def place(self) -> Iterator[Path]:
        """A new folder for a job, which is deleted if all went well."""
        folder = Path(tempfile.mkdtemp(dir=self.folder)) / "job"
        yield folder
        shutil.rmtree(folder.parent)

    @contextlib.contextmanager
    def drawn(self, chance: random.Random) -> Iterator[tuple[str, Path]]:
        """A job that chance chooses, whose undisturbed result is known, and a new folder for it."""
        job = chance.choice(JOBS)
        self.undisturbed(job)
        with self.place() as folder:
            yield job, folder

    def finish(self, job: str, folder: Path) -> None:
        """Lets a disturbed job end, and compares. Raises Failure."""
        done = self.run(job, folder)
        if done.returncode or "Traceback" in done.stderr:
            raise Failure(f"{job}: it did not go on: {done.stderr[-500:]}")
        if ALL[job].result(folder) != self.undisturbed(job):
            raise Failure(f"{job}: the result is another one")
        left = [str(path) for path in folder.rglob(".*") if path.is_file()]
        if left:
            raise Failure(f"{job}: left behind: {left}")
