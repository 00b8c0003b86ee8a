"""MP-Draughts (Duarte, Julia, Barcelos and Otsuka 2009): a generalist and a team of endgame specialists.

In stages, each of which can be interrupted and taken up again: a generalist learns by cloning; its own games give
boards of 12 pieces; if wanted, a genetic algorithm chooses what a Kohonen map is told of them; the map puts those
together that look alike; and from the boards of each unit a specialist learns.
"""

from collections.abc import Generator, Iterator
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct

from ludus import players
from ludus.arena import game as arena
from ludus.arena.score import Score
from ludus.learning import (
    Progress,
    State,
    endgame_boards,
    kohonen,
    map_features,
    reference_players,
    specialist,
    training_games,
)
from ludus.learning.cloning import VisionDraughts
from ludus.learning.endgame_boards import Board
from ludus.learning.kohonen import Places, Points, Schedule
from ludus.learning.map_features import Selection
from ludus.players import Player
from ludus.players.evaluators import FEATURES, MOST_UNITS, MultiPhase, Told
from ludus.players.networks import Theta
from ludus.workers import Workers

_EPOCHS = 10  # between two progresses of the map
_STRONGEST = 5  # attributes of a unit that are told


class Cluster(Struct, frozen=True, kw_only=True):
    """The boards of a unit, from which its specialist is to learn. Equal clusters give equal specialists."""

    place: int  # of the unit, from 0
    boards: tuple[str, ...]  # the one nearest to the unit first
    config: VisionDraughts
    generalist: Any  # its weights
    first: Any  # the specialist's first weights; None: random ones
    trials: int  # boards on which it meets the generalist at the end
    seed: int


def train(cluster: Cluster) -> tuple[Theta, Score]:
    """The weights of the specialist, and its score against the generalist on its own boards, both colours each."""
    seed = training_games.stream(cluster.seed, 10, cluster.place)
    theta = specialist.train(cluster.config, cluster.boards, cluster.first, seed)
    boards = cluster.boards[: cluster.trials]
    duel = training_games.duel(
        cluster.config.method(), theta, cluster.generalist, boards, training_games.stream(seed, 11)
    )
    played = [arena.play(task) for task in duel]
    score = Score()
    for one, other in zip(played[::2], played[1::2], strict=True):
        score += Score.pair(one.points, 1 - other.points)
    return theta, score


class _TeamState(Struct, frozen=True, kw_only=True):
    """How far the stages after the generalist's have come."""

    generalist: Any  # its weights
    boards: tuple[Board, ...] = ()
    played: int = 0  # games that gave them
    selection: Selection | None = None  # of the map's attributes, if they are selected
    units: Any = None  # of the map, after `epochs`
    epochs: int = 0
    specialists: tuple[Any, ...] = ()  # their weights, in the order of their units

    def state(self) -> State:
        arrays = {"generalist": self.generalist}
        if self.units is not None:
            arrays["units"] = self.units
        if self.specialists:
            arrays["specialists"] = np.stack(self.specialists)
        boards = [[board.position, board.game, board.ply] for board in self.boards]
        facts: dict[str, Any] = {"boards": boards, "played": self.played, "epochs": self.epochs}
        if self.selection is not None:
            facts["selection"] = msgspec.to_builtins(self.selection, str_keys=True)
        return State(arrays=arrays, facts=facts)

    @staticmethod
    def of(state: State) -> "_TeamState":
        return _TeamState(
            generalist=state.arrays["generalist"],
            boards=tuple(Board(*board) for board in state.facts["boards"]),
            played=state.facts["played"],
            selection=msgspec.convert(state.facts.get("selection"), type=Selection | None, strict=False),
            units=state.arrays.get("units"),
            epochs=state.facts["epochs"],
            specialists=tuple(state.arrays.get("specialists", ())),
        )


