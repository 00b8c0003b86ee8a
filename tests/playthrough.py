"""A whole random game as text: beside its golden file, any change of rules, notation or drawing shows as a diff.

`python tests/playthrough.py` writes the files anew.
"""

from pathlib import Path

from ludus.games import GAMES, Game

GOLDEN = Path(__file__).parent / "golden"
SEED = 1
# The random game of each golden file; 0 for the others. The draughts game has long captures by men and kings, and men
# crowned at the end of a capture and of a step.
INDEX = {"draughts": 177}


def playthrough(game: Game) -> str:
    """Every position of a random game, drawn and as text, with its legal moves and the one played; then the outcome."""
    index = INDEX.get(game.name, 0)
    moves, outcome = game.random_game(SEED, index)
    lines = [f"random_game({SEED}, {index})"]
    position = game.start
    for ply, move in enumerate([*moves, None]):
        legal = " ".join(map(str, position.moves()))
        lines += ["", f"ply {ply}", str(position), f"text   {position.text}", f"moves  {legal}".rstrip()]
        if move:
            lines.append(f"played {position.write(move)}")
            position = position.play(move)
    return "\n".join([*lines, "", f"outcome {outcome}", ""])


def golden_file(game: Game) -> Path:
    return GOLDEN / f"{game.name}-playthrough.txt"


if __name__ == "__main__":
    for game in GAMES:
        golden_file(game).write_text(playthrough(game))
