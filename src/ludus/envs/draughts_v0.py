"""English draughts for PettingZoo: `env()`, `raw_env()` and `parallel_env()`. docs/environments.md describes them."""

from ludus.envs.table import Illegal
from ludus.envs.turns import TurnsEnv, in_parallel, ordered
from ludus.games import draughts

__all__ = ["env", "parallel_env", "raw_env"]


class raw_env(TurnsEnv):  # noqa: N801  # PettingZoo's name
    """The environment without wrappers.

    `repetitions`, `quiet_plies` and `blocked` are the draw rules: see DrawRules. `TurnsEnv` describes the others.
    """

    def __init__(
        self,
        *,
        render_mode: str | None = None,
        repetitions: int = 3,
        quiet_plies: int = 80,
        blocked: bool = False,
        max_cycles: int | None = None,
        illegal: Illegal = "error",
    ) -> None:
        super().__init__(
            draughts.GAME,
            "draughts_v0",
            render_mode=render_mode,
            repetitions=repetitions,
            quiet_plies=quiet_plies,
            blocked=blocked,
            max_cycles=max_cycles,
            illegal=illegal,
        )


env = ordered(raw_env)
parallel_env = in_parallel(raw_env)
