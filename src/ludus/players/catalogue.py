"""Players by name: the baselines, those that come with the package, files, and the players of runs."""

from pathlib import Path
from typing import NamedTuple

import msgspec

from ludus import plugins
from ludus.files import is_file
from ludus.games import GAMES, GameName
from ludus.players import searches
from ludus.players.evaluators import Material, MultiPhase
from ludus.players.file import load
from ludus.players.player import LONGEST_NAME, BadPlayer, Player
from ludus.players.searches import AlphaBeta, Benchmark, Budget, Random, Search, Uct

RESULT = "player.safetensors"  # the result in the folder of a run
NOW = "now.safetensors"  # the player of a run that is not finished, as it stands
KEPT = "players"  # the folder of the players that a run keeps on the way
GENERALIST = "@generalist"  # after the name of a team: its generalist alone

_SIMPLE: tuple[tuple[str, Search, Material | None], ...] = (
    ("random", Random(), None),
    ("benchmark", Benchmark(), None),
    ("material", AlphaBeta(), Material()),
    ("uct", Uct(), None),
)

# The players that need no file: those of each game whose search knows it.
BASELINES = tuple(
    Player(name=name, game=game.name, search=search, evaluator=evaluator)
    for game in GAMES
    for name, search, evaluator in _SIMPLE
    if searches.fits(search, game.name)
)

# Trained players that come with the package, each by its file's name; `made` says by which command.
SHIPPED = {path.stem: path for path in sorted((Path(__file__).parent / "shipped").glob("*.safetensors"))}


GROUP = "ludus.players"  # of the entry points of other packages

_added: dict[str, Player] = {}


def named_players() -> list[Player]:
    """Every player that has a name of its own: the baselines, the trained players of the package, then others.

    The others are those that installed packages offer, and those that were added.

    Examples:
        >>> [player.name for player in named_players()][:4]
        ['random', 'material', 'uct', 'random']
    """
    others = [_offered(name) for name in plugins.names(GROUP)]
    return [*BASELINES, *map(_shipped, SHIPPED), *others, *_added.values()]


def add(player: Player) -> None:
    """Gives a player a name in this process, so that `find` finds it: in the arena, in the terminal and in the page.

    Raises BadPlayer if the package has a player of that name.

    Examples:
        >>> def count(positions):
        ...     return [0.0 for position in positions]
        >>> add(Player.from_function(count, name="always-equal"))
        >>> find("always-equal").name
        'always-equal'
    """
    if player.name in SHIPPED or any(player.name == other.name for other in BASELINES):
        raise BadPlayer(f"there is a player {player.name} already: give yours another name")
    _added[player.name] = player


def _offered(name: str) -> Player:
    """The player that an installed package offers: a Player, or a function that makes one. Raises BadPlayer."""
    try:
        return made_player(plugins.load(GROUP, name), name)
    except plugins.BadPlugin as error:
        raise BadPlayer(str(error)) from error


def made_player(found: object, name: str) -> Player:
    """A player that Python code offers, under this name: a Player, or a function without arguments that makes one.

    Examples:
        >>> made_player(lambda: BASELINES[0], "mine").name
        'mine'
    """
    try:
        player = found if isinstance(found, Player) or not callable(found) else found()
    except Exception as error:
        raise BadPlayer(f"{name} makes no player: {type(error).__name__}: {error}") from error
    if not isinstance(player, Player):
        raise BadPlayer(f"{name} is no player: it is neither a Player nor a function that makes one")
    return msgspec.structs.replace(player, name=name)


def _shipped(name: str) -> Player:
    """The player under the name of its file, which may differ from the name its run gave it."""
    return msgspec.structs.replace(load(SHIPPED[name]), name=name)


def is_named(name: str) -> bool:
    """Whether a named player, a file or a run has this name, with settings or without. `find` checks what it holds.

    Examples:
        >>> is_named("uct@playouts=300"), is_named("nobody")
        (True, False)
    """
    whole, settings = split_settings(name)
    if settings and is_named(whole):
        return True
    if name.endswith(GENERALIST) and is_named(name.removesuffix(GENERALIST)):
        return True
    if any(player.name == name for player in BASELINES) or name in SHIPPED or name in _added:
        return True
    if name in plugins.names(GROUP):
        return True
    return is_file(name) or _in_run(name) is not None


