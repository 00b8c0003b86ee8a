"""The files of a run as a report reads them: config, record, times and player."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ludus import players
from ludus.learning import Options, Record
from ludus.players import Player
from ludus.players.catalogue import load_result
from ludus.runs import CONFIG, Config, RunState, folder, status_of


@dataclass(frozen=True)
class RunFolder:
    """The contents of a run's folder. The run may be finished, stopped or going on."""

    path: Path
    kind: str
    command: str
    date: str
    options: Options
    progress: tuple[Record, ...]  # the lines of the record
    times: tuple[Record, ...]  # what the work took, by the clock
    player: Player | None  # the result; None before the end
    running: bool  # a process is at work on it
    finished: bool  # the player is its last word: the run was not made longer since

    def column(self, name: str) -> list[float]:
        """A number of every line of the record; nan where a line does not have it."""
        return column(self.progress, name)


def read(path: Path) -> RunFolder:
    """Reads a run. Raises BadRun, or BadPlayer for a broken player file."""
    config = Config.read(path / CONFIG)
    result = path / players.RESULT
    running = folder.is_locked(path)
    return RunFolder(
        path=path,
        kind=config.kind,
        command=config.command,
        date=config.date,
        options=config.options,
        progress=tuple(folder.read_lines(path / folder.RECORD)),
        times=tuple(folder.read_lines(path / folder.TIMES)),
        player=load_result(result) if result.exists() else None,
        running=running,
        finished=status_of(path, config).state == RunState.FINISHED,
    )


def column(lines: Sequence[Record], name: str) -> list[float]:
    """A number of every line; nan where a line does not have it."""
    return [float(line[name]) if _is_number(line.get(name)) else float("nan") for line in lines]


def numbers(lines: Sequence[Record]) -> list[str]:
    """The names of all numbers in these lines."""
    return list(dict.fromkeys(name for line in lines for name, value in line.items() if _is_number(value)))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
