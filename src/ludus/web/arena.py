"""The arena: ladders and matches as they are now, their games, and matches that the page starts and stops."""

import asyncio
import contextlib
import math
import re
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from ludus import games, players
from ludus.arena import kept, summary
from ludus.arena.endings import HEADINGS
from ludus.arena.endings import rows as ending_rows
from ludus.arena.journal import JOURNAL, BadJournal
from ludus.arena.kept import KeptMatch
from ludus.arena.record import PlayedGame
from ludus.arena.score import Score
from ludus.files import is_locked, write_atomically
from ludus.players import Player
from ludus.players.searches import Budget
from ludus.reports import ladder as ladder_report
from ludus.reports.charts import Estimate, Reference, Series
from ludus.reports.figures import IntervalChart, LineChart
from ludus.reports.tables import Table
from ludus.runs import folder as run_folder
from ludus.web import ratings, report_parts
from ludus.web.children import Children, Refused
from ludus.web.folders import MATCHES, Folders, NotThere
from ludus.web.messages.arena import (
    ArenaSeen,
    EndingCount,
    GameLine,
    LadderCell,
    LadderLine,
    LadderRow,
    LadderSeen,
    LadderView,
    MatchGame,
    MatchLine,
    MatchScore,
    MatchSeen,
    MatchStarted,
    MatchText,
    MatchView,
    ResumeMatch,
    SprtBar,
    StartMatch,
    StopMatch,
    WatchArena,
    WatchLadder,
    WatchMatch,
)
from ludus.web.messages.parts import IntervalsPart, LinesPart, TablePart
from ludus.web.watching import changes, stamp

PLAN = "plan.json"  # what the page asked for, so that a stopped match can go on
_POINTS = 60  # of the curve of a match


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
        return _view(self._line(key, path, found), found, self._ladder_of(path))

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
        before = stamp(journal)
        more = ["--out", str(path), "--concurrency", str(self._children.concurrency)]
        await self._children.start(key, ["match", *words, *more], lambda: stamp(journal) != before)
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
        signature = stamp(journal), stamp(path / "match.json"), is_locked(journal)
        seen = self._seen.get(path)
        if seen is None or seen.signature != signature:
            seen = self._seen[path] = _Seen(signature, kept.read_match(path))
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
            score=_score(found.standing.score),
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


def _score(score: Score) -> MatchScore:
    low, high = score.interval
    elo_low, elo_high = score.elo_interval
    return MatchScore(
        games=score.games,
        wins=score.wins,
        draws=score.draws,
        losses=score.losses,
        score=_known(score.score),
        low=low,
        high=high,
        elo=_known(score.elo),
        elo_low=_known(elo_low),
        elo_high=_known(elo_high),
    )


def _view(line: MatchLine, found: KeptMatch, ladder: str | None) -> MatchView:
    standing, config = found.standing, found.config
    figures = summary.figures(found.players, found.game, config, standing)
    sprt = None
    if config.sprt:
        low, high = config.sprt.bounds
        sprt = SprtBar(
            elo0=config.sprt.elo0,
            elo1=config.sprt.elo1,
            llr=config.sprt.llr(standing.score),
            low=low,
            high=high,
            verdict=standing.verdict.value,
        )
    loops = ""
    if "loops" in figures:
        ahead = zip(figures["loops_while_ahead"], found.players, strict=True)
        loops = f"{figures['loops']}, {' and '.join(f'{count} with {name} ahead' for count, name in ahead)}"
    return MatchView(
        line=line,
        openings=config.openings,
        seed=config.seed,
        rules=_rules(found),
        ladder=ladder,
        sprt=sprt,
        pentanomial=figures["pentanomial"],
        endings=[EndingCount(reason=reason, games=count) for reason, count in figures["endings"].items()],
        plies=figures["mean_plies"],
        nodes=figures["nodes_per_move"],
        seconds=[summary.per_move(standing.played, player, "seconds") for player in (0, 1)],
        loops=loops,
        thrown=_thrown(found),
        curve=_curve(found),
        games=[_game(found, played) for played in standing.played],
    )


def _rules(found: KeptMatch) -> str:
    """The draw rules and the endgame tables of a match in words."""
    rules, words = found.config.rules, []
    if rules.repetitions:
        words.append(f"a draw after {rules.repetitions} repetitions")
    if rules.quiet_plies:
        words.append(f"after {rules.quiet_plies // 2} quiet moves by each side")
    if rules.plies:
        words.append(f"after {rules.plies // 2} moves by each side")
    if found.config.adjudicate:
        words.append(f"endgame tables of {found.config.adjudicate} pieces end games")
    return ", ".join(words) or "no draw rules"


def _thrown(found: KeptMatch) -> TablePart | None:
    one, other = found.standing.endings()
    names = found.players if found.players[0] != found.players[1] else (f"{found.players[0]} (1)", "(2)")
    rows = ending_rows(dict(zip(names, (one, other), strict=True)), short=True)
    return report_parts.table(Table(HEADINGS, tuple(rows), names=2)) if rows else None


def _curve(found: KeptMatch) -> LinesPart:
    """The score of the first player after so many games, with its interval."""
    played = found.standing.played
    pairs = len(played) // 2
    chosen = {round(pairs * (index + 1) / _POINTS) for index in range(_POINTS)} - {0}
    score, x, y, low, high = Score(), [], [], [], []
    for pair in range(pairs):
        score += Score.pair(played[2 * pair].points, 1 - played[2 * pair + 1].points)
        if pair + 1 in chosen:
            x.append(2.0 * (pair + 1))
            y.append(100 * score.score)
            low.append(100 * score.interval.low)
            high.append(100 * score.interval.high)
    chart = LineChart(
        [Series(found.players[0], x, y, bands=((low, high),))],
        title="Score over games",
        x_title="games",
        y_title="score, %",
        references=(Reference(50.0, "equal"),),
    )
    part = report_parts.chart(chart, "The score of the first player, with its 95% interval.", lambda _: None)
    assert isinstance(part, LinesPart)
    return part


def _game(found: KeptMatch, played: PlayedGame) -> GameLine:
    game = games.find(found.game)
    black, white = summary.sides(found.players, game, played)
    winner = played.outcome(game).winner
    moves = played.moves.split()
    thrown = 0
    if not isinstance(played.endings, msgspec.UnsetType):
        thrown = sum(counts.thrown for side in played.endings.sides for counts in side.values())
    return GameLine(
        number=played.index + 1,
        black=black,
        white=white,
        winner=None if winner is None else "black" if winner == games.Color.BLACK else "white",
        reason=played.reason.lower().replace("_", " "),
        opening=" ".join(moves[: len(moves) - len(played.values)]),
        plies=len(moves),
        thrown=thrown,
        note=played.note,
    )


def _discard(path: Path) -> None:
    """Removes the folder of a match that could not begin."""
    with contextlib.suppress(OSError):
        (path / PLAN).unlink()
        path.rmdir()


def _known(number: float) -> float | None:
    return number if math.isfinite(number) else None
