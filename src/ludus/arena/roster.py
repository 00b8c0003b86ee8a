"""Everybody: all players that have names, as they meet on two ladders: with equal budgets, and as in their papers.

On the ladder of equal nodes whoever has an evaluator looks at as many positions a move by alpha-beta: what is compared
is what they know. A play-out has no nodes of that kind; it counts as the positions it passes through.
"""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from ludus import players
from ludus.players import Player, searches
from ludus.players.searches import AlphaBeta, Budget, Ept, Minimax, Search, Uct

NODES = 2000  # a move, when nobody says
GAMES = 20  # of each pair: all of it takes minutes

# How long a random play-out is, about, from a position of a random game to its end.
_PLAYOUT = {"draughts": 40, "tictactoe3d": 20}
_PATH = 4  # plies down the tree before a play-out that is cut short

# For those who know minimax only: networks that were trained on leaves where captures are still to come misjudge the
# quiet ones, so they get no quiescence here either.
_STOPPING = AlphaBeta(quiescence=False)
# Alpha-beta that leaves nothing out of its plies, and looks on only while a capture is forced.
_FULL = AlphaBeta(reductions=False)

# How each player moves in its paper, or, where that is not said, in the code it comes from. Whoever is not here plays
# as its file says.
PAPERS: dict[str, tuple[Search, Budget]] = {
    "samuel": (_FULL, Budget(depth=3)),
    "neurodraughts": (Minimax(), Budget(depth=4)),
    "ls-draughts": (Minimax(), Budget(depth=4)),
    "visiondraughts": (_FULL, Budget(depth=6)),
    "mp-draughts": (_FULL, Budget(depth=6)),
    "genetic": (Ept(plies=6), Budget(playouts=300)),
    "blondie24-1999": (_FULL, Budget(depth=4)),
    "blondie24-2001": (_FULL, Budget(depth=4)),
    "material": (_FULL, Budget(depth=4)),
}
UCT = (300, 3000)  # play-outs on the ladder of the papers: the text's number, and ten times as many


class Field(Struct, frozen=True, kw_only=True):
    """Those who meet on a ladder."""

    key: str  # its folder
    title: str
    note: str
    players: tuple[Player, ...]


def nodes(budget: str | None) -> int:
    """How many nodes a move are meant. Raises ValueError for a budget of another kind."""
    found = Budget(nodes=NODES) if budget is None else Budget.parse(budget)
    if found.nodes is None:
        raise ValueError(f"equal budgets are of nodes, as nodes={NODES}, not of {found.unit}")
    return found.nodes


def fields(game: str, count: int) -> list[Field]:
    """Both ladders of a game, with so many nodes a move on the first. Raises BadPlayer."""
    everybody = [player for player in players.ours() if player.game == game]
    length = _PLAYOUT[game]
    return [
        Field(
            key="equal",
            title=f"Equal nodes: {count:,} a move",
            note=(
                f"Whoever has an evaluator looks at {count:,} positions a move by alpha-beta, whatever its own search "
                "is; without quiescence if that is minimax, which has none. A "
                f"play-out of UCT counts as {length} positions, one of EPT as its plies and {_PATH}; the larger "
                "UCT has as many play-outs as the others have positions."
            ),
            players=tuple(each for player in everybody for each in _equal(player, count)),
        ),
        Field(
            key="papers",
            title="As in the papers",
            note="Each with the search and the depth of its paper, or with its own where no paper says one.",
            players=tuple(each for player in everybody for each in _paper(player)),
        ),
    ]


def _equal(player: Player, count: int) -> Iterator[Player]:
    match player.search:
        case Uct():
            for playouts in (max(1, count // _PLAYOUT[player.game]), count):
                yield _called(player, player.search, Budget(playouts=playouts))
        case Ept():
            playouts = max(1, count // (player.search.plies + _PATH))
            yield _called(player, player.search, Budget(playouts=playouts))
        case _ if player.evaluator is not None:
            search = player.search if isinstance(player.search, AlphaBeta) else _STOPPING
            yield _called(player, search, Budget(nodes=count))
        case _:
            yield player


def _paper(player: Player) -> Iterator[Player]:
    if isinstance(player.search, Uct):
        for playouts in UCT:
            yield _called(player, player.search, Budget(playouts=playouts))
    elif player.name in PAPERS:
        yield _called(player, *PAPERS[player.name])
    else:
        yield _called(player, player.search, searches.checked_budget(player.search, player.budget))


def _called(player: Player, search: Search, budget: Budget | None) -> Player:
    """The player with this search and budget; its name tells the budget."""
    name = f"{player.name}@{budget}" if budget else player.name
    return msgspec.structs.replace(player, name=name, search=search, budget=budget)
