"""Players: a name, a game, an evaluator (or none) and a search with its budget; one file on disk."""

from typing import cast, get_args

import msgspec
from msgspec import Struct

from ludus import games
from ludus._core import INSTRUCTION_SET as INSTRUCTION_SET
from ludus.game_names import DEFAULT_GAME
from ludus.games import GameName
from ludus.harmless import harmless
from ludus.players import evaluators, functions, searches
from ludus.players.evaluators import Dynamics, Evaluator, MultiPhase
from ludus.players.functions import Function, ValueFunction
from ludus.players.networks import Theta
from ludus.players.searches import AlphaBeta, Budget, Greedy, Pvs, Search

LONGEST_NAME = 100


class BadPlayer(ValueError):
    """A player that does not exist, does not fit together, or is in a broken file. The message says which.

    Examples:
        >>> from ludus import players
        >>> try:
        ...     players.find("nobody")
        ... except players.BadPlayer as error:
        ...     print(str(error)[:36])
        there is no player nobody: name a fi
    """


class Provenance(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where a player comes from.

    Examples:
        >>> from ludus import players
        >>> players.find("champion").made.command.split()[:3]
        ['ludus', 'train', 'champion']
    """

    command: str = ""
    seed: int | None = None
    date: str = ""
    version: str = ""  # of Ludus
    instructions: str = ""  # the instruction set of the build: builds for other ones give other bits


class Player(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, eq=False):
    """Chooses moves.

    Examples:
        >>> from ludus import players
        >>> player = players.find("material@depth=4")
        >>> print(player.describe())
        material@depth=4, a player of draughts
        search: alphabeta, depth=4 a move
        evaluator: counts what is on the board
    """

    name: str
    game: GameName
    search: Search
    evaluator: Evaluator | None = None
    budget: Budget | None = None  # the search's usual one where there is none
    made: Provenance = Provenance()
    theta: Theta | None = None  # the weights of the evaluator's network, float32; in the file they are a tensor

    def __post_init__(self) -> None:
        if not (self.name.isprintable() and 1 <= len(self.name) <= LONGEST_NAME):
            raise ValueError("a player's name is 1 to 100 printable characters on a line")

    @classmethod
    def from_function(
        cls,
        function: ValueFunction,
        *,
        game: GameName = DEFAULT_GAME,
        name: str = "",
        search: Search | str = "alphabeta",
        budget: Budget | str | None = None,
        theta: Theta | None = None,
    ) -> "Player":
        """A player whose evaluator is a function of Python.

        The function is given a list of positions, and returns a value for each: a number from -1 to 1 for the side to
        move. If there is `theta`, it is the function's second argument. The search and the budget may be given by name,
        as in search="ept", budget="playouts=100". The player plays in this process only, unless an installed package
        offers the function. Raises ValueError for a search or a budget that does not fit.
        """
        chosen = searches.of_kind(search) if isinstance(search, str) else search
        if not searches.needs_evaluator(chosen):
            raise ValueError(f"{searches.kind(chosen)} uses no evaluator: choose a search that does")
        given = Budget.parse(budget) if isinstance(budget, str) else budget
        if given is None and chosen in (AlphaBeta(), Pvs()):
            given = Budget(depth=3)  # a function takes far longer than the evaluators of the core
        registered = functions.register(function)
        return cls(
            name=name or registered.partition(":")[2],
            game=game,
            search=chosen,
            evaluator=Function(registered),
            budget=searches.checked_budget(chosen, given) if searches.takes_budget(chosen) or given else None,
            theta=theta,
        )

    def with_budget(self, budget: Budget) -> "Player":
        """The same player with another budget; a greedy one looks further with it, by the same values.

        Raises ValueError for a budget that its search cannot keep to.
        """
        search = AlphaBeta() if isinstance(self.search, Greedy) else self.search
        return msgspec.structs.replace(self, search=search, budget=searches.checked_budget(search, budget))

    def with_search(self, search: Search) -> "Player":
        """The same player with another search, and that search's usual budget if it cannot keep to its own.

        Raises ValueError for a search that does not know its game, or needs an evaluator that it does not have.
        """
        if not searches.fits(search, self.game):
            raise ValueError(f"{searches.kind(search)} does not know {self.game}")
        if searches.needs_evaluator(search) != (self.evaluator is not None):
            has = "needs an evaluator" if self.evaluator is None else "uses no evaluator"
            raise ValueError(f"{searches.kind(search)} cannot be the search of {self.name}: it {has}")
        budget = self.budget if self.budget and searches.takes(search, self.budget) else None
        return msgspec.structs.replace(self, search=search, budget=budget)

    def with_endgames(self, pieces: int) -> "Player":
        """The same player with endgame tables of up to so many pieces; 0 for none.

        Raises ValueError if its search does not use tables, NoTable if they are not there.
        """
        if not isinstance(self.search, AlphaBeta | Pvs):
            raise ValueError(f"{searches.kind(self.search)} does not use endgame tables, only alphabeta and pvs do")
        if pieces and not games.find(self.game).has_endgames:
            raise ValueError(f"there are no endgame tables of {self.game}")
        search = msgspec.structs.replace(self.search, endgames=pieces)
        searches.endgame_tables(search)
        return msgspec.structs.replace(self, search=search)

    def with_dynamics(self, dynamics: str) -> "Player":
        """The same team with the other dynamics: DI asks the map once a game, DII at every own move.

        Raises ValueError for a player that is no team, or another word.
        """
        if not isinstance(self.evaluator, MultiPhase):
            raise ValueError(f"{self.name} has no dynamics: only a multi-phase player such as mp-draughts has them")
        if dynamics not in get_args(Dynamics):
            raise ValueError(f"the dynamics of a team are {' or '.join(get_args(Dynamics))}, not '{dynamics}'")
        team = msgspec.structs.replace(self.evaluator, dynamics=cast(Dynamics, dynamics))
        return msgspec.structs.replace(self, evaluator=team)

    def describe(self) -> str:
        """A few lines for a person."""
        budget = searches.checked_budget(self.search, self.budget)
        options = searches.changed_options(self.search)
        endgames = options.pop("endgames", None)
        lines = [
            f"{self.name}, a player of {self.game}",
            f"search: {searches.kind(self.search)}" + (f", {budget} a move" if budget else ""),
            f"evaluator: {self.evaluator or 'none'}",
        ]
        if options:
            lines[1] += f"; {', '.join(f'{name} {value}' for name, value in options.items())}"
        if endgames:
            lines.insert(2, f"endgame tables: up to {endgames} pieces")
        if (activation := evaluators.activation(self.evaluator)) not in (None, "tanh"):
            lines.append(f"activation: {activation}")
        if self.theta is not None:
            weights = f"{self.theta.size} weights from {self.theta.min():.3f} to {self.theta.max():.3f}"
            lines.append(f"{weights}, mean {self.theta.mean():.3f}, standard deviation {self.theta.std():.3f}")
        made = [f"by {self.made.command}"] if self.made.command else []
        made += [f"seed {self.made.seed}"] if self.made.seed is not None else []
        made += [self.made.date] if self.made.date else []
        made += [f"Ludus {self.made.version}"] if self.made.version else []
        made += [self.made.instructions] if self.made.instructions else []
        return harmless("\n".join(lines + ([f"made {', '.join(made)}"] if made else [])))
