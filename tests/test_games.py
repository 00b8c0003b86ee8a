"""What every game promises, whichever it is."""

import copy
import importlib
import pickle
import signal
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from ludus import games
from ludus.game_names import GAME_NAMES
from ludus.games import BadPosition, Color, IllegalMove
from ludus.games.record import Record
from playthrough import golden_file, playthrough

pytestmark = pytest.mark.parametrize(
    "game", [pytest.param(importlib.import_module(f"ludus.games.{name}"), id=name) for name in GAME_NAMES]
)


def positions(game: ModuleType, games: int) -> Iterator[Any]:
    """The positions of some random games, the finished ones too."""
    for index in range(games):
        position = game.START
        yield position
        for move in game.random_game(2, index)[0]:
            position = position.play(move)
            yield position


def test_a_game_ends_where_there_are_no_moves(game):
    for position in positions(game, 200):
        assert (position.outcome() is None) == bool(position.moves())


def test_moves_are_different(game):
    for position in positions(game, 200):
        moves = position.moves()
        assert len(set(moves)) == len({str(move) for move in moves}) == len(moves)


def test_moves_read_back_as_they_are_written(game):
    for position in positions(game, 100):
        for move in position.moves():
            assert position.move(str(move)) == position.move(position.write(move)) == move


def test_positions_paste_back(game):
    for position in positions(game, 100):
        assert eval(repr(position), {"Position": game.Position}) == position
        assert game.Position(position.text) == position
        assert game.Position(position.text).text == position.text


def test_moves_paste_back(game):
    for position in positions(game, 100):
        for move in position.moves():
            assert eval(repr(move), {"Move": game.Move, "Color": Color}) == move
    for text in ("", "z9", "11-18", "1x10x1"):
        with pytest.raises(IllegalMove, match="is not a move"):
            game.Move(text)


def test_positions_pickle_and_copy(game):
    for position in positions(game, 20):
        for same in (pickle.loads(pickle.dumps(position)), copy.copy(position), copy.deepcopy(position)):
            assert same == position and hash(same) == hash(position)


def test_records_pickle_and_copy(game):
    for index in range(20):
        moves, outcome = game.random_game(2, index)
        record = Record(game.START, tuple(moves), outcome, {"Event": "A test"}, {0: "Before"})
        for same in (pickle.loads(pickle.dumps(record)), copy.deepcopy(record)):
            assert same == record and hash(same.moves) == hash(record.moves) and hash(same.outcome) == hash(outcome)
        assert [copy.copy(move) for move in moves] == moves


def test_equal_positions_have_equal_hashes(game):
    for position in positions(game, 100):
        same = game.Position(position.text)
        assert same == position and hash(same) == hash(position)
        for move in position.moves():
            assert position.play(move) != position


def test_a_position_equals_no_text(game):
    assert game.START.text != game.START
    assert game.START.moves()[0] != str(game.START.moves()[0])


def test_play_takes_a_move_or_its_text_and_changes_nothing(game):
    for position in positions(game, 20):
        before = position.text
        for move in position.moves():
            after = position.play(move)
            assert after == position.play(str(move))
            assert after.turn == ~position.turn
        assert position.text == before


def test_the_sides_take_turns(game):
    assert {game.START.turn, game.START.play(game.START.moves()[0]).turn} == {Color.BLACK, Color.WHITE}


def test_perft_0_is_one_and_perft_1_the_number_of_moves(game):
    for position in positions(game, 100):
        assert position.perft(0) == 1
        assert position.perft(1) == len(position.moves())


def test_counting_the_last_ply_gives_the_same_as_playing_it(game):
    for position in positions(game, 20):
        for depth in range(4):
            assert position.perft(depth) == position.perft(depth, plain=True)


def test_perft_is_the_sum_over_the_moves(game):
    for position in positions(game, 20):
        assert position.perft(3) == sum(position.play(move).perft(2) for move in position.moves())


@pytest.mark.parametrize("depth", [-1, 101, 1_000_000])
def test_perft_of_a_depth_that_cannot_be_is_refused(game, depth):
    with pytest.raises(ValueError, match="a depth is 0 to 100 plies"):
        game.START.perft(depth)


@pytest.mark.parametrize("endless", [lambda game: game.START.perft(90), lambda game: game.random_games(1, 0, 10**15)])
def test_long_work_can_be_interrupted_by_a_signal(game, endless):
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    try:
        with pytest.raises(KeyboardInterrupt):
            endless(game)
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    "text", ["", " ", "x", "0-0", "a0", "e1", "1-99", "11-15-", "-", "\0", "ä", "\udcff", "9" * 1000]
)
def test_what_is_not_a_move_is_refused(game, text):
    for read in (game.START.move, game.START.play, game.History().play):
        with pytest.raises(IllegalMove):
            read(text)


def test_half_a_surrogate_is_no_position(game):
    with pytest.raises(BadPosition):
        game.Position("\udcff")


def test_a_move_of_another_position_is_refused(game):
    first = game.START.moves()[0]
    line = [game.START.play(first)]
    while first in line[-1].moves():  # a column stays open for a while
        line.append(line[-1].play(first))
    history = game.History(line[-1])
    for play in (line[-1].play, history.play):
        with pytest.raises(IllegalMove, match="is not legal in"):
            play(first)
    assert history.plies == 0


def test_a_random_game_depends_on_its_seed_and_index_only(game):
    assert game.random_game(3, 5) == game.random_game(3, 5)
    assert game.random_game(3, 5) != game.random_game(3, 6)
    assert game.random_game(3, 5) != game.random_game(4, 5)


def test_random_games_are_counted_as_they_are_played(game):
    played = [game.random_game(7, index) for index in range(50, 150)]
    winners = [outcome.winner for _, outcome in played]
    first = game.START.turn
    plies = sum(len(moves) for moves, _ in played)
    assert game.random_games(7, 50, 100) == (winners.count(first), winners.count(None), winners.count(~first), plies)


def test_history_follows_a_game_to_its_outcome(game):
    for index in range(50):
        moves, outcome = game.random_game(2, index)
        history = game.History()
        for ply, move in enumerate(moves):
            assert history.outcome() is None and history.plies == ply
            history.play(move if ply % 2 else str(move))
        assert history.outcome() == outcome


def test_a_whole_game_reads_as_its_golden_file(game):
    assert playthrough(game.GAME) == golden_file(game.GAME).read_text()


def test_the_game_of_a_name_is_the_one_object_of_its_module(game):
    assert games.find(game.GAME.name) is game.GAME
    assert pickle.loads(pickle.dumps(game.GAME)) is copy.deepcopy(game.GAME) is game.GAME


def test_a_game_knows_its_start_and_who_begins(game):
    assert game.GAME.start == game.START and game.GAME.first == game.START.turn
    assert game.GAME.history().position == game.START


def test_a_position_tells_its_game(game):
    assert all(games.of_position(position.text) is game.GAME for position in positions(game, 20))


def test_records_are_read_as_they_are_written(game):
    records = []
    for index in range(20):
        moves, outcome = game.random_game(2, index)
        records.append(Record(game.START, tuple(moves), outcome))
    text = "".join(map(game.GAME.write, records))
    assert list(game.GAME.read(text.splitlines(keepends=True))) == records


def test_moves_are_read_from_the_start(game):
    moves, _ = game.random_game(2, 0)
    assert game.GAME.moves(map(str, moves)) == moves


def test_an_unknown_game_is_refused_with_the_names(game):
    with pytest.raises(ValueError, match=f"there is no game chess: name one of .*{game.GAME.name}"):
        games.find("chess")
