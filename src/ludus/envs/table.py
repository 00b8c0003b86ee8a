"""A game at the table: what the environments of one game share. Actions in, observations, masks and results out."""

import operator
from typing import Any, Literal, SupportsIndex, get_args

import numpy as np
from numpy.typing import NDArray

from ludus.games import DrawRules, Game, IllegalMove, Move, Position, Reason

Illegal = Literal["error", "loss", "random"]  # what an illegal action does
_MOST_CYCLES = 10**9  # twice as many plies fit the core's number


class Table:
    """A game under way, its draw rules, and what an illegal action does.

    `error` raises IllegalMove, `loss` ends the game, and `random` plays a random legal move instead. `max_cycles` is
    the most moves of each side. Raises ValueError for values that cannot be.
    """

    def __init__(self, game: Game, *, illegal: Illegal, max_cycles: int | None, **rules: Any) -> None:
        if illegal not in get_args(Illegal):
            raise ValueError(f"illegal is one of {', '.join(get_args(Illegal))}, not {illegal!r}")
        if max_cycles is not None and not (isinstance(max_cycles, int) and 1 <= max_cycles <= _MOST_CYCLES):
            raise ValueError(f"max_cycles is a whole number from 1 to {_MOST_CYCLES:,}, not {max_cycles!r}")
        if rules and game.material is None:  # no position comes back, so only a full board is a draw
            raise ValueError(f"{game.name} has no draw rules, but {', '.join(rules)} was given")
        self.game = game
        self.illegal = illegal
        try:
            self.rules = DrawRules(plies=2 * (max_cycles or 0), **rules)
        except TypeError as error:
            raise ValueError(f"these are not draw rules: {rules}") from error
        self.actions = game.core.ACTIONS
        self.shape = game.core.encoders()["planes"]
        self.forfeit: int | None = None  # the side that lost by an illegal action
        self.reset()

    def reset(self, options: dict[str, Any] | None = None) -> None:
        """Begins a game: at `options["position"]`, a position or its text, if that is given.

        Raises BadPosition, and ValueError if the game is over there.
        """
        start = (options or {}).get("position", self.game.start)  # others are ignored: PettingZoo's own test has one
        start = self.game.position(start) if isinstance(start, str) else start
        if not isinstance(start, type(self.game.start)):
            raise ValueError(f"a position of {self.game.name} is a Position or its text, not {start!r}")
        self.history = self.game.history(start, self.rules)
        self.forfeit = None
        if outcome := self.history.outcome():
            raise ValueError(f"there is no move in {start.text}: {outcome}")

    @property
    def position(self) -> Position:
        """The present position."""
        return self.history.position

    @property
    def side(self) -> int:
        """The side to move: 0 is the side that moves first in the game."""
        return 0 if self.position.turn == self.game.first else 1

    @property
    def last_move(self) -> Move | None:
        """The last move, if there is one."""
        moves = self.history.moves
        return moves[-1] if moves else None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.forfeit is not None or self.history.outcome() is not None

    @property
    def is_truncated(self) -> bool:
        """Whether the limit of plies has ended it."""
        outcome = self.history.outcome()
        return outcome is not None and outcome.reason == Reason.LENGTH

    @property
    def result(self) -> tuple[float, float]:
        """The reward of each side: 1 won, -1 lost, 0 for a draw and while the game goes on."""
        if self.forfeit is not None:
            return (-1.0, 1.0) if self.forfeit == 0 else (1.0, -1.0)
        outcome = self.history.outcome()
        if outcome is None or outcome.winner is None:
            return 0.0, 0.0
        return (1.0, -1.0) if outcome.winner == self.game.first else (-1.0, 1.0)

    @property
    def ending(self) -> str:
        """How the game ended, as a sentence; empty while it goes on."""
        if self.forfeit is not None:
            return f"player {self.forfeit} chose an illegal action"
        return str(self.history.outcome() or "")

    def observation(self, side: int) -> NDArray[np.float32]:
        """The planes that a side sees: a new array."""
        planes = np.empty(self.shape, np.float32)
        self.game.core.observe(self.history, planes, afterstate=side != self.side)
        return planes

    def mask(self, side: int | None = None) -> NDArray[np.int8]:
        """1 for each legal action of a side, the side to move if none is named: a new array."""
        mask = np.zeros(self.actions, np.int8)
        if not self.is_over and side in (None, self.side):
            mask[[move.id for move in self.position.moves()]] = 1
        return mask

    def act(self, action: SupportsIndex, rng: np.random.Generator) -> None:
        """Plays an action of the side to move. Raises IllegalMove if illegal actions are errors."""
        if self.is_over:
            raise IllegalMove(f"the game is over: {self.ending}")
        try:
            move = self.position.move(operator.index(action))
        except (IllegalMove, TypeError, OverflowError, ValueError) as error:
            if self.illegal == "error":
                why = str(error) if isinstance(error, IllegalMove) else f"actions are 0 to {self.actions - 1}"
                raise IllegalMove(f"action {action}: {why}") from error
            if self.illegal == "loss":
                self.forfeit = self.side
                return
            moves = self.position.moves()
            move = moves[int(rng.integers(len(moves)))]
        self.history.play(move)
