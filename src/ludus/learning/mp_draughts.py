"""MP-Draughts (Duarte, Julia, Barcelos and Otsuka 2009): a generalist and a team of endgame specialists.

The training has stages, each of which can be interrupted and resumed. A generalist learns by cloning. Its own games
give boards of 12 pieces. A genetic algorithm may select the attributes of the map. A Kohonen map clusters the boards.
A specialist learns from the boards of each unit of the map.
"""

from collections.abc import Generator, Iterator
from typing import Annotated, ClassVar, Literal

import msgspec
import numpy as np
from msgspec import Meta

from ludus import players
from ludus.learning import endgame_boards, feature_masks, kohonen, map_features, specialists, training_games
from ludus.learning.kohonen import Assignment, Clustering, Points, Schedule
from ludus.learning.learner import Options, Progress, Record, State
from ludus.learning.map_features import FitnessTask
from ludus.learning.specialists import SpecialistTraining
from ludus.learning.team_state import TeamState
from ludus.learning.visiondraughts import VisionDraughts
from ludus.players import Player
from ludus.players.evaluators import FEATURES, MOST_UNITS, AttributeValues, MultiPhase
from ludus.workers import Workers

_EPOCHS = 10  # between two progresses of the map
_STRONGEST = 5  # attributes of a unit in the record


