"""The genetic learner: its operators on networks small enough to work by hand, its fifteen, whole runs, the report."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import msgspec
import numpy as np
import pytest

from ludus import players, reports
from ludus.arena.matches import MatchConfig
from ludus.learning import evolution, operators
from ludus.learning.evolution import Generation, Member
from ludus.learning.genetic import Genetic, plan
from ludus.players import networks
from ludus.players.networks import Layer, dense
from ludus.reports import evolution as report
from ludus.workers import Workers
from matches import finish, newest_first

LAYERS = dense(2, 2, 1)  # theta: a1 a2 a0, b1 b2 b0, c1 c2 c0
ONE = np.array([0.8, -0.9, 0.1, 0.75, 0.76, -1.0, 0.5, 0.6, 0.99], np.float32)
OTHER = np.array([-0.1, 0.2, 0.3, -0.4, -0.5, 0.6, 0.7, -0.8, -0.9], np.float32)

TINY = Genetic(
    generations=2,
    hidden="4",
    openings="random:3",
    pairing="random",
    rounds=1,
    max_plies=40,
    end_games=0,
    recombination="none",
    averaging=1,
    seed=5,
)
FAITHFUL = Genetic(**Genetic.presets["faithful"])


def learnt(config, executor=None, state=None, threads=1):
    with executor or ThreadPoolExecutor(threads) as executor:
        return list(config.learn(state, Workers(executor, threads)))


def same(one, other):
    assert [each.line for each in one] == [each.line for each in other]
    for mine, theirs in zip(one, other, strict=True):
        assert mine.state.facts == theirs.state.facts and mine.note == theirs.note
        assert mine.state.arrays.keys() == theirs.state.arrays.keys()
        for name, array in mine.state.arrays.items():
            assert array.dtype == theirs.state.arrays[name].dtype and (array == theirs.state.arrays[name]).all()
        for name, player in mine.players.items():
            assert (player.theta == theirs.players[name].theta).all()


# Operators.


def test_nodes_are_slices_of_theta_with_their_bias_last():
    assert networks.nodes(LAYERS) == [[slice(0, 3), slice(3, 6)], [slice(6, 9)]]
    structured = (Layer(inputs=32, outputs=91, structure="subsquares"), *dense(91, 40, 10, 1))
    first, *_, last = networks.nodes(structured)
    assert len(first) == 91 and sum(node.stop - node.start for node in first) == 854 + 91
    assert last == [slice(5046 - 11, 5046)]
    every = [node for layer in networks.nodes(structured) for node in layer]
    assert every[0].start == 0 and all(a.stop == b.start for a, b in pairwise(every))


def test_crossover_exchanges_what_is_strong_in_the_dominant_parent_and_nothing_else():
    one, other = operators.crossover(ONE, OTHER, slice(0, 3), 0.75)
    assert one.tolist() == [*OTHER[:2].tolist(), *ONE[2:].tolist()]
    assert other.tolist() == [*ONE[:2].tolist(), *OTHER[2:].tolist()]


def test_crossover_exchanges_a_strong_bias_and_keeps_what_is_just_at_the_threshold():
    one, other = operators.crossover(ONE, OTHER, slice(3, 6), 0.75)
    assert one[3:6].tolist() == [ONE[3], OTHER[4], OTHER[5]]
    assert other[3:6].tolist() == [OTHER[3], ONE[4], ONE[5]]


def test_the_dominance_of_the_parents_matters():
    one, other = operators.crossover(OTHER, ONE, slice(0, 3), 0.75)  # nothing is strong in OTHER's first node
    assert (one == OTHER).all() and (other == ONE).all()


def test_crossover_twice_gives_the_parents_back():
    children = operators.crossover(ONE, OTHER, slice(0, 6), 0.0)
    assert {tuple(child) for child in operators.crossover(*children, slice(0, 6), 0.0)} == {tuple(ONE), tuple(OTHER)}


def test_additive_mutation_moves_every_weight_by_at_most_its_step():
    theta = np.zeros(4101, np.float32)
    moved = operators.additive_mutation(theta, np.random.default_rng(1))
    step = 1 / np.sqrt(2 * np.sqrt(4101))
    assert step == pytest.approx(0.08836, abs=1e-5)
    assert (moved != 0).all() and np.abs(moved).max() <= step
    assert np.abs(moved).max() > 0.99 * step and abs(moved.mean()) < 0.003
    assert (theta == 0).all() and moved.dtype == np.float32


def test_mutation_is_clipped():
    theta = np.array([1.0, -1.0] * 500, np.float32)
    moved = operators.additive_mutation(theta, np.random.default_rng(2))
    assert np.abs(moved).max() == 1
    assert 400 < (np.abs(moved) == 1).sum() < 600  # a step outwards, every other time


def test_sensitivity_is_the_root_mean_square_of_the_derivatives():
    layers = dense(2, 1, activation="linear")  # the derivatives are the inputs, and 1 by the bias
    network = networks.build(layers, np.zeros(3, np.float32))
    positions = [(np.array([3.0, 0.0], np.float32), 0.0), (np.array([4.0, 1.0], np.float32), 5.0)]
    assert operators.sensitivity(network, positions) == pytest.approx([np.sqrt(12.5), np.sqrt(0.5), 1.0])


def test_safe_mutation_changes_the_output_by_the_given_amount():
    layers = dense(20, 10, 1)
    rng = np.random.default_rng(3)
    theta = networks.random_theta(layers, rng, -0.3, 0.3)
    positions = [(rng.uniform(-1, 1, 20).astype(np.float32), 0.0) for _ in range(50)]
    network = networks.build(layers, theta)
    known = operators.sensitivity(network, positions)
    inputs = np.array([each for each, _ in positions])
    changes = []
    for _ in range(40):
        moved = networks.build(layers, operators.safe_mutation(theta, known, 0.01, rng))
        changes.append(moved.values(inputs) - network.values(inputs))
    assert np.sqrt(np.mean(np.square(changes))) == pytest.approx(0.01, rel=0.1)


def test_safe_mutation_moves_least_what_matters_most():
    rng = np.random.default_rng(4)
    known = np.array([1.0, 0.5, 0.2, 0.0] * 1000, np.float32)
    steps = np.abs(operators.safe_mutation(np.zeros(4000, np.float32), known, 0.5, rng)).reshape(-1, 4).max(0)
    floor = 0.1 * known.mean()
    assert steps / steps[0] == pytest.approx([1, 2, 5, 1 / floor], rel=0.01)


def test_safe_mutation_of_a_flat_output_is_the_additive_one():
    known = np.zeros(9, np.float32)
    safe = operators.safe_mutation(ONE, known, 0.1, np.random.default_rng(5))
    assert (safe == operators.additive_mutation(ONE, np.random.default_rng(5))).all()


# The fifteen.


def test_the_plan_is_the_texts():
    slots = plan(elitism=True, crossover=True, mutation=True)
    by_origin = {origin: [slot.ranks for slot in slots if slot.origin == origin] for origin in ("elite", "crossover")}
    assert by_origin["elite"] == [(0,), (1,), (2,), (3,), (4,)]
    assert by_origin["crossover"] == [(0, 1), (0, 1), (1, 2), (1, 2)]
    assert sorted(slot.ranks for slot in slots if slot.origin == "mutation") == [(0,), (1,), (1,), (2,), (3,), (4,)]
    assert len(slots) == 15


@pytest.mark.parametrize("left_out", ["elitism", "crossover", "mutation"])
def test_without_one_method_there_are_still_fifteen(left_out):
    methods = {"elitism": True, "crossover": True, "mutation": True, left_out: False}
    slots = plan(**methods)
    assert len(slots) == 15
    assert {slot.origin for slot in slots} == {"elite", "crossover", "mutation"} - {left_out.replace("ism", "e", 1)}


@pytest.mark.parametrize(("population", "elite"), [(3, 2), (7, 2), (16, 5), (30, 10), (41, 3)])
@pytest.mark.parametrize("left_out", ["", "elitism", "crossover", "mutation"])
def test_a_plan_has_as_many_places_as_members_and_takes_its_parents_from_the_elite(population, elite, left_out):
    methods = {"elitism": True, "crossover": True, "mutation": True} | ({left_out: False} if left_out else {})
    slots = plan(**methods, population=population, elite=elite)
    assert len(slots) == population
    assert {rank for slot in slots for rank in slot.ranks} == set(range(elite))
    assert all(len(set(slot.ranks)) == (2 if slot.origin == "crossover" else 1) for slot in slots)


def test_twice_the_population_keeps_the_proportions():
    assert plan(elitism=True, crossover=True, mutation=True, population=15, elite=5) == plan(
        elitism=True, crossover=True, mutation=True
    )
    slots = plan(elitism=True, crossover=True, mutation=True, population=30, elite=10)
    counts = [sum(slot.origin == origin for slot in slots) for origin in ("elite", "crossover", "mutation")]
    assert counts == [10, 8, 12]
    pairs = [slot.ranks for slot in slots if slot.reciprocal]
    assert pairs == [(0, 1), (1, 2), (2, 3), (3, 4)]
    copied = [slot.ranks[0] for slot in slots if slot.origin == "mutation"]
    assert copied == [0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8]


def test_a_learner_that_could_change_nothing_is_refused():
    with pytest.raises(ValueError, match="nothing would ever change"):
        learnt(Genetic(crossover=False, mutation="none"))


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"hidden": "40-x"}, "write their sizes as 40-10"),
        ({"game": "tictactoe3d", "openings": "ballots3"}, "has no ballots"),
        ({"game": "tictactoe3d", "inputs": "squares32"}, "squares32 are those of draughts, not of tictactoe3d"),
        ({"search": "uct", "inputs": "cells64"}, "cells64 are those of tictactoe3d, not of draughts"),
        ({"inputs": "featuremap12", "piece_difference": True}, "no piece difference"),
        ({"openings": "ballots9"}, "names no openings"),
        ({"population": 5}, "an elite of 5 leaves no place in a population of 5"),
        ({"pairing": "none", "pool_games": 0}, "give it a player that does not evolve"),
        ({"pairing": "none", "pool": ("champions",), "pool_games": 2}, "give it a player that does not evolve"),
        ({"pool": ("nobody",), "pool_games": 2}, "nobody"),
    ],
)
def test_options_that_do_not_fit_together_are_a_sentence(config, reason):
    with pytest.raises(ValueError, match=reason):
        learnt(Genetic(**config))


def generation(config):
    """A first generation of which the first is the best and the last the worst."""
    template = config.template()
    members = config.ask(template, None, np.random.default_rng(6))
    return template, Generation(
        number=0,
        members=tuple(members),
        points=tuple(range(15, 0, -1)),
        positions=(),
        champions=(members[0],),
        created=15,
        sum=0.0,
    )


def test_the_next_generation_as_the_text_has_it():
    template, latest = generation(FAITHFUL)
    assert networks.weights(template.layers) == 4101
    first = latest.members
    assert all(-1 <= each.theta.min() < -0.99 and 0.99 < each.theta.max() <= 1 for each in first)
    members = FAITHFUL.ask(template, latest, np.random.default_rng(7))
    assert len(members) == 15
    for rank, stayed in enumerate(members[:5]):
        assert (stayed.number, stayed.parents, stayed.origin) == (rank, (rank,), "elite")
        assert (stayed.theta == first[rank].theta).all()
    born = members[5:]
    assert [each.number for each in born] == list(range(15, 25))
    hidden = [node for layer in networks.nodes(template.layers)[:-1] for node in layer]
    for each in born:
        changed = [each.theta != first[parent].theta for parent in each.parents]
        if each.origin == "mutation":
            assert np.abs(each.theta - first[each.parents[0]].theta).max() <= operators.largest_step(4101) + 1e-6
            assert changed[0].mean() > 0.9
    for one, other in (born[0:2], born[2:4]):
        assert (one.origin, other.origin) == ("crossover", "crossover") and one.parents == other.parents[::-1]
        dominant, submissive = (first[parent].theta for parent in one.parents)
        changed = one.theta != dominant
        assert (one.theta[changed] == submissive[changed]).all() and (other.theta[changed] == dominant[changed]).all()
        assert (other.theta[~changed] == submissive[~changed]).all()
        assert (np.abs(dominant[changed]) > 0.75).all()
        [node] = [node for node in hidden if changed[node].any()]
        assert (changed[node] == (np.abs(dominant[node]) > 0.75)).all()


def test_with_recombination_mutated_copies_begin_with_the_mean_of_the_elite():
    config = msgspec.structs.replace(FAITHFUL, recombination="mean")
    template, latest = generation(config)
    mean = np.mean([member.theta for member in latest.members[:5]], axis=0)
    members = config.ask(template, latest, np.random.default_rng(7))
    mutants = [member for member in members if member.origin == "mutation"]
    assert [member.parents[0] for member in mutants] == [0, 1, 1, 2, 3, 4]
    for member in mutants:
        assert sorted(member.parents) == [0, 1, 2, 3, 4]
        assert np.abs(member.theta - mean).max() <= operators.largest_step(4101) + 1e-6
    kept = config.champion(latest.members)
    assert kept.theta == pytest.approx(mean, abs=1e-6) and kept.number == 0
    assert FAITHFUL.champion(latest.members) is latest.members[0]


def test_the_kept_champion_is_a_running_average():
    one = Member(number=1, theta=ONE, origin="random", king=2.0)
    other = Member(number=2, theta=OTHER, origin="random", king=1.0)
    assert evolution.averaged(one, other, 1) is other
    kept = evolution.averaged(one, other, 4)
    assert kept.theta == pytest.approx(0.75 * ONE + 0.25 * OTHER, abs=1e-6)
    assert (kept.number, kept.king) == (2, 1.75)
    config = msgspec.structs.replace(TINY, averaging=2, recombination="mean")
    before, after = learnt(config)[1:]
    thetas = after.state.arrays["theta"][:5].mean(axis=0)
    assert after.player.theta == pytest.approx((before.players["0001"].theta + thetas) / 2, abs=1e-6)


def test_members_are_ranked_by_points_and_ties_broken_at_random():
    members = [Member(number=number, theta=ONE, origin="random") for number in range(4)]
    orders = set()
    for seed in range(30):
        order, points = evolution.ranked(members, [1.0, 3.0, 1.0, -2.0], np.random.default_rng(seed))
        orders.add(tuple(each.number for each in order))
        assert points == (3.0, 1.0, 1.0, -2.0)
    assert orders == {(1, 0, 2, 3), (1, 2, 0, 3)}


# Whole runs.


def test_the_result_does_not_depend_on_threads_or_order():
    alone = learnt(TINY)
    same(alone, learnt(TINY, threads=2))
    same(alone, learnt(TINY, newest_first(), threads=2))


@pytest.mark.parametrize("mutation", ["safe", "additive"])
def test_a_run_goes_on_from_any_state(mutation):
    config = msgspec.structs.replace(TINY, mutation=mutation, generations=3)
    whole = learnt(config)
    for place, progress in enumerate(whole):
        facts = msgspec.json.decode(msgspec.json.encode(progress.state.facts))
        state = msgspec.structs.replace(progress.state, facts=facts)
        same(whole[place + 1 :], learnt(config, state=state))


def test_the_record_has_all_of_the_population():
    whole = learnt(TINY)
    assert [each.done for each in whole] == [0, 1, 2] and {each.total for each in whole} == {2}
    assert [list(each.players) for each in whole] == [["0000"], ["0001"], ["0002"]]
    assert whole[-1].player is whole[-1].players["0002"] and whole[0].player is None
    known = set()
    for each in whole:
        line = msgspec.json.decode(msgspec.json.encode(each.line))
        assert len(line["members"]) == len(line["origins"]) == len(line["parents"]) == len(line["points"]) == 15
        assert line["points"] == sorted(line["points"], reverse=True) and line["champion"] == line["members"][0]
        assert all(set(parents) <= known for parents in line["parents"])
        known |= set(line["members"])
        assert each.state.arrays["theta"].shape == (15, networks.weights(TINY.template().layers))
        assert (each.state.arrays["theta"][0] == each.players[f"{each.done:04}"].theta).all()
    assert known == set(range(35))
    assert whole[-1].line["sum"] == pytest.approx(sum(each.line["growth"] or 0 for each in whole))


@pytest.mark.parametrize(
    "config",
    [
        {"search": "ept", "playouts": 8, "playout_plies": 1},
        {"search": "uct", "playouts": 4},
        {"search": "minimax", "depth": 1, "pairing": "swiss"},
        {"inputs": "subsquares", "hidden": "3", "piece_difference": True},
        {"inputs": "featuremap12"},
        {"game": "tictactoe3d", "pairing": "swiss", "openings": None},
        {"game": "tictactoe3d", "inputs": "lines", "hidden": "3"},
        {"pairing": "none", "pool": ("random", "champions"), "pool_games": 2},
        {"population": 6, "elite": 2, "pool_games": 2, "recombination": "mean"},
        {"mutation": "none"},
        {"elitism": False},
        {"crossover": False},
    ],
    ids=str,
)
def test_every_network_game_search_and_method_evolves(config):
    fields = msgspec.structs.asdict(TINY) | {"generations": 1, "max_plies": 20} | config
    *_, last = learnt(Genetic(**fields))
    assert last.done == 1 and players.ActivePlayer(last.player)


def test_the_last_line_has_the_matches_at_the_end():
    config = msgspec.structs.replace(TINY, end_games=4)
    whole = learnt(config)
    assert ["end" in each.line for each in whole] == [False, False, True]
    end = whole[-1].line["end"]
    assert list(end) == ["random", "uct@playouts=300", "material@depth=2", "half-way champion"]
    assert all(found["games"] == 4 and 0 <= found["score"] <= 1 for found in end.values())
    # Equal matches have equal scores: the half-way champion is that of generation 1.
    again = finish((whole[2].player, whole[1].players["0001"]), MatchConfig(games=4, seed=5))
    assert again.score.score == end["half-way champion"]["score"]
    same(whole[2:], learnt(config, state=whole[1].state))
    old = {name: value for name, value in whole[1].state.facts.items() if name != "half_way"}
    earlier = msgspec.structs.replace(whole[1].state, facts=old)
    [last] = learnt(config, state=earlier)
    assert list(last.line["end"]) == ["random", "uct@playouts=300", "material@depth=2"]
    with pytest.raises(ValueError, match="begun by a version without recombination"):
        learnt(msgspec.structs.replace(config, recombination="mean"), state=earlier)


def test_the_champion_of_a_short_evolution_beats_chance_and_the_first():
    config = Genetic(generations=12, rounds=1, piece_difference=False, end_games=0, seed=1)
    first, *_, last = learnt(config, threads=2)
    by_chance = finish((last.player, players.find("random", "draughts")), MatchConfig(games=60, openings="random:2"))
    assert by_chance.score.score > 0.7
    before = finish((last.player, first.players["0000"]), MatchConfig(games=60, openings="random:2"))
    assert before.score.interval.low > 0.5


# The report.


def test_an_ancestry_leads_back_to_chance_and_a_clock_may_begin_again():
    lines = [
        {"generation": 0, "members": [1, 0], "origins": ["random"] * 2, "parents": [[], []]},
        {"generation": 1, "members": [2, 1], "origins": ["crossover", "elite"], "parents": [[1, 0], [1]]},
        {"generation": 2, "members": [2, 3], "origins": ["elite", "mutation"], "parents": [[2], [2]]},
    ]
    assert report.births(lines)[2] == (1, "crossover", (1, 0))
    assert report.ancestry(lines, 3) == [3, 2, 1]
    spent = [(0, 2.0), (1, 5.0), (1, 5.5), (2, 6.0), (1, 8.0), (0, 1.5)]  # a checkpoint, a resume, a lost file
    times = [{"done": done, "seconds": seconds} for done, seconds in spent]
    assert report.seconds_of(times) == {0: 1.5, 1: 2.0, 2: 0.5}
    lost = [{"done": 4, "seconds": 8.0}, {"done": 5, "seconds": 10.0}, {"done": 4, "seconds": 10.0, "resumed": True}]
    assert report.seconds_of([*lost, {"done": 5, "seconds": 12.5}]) == {4: 8.0, 5: 2.5}


@pytest.mark.parametrize("kind", ["genetic", "blondie24", "evolution-strategy"])
def test_a_run_is_trained_reported_and_its_champions_play_by_generation(run, tmp_path, kind):
    folder = tmp_path / "evolved"
    fast = ("--openings", "random:3", "--max-plies", "30", "--depth", "1", "--end-games", "2", "--seed", "2")
    fewer = ("--pairs", "4", "--pair-games", "2") if kind == "evolution-strategy" else ("--rounds", "1")
    status, _, err = run("train", kind, "--generations", "2", *fast, *fewer, "--out", folder)
    assert status == 0, err
    page = reports.write(folder).read_text()
    for title in ("Matches at the end", "Running sum of growth", "Points in each generation", "Seconds a generation"):
        assert title in page
    assert "half-way champion" in page and "uct@playouts=300" in page
    assert ("How each generation" in page) == (kind != "evolution-strategy")
    status, out, err = run("match", f"{folder}@2", f"{folder}@0", "--games", "2", "--openings", "random:2")
    assert (status, err) == (0, "") and "of 2" in out
