"""Gymnasium: one agent against a player of this package. Importing this module registers the environments.

`gymnasium.make("ludus.envs.gym:ludus/draughts-v0", opponent="champion@nodes=1000")` makes one; the other is
`ludus/tictactoe3d-v0`. An observation is the planes that the agent sees. Each `info` has `action_mask`, 1 for each
legal action, and `action_masks()` gives the same. `Opponent` and `Side` are the types of two options.
docs/environments.md describes them.

    >>> from typing import get_args
    >>> from ludus.envs import gym
    >>> get_args(gym.Side)
    ('first', 'second', 'random')
    >>> str in get_args(gym.Opponent)
    True
"""

from collections.abc import Callable
from typing import Any, Literal

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise ModuleNotFoundError(f"{error.name} is not installed: pip install 'ludus[rl]'", name=error.name) from error

import numpy as np
from numpy.typing import NDArray

from ludus import games, players
from ludus.envs.rendering import RENDER_MODES, checked_mode, rendered
from ludus.envs.table import Illegal, Table
from ludus.games import GameName, History, Move
from ludus.players import ActivePlayer, Player
from ludus.players.searches import Budget

Side = Literal["first", "second", "random"]
Opponent = str | Player | Callable[[History, int], Move]
_SIDES = {"first": 0, "second": 1}
_MOST_SEEDS = 2**31  # the seeds of an opponent are drawn below it

__all__ = ["AgainstPlayer", "Opponent", "Side"]


class AgainstPlayer(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One agent against an opponent; a step is a move of the agent and the answer to it.

    The reward is 1 for a won game, -1 for a lost one, else 0. The opponent is a player by name, as on the command line,
    a Player, or a function of a history and a seed that returns a move. `budget`, as in "nodes=1000", replaces the
    budget of a player. `side` is that of the agent: first, second, or random for each game. `render_mode` is human,
    ansi or rgb_array. `max_cycles` is the most moves of each side. `illegal` says what an illegal action does: `error`
    raises IllegalMove, `loss` ends the game, `random` plays a random legal move instead. `rules` are draw rules: see
    DrawRules. Raises ValueError, and BadPlayer for a player that does not exist or plays another game.

    Examples:
        >>> env = gymnasium.make("ludus/tictactoe3d-v0", opponent="benchmark", side="first")
        >>> observation, info = env.reset(seed=1)
        >>> observation.shape, int(info["action_mask"].sum())
        ((8, 4, 4), 16)
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012  # as Gymnasium declares it

    def __init__(
        self,
        game: GameName,
        *,
        opponent: Opponent = "random",
        budget: str | None = None,
        side: Side = "random",
        render_mode: str | None = None,
        max_cycles: int | None = None,
        illegal: Illegal = "error",
        **rules: Any,
    ) -> None:
        if side not in ("first", "second", "random"):
            raise ValueError(f"side is first, second or random, not {side!r}")
        self.render_mode = checked_mode(render_mode)
        self.table = Table(games.find(game), illegal=illegal, max_cycles=max_cycles, **rules)
        self.observation_space = spaces.Box(0.0, 1.0, self.table.shape, np.float32)
        self.action_space = spaces.Discrete(self.table.actions)
        self._side = side
        self._agent = 0
        self._choose = _chooser(opponent, game, budget)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begins a game, at `options["position"]` if that is given. If the opponent moves first, it has moved.

        Raises BadPosition, and ValueError if the agent has no move there.
        """
        super().reset(seed=seed)
        self._agent = _SIDES[self._side] if self._side in _SIDES else int(self.np_random.integers(2))
        self.table.reset(options)
        self._answer()
        if self.table.is_over:
            raise ValueError(f"the opponent's first move ends the game in {self.table.history.start.text}")
        self._show()
        return self.table.observation(self._agent), self._info()

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Plays an action and the opponent's answer. Raises IllegalMove."""
        self.table.act(action, self.np_random)
        if not self.table.is_over:
            self._answer()
        over, truncated = self.table.is_over, self.table.is_truncated
        self._show()
        reward = self.table.result[self._agent]
        return self.table.observation(self._agent), reward, over and not truncated, truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal: what learners with masks ask for."""
        return self.table.mask().astype(np.bool_)

    def render(self) -> Any:
        """The board, by the render mode."""
        return rendered(self.table, self.render_mode)

    def _answer(self) -> None:
        if self.table.side != self._agent:
            self.table.history.play(self._choose(self.table.history, int(self.np_random.integers(_MOST_SEEDS))))

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.table.mask(), "side": self._agent}
        return info | ({"outcome": self.table.ending} if self.table.is_over else {})

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def _chooser(opponent: Opponent, game: GameName, budget: str | None) -> Callable[[History, int], Move]:
    if isinstance(opponent, str):
        opponent = players.find(opponent, game)
    if isinstance(opponent, Player):
        if opponent.game != game:
            raise players.BadPlayer(f"{opponent.name} plays {opponent.game}, not {game}")
        active = ActivePlayer(opponent.with_budget(Budget.parse(budget)) if budget else opponent)
        return lambda history, seed: active.choose(history, seed=seed)
    if not callable(opponent):
        raise ValueError(f"an opponent is the name of a player, a Player or a function, not {opponent!r}")
    if budget:
        raise ValueError("an opponent that is a function takes no budget")
    return opponent


for _name in games.GAME_NAMES:
    gymnasium.register(f"ludus/{_name}-v0", entry_point="ludus.envs.gym:AgainstPlayer", kwargs={"game": _name})
