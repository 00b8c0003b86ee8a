"""Searches: against each other, against positions worked by hand, and the contract that all of them keep."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ludus._core import draughts, tictactoe3d
from ludus.games.draughts import Position
from ludus.players import networks
from ludus.players.networks import Layer, dense

GAMES = {"draughts": draughts, "tictactoe3d": tictactoe3d}
# Everything that may change a value at a given depth is off.
EXACT = {"deeper": False, "reductions": False, "repetition": False}
PLAIN = {**EXACT, "table": False, "ordering": False, "quiescence": False}


def positions(game, count, seed=11):
    """Positions of random games where there is something to play, every seventh: neighbours are too much alike."""
    found = []
    index = 0
    while len(found) < count:
        position = game.START
        for ply, move in enumerate(game.random_game(seed, index)[0]):
            if (ply + index) % 7 == 0:
                found.append(position)
            position = position.play(move)
        index += 1
    return found[:count]


def network(layers, seed=1, low=-0.5, high=0.5):
    return networks.build(layers, networks.random_theta(layers, np.random.default_rng(seed), low, high))


LINES = (Layer(inputs=64, outputs=304, structure="lines", bias=False), *dense(304, 32, 1))
EVALUATORS = {
    "draughts-material": (draughts, draughts.Evaluator.material),
    "draughts-32-40-10-1": (draughts, lambda: draughts.Evaluator.board(network(dense(32, 40, 10, 1)), king=1.5)),
    "draughts-91-40-10-1": (
        draughts,
        lambda: draughts.Evaluator.board(network(dense(91, 40, 10, 1), low=-0.1, high=0.1), king=1.5, difference=True),
    ),
    "draughts-featuremap12": (
        draughts,
        lambda: draughts.Evaluator.features(network(dense(38, 20, 1)), chosen=draughts.FEATUREMAP12),
    ),
    "tictactoe3d-material": (tictactoe3d, tictactoe3d.Evaluator.material),
    "tictactoe3d-lines": (tictactoe3d, lambda: tictactoe3d.Evaluator.cells(network(LINES))),
}


@pytest.fixture(params=EVALUATORS)
def valued(request):
    """A game and an evaluator of it."""
    game, make = EVALUATORS[request.param]
    return game, make()


def test_plain_alphabeta_has_minimax_value_at_every_depth(valued):
    game, evaluator = valued
    minimax, alphabeta = game.Search.minimax(evaluator), game.Search.alphabeta(evaluator, **PLAIN)
    count, deepest = (400, 5) if game is draughts else (50, 3)
    for position in positions(game, count):
        history = game.History(position)
        for depth in range(1, deepest + 1):
            wanted, found = minimax.search(history, depth=depth), alphabeta.search(history, depth=depth)
            assert (found.value, found.end_in) == (wanted.value, wanted.end_in)


def root_values(found):
    assert all(root.exact for root in found.moves)
    return {root.move: (root.value, root.end_in) for root in found.moves}


@pytest.mark.parametrize("quiescence", [False, True])
def test_table_and_ordering_change_no_root_value(valued, quiescence):
    game, evaluator = valued
    options = {**EXACT, "quiescence": quiescence, "exact_root": True}
    plain = game.Search.alphabeta(evaluator, table=False, ordering=False, **options)
    other = [
        game.Search.alphabeta(evaluator, **switches, **options)
        for switches in ({}, {"table": False}, {"ordering": False})
    ]
    count, depth = (100, 6) if game is draughts else (10, 4)
    for position in positions(game, count, seed=12):
        wanted = root_values(plain.search(game.History(position), depth=depth))
        assert wanted.keys() == set(position.moves())
        for search in other:
            assert root_values(search.search(game.History(position), depth=depth)) == wanted


def test_forced_ends_are_as_far_away_with_a_table_as_without():
    plain = draughts.Search.alphabeta(draughts.Evaluator.material(), **PLAIN, exact_root=True)
    table = draughts.Search.alphabeta(draughts.Evaluator.material(), **EXACT, quiescence=False, exact_root=True)
    ends = 0
    for index in range(60):
        position = draughts.START
        moves, _ = draughts.random_game(15, index)
        for move in moves[:-6]:
            position = position.play(move)
        wanted = root_values(plain.search(draughts.History(position), depth=7))
        assert root_values(table.search(draughts.History(position), depth=7)) == wanted
        ends += any(end_in is not None for _, end_in in wanted.values())
    assert ends > 20


def test_minimax_at_depth_one_is_the_best_afterstate(valued):
    game, evaluator = valued
    search = game.Search.minimax(evaluator)
    for position in positions(game, 50):
        found = search.search(game.History(position), depth=1)
        assert found.nodes == len(position.moves())
        for root in found.moves:
            after = position.play(root.move)
            wanted = 1 if after.outcome() else evaluator.value(after)  # no draw is a move away in these positions
            assert root.value == pytest.approx(wanted, abs=1e-6)
        assert found.value == found.moves[0].value == max(root.value for root in found.moves)


# The contract of all searches. A budget of each kind that it takes.

SEARCHES = {
    "random": (lambda game: game.Search.random(), [{}]),
    "minimax": (lambda game: game.Search.minimax(game.Evaluator.material()), [{"depth": 1}, {"depth": 3}]),
    "alphabeta": (
        lambda game: game.Search.alphabeta(game.Evaluator.material()),
        [{"depth": 4}, {"nodes": 1}, {"nodes": 3000}, {"seconds": 0.01}],
    ),
    "plain": (lambda game: game.Search.alphabeta(game.Evaluator.material(), **PLAIN), [{"depth": 4}, {"nodes": 2000}]),
    "exact": (lambda game: game.Search.alphabeta(game.Evaluator.material(), exact_root=True), [{"depth": 4}]),
    "uct": (lambda game: game.Search.uct(), [{"nodes": 1}, {"nodes": 200}, {"seconds": 0.01}]),
    "ept": (lambda game: game.Search.ept(game.Evaluator.material()), [{"nodes": 200}, {"seconds": 0.01}]),
    "ept-0": (lambda game: game.Search.ept(game.Evaluator.material(), plies=0), [{"nodes": 200}]),
}
CASES = [
    pytest.param(GAMES[name], make, budget, kind, id=f"{name}-{kind}-{budget}")
    for name in GAMES
    for kind, (make, budgets) in SEARCHES.items()
    for budget in budgets
]
CASES.append(pytest.param(tictactoe3d, lambda game: game.Search.rule_player(), {}, "benchmark", id="benchmark"))
PICKS = ("random", "benchmark")


@pytest.mark.parametrize(("game", "make", "budget", "kind"), CASES)
def test_every_search_keeps_the_contract(game, make, budget, kind):
    search = make(game)
    for position in positions(game, 12, seed=13):
        history = game.History(position)
        found = search.search(history, seed=5, **budget)
        legal = position.moves()
        assert found.variation[0] in legal
        assert found.moves[0].move == found.variation[0]
        if kind in PICKS:
            assert len(found.moves) == 1
        else:
            assert {root.move for root in found.moves} == set(legal) and len(found.moves) == len(legal)
        if "nodes" in budget:
            assert found.nodes <= budget["nodes"]
        if kind in ("uct", "ept", "ept-0"):
            assert found.nodes == sum(root.visits for root in found.moves) == budget.get("nodes", found.nodes)
        if kind in ("minimax", "exact"):
            assert found.depth == budget["depth"] or found.end_in is not None
            assert all(root.exact for root in found.moves)
        assert all(-1 <= each.value <= 1 for each in (found, *found.moves))
        line = position
        for move in found.variation:
            line = line.play(move)  # raises if it is not legal
        assert history.position == position and history.plies == 0


@pytest.mark.parametrize(("game", "make", "budget", "kind"), CASES)
def test_a_game_that_is_over_is_refused(game, make, budget, kind):
    over = {draughts: "W:W29:B25,22", tictactoe3d: "wwww,bbb,-,-/-,-,-,-/-,-,-,-/-,-,-,-"}[game]
    with pytest.raises(ValueError, match=r"^the game is over: there is nothing to search$"):
        make(game).search(game.History(game.Position(over)), **budget)


def test_a_game_drawn_by_repetition_is_refused():
    history = draughts.History(Position("W:WK1:BK10,K15"))
    for text in ("1-5", "10-14", "5-1", "14-10") * 2:
        history.play(history.position.move(text))
    with pytest.raises(ValueError, match="the game is over"):
        draughts.Search.alphabeta(draughts.Evaluator.material()).search(history, depth=1)


@pytest.mark.parametrize(
    ("make", "budget", "reason"),
    [
        (lambda: draughts.Search.minimax(draughts.Evaluator.material()), {"nodes": 10}, "must name one"),
        (lambda: draughts.Search.minimax(draughts.Evaluator.material()), {"depth": 10**6}, "must name one, 1 to 200"),
        (lambda: draughts.Search.uct(), {"depth": 3}, "MCTS has no depth"),
        (lambda: draughts.Search.alphabeta(draughts.Evaluator.material()), {"depth": -1}, "0 or more"),
        (lambda: draughts.Search.alphabeta(draughts.Evaluator.material()), {"seconds": float("nan")}, "0 or more"),
        (lambda: draughts.Search.alphabeta(draughts.Evaluator.material(), megabytes=0), {}, "1 to 65536 megabytes"),
        (lambda: draughts.Search.uct(exploration=-1), {}, "not negative"),
        (lambda: draughts.Search.uct(exploration=float("nan")), {}, "not negative"),
        (lambda: draughts.Search.ept(draughts.Evaluator.material(), plies=-1), {}, "0 or more plies"),
    ],
)
def test_a_search_that_cannot_be_is_refused_in_a_sentence(make, budget, reason):
    with pytest.raises(ValueError, match=reason):
        make().search(draughts.History(), **budget)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: draughts.Evaluator.board(network(dense(64, 1)), king=1.5), "32 or 91 inputs"),
        (lambda: draughts.Evaluator.board(network(dense(32, 129, 1)), king=1.5), "at most 128 nodes"),
        (lambda: draughts.Evaluator.board(network(dense(32, 1)), king=float("nan")), "a king is worth"),
        (lambda: draughts.Evaluator.board(network(dense(32, 1)), king=1e30), "a king is worth"),
        (lambda: draughts.Evaluator.features(network(dense(38, 1)), chosen=draughts.FEATUREMAP28), "does not fit"),
        (lambda: draughts.Evaluator.features(network(dense(38, 1)), chosen=0), "mask of 28 bits"),
        (lambda: tictactoe3d.Evaluator.cells(network(dense(32, 1))), "64 inputs"),
        (lambda: tictactoe3d.Evaluator.cells(network(dense(64, 513, 1))), "at most 512 nodes"),
    ],
)
def test_an_evaluator_that_cannot_be_is_refused_in_a_sentence(make, reason):
    with pytest.raises(ValueError, match=reason):
        make()


def test_a_linear_output_is_cut_to_the_range_of_values():
    layers = dense(32, 1, activation="linear")
    evaluator = draughts.Evaluator.board(network(layers, low=100, high=200), king=1.5)
    assert evaluator.value(Position("W:W30:B1,2,3")) == 1
    assert evaluator.value(Position("W:W28,29,30:B1")) == -1
    found = draughts.Search.alphabeta(evaluator).search(draughts.History(), depth=4)
    assert found.end_in is None and all(-1 <= root.value <= 1 for root in found.moves)


def test_weights_may_be_large():
    evaluator = draughts.Evaluator.features(
        network(dense(38, 20, 5, 1), low=-1e9, high=1e9), chosen=draughts.FEATUREMAP12
    )
    for position in positions(draughts, 50):
        assert -1 <= evaluator.value(position) <= 1


# The same result again.


def fingerprint(found):
    roots = [(str(root.move), root.value, root.end_in, root.exact, root.visits) for root in found.moves]
    return found.depth, found.value, found.nodes, [str(move) for move in found.variation], roots


REPEATED = {
    "alphabeta": lambda: draughts.Search.alphabeta(draughts.Evaluator.board(network(dense(32, 40, 10, 1)), king=1.5)),
    "uct": draughts.Search.uct,
    "ept": lambda: draughts.Search.ept(draughts.Evaluator.material()),
    "random": draughts.Search.random,
}


def thoughts(make, where):
    search = make()
    return [fingerprint(search.search(draughts.History(position), seed=3, nodes=2000)) for position in where]


@pytest.mark.parametrize("kind", REPEATED)
def test_the_same_seed_and_nodes_give_the_same_analysis_in_any_thread(kind):
    where = positions(draughts, 15, seed=14)
    wanted = thoughts(REPEATED[kind], where)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: thoughts(REPEATED[kind], where), range(4)):
            assert found == wanted


@pytest.mark.parametrize("kind", REPEATED)
def test_a_used_search_finds_what_a_new_one_finds(kind):
    where = positions(draughts, 15, seed=14)
    alone = [thoughts(REPEATED[kind], [position])[0] for position in where]
    assert thoughts(REPEATED[kind], where) == alone


@pytest.mark.parametrize("kind", ["uct", "ept", "random"])
def test_another_seed_gives_another_analysis(kind):
    search = REPEATED[kind]()
    found = {str(fingerprint(search.search(draughts.History(), seed=seed, nodes=50))) for seed in range(10)}
    assert len(found) > 1


# Reports, and the word to stop.


def test_a_report_sees_one_depth_more_each_time():
    seen = []
    search = draughts.Search.alphabeta(draughts.Evaluator.material())
    found = search.search(draughts.History(), depth=7, report=lambda each: seen.append(each) or True)
    assert [each.depth for each in seen] == [1, 2, 3, 4, 5, 6, 7]
    assert [each.nodes for each in seen] == sorted({each.nodes for each in seen})
    assert all(len(each.variation) >= each.depth for each in seen)
    assert fingerprint(seen[-1]) == fingerprint(found)


def test_a_report_sees_every_ten_thousand_playouts():
    seen = []
    draughts.Search.uct().search(draughts.History(), nodes=25_000, report=lambda each: seen.append(each.nodes) or True)
    assert seen == [10_000, 20_000]


@pytest.mark.parametrize("kind", ["alphabeta", "uct", "ept"])
def test_a_report_can_end_a_search_that_has_no_budget(kind):
    reports = []
    found = REPEATED[kind]().search(draughts.History(), report=lambda each: reports.append(each) or len(reports) < 2)
    assert len(reports) == 2
    assert fingerprint(found) == fingerprint(reports[-1])


@pytest.mark.parametrize("kind", ["alphabeta", "uct", "ept"])
def test_an_error_in_a_report_comes_out_and_the_search_can_be_used_again(kind):
    search = REPEATED[kind]()
    history = draughts.History()
    wanted = fingerprint(search.search(history, nodes=3000))

    def fails(found):
        raise LookupError("from the report")

    with pytest.raises(LookupError, match="from the report"):
        search.search(history, report=fails)
    assert fingerprint(search.search(history, nodes=3000)) == wanted


@pytest.mark.parametrize("answer", [None, 1, "yes"])
def test_a_report_that_does_not_say_whether_to_go_on_is_told_so(answer):
    search = draughts.Search.alphabeta(draughts.Evaluator.material())
    with pytest.raises(TypeError, match="it returns True or False"):
        search.search(draughts.History(), depth=3, report=lambda found: answer)


def test_a_search_refuses_to_be_used_while_it_is_under_way():
    search = draughts.Search.alphabeta(draughts.Evaluator.material())

    def again(found):
        search.search(draughts.History(), depth=1)

    with pytest.raises(ValueError, match="this search is under way"):
        search.search(draughts.History(), depth=3, report=again)
    assert search.search(draughts.History(), depth=3).depth == 3


@pytest.mark.parametrize("kind", ["alphabeta", "uct"])
def test_the_game_may_go_on_while_it_is_searched(kind):
    # Kings only: the keys of the game are then asked for all the time.
    history = draughts.History(Position("W:WK1,K2:BK31,K32"))
    search = REPEATED[kind]()
    budget = {"nodes": 40_000}
    wanted = fingerprint(search.search(history, **budget))

    def play_on(found):
        if history.outcome() is None:
            history.play(history.position.moves()[0])
        return True

    assert fingerprint(search.search(history, report=play_on, **budget)) == wanted
    assert history.plies > 0


STOPPED = {
    "minimax": (lambda: draughts.Search.minimax(draughts.Evaluator.material()), {"depth": 60}),
    "alphabeta": (lambda: draughts.Search.alphabeta(draughts.Evaluator.material()), {}),
    "uct": (draughts.Search.uct, {}),
    "ept": (lambda: draughts.Search.ept(draughts.Evaluator.material()), {}),
}


@pytest.mark.parametrize("kind", STOPPED)
def test_another_thread_can_stop_a_search_that_would_not_end(kind):
    make, budget = STOPPED[kind]
    search = make()
    found = []
    thread = threading.Thread(target=lambda: found.append(search.search(draughts.History(), **budget)))
    thread.start()
    while thread.is_alive():
        search.stop()
        thread.join(0.01)
    assert found[0].variation[0] in draughts.START.moves()
    assert len(found[0].moves) == 7
    assert all(-1 <= each.value <= 1 and each.end_in is None for each in (found[0], *found[0].moves))
    # The word to stop was for that search, not for the next.
    again = {"depth": 3} if kind in ("minimax", "alphabeta") else {"nodes": 100}
    assert fingerprint(search.search(draughts.History(), **again)) == fingerprint(
        make().search(draughts.History(), **again)
    )


def test_minimax_that_runs_out_of_nodes_puts_what_it_does_not_know_last():
    search = draughts.Search.minimax(draughts.Evaluator.material())
    whole = {root.move: root.value for root in search.search(draughts.History(), depth=5).moves}
    found = search.search(draughts.History(), depth=5, nodes=5000)
    assert found.nodes == 5000
    known = [root for root in found.moves if root.exact]
    assert 0 < len(known) < 7 and found.moves[: len(known)] == known
    assert all(root.value == whole[root.move] for root in known)
    assert all(root.value == 0 and root.end_in is None for root in found.moves[len(known) :])


# What is there to be found.


@pytest.mark.parametrize("kind", ["minimax", "alphabeta", "plain", "exact"])
@pytest.mark.parametrize(
    ("game", "text", "depth", "move", "end_in"),
    [
        # Black gives a man and takes two, and White has nothing left: 14-18 22x15 11x18x27, or 23x14 9x18x25.
        (draughts, "B:W22,23:B5,8,9,11,14", 3, "14-18", 3),
        (draughts, "B:W15:B10", 1, "10x19", 1),
        (tictactoe3d, "w,w,w,-/b,b,b,-/-,-,-,-/-,-,-,-", 1, "d1", 1),
        (tictactoe3d, "www,bbb,-,-/-,-,-,-/-,-,-,-/-,-,-,-", 1, "a1", 1),
        # White is about to complete the first row at d1 and the first column at a4: Black stops one of them and loses.
        (tictactoe3d, "w,w,w,-/w,b,b,-/w,-,-,-/-,b,b,-", 2, None, -2),
    ],
)
def test_forced_ends_are_counted_in_plies(kind, game, text, depth, move, end_in):
    position = game.Position(text)
    found = SEARCHES[kind][0](game).search(game.History(position), depth=depth)
    assert found.end_in == end_in
    assert found.value == (1 if end_in > 0 else -1)
    assert move is None or position.write(found.variation[0]) == move
    assert found.moves[0].end_in == end_in


@pytest.mark.parametrize(
    ("text", "end_in"), [("B:WK12:BK14,K15", 3), ("B:W31:BK15,K14", 5), ("B:WK29:BK11,K14", 7), ("B:WK4:BK18,K19", 7)]
)
def test_a_win_is_as_far_away_whether_the_table_knew_it_or_not(text, end_in):
    history = draughts.History(Position(text))
    assert draughts.Search.minimax(draughts.Evaluator.material()).search(history, depth=7).end_in == end_in
    for switches in ({}, {"table": False}, {"exact_root": True}, {"reductions": False}, {"ordering": False}):
        search = draughts.Search.alphabeta(draughts.Evaluator.material(), **switches)
        assert search.search(history, depth=9).end_in == end_in


def drive(strong, weak, history, plies):
    """Plays the first search for the side to move against the second."""
    sides = [strong, weak]
    for ply in range(plies):
        if history.outcome():
            break
        history.play(sides[ply % 2](history).variation[0])
    return history.outcome()


def test_a_won_position_is_won_and_not_repeated():
    # Two kings against one outside the double corner. The defender moves as well as it can.
    search = draughts.Search.alphabeta(draughts.Evaluator.material())
    for text in ("B:WK29:BK11,K14", "B:WK4:BK18,K19", "B:W32:BK27,K23"):
        history = draughts.History(Position(text))
        outcome = drive(lambda h: search.search(h, depth=13), lambda h: search.search(h, depth=9), history, 60)
        assert str(outcome) == "Black wins: White cannot move"


def test_the_side_that_is_behind_takes_the_repetition():
    position = Position("W:WK1:BK10,K15")
    history = draughts.History(position)
    for text in ("1-5", "10-14", "5-1", "14-10"):
        history.play(history.position.move(text))
    assert history.position == position
    search = draughts.Search.alphabeta(draughts.Evaluator.material())
    found = search.search(history, depth=1)
    assert str(found.variation[0]) == "1-5" and found.value == 0
    blind = draughts.Search.alphabeta(draughts.Evaluator.material(), repetition=False)
    assert blind.search(history, depth=1).value < 0


def test_ept_takes_the_result_of_a_play_out_that_ends_at_its_last_ply():
    # Black's one man is taken wherever it goes, by the first ply of the play-out. The evaluator knows nothing.
    nothing = draughts.Evaluator.board(networks.build(dense(32, 1), np.zeros(33, np.float32)), king=1.5)
    history = draughts.History(Position("B:W22,25:B14"))
    assert draughts.Search.ept(nothing, plies=1).search(history, nodes=100).value == -1


def test_moves_of_the_same_value_are_chosen_by_the_seed():
    search = draughts.Search.alphabeta(draughts.Evaluator.material())
    chosen = {str(search.search(draughts.History(), depth=1, seed=seed).variation[0]) for seed in range(100)}
    assert chosen == {str(move) for move in draughts.START.moves()}
    # A better move is chosen whatever the seed.
    history = draughts.History(Position("B:W15,32:B9,10"))
    assert {str(search.search(history, depth=1, seed=seed).variation[0]) for seed in range(20)} == {"10x19"}


# Strength, at fixed seeds.


def score(game, first, second, openings):
    """The share of the points that `first` gets, each opening played with both colours."""
    points = 0.0
    for index, opening in enumerate(openings):
        for player in (0, 1):
            history = game.History(opening)
            sides = (first, second) if player == 0 else (second, first)
            ply = 0
            while not (outcome := history.outcome()):
                history.play(sides[ply % 2](history, index))
                ply += 1
            if outcome.winner is None:
                points += 0.5
            else:
                points += (outcome.winner == opening.turn) == (player == 0)
    return points / (2 * len(openings))


def opening(game, index, plies):
    position = game.START
    for move in game.random_game(21, index)[0][:plies]:
        position = position.play(move)
    return position


def chooser(search, **budget):
    return lambda history, seed: search.search(history, seed=seed, **budget).variation[0]


def test_uct_with_200_playouts_beats_random_in_95_of_100_games():
    uct, random = draughts.Search.uct(), draughts.Search.random()
    result = score(draughts, chooser(uct, nodes=200), chooser(random), [draughts.START] * 50)
    assert result >= 0.95


def test_alphabeta_at_depth_6_scores_80_percent_against_depth_2():
    search = draughts.Search.alphabeta(draughts.Evaluator.material(), megabytes=1)
    openings = [opening(draughts, index, 6) for index in range(50)]
    assert score(draughts, chooser(search, depth=6), chooser(search, depth=2), openings) >= 0.8


def test_material_is_a_share_of_what_is_on_the_board():
    value = draughts.Evaluator.material().value  # for the side that has just moved
    assert value(draughts.Position("W:W30:B1,2,K3")) == pytest.approx((7 - 2) / (7 + 2))
    assert value(draughts.Position("B:W30:B1,2,K3")) == pytest.approx((2 - 7) / (7 + 2))
    assert value(draughts.Position("B:W:B1")) == -1
    assert value(draughts.Position("B:W:B")) == 0  # nothing at all, and still a number
