"""The study of the specialists: what makes the endgame networks of MP-Draughts better than their generalist.

It repeats no table of the paper. A team with our options and teams with one option changed are trained with every seed,
all from the same generalist. They are smaller than the teams of the study of MP-Draughts, so that many changes can be
tried with five seeds each.
"""

from typing import NamedTuple

from ludus.arena.matches import MatchConfig, Standing
from ludus.learning import Options
from ludus.learning.mp_draughts import MpDraughts
from ludus.learning.visiondraughts import VisionDraughts
from ludus.reports.page import Section
from ludus.studies import specialist_tables as tables
from ludus.studies import trainings
from ludus.studies.steps import MatchPlayer, MatchStep, Step, StepStore, TrainingStep
from ludus.studies.trainings import BySeed

GENERALIST, TEAM, ONCE = "generalist", "team", "asked once (DI)"
MATERIAL = "material@depth=4"
# What is changed: the row, and the options that differ from the team's.
CHANGES: dict[str, Options] = {
    "one specialist": {"units": 1},
    "clusters by chance": {"clusters": "random"},
    "12 features": {"specialist_features": ()},
    "only the side that asks the map": {"specialist_side": "asked"},
    "boards of exactly 12 pieces": {"board_moment": "first"},
    "four times the learning rate": {"specialist_rate": 0.02},
    "no discount": {"specialist_gamma": 1.0},
    "endgame tables as targets": {"specialist_tables": 4},
}
# Processor seconds of a game of a training from the start, of one from an endgame board, and of a match.
_GAME, _ENDGAME, _MATCH = 0.014, 0.007, 0.02


class Scale(NamedTuple):
    """The size of the study."""

    trials: int  # seeds
    sets: int  # of the generalist
    games: int  # in a set
    specialist_games: int  # of all specialists of a team together
    boards: int  # endgame boards
    held_boards: int  # endgame boards held back
    tests: int  # test boards of the generalist
    match_games: int


SCALES = {
    "quick": Scale(1, 2, 20, 80, 60, 30, 4, 20),
    "full": Scale(5, 10, 250, 8_000, 1_500, 1_500, 20, 140),
}


class Study:
    """The trainings and matches that the tables need, and the tables."""

    title = "What makes a specialist better"
    unit = "steps"
    store = StepStore

    def __init__(self, scale: Scale, seed: int) -> None:
        self.scale = scale
        self.seeds = range(seed, seed + scale.trials)

    def steps(self) -> list[Step]:
        """All steps, seed by seed: the generalist, the team, then each changed team and its matches."""
        steps: list[Step] = []
        for seed in self.seeds:
            steps.append(self._generalist(seed))
            for row in (TEAM, *CHANGES):
                steps.append(self._team(row, seed))
                steps += [self._match(row, other, seed) for other in self._opponents(row)]
            steps += [self._match(ONCE, other, seed) for other in self._opponents(ONCE)]
            steps.append(self._match(GENERALIST, MATERIAL, seed))
        return steps

    def _common(self, seed: int) -> Options:
        """The options of all trainings."""
        scale = self.scale
        tests = {"budget": "depth=4", "test_boards": scale.tests, "final_boards": scale.tests}
        return {"seed": seed, "sets": scale.sets, "games": scale.games, "reference_games": 0, **tests}

    def _generalist(self, seed: int) -> TrainingStep:
        return TrainingStep(
            name=run_name(GENERALIST, seed),
            kind=VisionDraughts.kind,
            options=self._common(seed),
            seconds=_GAME * self.scale.sets * self.scale.games,
        )

    def _team(self, row: str, seed: int) -> TrainingStep:
        scale = self.scale
        held = scale.held_boards
        counts = {"boards": scale.boards, "held_boards": held, "specialist_test_boards": max(1, held // 10)}
        options = {**self._common(seed), **counts, **CHANGES.get(row, {})}
        options["specialist_games"] = scale.specialist_games // MpDraughts(**options).units
        return TrainingStep(
            name=run_name(row, seed),
            kind=MpDraughts.kind,
            options=options,
            generalist=run_name(GENERALIST, seed),
            # A game for a board that is collected, about four more for one that is held back.
            seconds=_ENDGAME * (scale.specialist_games + scale.boards + 5 * held),
        )

    def _opponents(self, row: str) -> tuple[str, ...]:
        return (GENERALIST, MATERIAL) if row == TEAM else (GENERALIST, MATERIAL, TEAM)

    def _match(self, one: str, other: str, seed: int) -> MatchStep:
        games = self.scale.match_games
        return MatchStep(
            one=match_player(one, seed),
            other=match_player(other, seed),
            config=MatchConfig(games=games, seed=seed),
            seconds=_MATCH * games,
        )

    def _scores(self, one: str, other: str, store: StepStore) -> BySeed:
        found: dict[int, Standing | None] = {seed: store.standing(self._match(one, other, seed)) for seed in self.seeds}
        return {seed: 100 * standing.score.score for seed, standing in found.items() if standing is not None}

    def sections(self, store: StepStore) -> list[Section]:
        """The tables and charts of the finished steps."""
        seeds, rows = self.seeds, (TEAM, *CHANGES)
        records = {row: {seed: store.record(self._team(row, seed))[0] for seed in seeds} for row in rows}
        scores = {
            row: {other: self._scores(row, other, store) for other in self._opponents(row)} for row in (*rows, ONCE)
        }
        material = {GENERALIST: self._scores(GENERALIST, MATERIAL, store)}
        cpu = {
            row: {seed: seconds for seed in seeds if (seconds := store.cpu(self._team(row, seed))) is not None}
            for row in rows
        }
        return [
            Section("On boards held back", (self._note(), *tables.on_boards(records, TEAM, seeds))),
            Section("Specialists", (tables.SPECIALIST_NOTE, tables.specialists(records))),
            Section(
                "Whole games",
                (
                    tables.GAMES_NOTE,
                    tables.points("points against the generalist, %", scores, GENERALIST, seeds),
                    tables.points(
                        f"points against {MATERIAL}, %",
                        {GENERALIST: {MATERIAL: material[GENERALIST]}, **scores},
                        MATERIAL,
                        seeds,
                    ),
                    tables.points("points against the team, %", scores, TEAM, seeds),
                ),
            ),
            Section("Processor time", (tables.CPU_NOTE, trainings.cpu_table("training", cpu, seeds))),
        ]

    def _note(self) -> str:
        scale = self.scale
        count = f"{scale.trials} trainings of each team" if scale.trials > 1 else "One training of each team"
        note = (
            f"{count}. All teams of a seed have the same generalist, a VisionDraughts with {scale.sets} sets of "
            f"{scale.games} games. The specialists of a team together learn from {scale.specialist_games:,} games. "
            f"Here the team plays its generalist from {scale.held_boards // 2:,} boards that served for nothing "
            "else, each with both colours; a unit without an accepted specialist is played by the generalist. The "
            "difference from the team is taken training by training."
        )
        if scale[1:] != SCALES["full"][1:]:
            note += " These trainings are much shorter than those of the full scale and prove nothing."
        return note


def run_name(row: str, seed: int) -> str:
    """The name of the run of a row."""
    return f"{row.replace(' ', '-')}-{seed}"


def match_player(row: str, seed: int) -> MatchPlayer:
    """The player of a row."""
    if row == MATERIAL:
        return MatchPlayer(row)
    return MatchPlayer(run_name(TEAM, seed), "DI") if row == ONCE else MatchPlayer(run_name(row, seed))
