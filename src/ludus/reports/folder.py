"""What a report reads of a run's folder: the only place here that knows its files."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ludus import players
from ludus.players import Player


class BadRun(ValueError):
    """The folder holds no run, or a broken one; says which file."""


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
    try:
        config = tomllib.loads((path / "config.toml").read_text("utf-8"))
        kind = config.pop("kind")
    except OSError as error:
        raise BadRun(f"{path} is no run: its config.toml cannot be read: {error.strerror}") from error
    except (ValueError, KeyError) as error:
        raise BadRun(f"{path}/config.toml is no config of a run, or a broken one") from error
    result = path / "player.safetensors"
    return RunFolder(
        path=path,
        kind=str(kind),
        command=str(config.get("command", "")),
        date=str(config.get("date", "")),
        options=config.get("options", {}),
        progress=_lines(path / "progress.jsonl"),
        times=_lines(path / "times.jsonl"),
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


def _lines(path: Path) -> tuple[dict[str, Any], ...]:
    """The whole lines of a file; the last may be cut off in a run that goes on or was killed, and is left out."""
    try:
        whole, _, _ = path.read_bytes().rpartition(b"\n")
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise BadRun(f"{path} cannot be read: {error.strerror}") from error
    try:
        return tuple(msgspec.json.decode(line, type=dict[str, Any]) for line in whole.splitlines())
    except msgspec.MsgspecError as error:
        raise BadRun(f"{path} is no record of a run, or a broken one: {error}") from error
