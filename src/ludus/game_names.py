"""The names of the games. They are not in `ludus.games` because that loads the core, which `ludus --help` must not."""

from typing import Literal, get_args

GameName = Literal["draughts", "tictactoe3d"]

GAME_NAMES: tuple[GameName, ...] = get_args(GameName)
DEFAULT_GAME = GAME_NAMES[0]  # when neither an option, a position nor a player tells the game
