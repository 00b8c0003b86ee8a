"""The study of evolution: the results of Nguyen's dissertation, whose results chapter has only headings.

Each cell is a learner, run with several seeds. Ours is the genetic learner with the default options; every other
genetic cell but the text's differs from it in one option. Other learners stand beside it. All intervals are over the
seeds.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ludus.arena.matches import MatchConfig, Standing
from ludus.learning import Options, registry
from ludus.learning.genetic import Genetic
from ludus.reports.evolution import seconds_of
from ludus.reports.page import Section
from ludus.studies import evolution_tables as tables
from ludus.studies import trainings
from ludus.studies.evolution_tables import Pair
from ludus.studies.steps import MatchPlayer, MatchStep, Step, StepStore, TrainingStep, seconds_a_move

OURS, TEXT, BLONDIE, STRATEGY = "ours", "the text", "blondie24", "evolution-strategy"
DEPTHS = (1, 2, 3)  # in training
PLAYED = (1, 2, 4, 6)  # depths in play
DEPTH = 5  # of minimax, whose time MCTS-EPT gets; less would be shorter than the clock is read

# The genetic cells and their options.
INHERITANCE: dict[str, Options] = {
    OURS: {},
    "without crossover": {"crossover": False},
    "without elitism": {"elitism": False},
    "without mutation": {"mutation": "none"},
    "safe mutation": {"mutation": "safe"},
    "without recombination": {"recombination": "none"},
    "without the piece difference": {"piece_difference": False},
    TEXT: Genetic.presets["faithful"],
}
TRAINED = {depth: OURS if depth == Genetic().depth else f"trained at depth {depth}" for depth in DEPTHS}
# Cells that only measure the time of a generation.
SPEED: dict[str, Options] = {
    "the text at 1 ply": Genetic.presets["faithful"] | {"playout_plies": 1},
    "the text by minimax at 4 plies": Genetic.presets["faithful"] | {"search": "minimax", "depth": 4},
}
SPEED_GENERATIONS = 2
# A random member of the first generation: all games are draws after one ply, so the champion is drawn at random.
UNTRAINED: Options = {
    "generations": 0,
    "pairing": "random",
    "rounds": 1,
    "max_plies": 1,
    "end_games": 0,
    "recombination": "none",
}
# Cells of other learners, which are their kinds, and their options.
OTHERS: dict[str, Options] = {BLONDIE: {}, STRATEGY: {}}

# The time of a generation of the text's public code, in seconds on one core of a machine like ours.
PUBLIC = {"the text at 1 ply": 900.0}

# Processor seconds: of a generation of the slower cells and of the others, and of a game.
_GENERATION_SECONDS = {TEXT: 2.1, TRAINED[3]: 1.7, BLONDIE: 4.0}
_USUAL_SECONDS, _GAME_SECONDS, _MOVES = 0.65, 0.02, 80


class Scale(NamedTuple):
    """The size of the study."""

    trials: int  # seeds a cell
    generations: int  # an even number, so that there is a champion half-way
    rounds: int  # round robins in a generation; 0: as many as the learner's default
    games: int  # of a match
    playouts: int  # of a move of the UCT player
    blondie_generations: int
    seconds: float  # of a move, where players have equal time
    timed_games: int  # of a match at equal time


SCALES = {"quick": Scale(2, 6, 1, 6, 50, 2, 0.001, 6), "full": Scale(5, 100, 0, 100, 300, 60, 0.01, 50)}


class Study:
    """The trainings and matches that the tables need, and the tables."""

    title = "Draughts by a genetic algorithm (Nguyen's dissertation)"
    unit = "steps"
    store = StepStore

    def __init__(self, scale: Scale, seed: int) -> None:
        self.scale = scale
        self.seeds = range(seed, seed + scale.trials)
        deeper = {cell: {"depth": depth} for depth, cell in TRAINED.items() if cell != OURS}
        usual: Options = {"generations": scale.generations, "end_games": scale.games}
        genetic = usual | ({"rounds": scale.rounds} if scale.rounds else {})
        few = {"generations": SPEED_GENERATIONS, "end_games": 0}
        longer = {BLONDIE: {"generations": scale.blondie_generations}}
        self.cells: dict[str, Options] = (
            {cell: genetic | options for cell, options in (INHERITANCE | deeper).items()}
            | {cell: genetic | options | few for cell, options in SPEED.items()}
            | {untrained(cell): INHERITANCE[cell] | UNTRAINED for cell in (OURS, TEXT)}
            | {cell: usual | longer.get(cell, {}) | options for cell, options in OTHERS.items()}
        )
        self.pairs = dict(self._pairs())

    def _champion(self, cell: str, part: float = 1.0) -> str:
        """The champion of a cell at this part of its generations, with {seed} for the seed."""
        return f"{run_name(cell)}@{self.generation(cell, part):04}"

    def generation(self, cell: str, part: float = 1.0) -> int:
        """The generation of a cell at this part of the run."""
        return int(part * self.cells[cell]["generations"])

    def _pairs(self) -> Iterator[tuple[Pair, tuple[str, str]]]:
        """The players of each match by row and column of a table, with {seed} for the seed in their names."""
        for cell in INHERITANCE:
            champion = self._champion(cell)
            yield (cell, "half-way"), (champion, self._champion(cell, 0.5))
            yield (cell, "generation 0"), (champion, self._champion(cell, 0))
            yield (cell, "untrained"), (champion, run_name(untrained(TEXT if cell == TEXT else OURS)))
            if cell != OURS:
                yield (cell, OURS), (champion, self._champion(OURS))
        for cell in (OURS, TEXT):
            for row, name in self.rows(cell).items():
                for other in self.opponents():
                    yield (row, other), (name, other)
        for cell in (*INHERITANCE, *OTHERS):
            for part in (0.5, 1.0):
                champion = self._champion(cell, part)
                yield (self.at_generation(cell, part), "material"), (champion, f"material@depth={self._depth(cell)}")
        for cell in TRAINED.values():
            for depth in PLAYED:
                budget = f"depth={depth}"
                champion = f"{self._champion(cell)}@{budget}"
                yield (cell, f"depth {depth}"), (champion, f"material@{budget}")
                if cell != OURS:
                    yield (beside_ours(cell), f"depth {depth}"), (champion, f"{self._champion(OURS)}@{budget}")

    def at_generation(self, cell: str, part: float = 1.0) -> str:
        """The row of a cell's champion at this part of the run."""
        return f"{cell}, generation {self.generation(cell, part)}"

    def _depth(self, cell: str) -> int:
        """The depth of a cell's search; that of ours for a search without one."""
        learner = registry.make(kind_of(cell), self.cells[cell])
        looks_ahead = getattr(learner, "search", "alphabeta") in ("alphabeta", "minimax")
        return int(getattr(learner, "depth", Genetic().depth)) if looks_ahead else Genetic().depth

    def opponents(self) -> tuple[str, ...]:
        """The opponents that do not evolve."""
        return ("random", f"uct@playouts={self.scale.playouts}", "material@depth=2")

    def rows(self, cell: str) -> dict[str, str]:
        """The players of a cell that are compared, by the titles of their rows."""
        rows = {f"{cell}, untrained": run_name(untrained(cell))}
        for part in (0, 0.5, 1.0):
            rows[f"{cell}, champion of generation {self.generation(cell, part)}"] = self._champion(cell, part)
        return rows

    def steps(self) -> list[Step]:
        """All steps, seed by seed: a study that is stopped early has results in every table."""
        steps: list[Step] = []
        for seed in self.seeds:
            steps += [self._training(cell, seed) for cell in self.cells]
            matches = (self._match(pair, seed) for pair in self.pairs)
            steps += {match.name: match for match in matches}.values()  # two tables may need the same match
            for cell in searched():
                steps += self._timed(cell, seed).values()
        return steps

    def _training(self, cell: str, seed: int) -> TrainingStep:
        kind = kind_of(cell)
        options = registry.values(registry.make(kind, self.cells[cell] | {"seed": seed}))
        seconds = _GENERATION_SECONDS.get(cell, _USUAL_SECONDS) * (1 + options["generations"])
        return TrainingStep(name=run_name(cell).format(seed=seed), kind=kind, options=options, seconds=seconds)

    def _match(self, pair: Pair, seed: int) -> MatchStep:
        one, other = (MatchPlayer(name.format(seed=seed)) for name in self.pairs[pair])
        games = self.scale.games
        config = MatchConfig(games=games, seed=seed)
        return MatchStep(one=one, other=other, config=config, seconds=_GAME_SECONDS * games)

    def _timed(self, cell: str, seed: int) -> dict[str, MatchStep]:
        """The matches of MCTS-EPT against other searches with the same network and time, by the other search.

        Alpha-beta keeps to a time. Minimax does not: a short match measures how long it takes.
        """
        name = self._champion(cell).format(seed=seed)
        games, budget = self.scale.timed_games, f"seconds={self.scale.seconds:g}"
        config = MatchConfig(games=games, seed=seed)
        seconds = _MOVES * games * self.scale.seconds
        minimax = MatchPlayer(name, search="minimax", budget=f"depth={DEPTH}")
        timer = MatchStep(
            one=minimax,
            other=MatchPlayer(name, search="alphabeta", budget=f"depth={DEPTH}"),
            config=MatchConfig(games=max(2, games // 10 * 2), seed=seed),
        )
        ept, timed = (MatchPlayer(name, search="ept", budget=given) for given in (budget, ""))
        alphabeta = MatchPlayer(name, search="alphabeta", budget=budget)
        return {
            "time of minimax": timer,
            tables.ALPHABETA: MatchStep(one=alphabeta, other=ept, config=config, seconds=seconds),
            tables.MINIMAX: MatchStep(one=minimax, other=timed, config=config, timed_by=timer, seconds=seconds),
        }

    def _runs(self, cell: str, store: StepStore) -> dict[int, tables.Lines]:
        """The lines of a cell's finished trainings by seed, with the processor seconds of each line as `cpu`."""
        found = {}
        for seed in self.seeds:
            lines, times = store.record(self._training(cell, seed))
            if lines:
                took = seconds_of(times, "cpu")
                found[seed] = [line | {"cpu": took.get(line["generation"])} for line in lines]
        return found

    def _scores(self, pair: Pair, store: StepStore) -> dict[int, float]:
        """The scores of the first player in the finished matches of a pair, in percent, by seed."""
        standings = {seed: store.standing(self._match(pair, seed)) for seed in self.seeds}
        return {seed: 100 * standing.score.score for seed, standing in standings.items() if standing}

    def _equal_time(self, store: StepStore) -> dict[Pair, dict[int, tables.Timed]]:
        """The score of MCTS-EPT, and the times of a move of both, by cell and other search."""
        found: dict[Pair, dict[int, tables.Timed]] = {}
        for cell in searched():
            for seed in self.seeds:
                for other in (tables.ALPHABETA, tables.MINIMAX):
                    standing = store.standing(self._timed(cell, seed)[other])
                    if standing is not None:
                        found.setdefault((cell, other), {})[seed] = timed(standing)
        return found

    def sections(self, store: StepStore) -> list[Section]:
        """The tables and charts of the finished steps, under the headings of the dissertation and some of our own."""
        seeds = self.seeds
        by_seed = {
            cell: self._runs(cell, store) for cell in self.cells if cell not in (untrained(OURS), untrained(TEXT))
        }
        runs = {cell: list(found.values()) for cell, found in by_seed.items()}
        scores = {pair: self._scores(pair, store) for pair in self.pairs}
        evolved = {cell: runs[cell] for cell in INHERITANCE}
        deeper = [cell for cell in TRAINED.values() if cell != OURS]
        depths = [f"depth {depth}" for depth in PLAYED]
        named = {row: f"depth {depth}" for depth, cell in TRAINED.items() for row in (cell, beside_ours(cell))}
        material = {row: values for (row, other), values in scores.items() if other == "material"}
        return [
            Section("Against the piece count", (self._note(), tables.MATERIAL_NOTE, *tables.material(material, seeds))),
            Section("Speed", (tables.SPEED_NOTE, tables.speed(runs, PUBLIC))),
            Section("Learning rate", (tables.GROWTH_NOTE, tables.growth(evolved), tables.growth_curves(evolved))),
            Section(
                "Performance",
                (
                    tables.PERFORMANCE_NOTE,
                    tables.score_table(
                        "player", [row for cell in (OURS, TEXT) for row in self.rows(cell)], self.opponents(), scores
                    ),
                    tables.ablation_note(self.generation(OURS), self.generation(OURS, 0.5)),
                    tables.score_table("evolved", INHERITANCE, ("half-way", "generation 0", "untrained", OURS), scores),
                ),
            ),
            Section("Matches at the end of the runs", (tables.END_NOTE, *tables.end_matches(by_seed, seeds))),
            Section(
                "MCTS-EPT against minimax and alpha-beta",
                (
                    tables.time_note(self.scale.timed_games, self.scale.seconds, DEPTH),
                    *tables.equal_time(self._equal_time(store), seeds),
                ),
            ),
            Section("Number of moves", (tables.lengths(evolved), tables.length_curves(evolved))),
            Section(
                "CPU times",
                (
                    tables.CPU_NOTE,
                    trainings.cpu_table("training, processor seconds", tables.run_seconds(by_seed), seeds),
                    tables.cpu(evolved | {cell: runs[cell] for cell in OTHERS}),
                    tables.cpu_curves(evolved),
                ),
            ),
            Section("Influence of the inheritance methods", (tables.ORIGINS_NOTE, tables.origins(evolved))),
            Section(
                "Depth in training and in play",
                (
                    tables.DEPTH_NOTE,
                    tables.score_table("trained at", TRAINED.values(), depths, scores, named),
                    tables.DEPTH_OURS_NOTE,
                    tables.score_table("trained at", map(beside_ours, deeper), depths, scores, named),
                ),
            ),
            Section("Every training", (tables.EVERY_NOTE, *tables.every_training(scores, seeds))),
        ]

    def _note(self) -> str:
        scale = self.scale
        seeds = f"{scale.trials} seeds" if scale.trials > 1 else "One seed"
        note = (
            f"{seeds} of {scale.generations} generations, {scale.blondie_generations} of {BLONDIE}; scores in percent "
            f"of {scale.games} games a seed from the three-move ballots with both colours. Intervals are 95% intervals "
            "of the mean over the seeds (Student's t). An interval without width only says that all seeds agree."
        )
        if scale[1:] != SCALES["full"][1:]:
            note += (
                f" The full scale has {SCALES['full'].trials} seeds of {SCALES['full'].generations} generations: "
                "these results are from a shorter training."
            )
        return note


def kind_of(cell: str) -> str:
    """The kind of a cell's learner."""
    return cell if cell in OTHERS else Genetic.kind


def searched() -> list[str]:
    """The cells whose networks play with several searches."""
    return [OURS, TEXT, *OTHERS]


def timed(standing: Standing) -> tables.Timed:
    """The score of the second player, MCTS-EPT, and the times of a move."""
    other, ept = seconds_a_move(standing)
    return tables.Timed(100 - 100 * standing.score.score, 1000 * ept, 1000 * other)


def run_name(cell: str) -> str:
    """The name of a cell's runs, with {seed} for the seed."""
    return f"{cell.replace(' ', '-')}-{{seed}}"


def beside_ours(cell: str) -> str:
    """The row of a cell that plays ours at every depth."""
    return f"{cell}, against ours"


def untrained(cell: str) -> str:
    """The cell of the untrained players of this cell."""
    return f"{cell} untrained"
