"""Options that several evolutions have: each with its bounds and its help text, written once."""

from typing import Annotated, Literal

from msgspec import Meta

from ludus.learning.templates import Inputs, SearchName

NetworkInputs = Annotated[
    Inputs | None,
    Meta(description="Network inputs. If not given: subsquares91, or cells64 for tictactoe3d."),
]
Hidden = Annotated[str, Meta(description="Nodes of the hidden layers, the first layer first.")]
PieceDifference = Annotated[
    bool | None,
    Meta(
        description="Add the piece difference to the output node. If not given, networks on the draughts board do it; "
        "other networks cannot."
    ),
]
Search = Annotated[SearchName, Meta(description="Search that chooses the moves; uct uses no network.")]
Depth = Annotated[int, Meta(description="Search depth in plies of minimax and alphabeta.", ge=1, le=20)]
Playouts = Annotated[int, Meta(description="Play-outs of a move of uct and ept.", ge=1)]
PlayoutPlies = Annotated[
    int, Meta(description="Plies after which ept ends a play-out with the value of the network.", ge=0, le=1000)
]
Openings = Annotated[
    str | None,
    Meta(
        description="Openings: ballots3, ballots2, random:K for K random plies, or none. If not given, the usual "
        "ones of the game."
    ),
]
Recombination = Annotated[
    Literal["none", "mean"],
    Meta(
        description="What a mutated copy begins with: the weights of one parent (none), or the mean of those of all "
        "parents (mean)."
    ),
]
Averaging = Annotated[
    int,
    Meta(description="Generations over which the weights of the kept player are averaged, about. 1: no average.", ge=1),
]
Pool = Annotated[
    tuple[str, ...],
    Meta(
        description="Players that every member plays beside the population: names, separated by commas. A name without "
        "a budget gets the depth of the members; champions are the last five champions."
    ),
]
PoolGames = Annotated[
    int,
    Meta(
        description="Games of every member with each player of the pool, from the same openings for all; an even "
        "number. 0 plays none.",
        ge=0,
        multiple_of=2,
    ),
]
EndGames = Annotated[
    int,
    Meta(
        description="Games of the last champion at the end against each of random, UCT, the piece count and the "
        "half-way champion; an even number. 0 plays none.",
        ge=0,
        multiple_of=2,
    ),
]
