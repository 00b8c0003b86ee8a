"""Two studies of a second: one of trials, one of steps. `ludus study tortures.study:trials` runs the first."""

from types import SimpleNamespace
from typing import NamedTuple

from ludus.arena.matches import MatchConfig
from ludus.learning import registry
from ludus.learning.genetic import Genetic
from ludus.studies.steps import MatchPlayer, MatchStep, StepStore, TrainingStep
from ludus.studies.tictactoe3d import self_play
from ludus.studies.trials import Trial, TrialStore


class Scale(NamedTuple):
    """The size of the study."""

    trials: int


class Trials:
    """Short trainings of Tic-Tac-Toe 3D."""

    title, unit, store = "Trials", "trials", TrialStore

    def __init__(self, scale: Scale, seed: int) -> None:
        options = {"games": 200, "test_every": 100, "test_games": 4}
        seeds = range(seed, seed + scale.trials)
        self.trials = [Trial.of(self_play("small"), registry.make("td", options | {"seed": each})) for each in seeds]

    def steps(self) -> list[Trial]:
        return self.trials

    def sections(self, store: TrialStore) -> list:
        return []


class Steps:
    """A training of draughts and a match of its player."""

    title, unit, store = "Steps", "steps", StepStore

    def __init__(self, scale: Scale, seed: int) -> None:
        learner = Genetic(
            generations=scale.trials, population=6, rounds=1, depth=1, pool_games=2, end_games=2, seed=seed
        )
        training = TrainingStep(name="one", kind=registry.kind_of(learner), options=registry.values(learner))
        match = MatchStep(
            one=MatchPlayer("one"), other=MatchPlayer("material@depth=2"), config=MatchConfig(games=8, seed=seed)
        )
        self.all = [training, match]

    def steps(self) -> list:
        return self.all

    def sections(self, store: StepStore) -> list:
        return []


trials = SimpleNamespace(SCALES={"quick": Scale(12)}, Study=Trials)
steps = SimpleNamespace(SCALES={"quick": Scale(3)}, Study=Steps)
