"""A whole random game as text: beside its golden file, any change of rules, notation or drawing shows as a diff.

`python tests/playthrough.py` writes the files anew.
"""

from pathlib import Path
from types import ModuleType

from ludus.games import draughts, tictactoe3d

GOLDEN = Path(__file__).parent / "golden"
SEED = 1
# The draughts game has long captures by men and kings, and men crowned at the end of a capture and of a step.
GAMES = {"draughts": (draughts, 177), "tictactoe3d": (tictactoe3d, 0)}


def playthrough(game: ModuleType, index: int) -> str:
    """Every position of a random game, drawn and as text, with its legal moves and the one played; then the outcome."""
    moves, outcome = game.random_game(SEED, index)
    lines = [f"random_game({SEED}, {index})"]
    position = game.START
    for ply, move in enumerate([*moves, None]):
        legal = " ".join(map(str, position.moves()))
        lines += ["", f"ply {ply}", str(position), f"text   {position.text}", f"moves  {legal}".rstrip()]
        if move:
            lines.append(f"played {position.write(move)}")
            position = position.play(move)
    return "\n".join([*lines, "", f"outcome {outcome}", ""])


def golden_file(name: str) -> Path:
    return GOLDEN / f"{name}-playthrough.txt"


if __name__ == "__main__":
    for name, (game, index) in GAMES.items():
        golden_file(name).write_text(playthrough(game, index))