class MpDraughts(VisionDraughts, frozen=True, kw_only=True):
    """MP-Draughts: a generalist that learns as VisionDraughts, and endgame specialists chosen by a Kohonen map."""

    kind: ClassVar[str] = "mp-draughts"
    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "ours": {},
        "faithful": {**VisionDraughts.presets["faithful"], "first_weights": "random", "dynamics": "DI"},
    }

    generalist: Annotated[str, Meta(description="A player to take for the generalist; without one it is trained.")] = ""
    boards: Annotated[int, Meta(description="Boards that the generalist's games must give.", ge=1)] = 1000
    board_epsilon: Annotated[
        float, Meta(description="How often a move of these games is random, so that they differ.", ge=0, le=1)
    ] = 0.05
    pieces: Annotated[int, Meta(description="With so many pieces the endgame begins.", ge=2, le=23)] = 12
    clusters: Annotated[
        Literal["chain", "grid", "kmeans", "random"],
        Meta(description="What puts boards together: a Kohonen map that is a chain or a grid, k-means, or chance."),
    ] = "chain"
    units: Annotated[int, Meta(description="Units of the map.", ge=1, le=MOST_UNITS)] = 25
    attributes: Annotated[tuple[str, ...], Meta(description="The features that the map is told of.")] = FEATURES
    select: Annotated[
        int, Meta(description="Generations of a genetic algorithm that chooses among them; 0: all are told.", ge=0)
    ] = 0
    select_population: Annotated[int, Meta(description="Sets of features that live on in it.", ge=2)] = 8
    select_games: Annotated[
        int, Meta(description="Games from which each specialist learns when a set of features is tried.", ge=1)
    ] = 20
    told: Annotated[Told, Meta(description="Whether a feature is above 0, its count, or that as a share.")] = "binary"
    alpha: Annotated[float, Meta(description="The map's first learning rate.", gt=0, le=1)] = 0.9
    alpha_factor: Annotated[float, Meta(description="What it is multiplied by each epoch.", gt=0, lt=1)] = 0.99
    alpha_last: Annotated[float, Meta(description="The map has learned when it falls below this.", gt=0, le=1)] = 0.1
    first_weights: Annotated[Literal["generalist", "random"], Meta(description="What a specialist starts with.")] = (
        "generalist"
    )
    matched: Annotated[
        bool, Meta(description="All specialists together play as many games as the generalist, not each of them.")
    ] = False
    trial_boards: Annotated[
        int, Meta(description="Boards on which each specialist meets the generalist, both colours.", ge=1)
    ] = 20
    dynamics: Annotated[
        Literal["DI", "DII"], Meta(description="The map is asked once in a game (DI) or at every own move (DII).")
    ] = "DII"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.schedule()  # says what does not fit together
        self.team((1,), self.attributes)
        if self.select and self.clusters == "random":
            raise ValueError("clusters by chance do not depend on features: there is nothing to select")
        if self.select and self.select_population >= 2 ** len(self.attributes):
            raise ValueError(f"of {len(self.attributes)} features there are fewer sets than {self.select_population}")
        if self.select and self.boards < map_features.HELD:
            raise ValueError(f"to select features takes {map_features.HELD} boards or more")

    @property
    def name(self) -> str:
        """What distinguishes this run from others of its kind."""
        return f"{self.clusters}{self.units}{'-select' if self.select else ''}-{self.dynamics}-{super().name}"

    def schedule(self) -> Schedule:
        """How the map's learning rate falls."""
        return Schedule(alpha=self.alpha, factor=self.alpha_factor, last=self.alpha_last)

    def team(self, units: tuple[int, ...], attributes: tuple[str, ...]) -> MultiPhase:
        """The evaluator of a team whose map is told of these and whose specialists have these units; no weights."""
        rows, columns = kohonen.shape(self.clusters, self.units)
        return MultiPhase(
            member=self.evaluator(),
            units=units,
            rows=rows,
            columns=columns,
            attributes=attributes,
            told=self.told,
            pieces=self.pieces,
            dynamics=self.dynamics,
        )

    def vision(self) -> VisionDraughts:
        """How the generalist learns."""
        return VisionDraughts(**{name: getattr(self, name) for name in VisionDraughts.__struct_fields__})

    def specialist(self, count: int) -> VisionDraughts:
        """How each of so many specialists learns: from its boards as they are, with no random moves before."""
        games = max(1, self.games // count) if self.matched else self.games
        return msgspec.structs.replace(self.vision(), games=games, opening_plies=0)

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns stage by stage."""
        if state is not None and "boards" in state.facts:
            stand = _TeamState.of(state)
        else:
            stand = yield from self._generalist(state, workers)
        stand = yield from self._boards(stand, workers)
        stand = yield from self._selection(stand, workers)
        stand = yield from self._map(stand)
        yield from self._specialists(stand, workers)

    def _generalist(self, state: State | None, workers: Workers) -> Generator[Progress, None, _TeamState]:
        if self.generalist:
            player = self._given()
            stand = _TeamState(generalist=player.theta)
            yield self._progress(
                stand, "generalist", line={}, players={"generalist": player}, note=f"it is {self.generalist}"
            )
            return stand
        for progress in self.vision().learn(state, workers):
            line = progress.line and {"stage": "generalist", **progress.line}
            if progress.player is None:
                yield msgspec.structs.replace(progress, total=self._total(self.units), stage="generalist", line=line)
                continue
            player = msgspec.structs.replace(progress.player, name="generalist")
            stand = _TeamState(generalist=player.theta)
            kept = {**progress.players, "generalist": player}
            yield self._progress(stand, "generalist", line=progress.line or {}, players=kept, note=progress.note)
        return stand

    def _given(self) -> Player:
        player = players.find(self.generalist, "draughts")
        if player.evaluator != self.evaluator() or player.theta is None:
            raise ValueError(
                f"{self.generalist} is no generalist for this team: it has {player.evaluator or 'no network'}"
            )
        return self.method().player("generalist", player.theta)

    def _boards(self, stand: _TeamState, workers: Workers) -> Generator[Progress, None, _TeamState]:
        player = self.method().player("generalist", stand.generalist)
        search = endgame_boards.collect(
            player,
            self.boards,
            self.pieces,
            self.board_epsilon,
            self.seed,
            workers,
            found=stand.boards,
            games=stand.played,
        )
        for boards, played in search:
            found = [
                {"board": board.position, "game": board.game, "ply": board.ply} for board in boards[len(stand.boards) :]
            ]
            stand = msgspec.structs.replace(stand, boards=tuple(boards), played=played)
            line = {"boards": len(boards), "played": played, "found": found}
            yield self._progress(stand, "boards", line=line, note=f"{len(boards):,} of {self.boards:,} boards")
        return stand

    def _selection(self, stand: _TeamState, workers: Workers) -> Generator[Progress, None, _TeamState]:
        if not self.select:
            return stand
        quick = msgspec.structs.replace(
            self.specialist(1), sets=1, games=self.select_games, batch=1, test_boards=1, final_boards=1
        )
        example = map_features.Trial(
            mask=1,
            points=endgame_boards.points(stand.boards, self.attributes, self.told),
            boards=tuple(board.position for board in stand.boards),
            clusters=self.clusters,
            units=self.units,
            schedule=self.schedule(),
            config=quick,
            generalist=stand.generalist,
            seed=training_games.stream(self.seed, 12),
        )
        begun = stand.selection
        for selection in map_features.select(example, self.select_population, self.select, begun, workers):
            stand = msgspec.structs.replace(stand, selection=selection)
            fitness, chosen = selection.tried[selection.parents[0]], self._attributes(stand)
            line = {
                "generation": selection.generation,
                "fitness": fitness,
                "features": list(chosen),
                "tried": len(selection.tried),
            }
            note = f"generation {selection.generation}: {fitness:.0%} with {len(chosen)} features"
            yield self._progress(stand, "features", line=line, note=note)
        return stand

    def _attributes(self, stand: _TeamState) -> tuple[str, ...]:
        """What the map is told of."""
        if stand.selection is None:
            return self.attributes
        return map_features.named(stand.selection.parents[0], self.attributes)

    def _map(self, stand: _TeamState) -> Generator[Progress, None, _TeamState]:
        points = endgame_boards.points(stand.boards, self._attributes(stand), self.told)
        rows, columns = kohonen.shape(self.clusters, self.units)
        if self.clusters in ("chain", "grid"):
            schedule = self.schedule()
            epochs = kohonen.learn(points, rows, columns, schedule, self.seed, stand.units, stand.epochs)
            for done, units in enumerate(epochs, stand.epochs + 1):
                if done % _EPOCHS and done < schedule.epochs:
                    continue
                stand = msgspec.structs.replace(stand, units=units, epochs=done)
                line: dict[str, Any] = {"epoch": done, "alpha": schedule.at(done - 1)}
                line["quantisation"] = kohonen.quantisation_error(points, units)
                line["topographic"] = kohonen.topographic_error(points, units, rows, columns)
                if done == schedule.epochs:
                    line |= self._shares(stand, points)
                yield self._progress(stand, "map", line=line, note=f"quantisation error {line['quantisation']:.3f}")
        elif stand.units is None:
            if self.clusters == "kmeans":
                units = kohonen.k_means(points, self.units, self.seed)
            else:
                middle = np.repeat(points.mean(axis=0, keepdims=True), self.units, axis=0)
                units = kohonen.centres(points, kohonen.dealt(points, self.units, self.seed), middle)
            stand = msgspec.structs.replace(stand, units=units, epochs=1)
            line = {
                "epoch": 1,
                "quantisation": kohonen.quantisation_error(points, units),
                **self._shares(stand, points),
            }
            yield self._progress(stand, "map", line=line, note=f"quantisation error {line['quantisation']:.3f}")
        return stand

    def _units(self, stand: _TeamState) -> Points:
        """As the player will know them, so that a board has the same unit in training and in play."""
        return np.asarray(stand.units, np.float32).astype(np.float64)

    def _places(self, stand: _TeamState, points: Points) -> Places:
        """The unit of each board: the nearest, or the one it was dealt to by chance; in play it is the nearest."""
        if self.clusters == "random":
            return kohonen.dealt(points, self.units, self.seed)
        return kohonen.nearest(points, self._units(stand))

    def _shares(self, stand: _TeamState, points: Points) -> dict[str, Any]:
        rows, columns = kohonen.shape(self.clusters, self.units)
        shares = np.bincount(self._places(stand, points), minlength=self.units)
        return {"rows": rows, "columns": columns, "shares": shares.tolist()}

    def _specialists(self, stand: _TeamState, workers: Workers) -> Iterator[Progress]:
        points = endgame_boards.points(stand.boards, self._attributes(stand), self.told)
        units, places = self._units(stand), self._places(stand, points)
        owners = np.unique(places)  # a unit without boards gets no specialist, and is not asked for in play
        config = self.specialist(len(owners))
        clusters = []
        for owner in owners:
            own = np.flatnonzero(places == owner)
            far = kohonen.squared_distances(points[own], units[[owner]])[:, 0]
            cluster = Cluster(
                place=int(owner),
                boards=tuple(stand.boards[index].position for index in own[np.argsort(far, kind="stable")]),
                config=config,
                generalist=stand.generalist,
                first=stand.generalist if self.first_weights == "generalist" else None,
                trials=self.trial_boards,
                seed=self.seed,
            )
            clusters.append(cluster)
        excess = units - points.mean(axis=0)
        attributes = self._attributes(stand)
        left = clusters[len(stand.specialists) :]
        for cluster, (theta, score) in zip(left, workers.map(train, left), strict=True):
            stand = msgspec.structs.replace(stand, specialists=(*stand.specialists, theta))
            strongest = np.argsort(-excess[cluster.place], kind="stable")[:_STRONGEST]
            line = {
                "unit": cluster.place + 1,
                "boards": len(cluster.boards),
                "typical": cluster.boards[0],
                "attributes": {
                    attributes[index]: float(units[cluster.place, index])
                    for index in strongest
                    if excess[cluster.place, index] > 0
                },
                "wins": score.wins,
                "draws": score.draws,
                "losses": score.losses,
                "score": score.score,
                "interval": list(score.interval),
            }
            note = f"unit {cluster.place + 1}: {score.score:.0%} against the generalist on its own boards"
            yield self._progress(stand, "specialists", len(clusters), line=line, note=note)
        player = self._player(stand, owners, units)
        line = {"specialists": len(clusters)}
        if self.pool_games:
            line["pool"] = reference_players.measure(player, self.pool_games, self.seed, workers)
        note = f"a generalist and {len(clusters)} specialists"
        yield self._progress(stand, "team", len(clusters), line=line, note=note, player=player)

    def _player(self, stand: _TeamState, owners: Places, units: Points) -> Player:
        theta = np.concatenate([stand.generalist, *stand.specialists, units[owners].ravel()]).astype(np.float32)
        method = self.method()
        return Player(
            name=self.kind,
            game="draughts",
            search=method.search,
            evaluator=self.team(tuple(int(owner) + 1 for owner in owners), self._attributes(stand)),
            budget=method.budget,
            theta=theta,
        )

    def _progress(
        self, stand: _TeamState, stage: str, count: int | None = None, *, line: dict[str, Any], **rest: Any
    ) -> Progress:
        config = self.specialist(count or self.units)
        own = 0 if self.generalist else self.sets * self.games
        return Progress(
            done=own + len(stand.specialists) * config.sets * config.games,
            total=self._total(count or self.units),
            state=stand.state(),
            stage=stage,
            line={"stage": stage, **line},
            **rest,
        )

    def _total(self, count: int) -> int:
        """Games of learning, if there are so many specialists."""
        config = self.specialist(count)
        return (0 if self.generalist else self.sets * self.games) + count * config.sets * config.games
