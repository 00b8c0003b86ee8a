"""Batches of games: NumPy arrays in and out, thousands of games a step in the core."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludus import games
from ludus.games import DrawRules, Game, GameName, IllegalMove, Position

Floats = NDArray[np.float32]
Masks = NDArray[np.bool_]


class Step(NamedTuple):
    """What a step gives: a row or an element for each game.

    Where a game has ended, the observation and the mask are those of the game that follows.

    Examples:
        >>> step = BatchGames("tictactoe3d", 2, seed=1).reset()
        >>> step.ended.tolist()
        [False, False]
    """

    observations: Floats  # the planes of the side to move
    masks: Masks  # which actions are legal
    rewards: Floats  # of the side that moved: 1 won, -1 lost, 0 while the game goes on and for a draw
    ended: Masks  # whether the move ended the game


class BatchGames:
    """`n` games of one kind that move on together.

    `reset` and `step` fill arrays and return them: the batch's own, or the caller's, which are filled without a copy.
    The next step overwrites the batch's own arrays. A game that ends is replaced at once by a new one: place i plays
    the games number i, i + n, i + 2n and so on. The random numbers of a game come from `seed` and its number, so the
    same seed and the same actions give the same games, whatever `threads` is. One thread at a time may use a batch;
    Python's other threads go on while it works.

    `opening_plies` random moves begin each game, fewer where games are not so long. `rules` are the draw rules, the
    official ones by default. Raises ValueError for values that cannot be.

    Examples:
        >>> batch = BatchGames("tictactoe3d", 1000, seed=1)
        >>> step = batch.reset()
        >>> step.observations.shape, step.masks.shape
        ((1000, 8, 4, 4), (1000, 16))
        >>> while not step.ended.any():
        ...     step = batch.step(batch.random_actions())
        >>> step.rewards[step.ended].tolist()  # the side that moved has won
        [1.0, 1.0, 1.0]
    """

    def __init__(
        self,
        game: Game | GameName,
        n: int,
        *,
        seed: int = 0,
        rules: DrawRules | None = None,
        opening_plies: int = 0,
        threads: int = 1,
    ) -> None:
        self.game = games.find(game) if isinstance(game, str) else game
        core = self.game.core
        if not isinstance(rules, DrawRules | None):
            raise ValueError(f"rules are DrawRules, not {rules!r}")
        try:
            self._core = core.BatchGames(
                n, seed=seed, rules=rules or DrawRules(), opening_plies=opening_plies, threads=threads
            )
        except TypeError as error:
            raise ValueError("n, seed, opening_plies and threads are whole numbers, 0 or more") from error
        self.n = n
        self.actions = core.ACTIONS
        self.shape = core.encoders()["planes"]
        self._seed = seed
        self._core.reset(seed, None, None)  # fills `sides` and `numbers`
        self._observations: Floats | None = None
        self._masks: Masks | None = None

    def reset(self, seed: int | None = None, *, observations: Floats | None = None, masks: Masks | None = None) -> Step:
        """Begins again with the first games of a seed, the one before if none is given."""
        seen, legal = self._outputs(observations, masks)
        chosen = self._seed if seed is None else seed
        try:
            self._core.reset(chosen, seen, legal)
        except TypeError as error:
            raise ValueError(f"a seed is a whole number from 0 to 2^64 - 1, not {chosen!r}") from error
        self._seed = chosen
        return self._step(seen, legal)

    def step(self, actions: ArrayLike, *, observations: Floats | None = None, masks: Masks | None = None) -> Step:
        """Plays an action in each game: `actions` has `n` whole numbers.

        Raises IllegalMove, with the number of the game and its legal moves, before anything has changed; ValueError
        for an array that does not fit.
        """
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise ValueError(f"actions are {self.n} whole numbers, not {given.dtype} of shape {given.shape}")
        chosen = np.ascontiguousarray(given, np.int32)
        if (changed := chosen != given).any():  # int32 cannot hold it, so it has become another number
            place = int(changed.argmax())
            raise IllegalMove(f"game {place}: action {given[place]} is not one of 0 to {self.actions - 1}")
        seen, legal = self._outputs(observations, masks)
        self._core.step(chosen, seen, legal)
        return self._step(seen, legal)

    def random_actions(self) -> NDArray[np.int32]:
        """A legal action for each game, all of them equally likely; drawn from the stream of its game."""
        actions = np.empty(self.n, np.int32)
        self._core.random_actions(actions)
        return actions

    def afterstates(self) -> tuple[NDArray[np.int32], NDArray[np.int32], Floats]:
        """All legal actions: the places of their games, the actions, and the planes after each of them.

        The planes are seen by the side that made the move. They are those of the position alone: what the draw rules
        count is not in them.
        """
        count = self._core.legal_actions()
        places, actions = np.empty(count, np.int32), np.empty(count, np.int32)
        observations = np.empty((count, *self.shape), np.float32)
        self._core.afterstates(places, actions, observations)
        return places, actions, observations

    @property
    def sides(self) -> NDArray[np.uint8]:
        """The sides to move: 0 is the side that moves first in its game."""
        return self._core.sides

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The numbers of the games that are under way."""
        return self._core.numbers

    @property
    def reasons(self) -> NDArray[np.int8]:
        """Why the games that the last step ended have ended: the value of a Reason; -1 for the others."""
        return self._core.reasons

    def position(self, place: int) -> Position:
        """The present position of a game. Raises IndexError."""
        if not 0 <= place < self.n:
            raise IndexError(f"there is no game {place}: there are 0 to {self.n - 1}")
        position: Position = self._core.position(place)
        return position

    def _outputs(self, observations: Floats | None, masks: Masks | None) -> tuple[Floats, Masks]:
        if observations is None:
            if self._observations is None:
                self._observations = np.empty((self.n, *self.shape), np.float32)
            observations = self._observations
        if masks is None:
            if self._masks is None:
                self._masks = np.empty((self.n, self.actions), np.bool_)
            masks = self._masks
        _check(observations, (self.n, *self.shape), np.float32, "observations")
        _check(masks, (self.n, self.actions), np.bool_, "masks")
        return observations, masks

    def _step(self, observations: Floats, masks: Masks) -> Step:
        return Step(observations, masks, self._core.rewards, self._core.ended.view(np.bool_))


def _check(array: NDArray[np.generic], shape: tuple[int, ...], dtype: type, name: str) -> None:
    if (
        not isinstance(array, np.ndarray)
        or array.shape != shape
        or array.dtype != dtype
        or not array.flags.c_contiguous
        or not array.flags.writeable
    ):
        raise ValueError(f"{name} needs a writable {np.dtype(dtype)} array of shape {shape} in C order")
