"""A match as the page shows it: its score, its test, how its games ended, and the games."""

import math

import msgspec

from ludus import games
from ludus.arena import summary
from ludus.arena.endings import HEADINGS
from ludus.arena.endings import rows as ending_rows
from ludus.arena.kept import KeptMatch
from ludus.arena.record import PlayedGame
from ludus.arena.score import Score
from ludus.reports.charts import Reference, Series
from ludus.reports.figures import LineChart
from ludus.reports.tables import Table
from ludus.web import report_parts
from ludus.web.messages.arena import EndingCount, GameLine, MatchLine, MatchScore, MatchView, SprtBar
from ludus.web.messages.parts import LinesPart, TablePart

_POINTS = 60  # of the curve of a match


def score(score: Score) -> MatchScore:
    """The score with its intervals."""
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


def view(line: MatchLine, found: KeptMatch, ladder: str | None) -> MatchView:
    """All that the page shows of a match, which may be a part of a ladder."""
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


def _known(number: float) -> float | None:
    return number if math.isfinite(number) else None
