"""Environments for other people's learning programs.

| module | what it has | what it needs |
|---|---|---|
| `ludus.envs` | `BatchGames`, thousands of games at a `Step` | NumPy |
| `ludus.envs.draughts_v0`, `ludus.envs.tictactoe3d_v0` | PettingZoo: two agents in turn | the extra `rl` |
| `ludus.envs.gym` | Gymnasium: one agent against a player of this package | the extra `rl` |
| `ludus.envs.openspiel` | OpenSpiel: our games, and bots both ways | OpenSpiel |
"""

from ludus.envs.batch import BatchGames, Step

__all__ = ["BatchGames", "Step"]
