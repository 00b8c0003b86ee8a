"""What a game against a player and a look at a game need, in the terminal and on the page.

Levels, values that people can read, the choice of a move, the iterations of a search, judgements, files of games.
"""
