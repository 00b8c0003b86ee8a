"""Tic-Tac-Toe 3D for PettingZoo: `env()`, `raw_env()` and `parallel_env()`. docs/environments.md describes them."""

from typing import Any

from ludus.envs.table import Illegal
from ludus.envs.turns import TurnsEnv, in_parallel, ordered
from ludus.games import tictactoe3d

__all__ = ["env", "parallel_env", "raw_env"]


class raw_env(TurnsEnv):  # noqa: N801  # PettingZoo's name
    """The environment without wrappers. `TurnsEnv` describes the options. Only a full board is a draw by the rules.

    Examples:
        >>> raw_env().possible_agents
        ['player_0', 'player_1']
    """

    def __init__(
        self, *, render_mode: str | None = None, max_cycles: int | None = None, illegal: Illegal = "error"
    ) -> None:
        super().__init__(
            tictactoe3d.GAME, "tictactoe3d_v0", render_mode=render_mode, max_cycles=max_cycles, illegal=illegal
        )


def env(**options: Any) -> Any:
    """The environment, which refuses calls in the wrong order; `raw_env` describes the options.

    Examples:
        >>> game = env(max_cycles=10)
        >>> game.reset(seed=1)
        >>> game.last()[0]["action_mask"].shape, int(game.last()[0]["action_mask"].sum())
        ((16,), 16)
    """
    return ordered(raw_env(**options))


def parallel_env(**options: Any) -> Any:
    """The environment for one action of each agent a step; `raw_env` describes the options.

    Examples:
        >>> game = parallel_env()
        >>> observations, infos = game.reset(seed=1)
        >>> sorted(observations)
        ['player_0', 'player_1']
    """
    return in_parallel(raw_env(**options))
