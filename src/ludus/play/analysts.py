"""Who is asked about a position: the strongest player of a game, and which players can say anything."""

from collections.abc import Sequence

from ludus import games, players
from ludus.games import Game, History, Move, Position
from ludus.players import Player
from ludus.players.searches import Benchmark, Budget, Greedy, Random

ADVICE = Budget(nodes=100_000)  # of an adviser that would look one move ahead only


class NoAdvice(ValueError):
    """A side that cannot say what was asked. The message says why."""


def strongest(game: str) -> Player:
    """The strongest player of the game that comes with the package.

    A game whose player is not there yet has its first trained one, or the one that counts.
    """
    name = games.find(game).analyst
    if not players.is_named(name):
        trained = (
            player.name for player in players.named_players() if player.game == game and player.theta is not None
        )
        name = next(trained, "material")
    player = players.find(name, game)
    return player.with_budget(ADVICE) if isinstance(player.search, Greedy) else player


def check_analyst(player: Player) -> None:
    """Raises NoAdvice for a player that finds nothing out about a position."""
    if isinstance(player.search, Random | Benchmark):
        how = "moves at random" if isinstance(player.search, Random) else "follows rules"
        raise NoAdvice(f"{player.name} {how} and values no moves: name a player that searches")


def history_of(game: Game, start: Position, moves: Sequence[Move]) -> History:
    """The game as the core has it."""
    history = game.history(start)
    for move in moves:
        history.play(move)
    return history
