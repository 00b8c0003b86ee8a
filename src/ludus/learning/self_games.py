"""Games of a player against itself, as tasks for workers: what each plays depends on the task and on nothing else."""

from msgspec import Struct

from ludus import games
from ludus._core import Budget as CoreBudget
from ludus.arena.task import Rules
from ludus.endgames import load as load_tables
from ludus.games import GameName
from ludus.games.core import SelfPlay
from ludus.players.evaluators import PhaseNetwork
from ludus.players.networks import Theta
from ludus.players.searches import Pvs, build

_TABLE = 1  # megabytes of the transposition table: enough for some hundred nodes a move


class GamesTask(Struct, frozen=True, kw_only=True):
    """Games number `first` and on of a seed."""

    game: GameName
    first: int
    games: int
    seed: int
    network: PhaseNetwork | None  # None for random games
    theta: Theta | None  # of the network
    rules: Rules
    nodes: int  # a move
    even: float  # value beyond which most openings are drawn anew; 1 takes all
    endgames: int  # end games by the tables of up to so many pieces; 0: play them out


class GamesResult(Struct, frozen=True, kw_only=True):
    """What came of them, counted for the side that moved first."""

    positions: bytes
    wins: int
    draws: int
    losses: int
    plies: int
    by_table: int  # games that endgame tables ended


def play(task: GamesTask) -> GamesResult:
    """Plays the games of a task."""
    core = games.find(task.game).core
    search = None
    if task.network is not None:
        # The value of a position is to be its own: not less because the moves before it were quiet. Searches of some
        # hundred nodes are too shallow for singular moves.
        kind = Pvs(draw_rule=False, singular=False, table_megabytes=_TABLE, endgames=task.endgames)
        search = build(kind, core, task.network.build(core, task.theta))
    found: SelfPlay = core.self_play(
        search,
        CoreBudget(nodes=task.nodes),
        first=task.first,
        games=task.games,
        seed=task.seed,
        even=task.even,
        rules=task.rules.core(),
        tables=load_tables(task.endgames).core if task.endgames else None,
    )
    return GamesResult(
        positions=found.positions,
        wins=found.wins,
        draws=found.draws,
        losses=found.losses,
        plies=found.plies,
        by_table=found.by_table,
    )
