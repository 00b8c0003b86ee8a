"""What Python holds of a batch of games of the core, as a Protocol."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class CoreBatch(Protocol):
    """Many games that move on together. `ludus.envs.BatchGames` is its public face and says what the arrays hold."""

    @property
    def rewards(self) -> NDArray[np.float32]:
        """Of the side that moved."""
        ...

    @property
    def ended(self) -> NDArray[np.uint8]:
        """Whether the move ended the game."""
        ...

    @property
    def reasons(self) -> NDArray[np.int8]:
        """Why."""
        ...

    @property
    def sides(self) -> NDArray[np.uint8]:
        """The side to move."""
        ...

    @property
    def numbers(self) -> NDArray[np.int64]:
        """Of the games."""
        ...

    def reset(self, seed: int, observations: NDArray[np.float32] | None, masks: NDArray[np.bool_] | None, /) -> None:
        """Begins again with the first games of a seed."""
        ...

    def step(
        self,
        actions: NDArray[np.int32],
        observations: NDArray[np.float32] | None,
        masks: NDArray[np.bool_] | None,
        /,
    ) -> None:
        """Plays an action in each game. Raises IllegalMove before anything has changed."""
        ...

    def random_actions(self, actions: NDArray[np.int32], /) -> None:
        """Writes a random legal action for each game."""
        ...

    def legal_actions(self) -> int:
        """The number of legal actions of all games together."""
        ...

    def afterstates(
        self, slots: NDArray[np.int32], actions: NDArray[np.int32], observations: NDArray[np.float32], /
    ) -> None:
        """Writes all legal actions and the planes after each of them."""
        ...

    def position(self, slot: int, /) -> Any:
        """The present position of a game."""
        ...
