"""Endgame specialists of MP-Draughts: each learns from the boards of one unit and then plays the generalist."""

from msgspec import Struct

from ludus.arena import play as arena
from ludus.arena.score import Score
from ludus.learning import training_games
from ludus.learning.visiondraughts import VisionDraughts
from ludus.players.networks import Theta


class SpecialistTraining(Struct, frozen=True, kw_only=True):
    """The training of a specialist, as a task for a worker. Equal trainings give equal specialists."""

    unit: int  # from 0
    boards: tuple[str, ...]  # the one nearest to the unit first
    config: VisionDraughts
    generalist: Theta
    initial: Theta | None  # the specialist's initial weights; None takes random ones
    test_boards: int  # on which it plays the generalist at the end
    seed: int


def train(task: SpecialistTraining) -> tuple[Theta, Score]:
    """The specialist's weights, and its score against the generalist on its boards, each with both colours."""
    seed = training_games.derived_seed(task.seed, 10, task.unit)
    theta = task.config.train_specialist(task.boards, task.initial, seed)
    games = training_games.test_games(
        task.config.setup(),
        theta,
        task.generalist,
        task.boards[: task.test_boards],
        training_games.derived_seed(seed, 11),
    )
    played = [arena.play(game) for game in games]
    score = Score()
    for one, other in zip(played[::2], played[1::2], strict=True):
        score += Score.pair(one.points, 1 - other.points)
    return theta, score
