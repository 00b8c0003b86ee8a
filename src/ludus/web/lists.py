"""What the page reads without a socket: players, levels, openings, and what the server allows."""

import asyncio
from typing import Any, Literal

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import ludus
from ludus import games
from ludus.games import GameName
from ludus.play.levels import DEFAULT, LEVELS
from ludus.players import Player, searches
from ludus.web import openings
from ludus.web.context import Context
from ludus.web.ratings import Rating, rating_of
from ludus.web.words import ABOUT, About


class PlayerEntry(Struct, frozen=True, kw_only=True):
    """A player in a list."""

    name: str
    game: GameName
    kind: Literal["package", "run"]
    words: str  # who it is and how strong, in a sentence
    made: str  # how it was made
    details: str  # its evaluator and its search
    rating: Rating | None
    levels: bool  # whether it plays at levels 1 to 9
    strongest: bool  # of those that come with the package
    advises: bool  # whether it can analyse


class LevelEntry(Struct, frozen=True, kw_only=True):
    """A level in a list."""

    number: int
    words: str
    usual: bool


def encoded(content: Any, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def game_in(request: Request) -> GameName:
    """The game that the address names. Raises ValueError."""
    return games.find(request.query_params.get("game", "")).name


def entry(player: Player, name: str, kind: Literal["package", "run"], strongest: str) -> PlayerEntry:
    """A player in a list, under the name that messages have for it."""
    chooses = isinstance(player.search, searches.Random | searches.Benchmark)
    about = ABOUT.get(name, About("", "")) if kind == "package" else _trained(player)
    return PlayerEntry(
        name=name,
        game=player.game,
        kind=kind,
        words=about.words,
        made=about.made,
        details=_details(player),
        rating=rating_of(player) if kind == "package" else None,
        levels=not chooses,
        strongest=name == strongest,
        advises=not chooses,
    )


def _trained(player: Player) -> About:
    """About the player of a run."""
    command = player.made.command
    if not command:
        return About("A player of a run in your folder.", "")
    kind = command.split()[2:3]
    return About(f"Trained here ({kind[0]})." if kind else "Trained here.", f"Made by: {command}")


def _details(player: Player) -> str:
    budget = searches.checked_budget(player.search, player.budget)
    looks = f"{searches.kind(player.search)}, {budget} a move" if budget else searches.kind(player.search)
    return f"{player.evaluator}; {looks}" if player.evaluator else looks


def _players(context: Context, game: GameName) -> list[PlayerEntry]:
    roster = context.roster
    strongest = roster.strongest(game).name
    own = [entry(player, player.name, "package", strongest) for player in roster.named(game)]
    own.sort(key=lambda each: -each.rating.elo if each.rating else 10_000)
    return own + [entry(player, name, "run", strongest) for name, player in roster.of_runs(game)]


async def players(request: Request) -> Response:
    """The players of a game, the strongest first, then those of runs."""
    return encoded(await asyncio.to_thread(_players, request.app.state.context, game_in(request)))


async def levels(_: Request) -> Response:
    """The levels with their words."""
    return encoded([LevelEntry(number=each.number, words=each.words, usual=each.number == DEFAULT) for each in LEVELS])


async def ballots(request: Request) -> Response:
    """The two-move and three-move ballots of a game."""
    game = game_in(request)
    two = await asyncio.to_thread(openings.ballots, game, 2)
    three = await asyncio.to_thread(openings.ballots, game, 3)
    return encoded({"ballots2": two, "ballots3": three})


async def about(request: Request) -> Response:
    """The version, the folders' names, and what is allowed."""
    context: Context = request.app.state.context
    return encoded(
        {
            "version": ludus.__version__,
            "runs": context.settings.runs.resolve().name,
            "games": context.settings.games.name,
            "training": context.settings.allow_training,
            "password": context.settings.password is not None,
            "threads": context.settings.threads,
            "titles": {game.name: game.title for game in games.GAMES},
        }
    )


async def token(request: Request) -> Response:
    """The token of this start of the server, for a page that was loaded before it."""
    context: Context = request.app.state.context
    return encoded({"token": context.settings.token})


ROUTES = [
    Route("/api/players", players),
    Route("/api/levels", levels),
    Route("/api/openings", ballots),
    Route("/api/about", about),
    Route("/api/token", token),
]
