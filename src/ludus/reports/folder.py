"""What a report reads of a run: its config, its record, what it took and its result."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus import players
from ludus.players import Player
from ludus.runs import CONFIG, Config, folder


@dataclass(frozen=True)
class RunFolder:
    """A run as its files tell it, finished or not."""

    path: Path
    kind: str
    command: str
    date: str
    options: dict[str, Any]
    progress: tuple[dict[str, Any], ...]  # the record
    times: tuple[dict[str, Any], ...]  # what it took, by the clock
    player: Player | None  # the result

    def column(self, name: str) -> list[float]:
        """A figure of every line of the record; nan where a line has it not."""
        return column(self.progress, name)


def read(path: Path) -> RunFolder:
    """Reads a run. Raises BadRun, or BadPlayer for its player."""
    config = Config.read(path / CONFIG)
    result = path / players.RESULT
    return RunFolder(
        path=path,
        kind=config.kind,
        command=config.command,
        date=config.date,
        options=config.options,
        progress=tuple(folder.read_lines(path / folder.RECORD)),
        times=tuple(folder.read_lines(path / folder.TIMES)),
        player=players.load(result) if result.exists() else None,
    )


def column(lines: Sequence[dict[str, Any]], name: str) -> list[float]:
    """A figure of every line; nan where a line has it not."""
    return [float(line[name]) if _is_number(line.get(name)) else float("nan") for line in lines]


def numbers(lines: Sequence[dict[str, Any]]) -> list[str]:
    """The names of all figures that some line has as a number."""
    return list(dict.fromkeys(name for line in lines for name, value in line.items() if _is_number(value)))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
