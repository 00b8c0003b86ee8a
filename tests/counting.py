"""A learner for tests: it adds random numbers up, slowly, and keeps what it has on the way."""

import time
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta, Struct

from ludus.learning import Progress, State
from ludus.players import Player
from ludus.players.evaluators import CellNetwork
from ludus.players.networks import dense
from ludus.players.searches import Greedy

LAYERS = dense(64, 3, 1)


class Counting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Adds random numbers up."""

    kind: ClassVar[str] = "counting"
    unit: ClassVar[str] = "steps"
    presets: ClassVar[dict[str, dict]] = {"short": {"steps": 3}}

    steps: Annotated[int, Meta(description="How many.", ge=1)] = 20
    pause: Annotated[float, Meta(description="Seconds a step.", ge=0)] = 0.0
    way: Annotated[Literal["up", "down"], Meta(description="Which way.")] = "up"
    noisy: Annotated[bool, Meta(description="Add noise.")] = True
    sizes: Annotated[tuple[int, ...], Meta(description="Sizes.")] = (2, 3)
    word: Annotated[str | None, Meta(description="A word.")] = None
    seed: Annotated[int, Meta(description="For chance.", ge=0)] = 0

    @property
    def name(self):
        return self.way

    def learn(self, state, workers):
        if self.word == "impossible":
            raise ValueError("this cannot be learned")
        theta = np.zeros(199, np.float32) if state is None else np.array(state.arrays["theta"])
        done = 0 if state is None else state.facts["done"]
        while done < self.steps:
            noise = np.random.default_rng([self.seed, done]).normal(size=199).astype(np.float32)
            theta = theta + (noise if self.way == "up" else -noise)
            time.sleep(self.pause)
            done += 1
            player = Player(
                name="sum", game="tictactoe3d", search=Greedy(), evaluator=CellNetwork(layers=LAYERS), theta=theta
            )
            yield Progress(
                done=done,
                total=self.steps,
                state=State(arrays={"theta": theta}, facts={"done": done}),
                line={"done": done, "sum": float(theta.sum())} if done % 2 == 0 else None,
                note=f"sum {theta.sum():.3f}",
                players={f"{done:06}": player} if done % 5 == 0 else {},
                player=player if done == self.steps else None,
            )
