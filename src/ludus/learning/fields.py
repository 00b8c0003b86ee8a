"""Options that several learners have: each with its bounds and its help text, written once."""

from typing import Annotated, Literal

from msgspec import Meta

from ludus import game_names
from ludus.players.evaluators import FEATURES

GameName = Annotated[game_names.GameName, Meta(description="Game to learn.")]
Seed = Annotated[
    int, Meta(description="Seed of the random numbers. The same seed gives the same result.", ge=0, le=2**63 - 1)
]

# Temporal differences.
Gamma = Annotated[
    float,
    Meta(description="Discount, from 0 to 1: the weight of the next value in the target of an update.", ge=0, le=1),
]
Lambda = Annotated[
    float,
    Meta(
        description="Trace decay, from 0 to 1: the factor by which the trace of earlier moves shrinks at every step. "
        "0 is one-step TD.",
        ge=0,
        le=1,
    ),
]
GammaLambda = Annotated[  # the same where the trace is discounted too
    float,
    Meta(
        description="Trace decay, from 0 to 1: the trace of earlier moves shrinks by gamma times lambda at every step. "
        "0 is one-step TD.",
        ge=0,
        le=1,
    ),
]
Epsilon = Annotated[
    float,
    Meta(description="Exploration, from 0 to 1: the probability of a random move in a training game.", ge=0, le=1),
]
InitialRange = Annotated[float, Meta(description="Initial weights are drawn uniformly from -X to X.", ge=0, le=10)]

# Draughts networks on features.
HiddenNodes = Annotated[int, Meta(description="Nodes of the hidden layer.", ge=1, le=512)]
FEATURE_NAMES = f"The features are {', '.join(FEATURES)}."
Features = Annotated[
    tuple[str, ...],
    Meta(description=f"Features that the network has as inputs, separated by commas. {FEATURE_NAMES}"),
]

# Search.
Budget = Annotated[str, Meta(description="Search budget of a move, for example depth=4 or nodes=2000.")]
Depth = Annotated[int, Meta(description="Search depth in plies; forced captures are followed further.", ge=1, le=20)]
Reductions = Annotated[
    bool, Meta(description="Late-move reductions: search less deep after the moves that are ordered last.")
]

# Cloning.
Sets = Annotated[
    int, Meta(description="Sets of training games. After each a test decides if the clone is replaced.", ge=1)
]
SetGames = Annotated[int, Meta(description="Training games in a set.", ge=1)]
BothSides = Annotated[
    bool,
    Meta(
        description="Let the learner play both sides of a training game and learn from the moves of both. Otherwise it "
        "plays the clone and learns from its own."
    ),
]
Optimizer = Annotated[
    Literal["plain", "adam"],
    Meta(
        description="How a batch of games changes the weights: plain adds up the changes of the games; adam divides "
        "each weight's change by its usual size, so that seldom used inputs learn too."
    ),
]
LayerRate = Annotated[
    float,
    Meta(
        description="Learning rate. With --optimizer plain each layer uses it divided by its number of inputs; with "
        "adam it is about the most that a weight changes after a batch.",
        ge=0,
        le=100,
    ),
]
RateHalving = Annotated[
    int,
    Meta(
        description="Training games after which the learning rate has halved: after n games the rate is the first rate "
        "divided by 1 + n / N. 0 keeps it.",
        ge=0,
    ),
]
AverageGames = Annotated[
    int,
    Meta(
        description="Training games over which the learner's weights are averaged. The average is tested, cloned and "
        "kept. 0 takes the weights themselves.",
        ge=0,
    ),
]
Restart = Annotated[
    Literal["never", "failed", "always"],
    Meta(description="When the learner goes back to the weights of the clone: never, after a failed test, or always."),
]
RestartBelow = Annotated[
    float,
    Meta(
        description="Score against the clone, from 0 to 1, below which a test has failed for --restart. From there to "
        "the threshold the learner goes on as it is.",
        ge=0,
        le=1,
    ),
]
ReferenceGames = Annotated[
    int,
    Meta(
        description="Games against each reference player that measure a new clone or the final player; an even number. "
        "0 plays none.",
        ge=0,
    ),
]

# Evolution.
Generations = Annotated[int, Meta(description="Generations after the first, which has the number 0.", ge=0)]
PieceDifference = Annotated[bool, Meta(description="Add the piece difference to the output node.")]
MaxPlies = Annotated[int, Meta(description="Plies after which a game is a draw. 0 sets no limit.", ge=0)]
QuietPlies = Annotated[
    int,
    Meta(
        description="Plies without a capture or a man's move after which a game is a draw. 0 sets no such limit.", ge=0
    ),
]
