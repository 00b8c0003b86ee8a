"""The texts about the players of the package: who a player is, how strong it is, and how it was made.

The strength is that of the ladder of equal nodes, see `ratings`; most of the draughts players are close together there.
"""

from msgspec import Struct


class About(Struct, frozen=True):
    """One sentence to choose an opponent by, and one about how the player was made."""

    words: str
    made: str


_OWN_GAMES = "It began with random moves and learned from the results of its own games."

ABOUT = {
    "champion": About("The strongest player of the school, by far. It taught itself.", _OWN_GAMES),
    "champion3d": About("The strongest player of the school. It taught itself.", _OWN_GAMES),
    "blondie24-2001": About(
        "Middle strength. Made as the famous Blondie24 was.",
        "Evolved as Blondie24 was: it sees the squares and the parts of the board that they make.",
    ),
    "blondie24-1999": About(
        "Middle strength. Made as the forerunner of Blondie24 was.",
        "Evolved as Blondie24's first network was: it sees only the squares.",
    ),
    "evolution-strategy": About(
        "Middle strength. It counts pieces, and evolution refined how.",
        "Evolved from the piece count by an evolution strategy with a large population.",
    ),
    "genetic": About(
        "Middle strength. Bred over many generations.",
        "Evolved by a genetic algorithm, from random networks.",
    ),
    "mp-draughts": About(
        "Middle strength. A team, with specialists for endgames.",
        "A network for the whole game, and specialists that were trained on kinds of endgames.",
    ),
    "visiondraughts": About(
        "Middle strength. It learned from its own games.",
        "Learned from its own games by temporal differences with a deeper search.",
    ),
    "neurodraughts": About(
        "A little below the middle. It learned from its own games.",
        "Learned from its own games by temporal differences, looking a few plies ahead.",
    ),
    "ls-draughts": About(
        "Below the middle. It chose by itself what to look at.",
        "A genetic algorithm chose what it sees; then it learned against a clone of itself.",
    ),
    "samuel": About(
        "Middle strength. Samuel's checkers player of 1959.",
        "Samuel's method: terms that a person named, weights that it learned.",
    ),
    "symmetric-patterns": About(
        "Strong. It learned which lines win from its own games.",
        "Learned the patterns of the lines from its own games.",
    ),
    "material": About(
        "It counts what is on the board and looks ahead.",
        "The evaluation is a person's: nothing was learned.",
    ),
    "uct": About(
        "It tries moves in random games and plays the best.",
        "A Monte Carlo tree search: nothing was learned.",
    ),
    "benchmark": About(
        "A beginner. It takes a win, stops yours, and no more.",
        "Follows rules: nothing was learned.",
    ),
    "random": About("The weakest. It plays any legal move: easy to beat.", "Nothing was learned."),
}
