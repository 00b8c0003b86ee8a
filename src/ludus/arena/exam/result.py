"""What the games of an exam show: wins converted, plies wasted, draws held, and how long losses were resisted."""

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from ludus.arena.exam.exam import ExamConfig
from ludus.arena.exam.questions import Question, ResultName
from ludus.arena.record import PlayedGame
from ludus.arena.score import Interval, Score


class Share(NamedTuple):
    """How many of so many."""

    hits: int
    size: int

    @property
    def value(self) -> float:
        """From 0 to 1; nan of none."""
        return self.hits / self.size if self.size else math.nan

    @property
    def interval(self) -> Interval:
        """The 95% interval of the true share: the likelihood-ratio interval of the scores of matches."""
        return Score(singles=(self.size - self.hits, 0, self.hits)).interval


class Marks(Struct, frozen=True, kw_only=True):
    """The results of a player in one ending, or in all of them."""

    converted: Share = Share(0, 0)  # won positions that were won
    lost_from_won: int = 0  # won positions that were lost; the others were drawn
    held: Share = Share(0, 0)  # drawn positions that were not lost
    saved: Share = Share(0, 0)  # lost positions that were not lost; none against perfect play
    wasted: tuple[int, ...] = ()  # of each converted win whose distance is known, the plies beyond it
    lasted: int = 0  # plies that the lost positions of known distance lasted, together
    distance: int = 0  # plies that they last by perfect play, together

    @property
    def median_wasted(self) -> float:
        """Plies, nan if no win was converted."""
        return float(statistics.median(self.wasted)) if self.wasted else math.nan

    @property
    def mean_wasted(self) -> float:
        """Plies, nan if no win was converted."""
        return statistics.fmean(self.wasted) if self.wasted else math.nan

    @property
    def resistance(self) -> float:
        """The plies that lost positions lasted as a share of the tables' distance; nan if there were none."""
        return self.lasted / self.distance if self.distance else math.nan


class ExamResult(Struct, frozen=True, kw_only=True):
    """The exam of one player."""

    name: str
    games: dict[int, PlayedGame]  # by the index of the question
    total: Marks
    endings: dict[str, Marks]

    @staticmethod
    def of(name: str, questions: Sequence[Question], games: dict[int, PlayedGame]) -> "ExamResult":
        """The result of a player that has played all questions."""
        pairs = [(question, games[question.index]) for question in questions]
        endings = dict.fromkeys(question.ending for question in questions)
        return ExamResult(
            name=name,
            games=games,
            total=_marks(pairs),
            endings={ending: _marks(pair for pair in pairs if pair[0].ending == ending) for ending in endings},
        )

    def converted(self, questions: Sequence[Question]) -> Share:
        """How many of these won positions the player won."""
        return Share(sum(self.games[question.index].winner == 0 for question in questions), len(questions))


def _marks(pairs: Iterable[tuple[Question, PlayedGame]]) -> Marks:
    pairs = list(pairs)
    won, drawn, lost = ([pair for pair in pairs if pair[0].result == result] for result in ("win", "draw", "loss"))
    converted = [pair for pair in won if pair[1].winner == 0]
    beaten = [pair for pair in lost if pair[1].winner == 1]
    known = [(question.distance, game) for question, game in beaten if question.distance is not None]
    return Marks(
        converted=Share(len(converted), len(won)),
        lost_from_won=sum(game.winner == 1 for _, game in won),
        held=Share(sum(game.winner != 1 for _, game in drawn), len(drawn)),
        saved=Share(len(lost) - len(beaten), len(lost)),
        wasted=tuple(_plies(game) - question.distance for question, game in converted if question.distance is not None),
        lasted=sum(_plies(game) for _, game in known),
        distance=sum(distance for distance, _ in known),
    )


def _plies(game: PlayedGame) -> int:
    return len(game.moves.split())


class Disagreement(NamedTuple):
    """Positions in which only one of two players reached the result of perfect play."""

    first: int
    second: int
    p: float  # two-sided sign test: the probability of a split at least as uneven between equal players


def disagreement(one: ExamResult, other: ExamResult, questions: Sequence[Question], result: ResultName) -> Disagreement:
    """Compares two players on the same positions of one result: wins converted, draws held or losses saved."""
    asked = [question.index for question in questions if question.result == result]
    good = (0,) if result == "win" else (0, None)  # the winner, None in a draw
    reached = [{index for index in asked if each.games[index].winner in good} for each in (one, other)]
    first, second = len(reached[0] - reached[1]), len(reached[1] - reached[0])
    size = first + second
    tail = sum(math.comb(size, count) for count in range(min(first, second) + 1)) / 2**size
    return Disagreement(first, second, min(1.0, 2 * tail))


def data(
    results: Sequence[ExamResult], questions: Sequence[Question], config: ExamConfig, tables: str
) -> dict[str, Any]:
    """The whole exam without times: the same exam gives the same data. `tables` is the digest of the tables."""
    return {
        "pieces": config.pieces,
        "games": config.games,
        "seed": config.seed,
        "tables": tables,
        "players": [
            {
                "name": result.name,
                "total": _marks_data(result.total),
                "endings": {ending: _marks_data(marks) for ending, marks in result.endings.items()},
            }
            for result in results
        ],
        "positions": [
            {
                "ending": question.ending,
                "position": question.position,
                "result": question.result,
                "distance": question.distance,
                "games": [_game_data(result.games[question.index]) for result in results],
            }
            for question in questions
        ],
    }


def _marks_data(marks: Marks) -> dict[str, Any]:
    shares = {"wins_converted": marks.converted, "draws_held": marks.held, "losses_saved": marks.saved}
    found: dict[str, Any] = {
        name: {"count": share.hits, "of": share.size, "interval": list(share.interval)}
        for name, share in shares.items()
    }
    numbers: Mapping[str, float] = {
        "median_plies_wasted": marks.median_wasted,
        "mean_plies_wasted": marks.mean_wasted,
        "resistance": marks.resistance,
    }
    return {
        **found,
        "wins_lost": marks.lost_from_won,
        **{name: value if math.isfinite(value) else None for name, value in numbers.items()},
    }


def _game_data(game: PlayedGame) -> dict[str, Any]:
    outcome = "draw" if game.winner is None else ("win", "loss")[game.winner]
    return {"outcome": outcome, "reason": game.reason.lower(), "plies": _plies(game)}
