"""A game: boards, the moves of players, hints and draws."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from ludus import games
from ludus.games import History
from ludus.games.core import Analysis
from ludus.play import choosing, levels
from ludus.play.analysts import check_analyst
from ludus.play.iterations import is_cut_short
from ludus.play.values import Scale
from ludus.players import ActivePlayer, Player
from ludus.players.searches import Benchmark, Greedy, Random
from ludus.web import boards, openings
from ludus.web.boards import Read
from ludus.web.context import Client, Context, Handler
from ludus.web.messages.play import (
    Board,
    Clock,
    Draw,
    Drawn,
    Hint,
    Hinted,
    Line,
    Look,
    Moved,
    Play,
    Setup,
    Thinking,
)
from ludus.web.searches import Stopped, Ticket

LONG_GAME = 100  # moves; a longer game is read in a thread
DRAW_PLIES = 40  # before which no draw is agreed
OFFER_PLIES = 80  # before which a player offers none
EVEN_MEN = 0.15  # what a player must be ahead by to play on
EVEN_VALUE = 0.05  # the same in games without men
QUICK_NODES = 10_000  # a search of no more is milliseconds
LONGEST = 120.0  # seconds of a move, whatever the budget of a run's player is
SHOWN = 12  # moves of a line


async def look(request: Look, client: Client) -> AsyncIterator[Board]:
    """The board of a game."""
    yield boards.board(await game_of(request.line))


async def set_up(request: Setup, client: Client) -> AsyncIterator[Board]:
    """The board with these pieces."""
    position = boards.set_up(request)
    game = games.find(request.game)
    yield boards.board(Read(game, position, (), (), game.history(position)))


async def game_of(line: Line) -> Read:
    """Reads a game; a long one in a thread, because it takes milliseconds."""
    if len(line.moves) <= LONG_GAME:
        return boards.read(line)
    return await asyncio.to_thread(boards.read, line)


def unfinished(found: Read) -> Read:
    """The game. Raises ValueError if it is over."""
    if outcome := found.history.outcome():
        raise ValueError(f"the game is over: {boards.end(outcome, found.position).reason}")
    return found


@dataclass(frozen=True)
class Thought:
    """What a search found, and its last iteration that was not cut short."""

    last: Analysis
    whole: Analysis


def think(
    ticket: Ticket[Thinking | Moved], active: ActivePlayer, found: Read, scale: Scale, seed: int, clock: Clock | None
) -> Thought:
    """Searches, and reports each iteration. Raises Stopped when the owner does not wait any more."""
    whole: Analysis | None = None
    last: Analysis | None = None

    def report(each: Analysis) -> bool:
        nonlocal whole, last
        if last is None or not is_cut_short(last, each):
            whole = each
        last = each
        if each.nodes > QUICK_NODES:
            ticket.put(_thinking(found, each, scale))
        return ticket.goes_on

    with ticket.uses(active.search):
        end = _search(active, found.history, seed, clock, report)
    if ticket.is_stopped:
        raise Stopped
    if last is None or not is_cut_short(last, end):
        whole = end
    return Thought(end, whole or end)


def _search(
    active: ActivePlayer, history: History, seed: int, clock: Clock | None, report: Callable[[Analysis], bool]
) -> Analysis:
    """A search under the player's budget and, if there is a clock, a share of the time that is left."""
    budget = active.budget
    seconds = min(budget.seconds or LONGEST, LONGEST)
    if clock is not None:
        share = max(0.02, min(clock.left_ms / 30_000 + 0.8 * clock.increment_ms / 1000, clock.left_ms / 3000))
        seconds = min(seconds, share)
    return active.search.search(
        history, depth=budget.depth, nodes=budget.nodes, seconds=seconds, seed=seed, report=report
    )


def _thinking(found: Read, each: Analysis, scale: Scale) -> Thinking:
    return Thinking(
        depth=each.depth,
        value=scale.text(each),
        nodes=each.nodes,
        line=boards.written(found.position, each.variation[:SHOWN]),
    )


async def play(request: Play, client: Client) -> AsyncIterator[Thinking | Moved]:
    """A player's move."""
    context = client.context
    found = unfinished(await game_of(request.line))
    player = context.roster.find(request.player, request.line.game)
    level = None if request.level is None else levels.find(request.level)
    if level is not None:
        level.of(player)  # raises for a player without levels

    def work(ticket: Ticket[Thinking | Moved]) -> None:
        ticket.put(_moved(ticket, context, found, player, level, request))

    searches = context.searches
    lane = searches.quick if _is_quick(player, level) else searches.slow
    async for answer in lane.submit(client, work):
        yield answer


def _is_quick(player: Player, level: levels.Level | None) -> bool:
    if isinstance(player.search, Random | Benchmark | Greedy):
        return level is None or level.nodes <= QUICK_NODES
    return level is not None and level.nodes <= QUICK_NODES


