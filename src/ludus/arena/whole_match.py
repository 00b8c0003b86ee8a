"""A whole match in one line of Python: `arena.match("material@depth=4", "uct@playouts=300", games=100)`."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from ludus import games as rules
from ludus import players
from ludus.arena import matches, summary
from ludus.arena.journal import Journal
from ludus.arena.matches import MatchConfig, Standing
from ludus.arena.score import Score
from ludus.arena.task import Contestant, EnginePlayer
from ludus.game_names import DEFAULT_GAME
from ludus.games import Move, Position
from ludus.games.record import Record
from ludus.players.searches import Budget, takes_budget
from ludus.protocols.engine import names_engine
from ludus.workers import Workers


class MatchResult(Struct, frozen=True, kw_only=True):
    """A match that was played. `print` shows the score, its interval and how the games ended.

    Examples:
        >>> result = match("material@depth=2", "random", games=2, game="draughts")
        >>> len(result.games()), result.data()["players"]
        (2, ['material@depth=2', 'random'])
    """

    players: tuple[Contestant, Contestant]
    config: MatchConfig
    standing: Standing

    @property
    def score(self) -> Score:
        """Of the first player: wins, draws and losses, and the Elo difference with its 95% interval."""
        return self.standing.score

    def games(self) -> list[Record[Position, Move]]:
        """The games in their order. In the first of each pair the first player moves first."""
        game = rules.find(self.players[0].game)
        names = [player.name for player in self.players]
        found = []
        for played in self.standing.played:
            first, second = names if played.index % 2 == 0 else names[::-1]
            black = game.first is rules.Color.BLACK
            tags = {"Black": first, "White": second} if black else {"White": first, "Black": second}
            found.append(played.record(game, tags))
        return found

    def data(self) -> dict[str, Any]:
        """The result as JSON values, as `ludus match --json` prints it."""
        return summary.data(self.players, self.config, self.standing)

    def __str__(self) -> str:
        return summary.text(self.players, self.config, self.standing)


def match(
    one: Contestant | str,
    other: Contestant | str,
    *,
    games: int = 100,
    game: str | None = None,
    budget: str | None = None,
    openings: str | None = None,
    seed: int = 0,
    concurrency: int | None = None,
    workers: Workers | None = None,
) -> MatchResult:
    """Plays a match and returns its result.

    A player is a Player or the name of one, as on the command line: a named player, a file, the folder of a run, or
    `engine:COMMAND`. `budget` holds for every player that has none of its own. The games run on `concurrency` threads,
    one for each processor if it is not given, or on `workers`; the result does not depend on it. `games` is an even
    number: each opening is played with both colours. Raises ValueError for players or options that do not fit.

    Examples:
        >>> match("material@depth=2", "random", games=4, game="draughts").score.games
        4
    """
    if game is None:
        fixed = [each for each in map(_game, (one, other)) if each is not None]
        game = fixed[0] if fixed else None
    contestants = (_contestant(one, game, budget), _contestant(other, game, budget))
    usual = rules.find(contestants[0].game).usual_openings
    config = MatchConfig(games=games, openings=openings or usual, seed=seed)
    with _opened(workers, concurrency) as opened:
        *_, standing = matches.play(contestants, config, opened, Journal(None, {}))
    return MatchResult(players=contestants, config=config, standing=standing)


@contextmanager
def _opened(workers: Workers | None, concurrency: int | None) -> Iterator[Workers]:
    if workers is not None:
        yield workers
        return
    with Workers.open(concurrency) as opened:
        yield opened


def _game(player: Contestant | str) -> str | None:
    """The game of a player that plays only one; None if it may be any."""
    if not isinstance(player, str):
        return player.game
    if names_engine(player):
        return None
    found = players.games_of(player)
    return found.pop() if len(found) == 1 else None


def _contestant(player: Contestant | str, game: str | None, budget: str | None) -> Contestant:
    given = None if budget is None else Budget.parse(budget)
    if isinstance(player, str) and names_engine(player):
        named = rules.find(game or DEFAULT_GAME).name
        return EnginePlayer(name=player, game=named, budget=given or Budget(seconds=1.0))
    found = players.find(player, game) if isinstance(player, str) else player
    if given is None or isinstance(found, EnginePlayer) or found.budget is not None or not takes_budget(found.search):
        return found
    return found.with_budget(given)
