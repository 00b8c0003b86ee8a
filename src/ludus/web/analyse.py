"""A live search: it deepens until the tab cancels it. The best lines, and the value of every move."""

from collections.abc import AsyncIterator

from ludus.games.core import Analysis as Found
from ludus.games.core import RootMove
from ludus.play import levels
from ludus.play.analysts import check_analyst
from ludus.play.iterations import is_cut_short, rank
from ludus.play.values import Scale
from ludus.players import ActivePlayer, Player
from ludus.players.searches import Ept, Uct
from ludus.web import boards
from ludus.web.boards import Read
from ludus.web.context import Client, Handler
from ludus.web.messages.analyse import Analyse, Analysis, BestLine, MoveValue
from ludus.web.play import game_of, unfinished
from ludus.web.roster import Roster
from ludus.web.searches import Ticket

SECONDS = 600.0  # after which a forgotten analysis ends
PLAYOUTS = 2_000_000  # of MCTS, which keeps its tree in memory
LINE_NODES = 20_000  # at most, to continue each line but the best
LINE_SHARE = 8  # and no more than this part of what the search has spent
FOLLOWS = levels.find(1)  # whose search has a small table
SHOWN = 16  # moves of a line


async def analyse(request: Analyse, client: Client) -> AsyncIterator[Analysis]:
    """What the search finds, until the tab cancels it."""
    context = client.context
    found = unfinished(await game_of(request.line))
    game = request.line.game
    player = context.roster.strongest(game) if request.player is None else context.roster.find(request.player, game)
    check_analyst(player)
    deepening = context.roster.deepening(player, min(request.threads, context.settings.threads))
    live = LiveSearch(context.roster, deepening, found, request.lines)

    def work(ticket: Ticket[Analysis]) -> None:
        live.search(ticket, context.roster.scale(player))

    async for answer in context.searches.live.submit(client, work, is_live=True):
        yield answer


class LiveSearch:
    """A search that can be interrupted and go on. It keeps its table, so that it is soon where it was."""

    def __init__(self, roster: Roster, player: Player, found: Read, lines: int) -> None:
        self.roster = roster
        self.player = player
        self.found = found
        self.lines = lines
        self._active: ActivePlayer | None = None
        self._nodes = 0  # of earlier stretches
        self._seconds = 0.0
        self._depth = 0  # that was shown last

    def search(self, ticket: Ticket[Analysis], scale: Scale) -> None:
        """Searches until the ticket is stopped, or there is nothing more to find. The last analysis is final."""
        active = self._active or self.roster.take(self.player, exact=True)
        self._active = active
        last: Found | None = None
        whole: Found | None = None
        playouts = isinstance(self.player.search, Uct | Ept)

        def report(each: Found) -> bool:
            nonlocal last, whole
            if last is None or not is_cut_short(last, each):
                whole = each
            last = each
            if each.depth > self._depth or playouts:
                self._depth = each.depth
                ticket.put(self._answer(each, each, scale, is_final=False))
            return ticket.goes_on

        with ticket.uses(active.search):
            end = active.search.search(
                self.found.history,
                nodes=PLAYOUTS if playouts else 0,
                seconds=max(1e-3, SECONDS - self._seconds),
                report=report,
            )
        if ticket.goes_on:
            ticket.put(self._answer(end, whole or end, scale, is_final=True))
        self._nodes += end.nodes
        self._seconds += end.seconds
        if ticket.is_stopped or not ticket.is_preempted:
            self.roster.give(active, self.player, exact=True)

    def _answer(self, found: Found, whole: Found, scale: Scale, *, is_final: bool) -> Analysis:
        position = self.found.position
        ordered = sorted(whole.moves, key=lambda each: (-each.visits, -rank(each)))
        first = found.variation[0]
        ordered.sort(key=lambda each: each.move != first)  # the best move first, whatever ties there are
        nodes, seconds = self._nodes + found.nodes, self._seconds + found.seconds
        return Analysis(
            depth=found.depth,
            value=scale.text(found),
            prospect=scale.chance(found),
            nodes=nodes,
            speed=round(nodes / seconds) if seconds > 0 else 0,
            best=[
                BestLine(
                    moves=boards.written(position, found.variation[:SHOWN])
                    if each.move == first
                    else [position.write(each.move), *self._continued(each, found.nodes)],
                    value=scale.text(found if each.move == first else each),
                    prospect=scale.chance(found if each.move == first else each),
                )
                for each in ordered[: self.lines]
            ],
            every=[
                MoveValue(
                    move=position.write(each.move),
                    value=scale.text(each),
                    prospect=scale.chance(each),
                    exact=each.exact,
                    visits=each.visits,
                )
                for each in ordered
            ],
            unit=scale.unit,
            player=self.player.name,
            final=is_final,
        )

    def _continued(self, each: RootMove, spent: int) -> list[str]:
        """How the game could go on after a move that is not the best: by a short search of its own."""
        history = boards.read_on(self.found, each.move)
        if history.outcome() is not None or isinstance(self.player.search, Uct | Ept):
            return []
        nodes = max(200, min(LINE_NODES, spent // LINE_SHARE))
        with self.roster.active(self.player, FOLLOWS) as follower:
            line = follower.search.search(history, nodes=nodes).variation
        return boards.written(history.position, line[: SHOWN - 1])


HANDLERS: dict[type, Handler] = {Analyse: analyse}
