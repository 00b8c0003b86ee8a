"""The result of a match as text, as data and as game records: score, interval, loops, lengths, nodes and time."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ludus import games
from ludus.arena.endings import HEADINGS, EndingCounts, summed
from ludus.arena.endings import rows as ending_rows
from ludus.arena.matches import MatchConfig, Standing, tables_of
from ludus.arena.record import PlayedGame
from ludus.arena.sprt import Verdict
from ludus.arena.task import Contestant, tables_used
from ludus.endgames import load as load_tables
from ludus.games import Color, Game, GameName


def data(players: tuple[Contestant, Contestant], config: MatchConfig, standing: Standing) -> dict[str, Any]:
    """The result without times: the same match gives the same data."""
    one, other = players
    result = figures((one.name, other.name), one.game, config, standing)
    if used := tables_of(players, config):
        result["endgames"] = used
    return result


def figures(names: tuple[str, str], game_name: GameName, config: MatchConfig, standing: Standing) -> dict[str, Any]:
    """The same for a match of which only the names of the players are known; without the tables they use."""
    score = standing.score
    game = games.find(game_name)
    totals = standing.totals(game)
    nodes, _ = totals.per_move()
    result: dict[str, Any] = {
        "players": list(names),
        "game": game.name,
        "openings": config.openings,
        "seed": config.seed,
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "score": score.score,
        "score_interval": list(score.interval),
        "elo": _finite(score.elo),
        "elo_interval": [_finite(bound) for bound in score.elo_interval],
        "pentanomial": list(score.pentanomial),
        "endings": dict(sorted(totals.reasons.items())),
        "mean_plies": totals.plies / max(1, totals.games),
        "nodes_per_move": list(nodes),
    }
    if game.material is not None:
        result["loops"] = totals.loops
        result["loops_while_ahead"] = list(totals.loops_ahead)
    if any(found := standing.endings()):
        result["thrown_wins"] = {
            "pieces": config.thrown_wins,
            "tables": load_tables(config.thrown_wins).digest,
            "players": [
                {ending: _figures(counts) for ending, counts in sorted({"all": summed(each), **each}.items())}
                for each in found
            ],
        }
    if config.sprt:
        sprt = config.sprt
        result["sprt"] = {
            "elo0": sprt.elo0,
            "elo1": sprt.elo1,
            "llr": sprt.llr(score),
            "verdict": standing.verdict.value,
        }
    return result


def text(players: tuple[Contestant, Contestant], config: MatchConfig, standing: Standing) -> str:
    """The result for a person."""
    found = data(players, config, standing)
    totals = standing.totals(games.find(players[0].game))
    one, other = (player.name for player in players)
    endings = ", ".join(f"{count} by {reason}" for reason, count in found["endings"].items())
    lines = [
        f"{one} against {other}: {standing.score}",
        f"pairs of games by points 0, 1/2, 1, 3/2, 2: {' '.join(map(str, found['pentanomial']))}",
        f"endings: {endings or 'none'}; {found['mean_plies']:.1f} plies a game",
    ]
    if "loops" in found:
        while_ahead = " and ".join(
            f"{count} with {name} ahead" for count, name in zip(found["loops_while_ahead"], (one, other), strict=True)
        )
        lines.append(f"loops (draws by repetition with 12 pieces or fewer): {found['loops']}, {while_ahead}")
    for index, name in enumerate((one, other)):
        seconds = totals.per_move()[1][index]
        lines.append(f"{name}: {found['nodes_per_move'][index]:,.0f} nodes and {1000 * seconds:.3f} ms a move")
    if "sprt" in found:
        sprt = found["sprt"]
        said = "undecided" if standing.verdict is Verdict.CONTINUE else sprt["verdict"]
        lines.append(f"SPRT of Elo {sprt['elo0']:g} against {sprt['elo1']:g}: LLR {sprt['llr']:+.2f}, {said}")
    if rows := ending_rows(dict(zip(_different((one, other)), standing.endings(), strict=True)), short=True):
        lines.append(f"endings of at most {config.thrown_wins} pieces, by the endgame tables:")
        lines += _columns([HEADINGS, *rows])
    more = totals.forfeits - len(totals.notes)
    return "\n".join([*lines, *totals.notes, *([f"{more:,} more games were forfeited"] if more else [])])


def records(
    players: tuple[Contestant, Contestant], standing: Standing, config: MatchConfig | None = None
) -> Iterator[str]:
    """Each game in the game's own notation, with the value and depth of every move if the notation has comments."""
    game = games.find(players[0].game)
    one, other = (player.name for player in players)
    used = _tables_tag(players, config)
    more = {"Endgames": used} if used else {}
    for played in standing.played:
        yield record((one, other), game, played, more)


def sides(names: tuple[str, str], game: Game, played: PlayedGame) -> tuple[str, str]:
    """The names of Black and White in a game of a match."""
    first, second = names if played.index % 2 == 0 else names[::-1]
    return (first, second) if game.first == Color.BLACK else (second, first)


def record(names: tuple[str, str], game: Game, played: PlayedGame, more: dict[str, str] | None = None) -> str:
    """A game of a match in its notation, with these tags after the usual ones."""
    black, white = sides(names, game, played)
    tags = {
        "Event": f"{names[0]} against {names[1]}",
        "Round": str(played.index + 1),
        "Black": black,
        "White": white,
    }
    if played.note:
        tags["Forfeit"] = played.note
    return game.write(played.record(game, tags | (more or {})))


def _tables_tag(players: tuple[Contestant, Contestant], config: MatchConfig | None) -> str:
    """Which endgame tables decide the games, and who uses them."""
    used = [(player.name, tables_used(player)) for player in players]
    if config is not None and config.adjudicate:
        used.append(("adjudication", load_tables(config.adjudicate)))
    return "; ".join(f"{name}: {tables.pieces} pieces, {tables.digest}" for name, tables in used if tables is not None)


def _figures(counts: EndingCounts) -> dict[str, int]:
    return {name: getattr(counts, name) for name in counts.__struct_fields__}


def _different(names: tuple[str, str]) -> tuple[str, str]:
    """The names, told apart if a player plays itself."""
    return names if names[0] != names[1] else (f"{names[0]} (1)", f"{names[1]} (2)")


def _columns(rows: list[tuple[str, ...]]) -> list[str]:
    """Rows of text as lines: two columns of names, then numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if index < 2 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def per_move(played: Sequence[PlayedGame], player: int, what: str) -> float:
    """The mean of `nodes` or `seconds` over the moves that a player chose."""
    total, moves = 0.0, 0
    for each in played:
        side = (player + each.index) % 2
        total += getattr(each, what)[side]
        moves += each.chosen[side]
    return total / moves if moves else 0.0


def _finite(elo: float) -> float | None:
    """The number, None if it is infinite: JSON has no infinity."""
    return elo if math.isfinite(elo) else None
