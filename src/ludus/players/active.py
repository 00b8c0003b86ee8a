"""An active player: a player with its search and evaluator built, ready to choose moves."""

from collections.abc import Callable
from typing import Any

from ludus import games
from ludus.players import evaluators, searches
from ludus.players.player import BadPlayer, Player
from ludus.players.searches import Benchmark


class ActivePlayer:
    """A player at the board. It may be used by one thread at a time.

    Raises BadPlayer when the parts of the player do not fit together.
    """

    def __init__(self, player: Player, *, exact: bool = False) -> None:
        self.player = player
        core = games.core(player.game)
        evaluator = None
        try:
            budget = searches.checked_budget(player.search, player.budget)
            self.budget = searches.core_budget(player.search, budget)
            if isinstance(player.search, Benchmark) and player.game != "tictactoe3d":
                raise ValueError("the benchmark player knows only tictactoe3d")
            if player.evaluator is None:
                if searches.needs_evaluator(player.search):
                    raise ValueError(f"{searches.kind(player.search)} needs an evaluator")
                if player.theta is not None:
                    raise ValueError("it has weights and no network")
            else:
                if player.game not in evaluators.GAMES[type(player.evaluator)]:
                    raise ValueError(f"its evaluator does not know {player.game}")
                evaluator = player.evaluator.build(core, player.theta)
            self.search = searches.build(player.search, core, evaluator, exact=exact)
        except ValueError as error:
            raise BadPlayer(f"the player {player.name} does not fit together: {error}") from error

    def think(self, history: Any, *, seed: int = 0, report: Callable[[Any], bool] | None = None) -> Any:
        """What it finds in the present position of `history`; `report` sees it growing and says whether to go on."""
        budget = self.budget
        return self.search.search(
            history, depth=budget.depth, nodes=budget.nodes, seconds=budget.seconds, seed=seed, report=report
        )

    def choose(self, history: Any, *, seed: int = 0) -> Any:
        """The move it plays."""
        return self.think(history, seed=seed).variation[0]
