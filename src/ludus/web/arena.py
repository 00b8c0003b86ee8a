"""The arena: ladders and matches as they are now, their games, and matches that the page starts and stops."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from ludus import games, players
from ludus.arena import kept, summary
from ludus.arena.description import DESCRIPTION
from ludus.arena.journal import JOURNAL, BadJournal
from ludus.arena.kept import KeptMatch
from ludus.files import is_locked, write_atomically
from ludus.players import Player
from ludus.players.searches import Budget
from ludus.reports import ladder as ladder_report
from ludus.reports.charts import Estimate
from ludus.reports.figures import IntervalChart
from ludus.runs import folder as run_folder
from ludus.web import match_views, ratings, report_parts
from ludus.web.children import Children, Refused
from ludus.web.folders import MATCHES, Folders, NotThere
from ludus.web.messages.arena import (
    ArenaSeen,
    LadderCell,
    LadderLine,
    LadderRow,
    LadderSeen,
    LadderView,
    MatchGame,
    MatchLine,
    MatchSeen,
    MatchStarted,
    MatchText,
    MatchView,
    ResumeMatch,
    StartMatch,
    StopMatch,
    WatchArena,
    WatchLadder,
    WatchMatch,
)
from ludus.web.messages.parts import IntervalsPart
from ludus.web.watching import changes, stamp

PLAN = "plan.json"  # what the page asked for, so that a stopped match can go on


class _Seen(NamedTuple):
    """A match while its journal does not change."""

    signature: object
    match: KeptMatch


class Arena:
    """The ladders and matches under the folder of runs. What reads files may be called in any thread."""

    def __init__(self, folders: Folders, children: Children) -> None:
        self._folders = folders
        self._children = children
        self._seen: dict[Path, _Seen] = {}
        self._ladders: dict[str, tuple[object, LadderView]] = {}

    def answer(self) -> ArenaSeen:
        """The ladders, and the matches that are not part of one; the running ones first."""
        found = self._folders.search()
        ladders = []
        for key in found.ladders:
            with contextlib.suppress(ValueError):
                ladders.append(self.ladder(key).line)
        matches = []
        for key, path in found.matches.items():
            if self._ladder_of(path) is None:
                with contextlib.suppress(BadJournal):
                    matches.append(self._line(key, path, self._read(path)))
        matches.sort(key=lambda line: (line.state != "running", line.match))
        return ArenaSeen(
            ladders=ladders,
            matches=matches,
            package=_package(),
            allowed=self._children.allowed,
            room=self._children.room,
            failures=self._children.failures(),
        )

    def ladder(self, key: str) -> LadderView:
        """A ladder with its cross table. Raises ValueError."""
        path = self._folders.ladder(key)
        signature = tuple((stamp(file), is_locked(file)) for file in sorted(path.glob(f"matches/*/{JOURNAL}")))
        known = self._ladders.get(key)
        if known is None or known[0] != signature:
            known = signature, self._ladder(key, path)
            self._ladders[key] = known
        return known[1]

    def match(self, key: str) -> MatchView:
        """All that the page shows of a match. Raises ValueError."""
        path = self._folders.match(key)
        found = self._read(path)
        return match_views.view(self._line(key, path, found), found, self._ladder_of(path))

    def game(self, key: str, number: int) -> MatchText:
        """A game of a match in its notation. Raises ValueError."""
        found = self._read(self._folders.match(key))
        if number > len(found.standing.played):
            raise NotThere(f"the match has no game {number}")
        game = games.find(found.game)
        played = found.standing.played[number - 1]
        return MatchText(game=found.game, moves=played.moves.split(), text=summary.record(found.players, game, played))

    async def watch_arena(self, _: WatchArena) -> AsyncIterator[ArenaSeen]:
        """The ladders and matches, and again whenever they change."""
        async for answer in changes(self.answer):
            yield answer

    async def watch_ladder(self, request: WatchLadder) -> AsyncIterator[LadderSeen]:
        """A ladder, and again whenever it changes."""
        async for view in changes(lambda: self.ladder(request.ladder)):
            yield LadderSeen(view=view)

    async def watch_match(self, request: WatchMatch) -> AsyncIterator[MatchSeen]:
        """A match, and again whenever it changes."""
        async for view in changes(lambda: self.match(request.match)):
            yield MatchSeen(view=view)

    async def match_game(self, request: MatchGame) -> MatchText:
        """A game of a match."""
        return await asyncio.to_thread(self.game, request.match, request.number)

    async def start(self, request: StartMatch) -> MatchStarted:
        """Starts a match. Raises ValueError."""
        self._children.require_allowed()
        words = await asyncio.to_thread(self._words, request)
        path = await asyncio.to_thread(self._plan, request)
        try:
            return await self._start(path, words)
        except ValueError:
            await asyncio.to_thread(_discard, path)
            raise

    async def resume(self, request: ResumeMatch) -> MatchStarted:
        """Goes on with a match that was stopped. Raises ValueError."""
        self._children.require_allowed()
        path = await asyncio.to_thread(self._folders.match, request.match)
        try:
            plan = msgspec.json.decode((path / PLAN).read_bytes(), type=StartMatch)
        except (OSError, ValueError) as error:
            raise Refused("the match was not started by a page; go on with it where it was started") from error
        if is_locked(path / JOURNAL):
            raise Refused("the match is going on already")
        return await self._start(path, await asyncio.to_thread(self._words, plan))

    async def stop(self, request: StopMatch) -> MatchStarted:
        """Stops a match that this server started; its games are kept. Raises ValueError."""
        await self._children.stop(request.match)
        return MatchStarted(match=request.match)

    async def _start(self, path: Path, words: list[str]) -> MatchStarted:
        key = self._folders.key(path)
        journal = path / JOURNAL
        more = ["--out", str(path), "--concurrency", str(self._children.concurrency)]
        await self._children.start(
            key, ["match", *words, *more], lambda: is_locked(journal) and (path / DESCRIPTION).exists()
        )
        return MatchStarted(match=key)

    def _words(self, request: StartMatch) -> list[str]:
        """The words of the command. Raises ValueError for players and openings that do not fit."""
        if (request.elo0 is None) != (request.elo1 is None):
            raise Refused("a sequential test needs two differences in Elo")
        names = []
        for name, budget in ((request.first, request.first_budget), (request.second, request.second_budget)):
            names.append(self._player(name, budget, request.game))
        words = [*names, "--game", request.game, "--games", str(request.games), "--seed", str(request.seed)]
        if request.openings is not None:
            words += ["--openings", request.openings]
        if request.elo0 is not None:
            words += ["--sprt", f"elo0={request.elo0:g},elo1={request.elo1:g}"]
        return words

    def _player(self, name: str, budget: str | None, game: str) -> str:
        """The name of a player on the command line: only those of the package and of runs. Raises ValueError."""
        known = self._folders.player(name)
        if known == name and not any(player.name == name for player in players.named_players()):
            raise Refused(f"there is no player {name[:100]!r}")
        player: Player = players.find(known, game)
        if budget is None:
            return known
        player.with_budget(Budget.parse(budget))  # raises if its search cannot keep to it
        return f"{known}@{budget}"

    def _plan(self, request: StartMatch) -> Path:
        """A new folder with the plan of a match."""
        name = re.sub(r"[^A-Za-z0-9._@=-]+", "-", f"{request.first}-{request.second}")[:80]
        path = run_folder.free(self._folders.root / MATCHES / name)
        write_atomically(path / PLAN, msgspec.json.encode(msgspec.structs.replace(request, id=0)))
        return path

    def _read(self, path: Path) -> KeptMatch:
        journal = path / JOURNAL
        signature = stamp(journal), stamp(path / DESCRIPTION), is_locked(journal)
        seen = self._seen.get(path)
        if seen is None or seen.signature != signature:
            match = kept.read_match(path)
            first, second = match.players
            names = self._folders.shown(first), self._folders.shown(second)
            seen = self._seen[path] = _Seen(signature, msgspec.structs.replace(match, players=names))
        return seen.match

    def _ladder_of(self, path: Path) -> str | None:
        """The id of the ladder that a match is a part of."""
        ladders = self._folders.search().ladders
        return next((key for key, folder in ladders.items() if folder == path.parent.parent), None)

    def _line(self, key: str, path: Path, found: KeptMatch) -> MatchLine:
        state = "running" if found.running else "finished" if found.standing.finished else "stopped"
        return MatchLine(
            match=key,
            players=found.players,
            game=found.game,
            state=state,  # type: ignore[arg-type]  # it is one of these
            planned=found.config.games,
            score=match_views.score(found.standing.score),
            here=self._children.has(key),
            again=state == "stopped" and (path / PLAN).exists(),
        )

    def _ladder(self, key: str, path: Path) -> LadderView:
        found = kept.read_ladder(path)
        by_pair = {frozenset(each.players): name for name, each in found.matches.items()}
        ladder = found.ladder()
        chart, caption = ladder_report.chart(ladder)

        def cell(one: str, other: str) -> LadderCell:
            name = by_pair.get(frozenset((one, other)))
            if one == other or name is None or not found.matches[name].standing.played:
                return LadderCell(score=None, games=0, match=None)
            score = ladder.score(one, other)
            return LadderCell(score=score.score, games=score.games, match=f"{key}:{MATCHES}:{name}")

        line = LadderLine(
            ladder=key,
            game=found.game,
            players=len(ladder.names),
            games=sum(score.games for score in ladder.scores.values()),
            running=any(each.running for each in found.matches.values()),
            best=ladder.names[0] if ladder.names else "",
        )
        endings = ladder_report.endings_table(ladder, each=True)
        return LadderView(
            line=line,
            note=ladder_report.ENDINGS,
            chart=report_parts.intervals(chart, caption),
            rows=[
                LadderRow(
                    name=rating.name,
                    elo=rating.elo,
                    low=rating.interval.low,
                    high=rating.interval.high,
                    games=rating.games,
                    score=rating.points / rating.games,
                    cells=[cell(rating.name, other) for other in ladder.names],
                )
                for rating in ladder.ratings
            ],
            endings=report_parts.table(endings) if endings.rows else None,
        )


@cache
def _package() -> list[IntervalsPart]:
    """The ratings of the players of the package, a chart a game."""
    found = []
    for game, ladder in ratings.ratings().items():
        estimates = [Estimate(name, each.elo, each.low, each.high) for name, each in ladder.players.items()]
        title = f"Players of the package: {games.find(game).title}"
        chart = IntervalChart(estimates, title=title, x_title="Elo", signed=True, clip=True)
        caption = f"Ratings with 95% intervals, measured by: {ladder.command}. The mean of all ratings is 0."
        found.append(report_parts.intervals(chart, caption))
    return found


def _discard(path: Path) -> None:
    """Removes the folder of a match that could not begin."""
    with contextlib.suppress(OSError):
        (path / PLAN).unlink()
        path.rmdir()
