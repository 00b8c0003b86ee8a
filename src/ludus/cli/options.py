"""The options that several commands have: the same name, the same words and the same default everywhere."""

from pathlib import Path
from typing import Annotated

import typer

from ludus.game_names import GameName


def named_path(text: str) -> Path:
    """A path as it was typed. An empty text would mean the present folder, which is hardly ever meant."""
    if not str(text):
        raise typer.BadParameter("the name is empty")
    return Path(text)


def checked_seed(seed: int | None) -> int | None:
    """A maximum would be shown in every help text, so it is checked here."""
    if seed is not None and seed >= 2**63:
        raise typer.BadParameter("a seed is less than 2^63")
    return seed


GameOption = Annotated[
    GameName | None,
    typer.Option(
        "--game", "-g", help="The game. Default: the game of the position or of the players; draughts if both fit."
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print the result as JSON, for other programs; docs/json.md has the fields.")
]
PLAYER_HELP = (
    "A player is a name (see ludus show --players), a file, the folder of a run, RUN@KEY for one that the run has "
    "kept, or module:player of Python; append @BUDGET to set its budget, as in uct@playouts=300, and endgames=N to use "
    "endgame tables, as in material@depth=8,endgames=4."
)
CONTESTANT_HELP = f"{PLAYER_HELP} Or engine:COMMAND, an outside engine."
BudgetOption = Annotated[
    str | None,
    typer.Option(
        "--budget",
        "-b",
        metavar="BUDGET",
        help="What the search may use for a move: depth=8, nodes=100000, playouts=300 or seconds=0.5. "
        "Default: the player's own.",
    ),
]
EndgamesOption = Annotated[
    int | None,
    typer.Option(
        "--endgames",
        metavar="N",
        help="Use endgame tables of up to N pieces in the search; 0: none. Default: the player's own.",
        min=0,
    ),
]
SeedOption = Annotated[
    int,
    typer.Option(
        "--seed",
        metavar="N",
        help="Seed of the random numbers. The same seed gives the same result.",
        min=0,
        callback=checked_seed,
    ),
]
ConcurrencyOption = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="Tasks that run at the same time. Default: one for each processor.", min=1, max=1024
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Run on a Dask cluster: the address of its scheduler, or the file that the scheduler wrote. "
        "Default: threads of this machine.",
    ),
]
OpeningsOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Where games begin: ballots3, ballots2, random:K (K random plies) or none (the start). "
        "Default: ballots3 for draughts, random:4 for Tic-Tac-Toe 3D.",
    ),
]
MaxMovesOption = Annotated[
    int, typer.Option(metavar="N", help="A game of N moves by each side is a draw. 0: no limit.", min=0, max=1_000_000)
]
QuietMovesOption = Annotated[
    int,
    typer.Option(
        metavar="N",
        help="N moves by each side without a capture or a move of a man are a draw. 0: no such rule.",
        min=0,
        max=1_000_000,
    ),
]
RepetitionsOption = Annotated[
    int,
    typer.Option(metavar="N", help="A position that occurs N times is a draw. 0: no such rule.", min=0, max=1000),
]
AdjudicateOption = Annotated[
    int,
    typer.Option(
        "--adjudicate",
        metavar="N",
        help="End a game by the endgame tables of up to N pieces as soon as they have its position. 0: play it out.",
        min=0,
    ),
]
ThrownWinsOption = Annotated[
    int,
    typer.Option(
        "--thrown-wins",
        metavar="N",
        help="Count won positions, thrown wins, lost draws and saved losses by the endgame tables of up to N pieces. "
        "0: do not count.",
        min=0,
    ),
]
StartOption = Annotated[
    str, typer.Option("--position", "-p", metavar="POSITION", help="The first position, as text, or start.")
]
NumberOption = Annotated[
    int | None,
    typer.Option(metavar="N", help="The game of a file of games, counted from 1. Default: the last.", min=1),
]
StrictOption = Annotated[
    bool,
    typer.Option("--strict", help="Read a file of games by the standard alone, and mend nothing in it."),
]
AfterOption = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="In a game of a file, the position after N moves, of both sides. Default: the last.", min=0
    ),
]
