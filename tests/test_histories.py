"""Histories as values: copies, pickles, text, undo."""

import copy
import pickle

import pytest

from ludus.games import DrawRules, IllegalMove, Reason, draughts, tictactoe3d

GAMES = pytest.mark.parametrize("game", [draughts, tictactoe3d], ids=["draughts", "tictactoe3d"])


def history_of(game, index, plies=None, rules=None):
    history = game.History(game.START, rules or DrawRules())
    for move in game.random_game(5, index)[0][:plies]:
        history.play(move)
    return history


def everything(history):
    """All that a history says of itself."""
    return (
        history.start,
        history.rules,
        history.moves,
        history.position,
        history.plies,
        history.quiet_plies,
        history.outcome(),
    )


@GAMES
def test_a_history_has_its_start_rules_and_moves(game):
    moves, outcome = game.random_game(5, 1)
    history = history_of(game, 1)
    assert (history.start, history.rules, history.moves, history.plies) == (game.START, DrawRules(), moves, len(moves))
    assert history.outcome() == outcome
    history.moves.clear()  # a copy
    assert history.moves == moves


@GAMES
def test_a_history_pastes_back_and_pickles(game):
    names = {"History": game.History, "Position": game.Position, "DrawRules": DrawRules}
    start = game.START.play(game.START.moves()[0])
    for history in (
        game.History(),
        game.History(start, DrawRules(plies=7)),
        *(history_of(game, index) for index in range(50)),
    ):
        for same in (eval(repr(history), names), pickle.loads(pickle.dumps(history)), copy.deepcopy(history)):
            assert same == history
            assert everything(same) == everything(history)
    assert repr(game.History()) == "History()"


def test_a_pickle_holds_text_and_nothing_else():
    history = draughts.History(moves="11-15 23-19")
    made, (start, rules, moves) = history.__reduce__()
    assert (made, start, rules, moves) == (draughts.History, draughts.START, DrawRules(), "11-15 23-19")
    with pytest.raises(IllegalMove, match="'11-15' is not legal"):
        made(start, rules, "11-15 11-15")


@GAMES
def test_a_copy_goes_its_own_way(game):
    history = history_of(game, 2, 6)
    for other in (history.copy(), copy.copy(history)):
        other.play(other.position.moves()[0])
        assert (history.plies, other.plies) == (6, 7)
        assert history != other


@GAMES
@pytest.mark.parametrize("index", range(5))
def test_undo_leads_back_through_the_whole_game(game, index):
    moves, _ = game.random_game(5, index)
    seen, history = [], game.History()
    for move in moves:
        seen.append(everything(history))
        history.play(move)
    for move, before in zip(reversed(moves), reversed(seen), strict=True):
        assert history.undo() == move
        assert everything(history) == before
    with pytest.raises(IllegalMove, match="there is no move to take back"):
        history.undo()


def test_undo_takes_back_a_repetition_and_nothing_else():
    history = draughts.History(draughts.Position("B:WK32:BK1"))
    for move in ("1-6 32-27 6-1 27-32 " * 2).split():
        history.play(move)
    assert (history.repetitions, history.outcome().reason) == (3, Reason.REPETITION)
    history.undo()
    assert (history.repetitions, history.outcome(), history.quiet_plies) == (2, None, 7)


def test_histories_compare_by_start_rules_and_moves_and_have_no_hash():
    history = draughts.History(moves="11-15")
    assert history == draughts.History(moves="11-15")
    assert history != draughts.History(moves="11-15", rules=DrawRules(plies=3))
    assert history != draughts.History(draughts.START.play("11-15"))
    assert history != "11-15"
    with pytest.raises(TypeError, match="unhashable"):
        hash(history)


def test_the_rules_in_a_pickle_are_checked():
    rules = DrawRules(repetitions=2, quiet_plies=40, blocked=True)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(draughts.History(rules=rules), protocol)).rules == rules
    text = pickle.dumps(rules, 0)
    assert text.count(b"I40\n") == 1
    with pytest.raises(ValueError, match="a draw rule is a whole number, 0 or more"):
        pickle.loads(text.replace(b"I40\n", b"I-1\n"))
