"""The signature of the engine: the nodes of fixed searches, with every kind of search and evaluator.

The same source gives the same numbers on every machine of a kind. A change of a number is a change of the rules, of a
search or of an evaluation. The last bits of floating-point sums differ between instruction sets, but scores are rounded
to 2^-20: builds for x86-64 without AVX, with AVX2 and with AVX-512 have the same numbers.
"""

from collections.abc import Iterator

from ludus import games, players
from ludus.players import ActivePlayer, Player, searches
from ludus.players.searches import Budget

_POSITIONS = 6  # of each game: the start, and positions of random games
_PLIES = 8  # from one of these positions to the next
_SEED = 20
_BUDGETS = (Budget(depth=6), Budget(playouts=200), None)  # the first that a search takes; the rule player has none


def signature() -> Iterator[tuple[str, int]]:
    """The name of each player and the nodes of its searches."""
    named = [*players.named_players(), *(players.find(f"material@search={kind}", "draughts") for kind in _KINDS)]
    for player in named:
        if player.name != "random":
            yield f"{player.game}/{player.name}", nodes(player)


_KINDS = ("minimax", "pvs")  # searches that no named player of draughts uses with the piece count


def nodes(player: Player) -> int:
    """The nodes of the searches of a player in all positions of its game."""
    budget = next((each for each in _BUDGETS if each is not None and searches.takes(player.search, each)), None)
    active = ActivePlayer(player if budget is None else player.with_budget(budget))
    total = 0
    game = games.find(player.game)
    for index in range(_POSITIONS):
        moves, _ = game.random_game(_SEED, index)
        history = game.history()
        for move in moves[: min(_PLIES * index, len(moves) - 1)]:
            history.play(move)
        if history.outcome() is None:
            active.search.new_game()
            total += active.think(history, seed=_SEED).nodes
    return total
