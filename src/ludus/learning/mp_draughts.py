"""MP-Draughts (Duarte, Julia, Barcelos and Otsuka 2009): a generalist and a team of endgame specialists.

The training has stages, each of which can be interrupted and resumed. A generalist learns by cloning. Its own games
give endgame boards. A genetic algorithm may select the attributes of the map. A Kohonen map clusters the boards. A
specialist learns from the boards of each unit of the map. It joins the team if it beats the generalist on boards that
were held back.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import ClassVar

import msgspec
import numpy as np

from ludus import players
from ludus.learning import endgame_boards, feature_masks, kohonen, map_features, specialists, training_games
from ludus.learning.endgame_boards import BoardSource, EndgameBoard
from ludus.learning.kohonen import Assignment, Points
from ludus.learning.learner import Options, Progress, Record, State
from ludus.learning.map_features import FitnessTask
from ludus.learning.specialists import SpecialistTraining, TeamTest
from ludus.learning.team_config import TeamConfig
from ludus.learning.team_state import TeamState
from ludus.learning.visiondraughts import VisionDraughts
from ludus.players import Player, searches
from ludus.players.evaluators import MultiPhase, SpecialistTest
from ludus.workers import Workers

_EPOCHS = 10  # between two progresses of the map
_STRONGEST = 5  # attributes of a unit in the record
_CHUNK = 50  # boards of a task of the team's check
_SELECTION_RATE = 0.1  # of the quick trainings: in so few games Adam would make hardly a step
_LEAST_PIECES = 4  # on a board of the endgame: with fewer there is little to learn


class MpDraughts(TeamConfig, frozen=True, kw_only=True):
    """MP-Draughts: a generalist and a team of specialists.

    MP-Draughts (Duarte and others 2009): a VisionDraughts generalist, and endgame specialists that a map chooses.
    """

    kind: ClassVar[str] = "mp-draughts"
    presets: ClassVar[dict[str, Options]] = {
        "ours": {},
        "faithful": {
            **VisionDraughts.presets["faithful"],
            "specialist_weights": "random",
            "dynamics": "DI",
            "units": 25,
            "boards": 1000,
            "board_players": ("generalist", "neurodraughts"),
            "board_moment": "first",
            "acceptance": "all",
            "specialist_clones": "tested",
            "specialist_features": (),
            "specialist_sets": 0,
            "specialist_games": 0,
            "specialist_rate": 0.0,
            "specialist_gamma": 0.0,
            "specialist_lambda": 0.0,
        },
    }

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns stage by stage."""
        current = None if state is None else TeamState.of(state)
        if current is None:
            current = yield from self._generalist(state, workers)
        current = yield from self._boards(current, workers)
        current = yield from self._selection(current, workers)
        current = yield from self._map(current)
        yield from self._specialists(current, workers)

    def adapted(self, state: State, kept: Callable[[str], Player]) -> State:
        """The state itself while the generalist is trained."""
        if TeamState.of(state) is not None:
            raise ValueError(
                "its boards, its map and its specialists come from the finished generalist: train a longer generalist, "
                "and a new team with it (--generalist)"
            )
        return state

    def _generalist(self, state: State | None, workers: Workers) -> Generator[Progress, None, TeamState]:
        if self.generalist:
            player = self._given_generalist()
            assert player.theta is not None
            current = TeamState(generalist=player.theta)
            yield self._stage_progress(
                current, "generalist", line={}, players={"generalist": player}, note=f"it is {self.generalist}"
            )
            return current
        for progress in self.generalist_config().learn(state, workers):
            line = progress.line and {"stage": "generalist", **progress.line}
            if progress.player is None:
                yield msgspec.structs.replace(progress, total=self._total(self.units), stage="generalist", line=line)
                continue
            player = msgspec.structs.replace(progress.player, name="generalist")
            assert player.theta is not None
            current = TeamState(generalist=player.theta)
            kept = {**progress.players, "generalist": player}
            yield self._stage_progress(
                current, "generalist", line=progress.line or {}, players=kept, note=progress.note
            )
        return current

    def _given_generalist(self) -> Player:
        player = players.find(self.generalist, "draughts")
        if player.evaluator != self.evaluator() or player.theta is None:
            raise ValueError(
                f"{self.generalist} cannot be the generalist of this team: it has {player.evaluator or 'no network'}, "
                f"not {self.evaluator()}"
            )
        return self.setup().player("generalist", player.theta)

    def _boards(self, current: TeamState, workers: Workers) -> Generator[Progress, None, TeamState]:
        source = BoardSource(
            players=self._board_players(current),
            pieces=self.pieces,
            least=None if self.board_moment == "first" else min(_LEAST_PIECES, self.pieces),
            epsilon=self.board_epsilon,
            seed=self.seed,
        )
        wanted = self.boards + self.held_boards
        collected = endgame_boards.collect(source, wanted, workers, found=current.boards, games=current.played)
        for boards, played in collected:
            found = [
                {"board": board.position, "game": board.game, "ply": board.ply}
                for board in boards[len(current.boards) :]
            ]
            current = msgspec.structs.replace(current, boards=tuple(boards), played=played)
            line = {"boards": len(boards), "played": played, "found": found}
            yield self._stage_progress(current, "boards", line=line, note=f"{len(boards):,} of {wanted:,} boards")
        return current

    def _board_players(self, current: TeamState) -> tuple[Player, ...]:
        """The players whose games give the boards. Raises ValueError for one that cannot be."""
        generalist = self.setup().player("generalist", current.generalist)
        found = []
        for name in self.board_players:
            player = generalist if name == "generalist" else players.find(name, "draughts")
            searches.reproducible(searches.checked_budget(player.search, player.budget))
            found.append(player)
        return tuple(found) or (generalist,)

    def _learning_boards(self, current: TeamState) -> tuple[EndgameBoard, ...]:
        """The boards that the map and the specialists learn from."""
        return current.boards[: self.boards]

    def _selection(self, current: TeamState, workers: Workers) -> Generator[Progress, None, TeamState]:
        if not self.selection_generations:
            return current
        quick = msgspec.structs.replace(
            self.specialist_config(1),
            sets=1,
            games=self.selection_games,
            batch=1,
            optimizer="plain",
            rate=_SELECTION_RATE,
            test_boards=1,
            final_boards=1,
        )
        learning = self._learning_boards(current)
        example = FitnessTask(
            mask=1,
            points=endgame_boards.attributes(learning, self.attributes, self.attribute_values),
            boards=tuple(board.position for board in learning),
            clustering=self.clusters,
            units=self.units,
            schedule=self.schedule(),
            config=quick,
            generalist=self.setup().player("generalist", current.generalist),
            seed=training_games.derived_seed(self.seed, 12),
        )
        for selection in map_features.select(
            example, self.selection_population, self.selection_generations, current.selection, workers
        ):
            current = msgspec.structs.replace(current, selection=selection)
            fitness, chosen = selection.tried[selection.parents[0]], self._selected(current)
            line = {
                "generation": selection.generation,
                "fitness": fitness,
                "features": list(chosen),
                "tried": len(selection.tried),
            }
            note = f"generation {selection.generation}: {fitness:.0%} with {len(chosen)} features"
            yield self._stage_progress(current, "features", line=line, note=note)
        return current

    def _selected(self, current: TeamState) -> tuple[str, ...]:
        """The attributes of the map."""
        if current.selection is None:
            return self.attributes
        return feature_masks.features_of(current.selection.parents[0], self.attributes)

    def _points(self, current: TeamState, boards: Sequence[EndgameBoard]) -> Points:
        """Boards as the map sees them."""
        return endgame_boards.attributes(boards, self._selected(current), self.attribute_values)

    def _nearest(self, current: TeamState, boards: Sequence[EndgameBoard], units: Points) -> Assignment:
        """The index of the nearest of these units for each board."""
        return kohonen.nearest(self._points(current, boards), units) if boards else np.empty(0, np.int64)

    def _map(self, current: TeamState) -> Generator[Progress, None, TeamState]:
        points = self._points(current, self._learning_boards(current))
        rows, columns = kohonen.shape(self.clusters, self.units)
        if self.clusters in ("chain", "grid"):
            schedule = self.schedule()
            epochs = kohonen.learn(points, rows, columns, schedule, self.seed, current.units, current.epochs)
            for done, units in enumerate(epochs, current.epochs + 1):
                if done % _EPOCHS and done < schedule.epochs:
                    continue
                current = msgspec.structs.replace(current, units=units, epochs=done)
                line: Record = {"epoch": done, "alpha": schedule.at(done - 1)}
                line["quantisation"] = kohonen.quantisation_error(points, units)
                line["topographic"] = kohonen.topographic_error(points, units, rows, columns)
                if done == schedule.epochs:
                    line |= self._board_counts(current, points)
                yield self._map_progress(current, line)
        elif current.units is None:
            if self.clusters == "kmeans":
                units = kohonen.k_means(points, self.units, self.seed)
            else:
                mean = np.repeat(points.mean(axis=0, keepdims=True), self.units, axis=0)
                units = kohonen.centres(points, kohonen.random_assignment(points, self.units, self.seed), mean)
            current = msgspec.structs.replace(current, units=units, epochs=1)
            line = {"epoch": 1, "quantisation": kohonen.quantisation_error(points, units)}
            yield self._map_progress(current, line | self._board_counts(current, points))
        return current

    def _map_progress(self, current: TeamState, line: Record) -> Progress:
        return self._stage_progress(current, "map", line=line, note=f"quantisation error {line['quantisation']:.3f}")

    def _units(self, current: TeamState) -> Points:
        """The units as the player's file has them, so that a board has the same unit in training and in play."""
        return np.asarray(current.units, np.float32).astype(np.float64)

    def _assignment(self, current: TeamState, points: Points) -> Assignment:
        """The unit of each board: the nearest, or a random one for random clusters; in play it is the nearest."""
        if self.clusters == "random":
            return kohonen.random_assignment(points, self.units, self.seed)
        return kohonen.nearest(points, self._units(current))

    def _board_counts(self, current: TeamState, points: Points) -> Record:
        """The shape of the map and the boards of each unit, for the record."""
        rows, columns = kohonen.shape(self.clusters, self.units)
        counts = np.bincount(self._assignment(current, points), minlength=self.units)
        return {"rows": rows, "columns": columns, "shares": counts.tolist()}

    def _specialists(self, current: TeamState, workers: Workers) -> Iterator[Progress]:
        points = self._points(current, self._learning_boards(current))
        units, assignment = self._units(current), self._assignment(current, points)
        owners = np.unique(assignment)  # a unit without boards gets no specialist and no part in play
        held = current.boards[self.boards :]
        team = self._team_player(current, owners)
        trainings = self._trainings(current, points, held)
        excess = units - points.mean(axis=0)
        attributes = self._selected(current)
        missing = trainings[len(current.specialists) :]
        for training, trained in zip(missing, workers.map(specialists.train, missing), strict=True):
            unit, score = training.unit, trained.score
            tested = SpecialistTest(unit=unit + 1, accepted=trained.accepted, result=specialists.test_result(score))
            current = msgspec.structs.replace(
                current, specialists=(*current.specialists, trained.theta), tested=(*current.tested, tested)
            )
            strongest = np.argsort(-excess[unit], kind="stable")[:_STRONGEST]
            line: Record = {
                "unit": unit + 1,
                "boards": len(training.boards),
                "typical": training.boards[0],
                "attributes": {
                    attributes[index]: float(units[unit, index]) for index in strongest if excess[unit, index] > 0
                },
                **msgspec.to_builtins(tested.result),
                "score": tested.result.score,
                "accepted": trained.accepted,
            }
            said = "accepted" if trained.accepted else "not accepted"
            note = f"unit {unit + 1}: {tested.result} against the generalist, {said}"
            yield self._stage_progress(current, "specialists", len(trainings), line=line, note=note)
        player, check = self._checked_team(current, team, held, workers)
        evaluator = player.evaluator
        assert isinstance(evaluator, MultiPhase)
        line = {"specialists": len(trainings), "accepted": list(evaluator.specialists), "check": check}
        line |= self._reference_scores(player, workers)
        note = evaluator.acceptance_text()
        yield self._stage_progress(current, "team", len(trainings), line=line, note=note, player=player)

    def _trainings(self, current: TeamState, points: Points, held: Sequence[EndgameBoard]) -> list[SpecialistTraining]:
        """A training for each unit with boards."""
        units, assignment = self._units(current), self._assignment(current, points)
        learning, tested, owners = self._learning_boards(current), held[::2], np.unique(assignment)
        config = self.specialist_config(len(owners))
        test_units = owners[self._nearest(current, tested, units[owners])]
        trainings = []
        for owner in owners:
            own = np.flatnonzero(assignment == owner)
            distances = kohonen.squared_distances(points[own], units[[owner]])[:, 0]
            boards = tuple(learning[index].position for index in own[np.argsort(distances, kind="stable")])
            test_boards = [board.position for board, unit in zip(tested, test_units, strict=True) if unit == owner]
            training = SpecialistTraining(
                unit=int(owner),
                boards=boards,
                config=config,
                generalist=self.setup().player("generalist", current.generalist),
                random_weights=self.specialist_weights == "random",
                test_boards=tuple(test_boards if self.held_boards else boards)[: self.specialist_test_boards],
                accept_all=self.acceptance == "all",
                seed=self.seed,
            )
            trainings.append(training)
        return trainings

    def _checked_team(
        self, current: TeamState, team: Player, held: Sequence[EndgameBoard], workers: Workers
    ) -> tuple[Player, Record]:
        """The team with the accepted specialists, and its score against the generalist on boards for nothing else."""
        accepted = {
            test.unit: theta for test, theta in zip(current.tested, current.specialists, strict=True) if test.accepted
        }
        player = specialists.with_specialists(team, accepted)
        evaluator, boards = player.evaluator, held[1::2]
        assert isinstance(evaluator, MultiPhase)
        tests = [
            TeamTest(
                player=player,
                opponent=team,
                boards=tuple(board.position for board in boards[first : first + _CHUNK]),
                rules=self.setup().rules,
                seed=training_games.derived_seed(self.seed, 13, first),
            )
            for first in range(0, len(boards), _CHUNK)
        ]
        played = [pair for found in workers.map(specialists.test, tests) for pair in found]
        units = self._units(current)[np.array(evaluator.units) - 1]
        asked = self._nearest(current, boards, units)
        own = [pair for pair, unit in zip(played, asked, strict=True) if evaluator.units[unit] in accepted]
        whole, part = specialists.total(played), specialists.total(own)
        evaluator = msgspec.structs.replace(evaluator, tests=current.tested, check=specialists.test_result(part))
        return msgspec.structs.replace(player, evaluator=evaluator), {
            "all": msgspec.to_builtins(specialists.test_result(whole)),
            "accepted": msgspec.to_builtins(specialists.test_result(part)),
        }

    def _team_player(self, current: TeamState, owners: Assignment) -> Player:
        """The team without specialists, with the units of the map that have boards."""
        theta = np.concatenate([current.generalist, self._units(current)[owners].ravel()]).astype(np.float32)
        setup = self.setup()
        return Player(
            name=self.kind,
            game="draughts",
            search=setup.search,
            evaluator=self.team(tuple(int(owner) + 1 for owner in owners), self._selected(current)),
            budget=setup.budget,
            theta=theta,
        )

    def _stage_progress(
        self,
        current: TeamState,
        stage: str,
        specialist_count: int | None = None,
        *,
        line: Record,
        note: str = "",
        players: dict[str, Player] | None = None,
        player: Player | None = None,
    ) -> Progress:
        config = self.specialist_config(specialist_count or self.units)
        own = 0 if self.generalist else self.sets * self.games
        return Progress(
            done=own + len(current.specialists) * config.sets * config.games,
            total=self._total(specialist_count or self.units),
            state=current.state(),
            stage=stage,
            line={"stage": stage, **line},
            note=note,
            players=players or {},
            player=player,
            now=self.setup().player("generalist", current.generalist),
        )

    def _total(self, specialist_count: int) -> int:
        """Training games in all, with so many specialists."""
        config = self.specialist_config(specialist_count)
        return (0 if self.generalist else self.sets * self.games) + specialist_count * config.sets * config.games
