"""The speed of batches of games, beside other people's environments where they are installed.

A step is the same work for all: draw a legal action at random, play it, begin anew if the game is over, and give the
observation and the legal actions of what comes next. OpenSpiel has draughts. pgx has not, and none of them has
Tic-Tac-Toe 3D: there the reference is the game of theirs that is nearest in size.
"""

import importlib.util
import random
from collections.abc import Iterator

from ludus.bench.measure import Measurement, Work, measure, speeds
from ludus.envs import BatchGames
from ludus.games import GameName

_GAMES = 1024  # of a batch
_STEPS = 20  # of a turn; the others have fewer, so that a turn takes them a few milliseconds as well


def _ours(game: GameName, *, threads: int = 1, slots: int = _GAMES) -> Work:
    batch = BatchGames(game, slots, seed=1, threads=threads)
    batch.reset()
    for _ in range(100):  # until the games are at different points
        batch.step(batch.random_actions())

    steps = _STEPS * _GAMES // slots

    def work() -> int:
        for _ in range(steps):
            batch.step(batch.random_actions())
        return steps * slots

    return work


def _openspiel(name: str) -> Work | None:
    """OpenSpiel, whose states are stepped one by one."""
    if not importlib.util.find_spec("pyspiel"):
        return None
    import pyspiel

    game = pyspiel.load_game(name)
    states = [game.new_initial_state() for _ in range(64)]
    rng = random.Random(1)

    def work() -> int:
        for i, state in enumerate(states):
            state.apply_action(rng.choice(state.legal_actions()))
            if state.is_terminal():
                states[i] = state = game.new_initial_state()
            state.observation_tensor()
            state.legal_actions_mask()
        return len(states)

    return work


def _pgx(name: str) -> Work | None:
    """pgx on the processor: one compiled function for the whole batch, which takes all cores."""
    if not importlib.util.find_spec("pgx"):
        return None
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step_all = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def step(state, key):  # type: ignore[no-untyped-def]
        key, chance, begin = jax.random.split(key, 3)
        actions = jax.random.categorical(chance, jnp.where(state.legal_action_mask, 0.0, -jnp.inf))
        return step_all(state, actions, jax.random.split(begin, _GAMES)), key

    begun = jax.random.split(jax.random.PRNGKey(1), _GAMES)
    held = {"state": jax.jit(jax.vmap(env.init))(begun), "key": jax.random.PRNGKey(2)}

    def work() -> int:
        held["state"], held["key"] = jax.block_until_ready(step(held["state"], held["key"]))
        return _GAMES

    work()  # compiles
    return work


def draughts() -> Iterator[Measurement]:
    """Steps a second of a batch of draughts."""
    name = "envs/draughts"
    yield measure(name, "steps/s", _ours("draughts"), "OpenSpiel", _openspiel("checkers"))
    if theirs := _pgx("othello"):
        yield measure(f"{name}/pgx-othello", "steps/s", _ours("draughts"), "pgx's othello", theirs)


def tictactoe3d() -> Iterator[Measurement]:
    """The same for Tic-Tac-Toe 3D."""
    name = "envs/tictactoe3d"
    ours = _ours("tictactoe3d")
    yield measure(name, "steps/s", ours, "OpenSpiel's connect_four", _openspiel("connect_four"))
    if theirs := _pgx("connect_four"):
        yield measure(f"{name}/pgx-connect-four", "steps/s", ours, "pgx's connect_four", theirs)


def two_threads() -> Iterator[Measurement]:
    """A larger batch of draughts on two threads, beside one."""
    two, one = speeds(_ours("draughts", threads=2, slots=4 * _GAMES), _ours("draughts", slots=4 * _GAMES))
    yield Measurement("envs/two-threads", two, "steps/s", "one thread", one)
