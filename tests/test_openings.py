"""Openings: the ballots by count and by name, and random ones that anybody can draw again."""

import pytest

from ludus import games
from ludus.arena import openings
from ludus.games import draughts
from ludus.games.draughts import START


def written(moves):
    return " ".join(map(str, moves))


def end(game, moves):
    position = games.find(game).start
    for move in moves:
        assert move in position.moves()
        position = position.play(move)
    return position


@pytest.mark.parametrize(("plies", "count"), [(0, 1), (1, 7), (2, 49), (3, 216)])
def test_distinct_positions_are_as_many_as_known(plies, count):
    found = openings.distinct(draughts.GAME, plies)
    assert len(found) == count
    for position, moves in found.items():
        assert len(moves) == plies
        assert end("draughts", moves) == position


@pytest.mark.parametrize(("plies", "count"), [(2, 47), (3, 174)])
def test_sound_ballots_are_as_many_as_known(plies, count):
    ballots = openings.ballots(draughts.GAME, plies)
    assert len(ballots) == len({end("draughts", moves) for moves in ballots}) == count


def test_the_two_unsound_openings_of_two_plies():
    sound = set(openings.ballots(draughts.GAME, 2))
    left_out = {written(moves) for moves in openings.distinct(draughts.GAME, 2).values() if moves not in sound}
    assert left_out == {"9-14 21-17", "10-14 21-17"}


@pytest.mark.parametrize(("plies", "count"), [(2, 47), (3, 174)])
def test_all_ballots_are_dealt_before_one_comes_again(plies, count):
    dealt = openings.named(f"ballots{plies}", "draughts", 2 * count, seed=5)
    assert set(dealt[:count]) == set(openings.ballots(draughts.GAME, plies))
    assert dealt[count:] == dealt[:count]


def test_the_seed_deals_the_order_of_the_ballots():
    one, again, other = (openings.named("ballots2", "draughts", 47, seed) for seed in (1, 1, 2))
    assert one == again != other
    assert sorted(map(written, one)) == sorted(map(written, other))


@pytest.mark.parametrize("text", ["ballots2", "ballots3", "random:6", "none"])
def test_more_openings_begin_with_the_fewer(text):
    assert openings.named(text, "draughts", 60, seed=3)[:20] == openings.named(text, "draughts", 20, seed=3)


@pytest.mark.parametrize("game", ["draughts", "tictactoe3d"])
@pytest.mark.parametrize("plies", [1, 6, 20])
def test_random_openings_are_legal_and_leave_a_game_to_play(game, plies):
    for moves in openings.named(f"random:{plies}", game, 50, seed=7):
        assert len(moves) == plies
        assert end(game, moves).outcome() is None


@pytest.mark.parametrize("game", ["draughts", "tictactoe3d"])
def test_every_random_opening_has_a_stream_of_its_own(game):
    dealt = openings.named("random:8", game, 100, seed=0)
    assert len(set(dealt)) == 100
    assert dealt == openings.named("random:8", game, 100, seed=0)
    assert not set(dealt) & set(openings.named("random:8", game, 100, seed=1))
    assert dealt[17] == openings.random_opening(games.find(game), 8, 0, 17)


def test_none_is_the_start():
    assert openings.named("none", "draughts", 3, seed=0) == [(), (), ()]
    assert end("draughts", ()) == START


@pytest.mark.parametrize(
    "text",
    ["", "ballots", "ballots4", "ballots3 ", "random", "random:", "random:0", "random:21", "random:-1", "random:²"],
)
def test_what_names_no_openings_is_refused(text):
    with pytest.raises(ValueError, match="names no openings"):
        openings.named(text, "draughts", 1, seed=0)


@pytest.mark.parametrize("text", ["ballots2", "ballots3"])
def test_ballots_are_for_draughts(text):
    with pytest.raises(ValueError, match="tictactoe3d has no ballots"):
        openings.named(text, "tictactoe3d", 1, seed=0)