class Settings(NamedTuple):
    """What is written after the name of a player, as in material@depth=4,endgames=5.

    Examples:
        >>> settings = Settings.parse("depth=4,endgames=3")
        >>> str(settings.budget), settings.endgames
        ('depth=4', 3)
    """

    budget: Budget | None = None
    endgames: int | None = None  # pieces of the endgame tables; 0 uses none, None leaves it to the player
    search: str | None = None  # the kind of search, with its usual options; None leaves it to the player
    options: tuple[tuple[str, str], ...] = ()  # of the search, by name
    dynamics: str | None = None  # of a team: DI or DII; None leaves it to the player

    @classmethod
    def parse(cls, text: str) -> "Settings":
        """Reads a budget, `endgames=N`, `search=KIND`, options of the search such as `probcut=off`, and `dynamics=DI`.

        They have commas between them. Raises ValueError with the reason.
        """
        settings = cls()
        for part in text.split(",") if text else ():
            name, _, value = part.partition("=")
            if name == "search":
                settings = settings._replace(search=value)
            elif name == "dynamics":
                settings = settings._replace(dynamics=value)
            elif name != "endgames" and name in searches.OPTIONS:
                settings = settings._replace(options=(*settings.options, (name, value)))
            elif name != "endgames":
                budget = Budget.parse(part)
                if settings.budget is not None:
                    raise ValueError(f"'{text}' has two budgets: a player has one")
                settings = settings._replace(budget=budget)
            elif settings.endgames is not None or not (value.isascii() and value.isdigit() and len(value) < 4):
                raise ValueError(f"'{text}' does not say which endgame tables to use: write endgames=4, once")
            else:
                settings = settings._replace(endgames=int(value))
        return settings

    def apply(self, player: Player) -> Player:
        """The player with these settings. Raises ValueError for settings that its search or evaluator does not have."""
        if self.dynamics is not None:
            player = player.with_dynamics(self.dynamics)
        if self.search is not None:
            player = player.with_search(searches.of_kind(self.search))
        if self.options:
            player = player.with_search(searches.with_options(player.search, dict(self.options)))
        if self.budget is not None:
            player = player.with_budget(self.budget)
        return player if self.endgames is None else player.with_endgames(self.endgames)


def split_settings(name: str) -> tuple[str, str]:
    """The name of a player, and its settings that follow it after @; empty if there are none.

    Examples:
        >>> split_settings("material@depth=4"), split_settings("material")
        (('material', 'depth=4'), ('material', ''))
    """
    whole, at, settings = name.rpartition("@")
    return (whole, settings) if at and "=" in settings and not _is_there(name) else (name, "")


def _is_there(name: str) -> bool:
    """Whether a file or the folder of a run has exactly this name, which may have an @ or a = in it."""
    return is_file(name) or is_file(f"{name}/config.toml")


def games_of(name: str) -> set[GameName]:
    """The games that a player of this name plays: several for some of the baselines, else one. Raises BadPlayer.

    Examples:
        >>> sorted(games_of("uct")), games_of("champion")
        (['draughts', 'tictactoe3d'], {'draughts'})
    """
    whole, _ = split_settings(name)
    return {player.game for player in BASELINES if player.name == whole} or {find(whole).game}


