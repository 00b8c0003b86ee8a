"""PettingZoo's environment for a game of two sides that take turns; draughts_v0 and tictactoe3d_v0 are made of it.

The agents are `player_0`, which moves first in the game, and `player_1`. An observation is a dictionary: `observation`,
the planes as the agent sees them, and `action_mask`, 1 for each legal action, all 0 when the other agent is to move.
"""

from typing import Any

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
except ImportError as error:
    raise ModuleNotFoundError(f"{error.name} is not installed: pip install 'ludus[rl]'", name=error.name) from error

import numpy as np
from numpy.typing import NDArray

from ludus.envs.rendering import RENDER_MODES, checked_mode, rendered
from ludus.envs.table import Illegal, Table
from ludus.games import Game

Observation = dict[str, NDArray[Any]]


class TurnsEnv(AECEnv[str, Observation, int]):
    """A game between two agents.

    `render_mode` is human, ansi or rgb_array. `max_cycles` is the most moves of each side. `illegal` says what an
    illegal action does: `error` raises IllegalMove, `loss` ends the game, `random` plays a random legal move instead.
    `rules` are those draw rules that the game has. Raises ValueError.
    """

    def __init__(
        self,
        game: Game,
        name: str,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        illegal: Illegal = "error",
        **rules: Any,
    ) -> None:
        super().__init__()
        self.metadata = {"name": name, "render_modes": RENDER_MODES, "is_parallelizable": False, "render_fps": 2}
        self.render_mode = checked_mode(render_mode)
        self.table = Table(game, illegal=illegal, max_cycles=max_cycles, **rules)
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        planes = spaces.Box(0.0, 1.0, self.table.shape, np.float32)
        mask = spaces.Box(0, 1, (self.table.actions,), np.int8)
        self._observation_spaces = {
            agent: spaces.Dict({"observation": planes, "action_mask": mask}) for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(self.table.actions) for agent in self.possible_agents}
        self._rng, _ = seeding.np_random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The planes and the mask."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The ids of moves."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game, at `options["position"]` if that is given. Raises BadPosition or ValueError."""
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        self.table.reset(options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.side]
        self._show()

    def step(self, action: int | None) -> None:
        """Plays an action of the agent whose turn it is; None for an agent whose game is over. Raises IllegalMove."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.table.act(action, self._rng)  # type: ignore[arg-type]  # None is refused there
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, self.table.result, strict=True))
        if self.table.is_over:
            truncated = self.table.is_truncated
            self.terminations = dict.fromkeys(self.agents, not truncated)
            self.truncations = dict.fromkeys(self.agents, truncated)
            self.infos = {agent: {"outcome": self.table.ending} for agent in self.agents}
        self.agent_selection = self.possible_agents[1 - self.possible_agents.index(agent)]
        self._accumulate_rewards()
        self._show()

    def observe(self, agent: str) -> Observation:
        """What an agent sees."""
        side = self.possible_agents.index(agent)
        return {"observation": self.table.observation(side), "action_mask": self.table.mask(side)}

    def render(self) -> Any:
        """The board, by the render mode."""
        return rendered(self.table, self.render_mode)

    def close(self) -> None:
        """Nothing has to be closed."""

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def ordered(env: TurnsEnv) -> Any:
    """The environment with a wrapper that refuses calls in the wrong order."""
    return wrappers.OrderEnforcingWrapper(env)


def in_parallel(env: TurnsEnv) -> Any:
    """The same for programs that give an action of every agent: at each step the agent whose turn it is moves."""
    return turn_based_aec_to_parallel(ordered(env))
