"""Matches of a study: a trial whose lines are the score of two players, who may be of other trials' runs."""

from collections.abc import Callable
from typing import Any

import msgspec

from ludus.arena import match
from ludus.arena.journal import Journal
from ludus.arena.match import MatchConfig
from ludus.arena.score import Score
from ludus.execution import ThisThread
from ludus.players import Player
from ludus.studies.trials import Done, Trial

KIND = "match"


def of(cell: str, players: tuple[str, str], config: MatchConfig) -> Trial:
    """The trial of a match; what the names of the players mean, the study knows."""
    return Trial(cell=cell, kind=KIND, options={"players": list(players), "config": msgspec.to_builtins(config)})


def play(trial: Trial, find: Callable[[str], Player]) -> Done:
    """Plays the match, here and in one thread."""
    first, second = (find(name) for name in trial.options["players"])
    config = msgspec.convert(trial.options["config"], type=MatchConfig)
    *_, end = match.play((first, second), config, ThisThread(), 1, Journal(None, {}))
    plies = [played.moves.count(" ") + 1 for played in end.played]
    return Done(trial=trial, lines=[{"pairs": list(end.score.pairs), "plies": sum(plies) / len(plies)}])


def score(lines: list[dict[str, Any]]) -> Score:
    """The first player's score, of what a match found."""
    return Score(tuple(lines[0]["pairs"]))
