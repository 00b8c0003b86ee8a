"""The games of the exam: each question is played out by the player against the tables, on workers, into a journal."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from ludus import games
from ludus.arena.exam.opponent import TableOpponent
from ludus.arena.exam.questions import Question
from ludus.arena.journal import Journal
from ludus.arena.play import active, play_sides
from ludus.arena.record import PlayedGame
from ludus.arena.task import Contestant, Rules, Task, digest
from ludus.endgames import Tables, load
from ludus.workers import Workers


class ExamConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which endings are examined, in how many games, under which rules."""

    pieces: int = 4  # on the board at most, of both sides
    games: int = 20  # of each ending and result: won, drawn, lost
    seed: int = 0
    rules: Rules = Rules()


class ExamGame(Struct, frozen=True, kw_only=True):
    """A game of the exam, as a task for a worker. Equal games of Ludus players are played alike on every worker."""

    task: Task  # both of its players are the examined one: the tables have the other side
    pieces: int
    folder: Path | None  # of the tables


def play_game(game: ExamGame) -> PlayedGame:
    """Plays the game."""
    task = game.task
    opponent = TableOpponent(load(game.pieces, game.folder), task.seed)
    return play_sides(task, games.find("draughts"), (active(task.players[0], task.digests[0]), opponent))


def fingerprint(player: Contestant, config: ExamConfig, tables: Tables) -> dict[str, object]:
    """What makes two exams of a player the same; the number of games may change when one is continued."""
    builtins = msgspec.to_builtins(msgspec.structs.replace(config, games=1))
    builtins["rules"] = config.rules.identity()
    return {"exam": builtins, "player": digest(player), "tables": tables.digest}


def play(
    player: Contestant,
    questions: Sequence[Question],
    config: ExamConfig,
    folder: Path | None,
    workers: Workers,
    journal: Journal,
) -> Iterator[int]:
    """Plays the games that the journal does not have. Yields how many of the questions are played out.

    `folder` holds the tables. Raises ValueError for a player of another game.
    """
    if player.game != "draughts":
        raise ValueError(f"{player.name} plays {player.game}: there are endgame tables of draughts only")
    key = digest(player)
    asked = {question.index for question in questions}
    done = {played.index for played in journal} & asked
    yield len(done)
    tasks = (
        ExamGame(
            task=Task(
                index=question.index,
                players=(player, player),
                digests=(key, key),
                opening=(),
                rules=config.rules,
                seed=(config.seed * 1_000_003 + question.index) % 2**63,
                start=question.position,
            ),
            pieces=config.pieces,
            folder=folder,
        )
        for question in questions
        if question.index not in done
    )
    for number, (_, played) in enumerate(workers.completed(play_game, tasks), len(done) + 1):
        journal.add(played)
        yield number


def answered(questions: Sequence[Question], journal: Journal) -> dict[int, PlayedGame]:
    """The games of these questions, by the index of the question."""
    asked = {question.index for question in questions}
    return {played.index: played for played in journal if played.index in asked}
