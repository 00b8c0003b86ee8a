"""Blondie24: its networks, its step sizes, its parents and offspring, and that it learns."""

import msgspec
import numpy as np
import pytest

from ludus import players
from ludus.arena.matches import MatchConfig
from ludus.learning import tournaments
from ludus.learning.blondie24 import Blondie24, offspring, recombined, self_adapted
from ludus.learning.evolution import Member
from ludus.players import networks
from ludus.workers import Workers
from matches import by_chance, finish
from test_genetic import learnt, same

TINY = Blondie24(
    generations=2, network="1999", depth=1, openings="random:3", rounds=1, max_plies=40, end_games=0, seed=5
)
FAITHFUL = Blondie24(**Blondie24.presets["faithful"])


@pytest.mark.parametrize(("network", "weights"), [("1999", 1741), ("2001", 5046)])
def test_the_networks_have_as_many_weights_as_published(network, weights):
    template = msgspec.structs.replace(FAITHFUL, network=network).template()
    assert networks.weights(template.layers) == weights
    assert template.evaluator.piece_difference and template.evaluator.king == 2.0
    assert Blondie24(initial_king=1.2).template().evaluator.king == 1.2
    assert not Blondie24(network=network, piece_difference=False).template().evaluator.piece_difference


def test_the_first_generation():
    config = FAITHFUL
    members = config.ask(config.template(), None, np.random.default_rng(1))
    assert [member.number for member in members] == list(range(30))
    for parent in members[:15]:
        assert parent.origin == "random" and parent.king == 2.0
        assert -0.2 <= parent.theta.min() < -0.19 and 0.19 < parent.theta.max() < 0.2
        assert (parent.sigma == np.float32(0.05)).all()
    assert [member.parents for member in members[15:]] == [(number,) for number in range(15)]
    assert {member.origin for member in members[15:]} == {"mutation"}
    assert {member.king for member in members[15:]} == {1.9, 2.0, 2.1}


def test_step_sizes_change_before_the_weights():
    rng = np.random.default_rng(2)
    theta, sigma = np.zeros(10_000, np.float32), np.full(10_000, 0.05, np.float32)
    steps, moved = self_adapted(sigma, theta, rng)
    tau = 1 / np.sqrt(2 * np.sqrt(10_000))
    logs = np.log(steps / 0.05)
    assert tau == pytest.approx(0.0707, abs=1e-4)
    assert (abs(logs.mean()), logs.std()) == (pytest.approx(0, abs=0.003), pytest.approx(tau, rel=0.03))
    assert (moved / steps).std() == pytest.approx(1, rel=0.03)
    again = np.random.default_rng(2)
    first, second = again.standard_normal(10_000), again.standard_normal(10_000)
    assert steps == pytest.approx(0.05 * np.exp(tau * first)) and moved == pytest.approx(steps * second, abs=1e-6)


def test_recombination_takes_means_of_weights_and_kings_and_the_geometric_mean_of_the_step_sizes():
    thetas, sigmas = np.array([[1, -1], [3, 0]], np.float32), np.array([[0.1, 0.2], [0.4, 0.2]], np.float32)
    parents = [
        Member(number=number, theta=theta, origin="random", king=2.0 + 0.2 * number, sigma=sigma)
        for number, (theta, sigma) in enumerate(zip(thetas, sigmas, strict=True))
    ]
    for number, each in enumerate(recombined(parents)):
        assert each.theta.tolist() == [2.0, -0.5] and each.sigma == pytest.approx([0.2, 0.2])
        assert (each.number, each.king) == (number, 2.1)
    config = Blondie24(parents=2, recombination="mean")
    assert config.champion([*parents, parents[0]]).theta.tolist() == [2.0, -0.5]
    assert msgspec.structs.replace(config, recombination="none").champion(parents) is parents[0]


def test_the_value_of_a_king_stays_between_one_and_three():
    rng = np.random.default_rng(3)
    theta = np.zeros(4, np.float32)
    seen = set()
    for king in (1.0, 3.0):
        parent = Member(number=0, theta=theta, origin="random", king=king, sigma=theta + 1)
        seen |= {offspring(parent, 1, rng).king for _ in range(40)}
    assert seen == {1.0, 1.1, 2.9, 3.0}


def test_thirty_players_move_first_in_five_games_each():
    population = [msgspec.structs.replace(players.find("random", "draughts"), name=str(name)) for name in range(30)]
    with by_chance(1) as executor:
        result = tournaments.play(FAITHFUL.tournament(), population, np.random.default_rng(4), Workers(executor))
    won = sum(game.winner is not None for game in result.played)
    assert len(result.played) == 150 and sum(result.points) == -won
    assert [sum(task.players[0].name == player.name for task in executor.tasks) for player in population] == [5] * 30


def test_the_best_fifteen_are_the_next_parents():
    first, second, _ = learnt(TINY)
    best = first.line["members"][:15]
    stayed = [m for m, origin in zip(second.line["members"], second.line["origins"], strict=True) if origin == "elite"]
    assert sorted(stayed) == sorted(best) and len(second.line["members"]) == 30
    assert second.state.arrays["theta"].shape == second.state.arrays["sigma"].shape == (30, 1741)
    born = {m: p for m, p in zip(second.line["members"], second.line["parents"], strict=True) if m not in best}
    assert sorted(born) == list(range(30, 45)) and sorted(born.values()) == sorted([number] for number in best)


def test_threads_change_nothing_and_a_run_goes_on_from_any_state():
    whole = learnt(TINY)
    same(whole, learnt(TINY, threads=2))
    for place, progress in enumerate(whole):
        facts = msgspec.json.decode(msgspec.json.encode(progress.state.facts))
        same(whole[place + 1 :], learnt(TINY, state=msgspec.structs.replace(progress.state, facts=facts)))


def test_the_variations_evolve():
    for config in (
        {"pairing": "robin", "parents": 4},
        {"pairing": "none", "pool": ("random",), "pool_games": 2},
        {"piece_difference": False, "recombination": "mean", "initial_sigma": 0.01, "initial_range": 0.1},
        {"network": "2001", "depth": 2},
    ):
        fields = msgspec.structs.asdict(TINY) | {"generations": 0} | config
        [only] = learnt(Blondie24(**fields))
        assert players.ActivePlayer(only.player) and only.line["king"] == only.player.evaluator.king


def test_a_tournament_without_games_is_refused():
    with pytest.raises(ValueError, match="all games are with the pool"):
        learnt(msgspec.structs.replace(TINY, pairing="none", pool_games=0))


def test_the_champion_beats_chance():
    config = Blondie24(generations=1, network="1999", depth=2, rounds=2, openings="random:3", end_games=0, seed=1)
    with Workers.open(2) as workers:
        *_, last = config.learn(None, workers)
    standing = finish((last.player, players.find("random", "draughts")), MatchConfig(games=40, openings="random:2"))
    assert standing.score.score > 0.8
