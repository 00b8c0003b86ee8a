"""The players that the page knows, by name: those of the package, and the players of runs.

The player of a run is RUN, its result, or RUN@KEY, one that it has kept. RUN is the id of the run: the path of its
folder below the folder of runs, with colons for slashes. A name from the page is looked up in these lists and is never
a path.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from ludus import players
from ludus.files import is_file
from ludus.play.analysts import strongest
from ludus.play.levels import Level
from ludus.play.values import Scale, scale_of
from ludus.players import ActivePlayer, Player
from ludus.players.catalogue import KEPT, RESULT
from ludus.players.searches import AlphaBeta, Greedy, Minimax, Pvs
from ludus.runs import folder as run_folder

SEPARATOR = ":"
MOST_ACTIVE = 16  # players with their searches built that are kept for the next move
SMALL_BUDGET = 10_000  # nodes; a search of fewer needs a small table only


class NoPlayer(ValueError):
    """There is no player of this name."""


def run_folders(runs: Path) -> dict[str, Path]:
    """The folders of the runs by their ids."""
    try:
        found = run_folder.find(runs)
    except OSError:
        return {}
    return {SEPARATOR.join(path.relative_to(runs).parts): path for path in found if path != runs}


def run_of(runs: Path, name: str) -> Path | None:
    """The folder of the run of this id; None if there is none. Folders outside of `runs` have no id."""
    parts = name.split(SEPARATOR)
    if not all(parts) or any(part in (".", "..") or "/" in part or "\0" in part for part in parts):
        return None
    folder = runs.joinpath(*parts)
    return folder if is_file(f"{folder}/{run_folder.CONFIG}") else None


class Roster:
    """Finds players and keeps those that were used last. Any thread may ask."""

    def __init__(self, runs: Path) -> None:
        self.runs = runs
        self._lock = threading.Lock()
        self._named: dict[tuple[str, str], Player] = {
            (player.name, player.game): player for player in players.named_players()
        }
        self._files: OrderedDict[Path, tuple[int, Player]] = OrderedDict()
        self._scales: OrderedDict[int, tuple[Player, Scale]] = OrderedDict()
        self._free: OrderedDict[tuple[int, Level | None, bool], tuple[Player, list[ActivePlayer]]] = OrderedDict()
        self._deepening: OrderedDict[tuple[int, int], tuple[Player, Player]] = OrderedDict()
        self._strongest: dict[str, Player] = {}

    def named(self, game: str) -> list[Player]:
        """The players of the package."""
        return [player for player in self._named.values() if player.game == game]

    def of_runs(self, game: str) -> Iterator[tuple[str, Player]]:
        """The results of runs, by the ids of the runs; runs without one have the last player that they kept."""
        for name, folder in run_folders(self.runs).items():
            path = folder / RESULT
            if not path.is_file():
                kept = sorted((folder / KEPT).glob("[!.]*.safetensors"))
                if not kept:
                    continue
                path = kept[-1]
                name = f"{name}@{path.stem}"
            try:
                player = self._load(path, name)
            except (ValueError, OSError):  # a broken run is not a player; its own page says what is wrong with it
                continue
            if player.game == game:
                yield name, player

    def find(self, name: str, game: str) -> Player:
        """The player of this name. Raises NoPlayer."""
        if (name, game) in self._named:
            return self._named[name, game]
        run, key = (name, "") if run_of(self.runs, name) else name.rpartition("@")[::2]
        folder = run_of(self.runs, run)
        if folder is None:
            raise NoPlayer(f"there is no player {name} of {game}")
        path = folder / RESULT
        if key:
            # 100 also means 000100.
            kept = {each.stem: each for each in (folder / KEPT).glob("[!.]*.safetensors")}
            stem = key if key in kept else next((stem for stem in kept if stem.lstrip("0") == key.lstrip("0")), None)
            if stem is None:
                raise NoPlayer(f"the run {run} has kept no player {key}")
            path = kept[stem]
        elif not path.is_file():
            raise NoPlayer(f"the run {run} has no player yet")
        try:
            player = self._load(path, name)
        except OSError as error:
            raise NoPlayer(f"the player {name} cannot be read") from error
        if player.game != game:
            raise NoPlayer(f"{name} plays {player.game}, not {game}")
        return player

    def strongest(self, game: str) -> Player:
        """The strongest player of the package."""
        if game not in self._strongest:
            self._strongest[game] = strongest(game)
        return self._strongest[game]

    def scale(self, player: Player) -> Scale:
        """How values of the player are shown."""
        with self._lock:
            if id(player) in self._scales:
                return self._scales[id(player)][1]
        scale = scale_of(player)
        with self._lock:
            self._scales[id(player)] = (player, scale)
            while len(self._scales) > 4 * MOST_ACTIVE:
                self._scales.popitem(last=False)
        return scale

    @contextmanager
    def active(self, player: Player, level: Level | None = None, *, exact: bool = False) -> Iterator[ActivePlayer]:
        """The player at a level with its search built, for one thread. It remembers nothing of other games.

        Raises ValueError if it has no levels, BadPlayer if its parts do not fit together.
        """
        active = self.take(player, level, exact=exact)
        try:
            yield active
        finally:
            self.give(active, player, level, exact=exact)

    def take(self, player: Player, level: Level | None = None, *, exact: bool = False) -> ActivePlayer:
        """The same, until it is given back. One that is never given back is only lost for others."""
        with self._lock:
            free = self._free.get((id(player), level, exact), (player, []))[1]
            active = free.pop() if free else None
        if active is None:
            active = ActivePlayer(player if level is None else _small(level.of(player), level), exact=exact)
        active.search.new_game()
        return active

    def give(self, active: ActivePlayer, player: Player, level: Level | None = None, *, exact: bool = False) -> None:
        """Gives back what was taken."""
        key = (id(player), level, exact)
        with self._lock:
            self._free.setdefault(key, (player, []))[1].append(active)
            self._free.move_to_end(key)
            while sum(len(each[1]) for each in self._free.values()) > MOST_ACTIVE:
                oldest = next(iter(self._free))
                if self._free[oldest][1]:
                    self._free[oldest][1].pop()
                if not self._free[oldest][1]:
                    del self._free[oldest]

    def deepening(self, player: Player, threads: int = 1) -> Player:
        """The player with a search that deepens: those with one depth use alpha-beta, by the same values.

        The same player each time, so that its search is built once.
        """
        key = (id(player), threads)
        with self._lock:
            if key in self._deepening:
                return self._deepening[key][1]
        changed = player.with_search(AlphaBeta()) if isinstance(player.search, Greedy | Minimax) else player
        if threads > 1 and isinstance(changed.search, Pvs):
            changed = changed.with_search(msgspec.structs.replace(changed.search, threads=threads))
        with self._lock:
            self._deepening[key] = (player, changed)
            while len(self._deepening) > 4 * MOST_ACTIVE:
                self._deepening.popitem(last=False)
        return changed

    def _load(self, path: Path, name: str) -> Player:
        changed = path.stat().st_mtime_ns
        with self._lock:
            known = self._files.get(path)
            if known is not None and known[0] == changed and known[1].name == name:
                return known[1]
        player = players.load(path)
        if name.isprintable() and len(name) <= 100:
            player = msgspec.structs.replace(player, name=name)
        with self._lock:
            self._files[path] = (changed, player)
            while len(self._files) > 200:
                self._files.popitem(last=False)
        return player


def _small(player: Player, level: Level) -> Player:
    """With a table that fits the budget: one of megabytes for a few positions is memory for nothing."""
    if isinstance(player.search, AlphaBeta | Pvs) and level.nodes <= SMALL_BUDGET:
        return player.with_search(msgspec.structs.replace(player.search, table_megabytes=1))
    return player
