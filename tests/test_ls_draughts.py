"""LS-Draughts: its masks and matches, and a genetic algorithm that repeats no training and no match."""

from typing import Any

import numpy as np
import pytest

from ludus import players
from ludus.learning import State, ls_draughts
from ludus.learning.ls_draughts import CANDIDATES, LSDraughts, Population
from ludus.players.evaluators import FEATURES
from ludus.workers import Workers

TINY: dict[str, Any] = {
    "sets": 1,
    "games": 4,
    "budget": "depth=1",
    "population": 3,
    "generations": 2,
    "match_boards": 1,
    "test_boards": 0,
    "final_boards": 0,
    "reference_games": 0,
    "finalists": 0,
}


def test_the_candidate_features() -> None:
    assert len(CANDIDATES) == 15
    assert FEATURES[:13] == CANDIDATES[:13]
    config = LSDraughts(**TINY)
    assert config.individual(0b100000000000011).features == ("PieceAdvantage", "PieceDisadvantage", "Taken")
    with pytest.raises(ValueError, match="fewer sets than 3"):
        LSDraughts(**{**TINY, "features": ("Dyke",)})


def test_a_set_may_be_limited_to_some_features() -> None:
    config = LSDraughts(**{**TINY, "population": 8, "most_features": 3})
    first = config._initial_masks()
    assert len(first) == 8
    assert all(1 <= mask.bit_count() <= 3 for mask in first)  # so the 12 of NeuroDraughts are not among them
    children = config._offspring(Population(generation=1, parents=first))
    assert all(1 <= mask.bit_count() <= 3 for mask in children)
    alone = LSDraughts(**{**TINY, "features": FEATURES, "population": 8, "most_features": 1})
    assert sorted(mask.bit_count() for mask in alone._initial_masks()) == [1] * 8  # of 2^28 masks only 28 fit
    with pytest.raises(ValueError, match="fewer sets than 16"):
        LSDraughts(**{**TINY, "population": 16, "most_features": 1})


def test_a_mask_is_trained_once_and_two_masks_play_one_match(monkeypatch: pytest.MonkeyPatch) -> None:
    trained: list[int] = []
    met: list[tuple[int, int]] = []
    train, play_matches = ls_draughts.train, LSDraughts._play_matches

    def counted(task: Any) -> Any:
        trained.append(task.mask)
        return train(task)

    def noted(self: LSDraughts, population: Population, pairs: Any, *rest: Any) -> Any:
        met.extend(pairs)
        return play_matches(self, population, pairs, *rest)

    monkeypatch.setattr(ls_draughts, "train", counted)
    monkeypatch.setattr(LSDraughts, "_play_matches", noted)
    # Three features and many generations: the seven masks must come again and again.
    config = LSDraughts(**{**TINY, "features": ("PieceAdvantage", "Dyke", "Node"), "generations": 6})
    with Workers.open(1) as workers:
        last = list(config.learn(None, workers))[-1]
    assert 3 < len(trained) == len(set(trained)) <= 7
    assert len(met) == len(set(met)) <= 21
    assert 0 not in trained
    assert last.player is not None
    assert last.done == last.total == 21


def test_children_are_never_empty() -> None:
    config = LSDraughts(**{**TINY, "features": ("PieceAdvantage", "Dyke", "Node"), "mutation_rate": 0.5})
    for generation in range(200):
        population = Population(generation=generation, parents=[1, 2, 4])
        assert all(1 <= mask <= 7 for mask in config._offspring(population))


def test_the_fitness_is_the_score_in_all_matches() -> None:
    population = Population(points={(1, 2): 4, (1, 3): 3, (2, 3): 1})
    assert population.fitness([1, 2, 3], 4) == {1: 7 / 8, 2: 1 / 8, 3: 4 / 8}


def test_ls_draughts_goes_on_from_every_state() -> None:
    config = LSDraughts(**TINY)
    with Workers.open(1) as one, Workers.open(2) as two:
        whole = list(config.learn(None, one))
        assert {progress.stage for progress in whole} == {"training", "matches", "selection", "result"}
        for begun, progress in enumerate(whole[:-1], start=1):
            again = list(config.learn(State(arrays=progress.state.arrays, facts=progress.state.facts), two))
            assert len(again) == len(whole) - begun
            for other, known in zip(again, whole[begun:], strict=True):
                assert (other.done, other.line, other.state.facts) == (known.done, known.line, known.state.facts)
                assert other.state.arrays.keys() == known.state.arrays.keys()
                for name, array in known.state.arrays.items():
                    np.testing.assert_array_equal(other.state.arrays[name], array)
    final = whole[-1].player
    assert final is not None
    players.ActivePlayer(final)
