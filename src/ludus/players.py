"""Players: a name, a game, an evaluator (or none) and a search with its budget; one file on disk."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
import safetensors
import safetensors.numpy
from msgspec import Struct

from ludus import evaluators, games, searches
from ludus.evaluators import Evaluator, Material
from ludus.files import is_file, write_atomically
from ludus.searches import AlphaBeta, Benchmark, Budget, Greedy, Random, Search, Uct

FORMAT = "ludus-player-1"
RESULT = "player.safetensors"  # in the folder of a run, and
KEPT = "players"  # the folder of those that were kept on the way
LONGEST_NAME = 100
LARGEST_FILE = 64 * 2**20  # a player is some tens of kilobytes; nothing of ours comes near this


class BadPlayer(ValueError):
    """A player that does not exist, does not fit together, or lies in a broken file; says which."""


class Provenance(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where a player comes from."""

    command: str = ""
    seed: int | None = None
    date: str = ""


class Player(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, eq=False):
    """Chooses moves."""

    name: str
    game: Literal["draughts", "tictactoe3d"]
    search: Search
    evaluator: Evaluator | None = None
    budget: Budget | None = None  # the search's usual one where there is none
    made: Provenance = Provenance()
    theta: Any = None  # the weights of the evaluator's network, float32; in the file they are a tensor

    def __post_init__(self) -> None:
        if not (self.name.isprintable() and 1 <= len(self.name) <= LONGEST_NAME):
            raise ValueError("a player's name is 1 to 100 printable characters on a line")

    def with_budget(self, budget: Budget) -> "Player":
        """The same player with another budget; a greedy one looks further with it, by the same values.

        Raises ValueError for a budget that its search cannot keep to.
        """
        search = AlphaBeta() if isinstance(self.search, Greedy) else self.search
        return msgspec.structs.replace(self, search=search, budget=searches.checked_budget(search, budget))

    def describe(self) -> str:
        """A few lines for a person."""
        budget = searches.checked_budget(self.search, self.budget)
        lines = [
            f"{self.name}, a player of {self.game}",
            f"search: {searches.kind(self.search)}" + (f", {budget} a move" if budget else ""),
            f"evaluator: {self.evaluator or 'none'}",
        ]
        if self.theta is not None:
            weights = f"{self.theta.size} weights from {self.theta.min():.3f} to {self.theta.max():.3f}"
            lines.append(f"{weights}, mean {self.theta.mean():.3f}, standard deviation {self.theta.std():.3f}")
        made = [f"by {self.made.command}"] if self.made.command else []
        made += [f"seed {self.made.seed}"] if self.made.seed is not None else []
        made += [self.made.date] if self.made.date else []
        return "\n".join(lines + ([f"made {', '.join(made)}"] if made else []))


class Thinker:
    """A player at the board. It may be used by one thread at a time.

    Raises BadPlayer when the parts of the player do not fit together.
    """

    def __init__(self, player: Player, *, exact: bool = False) -> None:
        self.player = player
        core = games.core(player.game)
        evaluator = None
        try:
            budget = searches.checked_budget(player.search, player.budget)
            self.budget = searches.core_budget(player.search, budget)
            if isinstance(player.search, Benchmark) and player.game != "tictactoe3d":
                raise ValueError("the benchmark player knows only tictactoe3d")
            if player.evaluator is None:
                if searches.needs_evaluator(player.search):
                    raise ValueError(f"{searches.kind(player.search)} needs an evaluator")
                if player.theta is not None:
                    raise ValueError("it has weights and no network")
            else:
                if player.game not in evaluators.GAMES[type(player.evaluator)]:
                    raise ValueError(f"its evaluator does not know {player.game}")
                evaluator = player.evaluator.build(core, player.theta)
            self.search = searches.build(player.search, core, evaluator, exact=exact)
        except ValueError as error:
            raise BadPlayer(f"the player {player.name} does not fit together: {error}") from error

    def think(self, history: Any, *, seed: int = 0, report: Callable[[Any], bool] | None = None) -> Any:
        """What it finds in the present position of `history`; `report` sees it growing and says whether to go on."""
        budget = self.budget
        return self.search.search(
            history, depth=budget.depth, nodes=budget.nodes, seconds=budget.seconds, seed=seed, report=report
        )

    def choose(self, history: Any, *, seed: int = 0) -> Any:
        """The move it plays."""
        return self.think(history, seed=seed).variation[0]


# The players that need no file.
BASELINES = (
    Player(name="random", game="draughts", search=Random()),
    Player(name="material", game="draughts", search=AlphaBeta(), evaluator=Material()),
    Player(name="uct", game="draughts", search=Uct()),
    Player(name="random", game="tictactoe3d", search=Random()),
    Player(name="benchmark", game="tictactoe3d", search=Benchmark()),
    Player(name="material", game="tictactoe3d", search=AlphaBeta(), evaluator=Material()),
    Player(name="uct", game="tictactoe3d", search=Uct()),
)


# Trained players that come with the package, each by its file's name; `made` says by which command.
SHIPPED = {path.stem: path for path in sorted((Path(__file__).parent / "shipped").glob("*.safetensors"))}


def ours() -> list[Player]:
    """Every player that has a name of its own: the baselines, then the trained ones."""
    return [*BASELINES, *map(_shipped, SHIPPED)]


def _shipped(name: str) -> Player:
    """By the name of its file, whatever its run called it."""
    return msgspec.structs.replace(load(SHIPPED[name]), name=name)