class MpDraughts(VisionDraughts, frozen=True, kw_only=True):
    """MP-Draughts: a generalist and a team of specialists.

    MP-Draughts (Duarte and others 2009): a VisionDraughts generalist, and endgame specialists that a map chooses.
    """

    kind: ClassVar[str] = "mp-draughts"
    presets: ClassVar[dict[str, Options]] = {
        "ours": {},
        "faithful": {**VisionDraughts.presets["faithful"], "specialist_weights": "random", "dynamics": "DI"},
    }

    generalist: Annotated[
        str, Meta(description="Player that is the generalist, by name or file. If not given, one is trained.")
    ] = ""
    boards: Annotated[int, Meta(description="Endgame boards to collect from the generalist's games.", ge=1)] = 1000
    board_epsilon: Annotated[
        float, Meta(description="Probability, from 0 to 1, of a random move in these games.", ge=0, le=1)
    ] = 0.05
    pieces: Annotated[int, Meta(description="Pieces on the board at which the endgame begins.", ge=2, le=23)] = 12
    clusters: Annotated[
        Clustering,
        Meta(description="Clustering of the boards: a Kohonen map that is a chain or a grid, k-means, or random."),
    ] = "chain"
    units: Annotated[
        int, Meta(description="Units of the map, each of which gets a specialist.", ge=1, le=MOST_UNITS)
    ] = 25
    attributes: Annotated[
        tuple[str, ...], Meta(description="Features that the map has as attributes, separated by commas.")
    ] = FEATURES
    attribute_values: Annotated[
        AttributeValues,
        Meta(description="Value of an attribute: whether the feature is above 0, its count, or the scaled count."),
    ] = "binary"
    selection_generations: Annotated[
        int,
        Meta(
            description="Generations of the genetic algorithm that selects among the attributes. 0 uses all of them.",
            ge=0,
        ),
    ] = 0
    selection_population: Annotated[
        int, Meta(description="Sets of attributes that survive each generation of the selection.", ge=2)
    ] = 8
    selection_games: Annotated[
        int, Meta(description="Training games of each specialist when a set of attributes is evaluated.", ge=1)
    ] = 20
    alpha: Annotated[float, Meta(description="Learning rate of the map in the first epoch.", gt=0, le=1)] = 0.9
    alpha_factor: Annotated[
        float, Meta(description="Factor by which the map's learning rate falls each epoch.", gt=0, lt=1)
    ] = 0.99
    alpha_last: Annotated[
        float, Meta(description="Learning rate below which the training of the map ends.", gt=0, le=1)
    ] = 0.1
    specialist_weights: Annotated[
        Literal["generalist", "random"],
        Meta(description="Initial weights of a specialist: those of the generalist, or random ones."),
    ] = "generalist"
    share_games: Annotated[
        bool, Meta(description="Divide the generalist's number of training games among the specialists.")
    ] = False
    specialist_test_boards: Annotated[
        int,
        Meta(description="Boards on which each specialist is compared with the generalist, with both colours.", ge=1),
    ] = 20
    dynamics: Annotated[
        Literal["DI", "DII"],
        Meta(description="When the map chooses the specialist: once in a game (DI) or at every own move (DII)."),
    ] = "DII"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.schedule()  # these raise ValueError if the options do not fit together
        self.team((1,), self.attributes)
        if self.selection_generations and self.clusters == "random":
            raise ValueError("random clusters do not depend on attributes: there is nothing to select")
        if self.selection_generations and self.selection_population >= 2 ** len(self.attributes):
            raise ValueError(
                f"of {len(self.attributes)} features there are fewer sets than {self.selection_population}"
            )
        if self.selection_generations and self.boards < map_features.HOLD_OUT:
            raise ValueError(f"the selection of attributes needs {map_features.HOLD_OUT} boards or more")

    @property
    def name(self) -> str:
        """The clusters, whether attributes are selected, the dynamics, and the generalist's name."""
        selects = "-select" if self.selection_generations else ""
        return f"{self.clusters}{self.units}{selects}-{self.dynamics}-{super().name}"

    def schedule(self) -> Schedule:
        """How the map's learning rate falls."""
        return Schedule(alpha=self.alpha, factor=self.alpha_factor, last=self.alpha_last)

    def team(self, units: tuple[int, ...], attributes: tuple[str, ...]) -> MultiPhase:
        """The evaluator of a team with these attributes and with specialists for these units, without the weights."""
        rows, columns = kohonen.shape(self.clusters, self.units)
        return MultiPhase(
            member=self.evaluator(),
            units=units,
            rows=rows,
            columns=columns,
            attributes=attributes,
            attribute_values=self.attribute_values,
            pieces=self.pieces,
            dynamics=self.dynamics,
        )

    def generalist_config(self) -> VisionDraughts:
        """The config that trains the generalist."""
        return VisionDraughts(**{name: getattr(self, name) for name in VisionDraughts.__struct_fields__})

    def specialist_config(self, count: int) -> VisionDraughts:
        """The config that trains each of `count` specialists: its games start from its boards, without random plies."""
        games = max(1, self.games // count) if self.share_games else self.games
        return msgspec.structs.replace(self.generalist_config(), games=games, opening_plies=0)

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns stage by stage."""
        current = None if state is None else TeamState.of(state)
        if current is None:
            current = yield from self._generalist(state, workers)
        current = yield from self._boards(current, workers)
        current = yield from self._selection(current, workers)
        current = yield from self._map(current)
        yield from self._specialists(current, workers)

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
        collected = endgame_boards.collect(
            self.setup().player("generalist", current.generalist),
            self.boards,
            self.pieces,
            self.board_epsilon,
            self.seed,
            workers,
            found=current.boards,
            games=current.played,
        )
        for boards, played in collected:
            found = [
                {"board": board.position, "game": board.game, "ply": board.ply}
                for board in boards[len(current.boards) :]
            ]
            current = msgspec.structs.replace(current, boards=tuple(boards), played=played)
            line = {"boards": len(boards), "played": played, "found": found}
            yield self._stage_progress(current, "boards", line=line, note=f"{len(boards):,} of {self.boards:,} boards")
        return current

    def _selection(self, current: TeamState, workers: Workers) -> Generator[Progress, None, TeamState]:
        if not self.selection_generations:
            return current
        quick = msgspec.structs.replace(
            self.specialist_config(1), sets=1, games=self.selection_games, batch=1, test_boards=1, final_boards=1
        )
        example = FitnessTask(
            mask=1,
            points=endgame_boards.attributes(current.boards, self.attributes, self.attribute_values),
            boards=tuple(board.position for board in current.boards),
            clustering=self.clusters,
            units=self.units,
            schedule=self.schedule(),
            config=quick,
            generalist=current.generalist,
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

    def _points(self, current: TeamState) -> Points:
        """The boards as the map sees them."""
        return endgame_boards.attributes(current.boards, self._selected(current), self.attribute_values)

    def _map(self, current: TeamState) -> Generator[Progress, None, TeamState]:
        points = self._points(current)
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
        points = self._points(current)
        units, assignment = self._units(current), self._assignment(current, points)
        owners = np.unique(assignment)  # a unit without boards gets no specialist and no part in play
        trainings = self._trainings(current, points, owners)
        excess = units - points.mean(axis=0)
        attributes = self._selected(current)
        missing = trainings[len(current.specialists) :]
        for training, (theta, score) in zip(missing, workers.map(specialists.train, missing), strict=True):
            unit = training.unit
            current = msgspec.structs.replace(current, specialists=(*current.specialists, theta))
            strongest = np.argsort(-excess[unit], kind="stable")[:_STRONGEST]
            line: Record = {
                "unit": unit + 1,
                "boards": len(training.boards),
                "typical": training.boards[0],
                "attributes": {
                    attributes[index]: float(units[unit, index]) for index in strongest if excess[unit, index] > 0
                },
                "wins": score.wins,
                "draws": score.draws,
                "losses": score.losses,
                "score": score.score,
                "interval": list(score.interval),
            }
            note = f"unit {unit + 1}: {score.score:.0%} against the generalist on its own boards"
            yield self._stage_progress(current, "specialists", len(trainings), line=line, note=note)
        player = self._player(current, owners, units)
        line = {"specialists": len(trainings)} | self._reference_scores(player, workers)
        note = f"a generalist and {len(trainings)} specialists"
        yield self._stage_progress(current, "team", len(trainings), line=line, note=note, player=player)

    def _trainings(self, current: TeamState, points: Points, owners: Assignment) -> list[SpecialistTraining]:
        """A training for each unit with boards."""
        units, assignment = self._units(current), self._assignment(current, points)
        config = self.specialist_config(len(owners))
        trainings = []
        for owner in owners:
            own = np.flatnonzero(assignment == owner)
            distances = kohonen.squared_distances(points[own], units[[owner]])[:, 0]
            training = SpecialistTraining(
                unit=int(owner),
                boards=tuple(current.boards[index].position for index in own[np.argsort(distances, kind="stable")]),
                config=config,
                generalist=current.generalist,
                initial=current.generalist if self.specialist_weights == "generalist" else None,
                test_boards=self.specialist_test_boards,
                seed=self.seed,
            )
            trainings.append(training)
        return trainings

    def _player(self, current: TeamState, owners: Assignment, units: Points) -> Player:
        theta = np.concatenate([current.generalist, *current.specialists, units[owners].ravel()]).astype(np.float32)
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
        )

    def _total(self, specialist_count: int) -> int:
        """Training games in all, with so many specialists."""
        config = self.specialist_config(specialist_count)
        return (0 if self.generalist else self.sets * self.games) + specialist_count * config.sets * config.games
