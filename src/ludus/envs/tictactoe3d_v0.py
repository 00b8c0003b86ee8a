"""Tic-Tac-Toe 3D for PettingZoo: `env()`, `raw_env()` and `parallel_env()`. docs/environments.md describes them."""

from ludus.envs.table import Illegal
from ludus.envs.turns import TurnsEnv, in_parallel, ordered
from ludus.games import tictactoe3d

__all__ = ["env", "parallel_env", "raw_env"]


class raw_env(TurnsEnv):  # noqa: N801  # PettingZoo's name
    """The environment without wrappers. `TurnsEnv` describes the options. Only a full board is a draw by the rules."""

    def __init__(
        self, *, render_mode: str | None = None, max_cycles: int | None = None, illegal: Illegal = "error"
    ) -> None:
        super().__init__(
            tictactoe3d.GAME, "tictactoe3d_v0", render_mode=render_mode, max_cycles=max_cycles, illegal=illegal
        )


env = ordered(raw_env)
parallel_env = in_parallel(raw_env)
