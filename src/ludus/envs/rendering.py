"""How environments show a game: as text, in the terminal, or as pixels."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ludus.envs import pictures
from ludus.envs.table import Table
from ludus.terminal import board

RENDER_MODES = ["human", "ansi", "rgb_array"]
RenderMode = Literal["human", "ansi", "rgb_array"]


def checked_mode(mode: str | None) -> str | None:
    """The mode. Raises ValueError if there is no such mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)}, not {mode!r}")
    return mode


def rendered(table: Table, mode: str | None) -> str | NDArray[np.uint8] | None:
    """The game as text or pixels; `human` prints it to the terminal, in colour where that has it. None for no mode."""
    if mode == "rgb_array":
        return pictures.board(table.position, table.last_move)
    if mode == "ansi":
        return board.drawn(table.position, board.Style(), table.last_move) + "\n"
    if mode == "human":
        print(board.drawn(table.position, board.Style.of_terminal(), table.last_move), end="\n\n", flush=True)
    return None
