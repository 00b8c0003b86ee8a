"""The players that the page knows, by name: those of the package, and the players of runs.

The player of a run is RUN, its result, or RUN@KEY, one that it has kept; RUN is the id of the run, see `folders`. A
name from the page is looked up in these lists and is never a path.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from ludus import players
from ludus.play.analysts import strongest
from ludus.play.levels import Level
from ludus.play.values import Scale, scale_of
from ludus.players import ActivePlayer, Player
from ludus.players.catalogue import KEPT, NOW, RESULT
from ludus.players.player import LONGEST_NAME
from ludus.players.searches import AlphaBeta, Greedy, Minimax, Pvs
from ludus.web.folders import Folders, NotThere

MOST_ACTIVE = 16  # players with their searches built that are kept for the next move
MOST_READ = 200  # players of runs that are kept
SMALL_BUDGET = 10_000  # nodes; a search of fewer needs a small table only


class NoPlayer(ValueError):
    """There is no player of this name."""


class Roster:
    """Finds players and keeps those that were used last. Any thread may ask."""

    def __init__(self, folders: Folders) -> None:
        self.folders = folders
        self._lock = threading.Lock()
        self._named: dict[tuple[str, str], Player] = {
            (player.name, player.game): player for player in players.named_players()
        }
        self._files: OrderedDict[tuple[Path, str], tuple[tuple[int, ...], Player]] = OrderedDict()
        self._scales: OrderedDict[int, tuple[Player, Scale]] = OrderedDict()
        self._free: OrderedDict[tuple[int, Level | None, bool], tuple[Player, list[ActivePlayer]]] = OrderedDict()
        self._deepening: OrderedDict[tuple[int, int], tuple[Player, Player]] = OrderedDict()
        self._strongest: dict[str, Player] = {}

    def named(self, game: str) -> list[Player]:
        """The players of the package."""
        return [player for player in self._named.values() if player.game == game]

    def of_runs(self, game: str) -> Iterator[tuple[str, Player]]:
        """The players of runs by their names: the result, or RUN@now as the run stands, or the last that was kept."""
        for run, folder in self.folders.search().runs.items():
            kept = sorted(path.stem for path in (folder / KEPT).glob("[!.]*.safetensors"))
            there = [key for key, file in (("", RESULT), ("now", NOW)) if (folder / file).is_file()]
            for key in (*there, *kept[-1:]):
                name = f"{run}@{key}" if key else run
                try:
                    player = self._load(folder, key, name)
                except (ValueError, OSError):  # a broken run is not a player; its own page says what is wrong with it
                    continue
                if player.game == game:
                    yield name, player
                break

    def find(self, name: str, game: str) -> Player:
        """The player of this name. Raises NoPlayer."""
        if (name, game) in self._named:
            return self._named[name, game]
        run, _, key = name.partition("@")
        try:
            folder = self.folders.run(run)
        except NotThere as error:
            raise NoPlayer(f"there is no player {name} of {game}") from error
        if "=" in key or "/" in key:
            raise NoPlayer(f"the run {run} has kept no player {key}")
        try:
            player = self._load(folder, key, name)
        except (ValueError, OSError) as error:
            raise NoPlayer(f"there is no player {name}: {str(error).replace(str(folder), run)}") from error
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

    def _load(self, folder: Path, key: str, name: str) -> Player:
        """A player of a run; it is read again when a file of the run has changed. Raises ValueError and OSError."""
        changed = tuple(_changed(folder / each) for each in (RESULT, NOW, KEPT))
        with self._lock:
            known = self._files.get((folder, key))
            if known is not None and known[0] == changed:
                return known[1]
        player = players.find(f"{folder}@{key}" if key else f"{folder}")
        if name.isprintable() and len(name) <= LONGEST_NAME:
            player = msgspec.structs.replace(player, name=name)
        with self._lock:
            self._files[folder, key] = (changed, player)
            while len(self._files) > MOST_READ:
                self._files.popitem(last=False)
        return player


def _changed(path: Path) -> int:
    """When a file or folder was last changed; 0 if it is not there."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _small(player: Player, level: Level) -> Player:
    """With a table that fits the budget: one of megabytes for a few positions is memory for nothing."""
    if isinstance(player.search, AlphaBeta | Pvs) and level.nodes <= SMALL_BUDGET:
        return player.with_search(msgspec.structs.replace(player.search, table_megabytes=1))
    return player
