"""The benchmark player of Tic-Tac-Toe 3D: its rules by hand-made positions, its results by the known figures."""

import math

import pytest

from ludus._core import tictactoe3d
from ludus._core.tictactoe3d import Order

BENCHMARK = tictactoe3d.Search.rule_player()


def choices(text, seeds=200):
    position = tictactoe3d.Position(text)
    history = tictactoe3d.History(position)
    return {position.write(BENCHMARK.search(history, seed=seed).variation[0]) for seed in range(seeds)}


ALL = {f"{letter}{digit}" for letter in "abcd" for digit in "1234"}


def test_the_benchmark_player_wins_when_it_can():
    assert choices("w,w,w,-/b,b,b,-/-,-,-,-/-,-,-,-") == {"d1"}  # rather than block d2
    assert choices("w,w,w,-/w,b,b,b/w,b,b,-/-,-,-,-") == {"d1", "a4"}  # either of two


def test_the_benchmark_player_blocks_when_it_must():
    assert choices("w,w,w,-/b,b,-,-/-,-,-,-/-,-,-,-") == {"d1"}
    assert choices("w,w,w,-/w,b,b,-/w,-,-,-/-,b,b,-") == {"d1", "a4"}  # one of two, in vain


def test_the_benchmark_player_does_not_give_the_cell_above():
    # White has three of a row on the second level; the missing cell lies above d1, which is empty. Black to move.
    assert choices("bw,ww,bw,-/-,-,-,b/-,w,-,-/b,-,-,-") == ALL - {"d1"}


def test_the_benchmark_player_gives_the_cell_above_when_it_must():
    # Two columns are left, and on top of either stone the opponent wins.
    assert choices("bbwb,bbwb,bwbw,wbbw/wbbw,bwww,bwbb,bwbw/bwbw,wwwb,wbwb,wbww/wb,bwbw,bwbw,w") == {"d4", "a4"}


def test_the_benchmark_player_plays_anything_else():
    assert choices("-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-") == ALL


def results(first, second, games):
    """The shares of wins, losses and draws of the side that moves first."""
    tally = {"White": 0, "Black": 0, "None": 0}
    for seed in range(games):
        history = tictactoe3d.History()
        sides, ply = (first, second), 0
        while not (outcome := history.outcome()):
            history.play(sides[ply % 2].search(history, seed=seed).variation[0])
            ply += 1
        tally[str(outcome.winner)] += 1
    return {name: count / games for name, count in tally.items()}


def within_three_sigma(share, known, games):
    return abs(share - known) <= 3 * (known * (1 - known) / games) ** 0.5


def test_the_benchmark_player_against_itself_has_the_known_results():
    found = results(BENCHMARK, BENCHMARK, 4000)
    assert within_three_sigma(found["White"], 0.507, 4000)
    assert within_three_sigma(found["Black"], 0.467, 4000)
    assert within_three_sigma(found["None"], 0.026, 4000)


def test_random_scores_4_in_1000_against_the_benchmark_player():
    random = tictactoe3d.Search.random()
    first, second = results(random, BENCHMARK, 1500), results(BENCHMARK, random, 1500)
    points = (first["White"] + first["None"] / 2 + second["Black"] + second["None"] / 2) / 2
    assert within_three_sigma(points, 0.004, 3000)


# The order of its moves. Where there is no threat the first in it is played.


def first_moves(order, seeds, opening=()):
    history = tictactoe3d.History()
    for move in opening:
        history.play(move)
    search = tictactoe3d.Search.rule_player(order)
    return [search.search(history, seed=seed).variation[0].column for seed in seeds]


def test_an_order_drawn_at_every_move_has_every_column_first_alike_and_anew():
    games = 16_000
    columns = first_moves(Order.MOVE, range(games))
    for column in range(16):
        assert within_three_sigma(columns.count(column) / games, 1 / 16, games)
    again = first_moves(Order.MOVE, range(games), ["a1"])
    same = sum(one == other for one, other in zip(columns, again, strict=True)) / games
    assert within_three_sigma(same, 1 / 16, games)


def test_an_order_drawn_once_a_game_stays_all_game():
    games = 16_000
    columns = first_moves(Order.GAME, range(games))
    for column in range(16):
        assert within_three_sigma(columns.count(column) / games, 1 / 16, games)
    # No threats yet, and no column is full: the same first move, whatever has been played.
    assert first_moves(Order.GAME, range(500), ["a1"]) == columns[:500]
    assert first_moves(Order.GAME, range(500), ["a1", "d4", "c2", "b3"]) == columns[:500]
    # Once it is full the next in the order takes its place; the others keep theirs.
    full = first_moves(Order.GAME, range(500), ["a1"] * 4)
    (a1,) = (move.column for move in tictactoe3d.START.moves() if str(move) == "a1")
    assert [one for one, before in zip(full, columns, strict=False) if before != a1] == [
        c for c in columns[:500] if c != a1
    ]
    assert a1 not in full


def test_a_biased_shuffle_leaves_moves_near_where_they_were():
    # Move n goes to the front by n coins in a row, and stays there if none of the later ones gets so far.
    games = 16_000
    columns = first_moves(Order.BIASED, range(games))
    for column in range(9):  # beyond them there are too few
        expected = 2.0**-column * math.prod(1 - 2.0**-later for later in range(column + 1, 16))
        assert within_three_sigma(columns.count(column) / games, expected, games)
    assert columns.count(0) / games > 4 / 16
    again = first_moves(Order.BIASED, range(games), ["a1"])
    assert columns != again  # drawn anew


@pytest.mark.parametrize("order", list(Order))
def test_every_order_wins_and_blocks_alike(order):
    search = tictactoe3d.Search.rule_player(order)
    for text, best in (("w,w,w,-/b,b,b,-/-,-,-,-/-,-,-,-", "d1"), ("w,w,w,-/b,b,-,-/-,-,-,-/-,-,-,-", "d1")):
        position = tictactoe3d.Position(text)
        history = tictactoe3d.History(position)
        assert {position.write(search.search(history, seed=seed).variation[0]) for seed in range(50)} == {best}
