"""One random game of each of the two games, and how often the first mover wins by chance."""

from types import ModuleType

from ludus.games import draughts, tictactoe3d


def show(name: str, game: ModuleType) -> None:
    """Play and print."""
    moves, _ = game.random_game(seed=1, index=0)
    position, texts = game.START, []
    for move in moves:
        texts.append(position.write(move))
        position = position.play(move)
    print(f"{name}: a game of random moves\n")
    print(" ".join(texts), end="\n\n")
    print(position, end="\n\n")
    games = 100_000
    wins, draws, losses, plies = game.random_games(seed=1, first=0, count=games)
    print(
        f"Of {games:,} such games the first mover wins {wins:,}, draws {draws:,}, loses {losses:,}; "
        f"{plies / games:.0f} moves a game.\n"
    )


show("English draughts", draughts)
show("Tic-Tac-Toe 3D", tictactoe3d)