def is_named(name: str) -> bool:
    """Has a player of ours, a file or a run this name, with a budget or without? `find` says whether it is good."""
    whole, budget = split(name)
    if budget and is_named(whole):
        return True
    if any(player.name == name for player in BASELINES) or name in SHIPPED:
        return True
    return is_file(name) or _in_run(name) is not None


def split(name: str) -> tuple[str, str]:
    """The name of a player, and the budget that is typed behind it, or nothing."""
    whole, at, budget = name.rpartition("@")
    return (whole, budget) if at and "=" in budget and not is_file(name) else (name, "")


def games_of(name: str) -> set[str]:
    """The games that a player of this name plays: one, but for some of the baselines. Raises BadPlayer."""
    whole, _ = split(name)
    return {player.game for player in BASELINES if player.name == whole} or {find(whole).game}


def find(name: str, game: str | None = None) -> Player:
    """The player that a person means: one of ours by name, a file, or the folder of a run for its result.

    RUN@KEY is one that the run has kept; each can have a budget, as in uct@playouts=300. Raises BadPlayer.
    """
    whole, budget = split(name)
    if budget:
        try:
            player = find(whole, game).with_budget(Budget.parse(budget))
        except ValueError as error:
            raise BadPlayer(str(error)) from error
        return msgspec.structs.replace(player, name=name)
    if named := [player for player in BASELINES if player.name == name]:
        player = next((player for player in named if player.game == game), named[0])
    elif name in SHIPPED:
        player = _shipped(name)
    elif is_file(name):
        player = load(Path(name))
    elif run := _in_run(name):
        player = _of_run(*run)
    else:
        raise BadPlayer(f"there is no player {name}: {known(game)}")
    if game not in (None, player.game):
        raise BadPlayer(f"{name} plays {player.game}, not {game}")
    return player


def kept(folder: Path, key: str) -> Path:
    """The file of a player that a run keeps under this key."""
    return folder / KEPT / f"{key}.safetensors"


def _in_run(name: str) -> tuple[Path, str] | None:
    """The folder and the key, which is empty for the result, of a name that means a player of a run."""
    folder, at, key = name.rpartition("@")
    for found, which in ((name, ""), (folder, key)) if at else ((name, ""),):
        if is_file(f"{found}/config.toml"):
            return Path(found), which
    return None


def _of_run(folder: Path, key: str) -> Player:
    """A player of a run, called after the run, for they may all have one name."""
    there = {path.stem: path for path in sorted(kept(folder, "").parent.glob("[!.]*.safetensors"))}
    if not key:
        path, called = folder / RESULT, folder.resolve().name
    else:
        # 100 is 000100 as well.
        stem = key if key in there else next((stem for stem in there if stem.lstrip("0") == key.lstrip("0")), key)
        path, called = kept(folder, stem), f"{folder.resolve().name}@{key}"
    if not is_file(str(path)):
        some = f"; it has {folder}@{next(iter(there))} to {folder}@{next(reversed(there))}" if there else ""
        what = f"has no player {key}" if key else f"has no player yet: ludus train --resume {folder} finishes it"
        raise BadPlayer(f"{folder} {what}{some}")
    player = load(path)
    fits = called.isprintable() and len(called) <= LONGEST_NAME
    return msgspec.structs.replace(player, name=called) if fits else player


def known(game: str | None = None) -> str:
    """What a player can be called, for a person who called one something else."""
    names = dict.fromkeys(player.name for player in ours() if game in (None, player.game))
    return f"name a file, or one of {', '.join(names)}"


def save(player: Player, path: str | Path) -> None:
    """Writes one safetensors file: the weights as a tensor, all the rest as readable metadata."""
    path = Path(path)
    header = msgspec.structs.replace(player, theta=None)
    tensors = {} if player.theta is None else {"theta": np.ascontiguousarray(player.theta, np.float32)}
    # One entry, for the library writes several in any order and the same player is to be the same file.
    metadata = {FORMAT: msgspec.json.encode(header).decode()}
    write_atomically(path, safetensors.numpy.save(tensors, metadata))


def load(path: str | Path) -> Player:
    """Reads what `save` wrote. Raises BadPlayer with one sentence about a broken, foreign or oversized file."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise BadPlayer(f"{path} cannot be read: {error.strerror}") from error
    if len(content) > LARGEST_FILE:
        raise BadPlayer(f"{path} is no player: a player has at most {LARGEST_FILE:,} bytes")
    try:
        tensors = safetensors.numpy.load(content)
        # The library gives the tensors only; the metadata is in the JSON header, whose length stands before it.
        header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
        metadata = header.get("__metadata__") or {}
    except (safetensors.SafetensorError, ValueError, TypeError, KeyError) as error:
        raise BadPlayer(f"{path} is no player, or a broken one: it is not a safetensors file") from error
    if FORMAT not in metadata:
        raise BadPlayer(f"{path} is a safetensors file, but no player of this version: it has no {FORMAT}")
    try:
        player = msgspec.json.decode(metadata[FORMAT], type=Player)
    except msgspec.MsgspecError as error:
        raise BadPlayer(f"{path} is a broken player: {error}") from error
    theta = tensors.pop("theta", None)
    if tensors:
        raise BadPlayer(f"{path} is a broken player: nothing is known of its tensor {min(tensors)!r}")
    if theta is not None and (theta.dtype != np.float32 or theta.ndim != 1 or not np.isfinite(theta).all()):
        raise BadPlayer(f"{path} is a broken player: its weights are not a list of finite 32-bit numbers")
    player = msgspec.structs.replace(player, theta=theta)
    Thinker(player)  # says what does not fit together
    return player
