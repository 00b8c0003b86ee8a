"""Tournaments: who plays whom, from which openings, for which points; the pool, the growth and the sample."""

import msgspec
import numpy as np

from ludus import players
from ludus.arena.task import Rules
from ludus.games import draughts
from ludus.learning import evolution, tournaments
from ludus.learning.genetic import Genetic
from ludus.learning.tournaments import Tournament
from ludus.workers import Workers
from matches import by_chance


def tournament(pairing, rounds=5, points=(2.0, 0.0, -1.0), openings="none"):
    return Tournament(pairing=pairing, rounds=rounds, points=points, openings=openings, rules=Rules(plies=100))


def played(pairing, rounds, count):
    population = [msgspec.structs.replace(players.find("random", "draughts"), name=str(name)) for name in range(count)]
    with by_chance(1) as executor:
        result = tournaments.play(
            tournament(pairing, rounds, openings="random:2"), population, np.random.default_rng(8), Workers(executor)
        )
        seats = [tuple(int(player.name) for player in task.players) for task in executor.tasks]
        openings = [task.opening for task in executor.tasks]
    return result, seats, openings


def test_both_players_of_a_game_get_points():
    result, seats, _ = played("random", 5, 15)
    assert len(seats) == 75 and [sum(first == name for first, _ in seats) for name in range(15)] == [5] * 15
    assert all(first != second for first, second in seats)
    points = [0.0] * 15
    for (first, second), game in zip(seats, result.played, strict=True):
        if game.winner is not None:
            points[(first, second)[game.winner]] += 2
            points[(second, first)[game.winner]] -= 1
    assert list(result.points) == points
    assert {game.winner for game in result.played} == {0, 1, None}


def test_all_meet_all_with_both_colours_from_an_opening():
    _, seats, openings = played("robin", 2, 5)
    assert sorted(seats) == sorted([(a, b) for a in range(5) for b in range(5) if a != b] * 2)
    assert all(one[::-1] == other for one, other in zip(seats[::2], seats[1::2], strict=True))
    assert openings[::2] == openings[1::2] and len(set(openings)) > 5


def test_neighbours_meet_in_a_swiss_system_and_no_pair_twice():
    met = {frozenset((4,))}
    rng = np.random.default_rng(9)
    assert tournaments.swiss(np.array([3.0, 9.0, 5.0, 7.0, -1.0]), met, rng) == [(1, 3), (2, 4)]
    assert tournaments.swiss(np.array([3.0, 9.0, 5.0, 7.0, -1.0]), met, rng) == [(1, 0), (3, 4)]  # 2 has a bye
    # In the first call 0 has a bye, the last that had none, and in the second 2.
    _, seats, _ = played("swiss", 4, 15)
    assert len(seats) == 4 * 7 * 2
    assert len({frozenset(pair) for pair in seats}) == 4 * 7


def test_twins_meet_with_both_colours_and_all_pairs_have_the_same_games():
    _, seats, openings = played("twins", 2, 6)
    assert seats == [(0, 1), (1, 0)] * 2 + [(2, 3), (3, 2)] * 2 + [(4, 5), (5, 4)] * 2
    assert openings[0:4] == openings[4:8] == openings[8:12] and openings[0] == openings[1] != openings[2]


def test_all_play_the_pool_from_the_same_openings():
    one, two, strong = (msgspec.structs.replace(players.find("random", "draughts"), name=name) for name in "abs")
    config = msgspec.structs.replace(tournament("none", openings="random:2"), pool_games=4)
    with by_chance(1) as executor:
        result = tournaments.play(config, [one, two], np.random.default_rng(8), Workers(executor), [strong])
    names = ["".join(player.name for player in task.players) for task in executor.tasks]
    assert names == ["as", "sa", "as", "sa", "bs", "sb", "bs", "sb"]
    first, second = executor.tasks[:4], executor.tasks[4:]
    assert [(task.opening, task.seed) for task in first] == [(task.opening, task.seed) for task in second]
    assert [task.opening for task in first] == [first[0].opening] * 2 + [first[2].opening] * 2
    points = [0.0, 0.0]
    for index, game in enumerate(result.played):
        if game.winner is not None:
            points[index // 4] += 2 if game.winner == index % 2 else -1
    assert list(result.points) == points


def test_a_player_of_the_pool_gets_the_depth_of_the_members_and_champions_are_the_last_ones():
    template = Genetic(depth=3).template()
    champion = template.player("1", np.zeros(4101, np.float32))
    material, deeper, last = evolution.pool_players(("champions", "material", "material@depth=5"), template, [champion])
    assert (material.budget.depth, deeper.budget.depth) == (3, 5) and last is champion
    assert material.search.table_megabytes == 1
    assert evolution.pool_players(("random",), template, [champion])[0].name == "random"


def test_growth_is_the_mean_over_the_last_champions():
    strong = players.find("material@depth=2", "draughts")
    weak = players.find("random", "draughts")
    with Workers.open(1) as workers:
        rng = np.random.default_rng(10)
        games = tournament("random", openings="random:2")
        assert tournaments.growth(games, strong, [], rng, workers) is None
        assert tournaments.growth(games, strong, [weak] * 2, rng, workers) > 0.8
        assert tournaments.growth(games, weak, [strong] * 2, rng, workers) < -0.8


def test_the_sample_is_of_positions_of_the_games():
    result, _, _ = played("robin", 1, 3)
    texts = tournaments.sample_positions("draughts", result.played, 40, np.random.default_rng(11))
    seen = set()
    for game in result.played:
        position = draughts.START
        for move in game.moves.split():
            position = position.play(move)
            seen.add(position.text)
    assert len(texts) == 40 and set(texts) <= seen