def _moved(
    ticket: Ticket[Thinking | Moved],
    context: Context,
    found: Read,
    player: Player,
    level: levels.Level | None,
    request: Play,
) -> Moved:
    """The player's move, in a thread."""
    scale = context.roster.scale(player)
    thoughts: list[Thought] = []

    def search(exact: bool) -> tuple[Analysis, Analysis]:
        with context.roster.active(player, level, exact=exact) as active:
            thoughts.append(think(ticket, active, found, scale, request.seed, request.clock))
        return thoughts[-1].last, thoughts[-1].whole

    chosen = choosing.choose(player, found.history, level=level, scale=scale, seed=request.seed, think=search)
    text = found.position.write(chosen.move)
    value = next((each for each in thoughts[-1].whole.moves if each.move == chosen.move), None) if thoughts else None
    line = Line(game=request.line.game, start=request.line.start, moves=[*found.texts, text])
    board = boards.board(boards.read(line))
    says = not isinstance(player.search, Random | Benchmark)
    return Moved(
        move=text,
        board=board,
        draw_offer=says and value is not None and board.outcome is None and _offers(found, scale, value.value),
        value=scale.text(value) if value is not None and says else "",
        depth=thoughts[-1].last.depth if thoughts else 0,
        nodes=thoughts[-1].last.nodes if thoughts else 0,
        milliseconds=round(1000 * thoughts[-1].last.seconds) if thoughts else 0,
    )


def _offers(found: Read, scale: Scale, value: float) -> bool:
    """A player offers a draw late in a game that is even, now and then."""
    plies = found.history.plies
    return plies >= OFFER_PLIES and plies % 20 < 2 and abs(scale.amount(value)) <= _even(scale)


def _even(scale: Scale) -> float:
    return EVEN_VALUE if scale.man is None else EVEN_MEN


async def hint(request: Hint, client: Client) -> AsyncIterator[Hinted]:
    """A move of the strongest player."""
    context = client.context
    found = unfinished(await game_of(request.line))
    player = context.roster.strongest(request.line.game)

    def work(ticket: Ticket[Hinted]) -> None:
        scale = context.roster.scale(player)
        with context.roster.active(player) as active, ticket.uses(active.search):
            each = active.think(found.history, report=lambda _: ticket.goes_on)
        line = boards.written(found.position, each.variation[:SHOWN])
        ticket.put(Hinted(move=line[0], value=scale.text(each), line=line, player=player.name))

    async for answer in context.searches.slow.submit(client, work):
        yield answer


async def draw(request: Draw, client: Client) -> AsyncIterator[Drawn]:
    """Whether the opponent agrees to a draw: late in the game, and if it thinks that it is not ahead.

    The opponent is the side that is not to move, or the one that is: its value is looked up for both.
    """
    context = client.context
    found = unfinished(await game_of(request.line))
    player = context.roster.find(request.player, request.line.game)
    verdict = boards.table_verdict(found.position)
    if verdict is not None and verdict.result.name == "DRAW":
        yield Drawn(accepted=True, reason="the endgame tables say that it is a draw")
        return
    if found.history.plies < DRAW_PLIES:
        yield Drawn(accepted=False, reason=f"no draw is agreed before move {DRAW_PLIES // 2 + 1}")
        return
    try:
        check_analyst(player)
    except ValueError:
        player = context.roster.strongest(request.line.game)

    def work(ticket: Ticket[Drawn]) -> None:
        scale = context.roster.scale(player)
        with context.roster.active(player) as active, ticket.uses(active.search):
            each = active.think(found.history, report=lambda _: ticket.goes_on)
        # A person offers a draw when it is their turn, so the player's value is the opposite.
        ahead = -scale.prospect(each)
        accepted = ahead <= _even(scale)
        reason = "it does not think that it is ahead" if accepted else "it thinks that it is ahead"
        ticket.put(Drawn(accepted=accepted, reason=reason))

    async for answer in context.searches.slow.submit(client, work):
        yield answer


def _warm(context: Context) -> None:
    """Builds what the first move and the list of openings need, so that they take no longer than the next."""
    usual = levels.find(levels.DEFAULT)
    for game in games.GAMES:
        player = context.roster.strongest(game.name)
        context.roster.scale(player)
        for exact in (True, False):
            with context.roster.active(player, usual, exact=exact):
                pass
        with context.roster.active(context.roster.deepening(player), exact=True):
            pass
    for game in games.GAMES:
        for plies in (2, 3):
            if not context.is_closed:
                openings.ballots(game.name, plies)


def start(context: Context) -> list[asyncio.Task[None]]:
    """What is done once, when the server starts."""
    return [asyncio.create_task(asyncio.to_thread(_warm, context))]


HANDLERS: dict[type, Handler] = {Look: look, Setup: set_up, Play: play, Hint: hint, Draw: draw}
