"""The players of the package in a line each, for people who choose an opponent."""

WORDS = {
    "champion": "The strongest. It began with random moves and learned from the results of its own games.",
    "champion3d": "The strongest. It began with random moves and learned from the results of its own games.",
    "blondie24-1999": "Evolved as Blondie24's first network was: it sees only the squares.",
    "blondie24-2001": "Evolved as Blondie24 was: it sees the squares and the parts of the board that they make.",
    "evolution-strategy": "Evolved from the piece count by an evolution strategy with a large population.",
    "genetic": "Evolved by a genetic algorithm, from random networks.",
    "ls-draughts": "A genetic algorithm chose what it sees; then it learned against a clone of itself.",
    "mp-draughts": "A team: a network for the whole game, and specialists for endgames.",
    "neurodraughts": "Learned from its own games by temporal differences, looking a few plies ahead.",
    "visiondraughts": "Learned from its own games by temporal differences with a deeper search.",
    "samuel": "Samuel's checkers player of 1959: terms that a person named, weights that it learned.",
    "symmetric-patterns": "Learned the patterns of the lines from its own games.",
    "material": "Counts what is on the board, and looks ahead.",
    "uct": "Plays random games to the end, and takes the move that most of them speak for.",
    "benchmark": "Follows rules: it takes a win, stops a win of yours, and moves at random otherwise.",
    "random": "Plays any legal move. Easy to beat.",
}