def find(name: str, game: str | None = None) -> Player:
    """The player of this name: a named player, a file, or the folder of a run for its result.

    RUN@KEY is a player that the run has kept. If the run is not finished, RUN or RUN@now is its player as it stands.
    TEAM@generalist is the generalist of a multi-phase player alone. Each can have a budget, as in uct@playouts=300,
    endgame tables, as in material@depth=4,endgames=5, another search, as in material@search=pvs, and options of its
    search, as in material@search=pvs,threads=2. A team can have the other dynamics, as in mp-draughts@dynamics=DI.
    Raises BadPlayer.

    Examples:
        >>> find("uct@playouts=300", "tictactoe3d").game
        'tictactoe3d'
    """
    whole, settings = split_settings(name)
    if settings:
        try:
            player = Settings.parse(settings).apply(find(whole, game))
        except ValueError as error:
            raise BadPlayer(str(error)) from error
        return msgspec.structs.replace(player, name=name)
    if name.endswith(GENERALIST) and not _is_there(name):
        return generalist(find(name.removesuffix(GENERALIST), game))
    if named := [player for player in BASELINES if player.name == name]:
        player = next((player for player in named if player.game == game), named[0])
    elif name in SHIPPED:
        player = _shipped(name)
    elif name in _added:
        player = _added[name]
    elif name in plugins.names(GROUP):
        player = _offered(name)
    elif is_file(name):
        player = load(Path(name))
    elif run := _in_run(name):
        player = _of_run(*run)
    else:
        raise BadPlayer(f"there is no player {name}: {known_names(game)}")
    if game not in (None, player.game):
        raise BadPlayer(f"{name} plays {player.game}, not {game}")
    return player


def generalist(team: Player) -> Player:
    """The player whose evaluator is the generalist of a multi-phase player alone. Raises BadPlayer for another one.

    Examples:
        >>> generalist(find("mp-draughts")).name
        'mp-draughts@generalist'
    """
    if not isinstance(team.evaluator, MultiPhase):
        raise BadPlayer(f"{team.name} has no generalist: only a multi-phase player such as mp-draughts has one")
    network, theta = team.evaluator.generalist(team.theta)
    return msgspec.structs.replace(team, name=f"{team.name}{GENERALIST}", evaluator=network, theta=theta)


def kept_file(folder: Path, key: str) -> Path:
    """The file of a player that a run keeps under this key.

    Examples:
        >>> kept_file(Path("runs/first"), "0050").as_posix()
        'runs/first/players/0050.safetensors'
    """
    return folder / KEPT / f"{key}.safetensors"


def _in_run(name: str) -> tuple[Path, str] | None:
    """The folder and the key, which is empty for the result, of a name that means a player of a run."""
    folder, at, key = name.rpartition("@")
    for found, which in ((name, ""), (folder, key)) if at else ((name, ""),):
        if is_file(f"{found}/config.toml"):
            return Path(found), which
    return None


def _of_run(folder: Path, key: str) -> Player:
    """A player of a run. It is named after the run, because the players of a run may all have the same name."""
    there = {path.stem: path for path in sorted(kept_file(folder, "").parent.glob("[!.]*.safetensors"))}
    if key == "now" or (not key and not is_file(str(folder / RESULT)) and is_file(str(folder / NOW))):
        path, called = folder / (NOW if is_file(str(folder / NOW)) else RESULT), f"{folder.resolve().name}@now"
    elif not key:
        path, called = folder / RESULT, folder.resolve().name
    else:
        # 100 also means 000100.
        stem = key if key in there else next((stem for stem in there if stem.lstrip("0") == key.lstrip("0")), key)
        # A key that was not kept is no path either.
        path, called = there.get(stem, kept_file(folder, "")), f"{folder.resolve().name}@{key}"
    if not is_file(str(path)):
        some = f"; it has {folder}@{next(iter(there))} to {folder}@{next(reversed(there))}" if there else ""
        what = f"has no player {key}" if key else f"has no player yet: ludus train --resume {folder} goes on with it"
        raise BadPlayer(f"{folder} {what}{some}")
    player = load_result(path) if path.name == RESULT else load(path)
    fits = called.isprintable() and len(called) <= LONGEST_NAME
    return msgspec.structs.replace(player, name=called) if fits else player


def load_result(path: Path) -> Player:
    """The player that a run has written at its end. Raises BadPlayer, which says how to get it again."""
    try:
        return load(path)
    except BadPlayer as error:
        raise BadPlayer(f"{error}; ludus train --resume {path.parent} writes it again") from error


def known_names(game: str | None = None) -> str:
    """The names that `find` knows, as the end of an error message.

    Examples:
        >>> known_names("tictactoe3d")
        'name a file, or one of random, benchmark, material, uct, ...'
    """
    names = dict.fromkeys(player.name for player in named_players() if game in (None, player.game))
    return f"name a file, or one of {', '.join(names)}"
