"""An active player: a player with its search and evaluator built, ready to choose moves."""

from collections.abc import Callable

from ludus import games
from ludus.endgames import BadTable, NoTable
from ludus.games import History, Move
from ludus.games.core import Analysis
from ludus.players import evaluators, searches
from ludus.players.player import BadPlayer, Player


class ActivePlayer:
    """A player with its evaluator and search built. It may be used by one thread at a time.

    `exact` makes alpha-beta find the exact value of every move, not only of the best. Raises BadPlayer when the parts
    of the player do not fit together, or the endgame tables it uses are not there.

    Examples:
        >>> from ludus import players
        >>> from ludus.games import draughts
        >>> player = ActivePlayer(players.find("material@depth=4"))
        >>> analysis = player.think(draughts.History(draughts.START))
        >>> analysis.depth, str(analysis.variation[0]) == str(player.choose(draughts.History(draughts.START)))
        (4, True)
    """

    def __init__(self, player: Player, *, exact: bool = False) -> None:
        self.player = player
        core = games.find(player.game).core
        evaluator = None
        try:
            budget = searches.checked_budget(player.search, player.budget)
            self.budget = searches.core_budget(player.search, budget)
            if not searches.fits(player.search, player.game):
                raise ValueError(f"its search, {searches.kind(player.search)}, does not know {player.game}")
            if player.evaluator is None:
                if searches.needs_evaluator(player.search):
                    raise ValueError(f"{searches.kind(player.search)} needs an evaluator")
                if player.theta is not None:
                    raise ValueError("it has weights and no network")
            else:
                if not evaluators.fits(player.evaluator, player.game):
                    raise ValueError(f"its evaluator does not know {player.game}")
                evaluator = player.evaluator.build(core, player.theta)
            self.search = searches.build(player.search, core, evaluator, exact=exact)
        except (NoTable, BadTable) as error:
            raise BadPlayer(f"{player.name} uses endgame tables: {error}") from error
        except ValueError as error:
            raise BadPlayer(f"the player {player.name} does not fit together: {error}") from error

    def think(self, history: History, *, seed: int = 0, report: Callable[[Analysis], bool] | None = None) -> Analysis:
        """Searches the present position. `report` is given each iteration's result and returns whether to go on."""
        budget = self.budget
        return self.search.search(
            history, depth=budget.depth, nodes=budget.nodes, seconds=budget.seconds, seed=seed, report=report
        )

    def choose(self, history: History, *, seed: int = 0) -> Move:
        """The move it plays."""
        return self.think(history, seed=seed).variation[0]
