"""MP-Draughts and its predecessors in studies: their rows by both methods, and what all of them are compared by.

A row is a kind of learner with our options, or with those of its paper (`--preset faithful`). The players of a study
play matches in pairs and sit the exam of endings, with every seed; here are those steps and their results.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from ludus.arena import endings
from ludus.arena.endings import Endings
from ludus.arena.exam import ExamConfig, ExamResult
from ludus.arena.matches import MatchConfig
from ludus.learning import Options
from ludus.learning.ls_draughts import LSDraughts
from ludus.learning.mp_draughts import MpDraughts
from ludus.learning.neurodraughts import NeuroDraughts
from ludus.learning.visiondraughts import VisionDraughts
from ludus.reports.page import Section
from ludus.studies import endgame_tables, trainings
from ludus.studies import mp_draughts_tables as tables
from ludus.studies.mp_draughts_tables import Pair, Standings
from ludus.studies.steps import ExamStep, MatchPlayer, MatchStep, StepStore, TrainingStep

NEURO, LS, VISION, MP = "neurodraughts", "ls-draughts", "visiondraughts", "mp-draughts"
FAITHFUL: dict[str, Options] = {
    NEURO: NeuroDraughts.presets["faithful"],
    VISION: VisionDraughts.presets["faithful"],
    LS: LSDraughts.presets["faithful"],
    MP: MpDraughts.presets["faithful"],
}
MATERIAL = "material@depth=4"
BASELINES = ("random", MATERIAL)

# Processor seconds of a training game of NeuroDraughts, by both methods.
NEURO_SECONDS = 0.0045

# Processor seconds of a game of a match and of an exam.
_MATCH_SECONDS, _EXAM_SECONDS = 0.02, 0.01
_EXAM_PIECES = 4  # the tables of so many come with the package


class Comparison(Struct, frozen=True, kw_only=True):
    """The matches and exams of a study."""

    seeds: Sequence[int]
    pairs: Sequence[Pair]
    examined: Sequence[str]  # the rows whose endings are examined
    match_games: int
    exam_games: int  # of each ending and result

    def match(self, pair: Pair, seed: int) -> MatchStep:
        """The match of a pair."""
        one, other = (match_player(row, seed) for row in pair)
        config = MatchConfig(games=self.match_games, seed=seed)
        return MatchStep(one=one, other=other, config=config, seconds=_MATCH_SECONDS * self.match_games)

    def exam(self, row: str, seed: int) -> ExamStep:
        """The exam of a player."""
        config = ExamConfig(pieces=_EXAM_PIECES, games=self.exam_games, seed=seed)
        seconds = _EXAM_SECONDS * 30 * self.exam_games
        return ExamStep(player=match_player(row, seed), config=config, seconds=seconds)

    def standings(self, store: StepStore) -> Standings:
        """The finished matches of every pair, by seed."""
        found = {}
        for pair in self.pairs:
            standings = {seed: store.standing(self.match(pair, seed)) for seed in self.seeds}
            found[pair] = {seed: standing for seed, standing in standings.items() if standing is not None}
        return found

    def thrown_section(self, standings: Standings, counted: Iterable[Pair]) -> Section:
        """What happened to each player in endings, in these matches."""
        found: dict[str, dict[int, Endings]] = {row: {} for row in self.examined}
        for pair in counted:
            for seed, standing in standings[pair].items():
                for row, more in zip(pair, standing.endings(), strict=True):
                    if row in found:
                        endings.add_to(found[row].setdefault(seed, {}), more)
        content = endgame_tables.thrown(found, self.seeds, tables.short_name)
        return Section("Thrown wins", (endgame_tables.THROWN_NOTE, *content))

    def exam_section(self, store: StepStore) -> Section:
        """The results of the exam."""
        found: dict[str, dict[int, ExamResult]] = {}
        for row in self.examined:
            results = {seed: store.exam(self.exam(row, seed)) for seed in self.seeds}
            found[row] = {seed: result for seed, result in results.items() if result is not None}
        content = endgame_tables.exam(found, self.seeds, tables.short_name)
        return Section("The exam of endings", (endgame_tables.EXAM_NOTE, *content))


def cpu_section(
    each: Iterable[tuple[str, int, TrainingStep]], seeds: Sequence[int], store: StepStore, note: str
) -> Section:
    """The processor time of trainings: their rows, seeds and steps."""
    found: dict[str, dict[int, float]] = {}
    for row, seed, training in each:
        if (seconds := store.cpu(training)) is not None:
            found.setdefault(row, {})[seed] = seconds
    return Section("Processor time", (note, trainings.cpu_table("training", found, seeds)))


def faithful(kind: str) -> str:
    """The row of the player by the papers' method."""
    return f"{kind}, faithful"


def faithful_pair(pair: Pair) -> Pair:
    """The same pair by the papers' methods."""
    return faithful(pair[0]), faithful(pair[1])


def run_name(row: str, seed: int) -> str:
    """The name of the run of a row."""
    return f"{row.replace(',', '').replace(' ', '-')}-{seed}"


def match_player(row: str, seed: int) -> MatchPlayer:
    """The player of a row, which may name another search, as in ls-draughts@search=alphabeta,depth=4."""
    if row in BASELINES:
        return MatchPlayer(row)
    name, at, changed = row.partition("@")
    return MatchPlayer(run_name(name, seed) + at + changed)
