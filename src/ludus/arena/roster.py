"""The rosters of `ludus ladder --all`: all named players on two ladders, with equal budgets and as in their papers.

On the ladder of equal nodes every player with an evaluator searches the same number of positions a move by alpha-beta,
so that the evaluators are compared. A play-out counts as the positions it passes through.
"""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from ludus import games, players
from ludus.players import Player, searches
from ludus.players.evaluators import MultiPhase
from ludus.players.searches import AlphaBeta, Budget, Ept, Minimax, Pvs, Search, Uct

NODES = 2000  # a move, unless a budget is given
GAMES = 20  # of each pair, unless a number is given: both ladders take minutes

_PATH = 4  # plies down the tree before a play-out that is cut short

# Alpha-beta that searches every move to its full depth, and on only while a capture is forced.
_FULL = AlphaBeta(reductions=False)

# The search of each player in its paper or, where the paper does not say, in the code it comes from. No source states
# the depth of VisionDraughts and MP-Draughts: 6 is ours. A player that is not here plays as its file says.
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
UCT = (
    300,
    3000,
)  # play-outs on the ladder of the papers: the number in the public code of the evolved player, and ten times as many


class Roster(Struct, frozen=True, kw_only=True):
    """The players of one ladder."""

    key: str  # the ladder's folder
    title: str
    note: str
    players: tuple[Player, ...]


def nodes_a_move(budget: str | None) -> int:
    """The nodes of a budget such as nodes=2000; NODES for None. Raises ValueError for a budget of another kind."""
    found = Budget(nodes=NODES) if budget is None else Budget.parse(budget)
    if found.nodes is None:
        raise ValueError(f"equal budgets are of nodes, as nodes={NODES}, not of {found.unit}")
    return found.nodes


def rosters(game: str, count: int) -> list[Roster]:
    """The rosters of both ladders of a game, with `count` nodes a move on the first. Raises BadPlayer."""
    named = [player for player in players.named_players() if player.game == game]
    length = games.find(game).playout_plies
    return [
        Roster(
            key="equal",
            title=f"Equal nodes: {count:,} a move",
            note=(
                f"Every player with an evaluator searches {count:,} positions a move by alpha-beta, or by pvs if "
                "that is its own search. "
                f"A play-out of UCT counts as {length} positions, one of EPT as its plies and {_PATH} more. The larger "
                "UCT has as many play-outs as the other players have positions."
            ),
            players=tuple(each for player in named for each in _equal(player, count)),
        ),
        Roster(
            key="papers",
            title="As in the papers",
            note=(
                "Each player has the search of its paper, or its own where no paper says one. The depth is that of the "
                "paper or of its code. No source states one for VisionDraughts and MP-Draughts: 6 plies are ours."
            ),
            players=tuple(each for player in named for each in _paper(player)),
        ),
    ]


def examined(game: str, count: int) -> list[Player]:
    """The players of the ladder of equal nodes, and the generalist of each team alone."""
    named = [player for player in players.named_players() if player.game == game]
    generalists = [players.generalist(player) for player in named if isinstance(player.evaluator, MultiPhase)]
    return [each for player in (*named, *generalists) for each in _equal(player, count)]


def _equal(player: Player, count: int) -> Iterator[Player]:
    match player.search:
        case Uct():
            for playouts in (max(1, count // games.find(player.game).playout_plies), count):
                yield _with(player, player.search, Budget(playouts=playouts))
        case Ept():
            playouts = max(1, count // (player.search.plies + _PATH))
            yield _with(player, player.search, Budget(playouts=playouts))
        case _ if player.evaluator is not None:
            search = player.search if isinstance(player.search, AlphaBeta | Pvs) else AlphaBeta()
            yield _with(player, search, Budget(nodes=count))
        case _:
            yield player


def _paper(player: Player) -> Iterator[Player]:
    if isinstance(player.search, Uct):
        for playouts in UCT:
            yield _with(player, player.search, Budget(playouts=playouts))
    elif player.name in PAPERS:
        yield _with(player, *PAPERS[player.name])
    else:
        yield _with(player, player.search, searches.checked_budget(player.search, player.budget))


def _with(player: Player, search: Search, budget: Budget | None) -> Player:
    """The player with this search and budget, and the budget in its name."""
    name = f"{player.name}@{budget}" if budget else player.name
    return msgspec.structs.replace(player, name=name, search=search, budget=budget)
