"""A whole game judged: what each move was worth, and how well both sides played."""

import math
from collections.abc import AsyncIterator

from ludus.games import Color, Position
from ludus.games.core import Analysis
from ludus.play.analysts import ADVICE, check_analyst
from ludus.play.iterations import is_cut_short
from ludus.play.judgements import Judgement, judged
from ludus.play.values import Scale
from ludus.players import ActivePlayer, Player
from ludus.players.searches import Greedy
from ludus.web import boards
from ludus.web.boards import Read
from ludus.web.context import Client, Handler
from ludus.web.messages.analyse import Judged, Review, Reviewed, SideReview
from ludus.web.play import game_of
from ludus.web.searches import Stopped, Ticket

HALF = 4.0  # how fast the accuracy of a move falls with the points it costs: exp(-HALF * points)


async def review(request: Review, client: Client) -> AsyncIterator[Judged | Reviewed]:
    """A judgement of each move, then the sums of both sides."""
    context = client.context
    found = await game_of(request.line)
    if not found.moves:
        raise ValueError("there is no move to review yet")
    game = request.line.game
    player = context.roster.strongest(game) if request.player is None else context.roster.find(request.player, game)
    check_analyst(player)
    judge = Judge(player, found)

    def work(ticket: Ticket[Judged | Reviewed]) -> None:
        judge.work(ticket, context.roster.scale(player))

    async for answer in context.searches.live.submit(client, work, is_live=True):
        yield answer


class Judge:
    """Goes through a game move by move. It can be interrupted and go on."""

    def __init__(self, player: Player, found: Read) -> None:
        self.player = player.with_budget(ADVICE) if isinstance(player.search, Greedy) else player
        self.found = found
        self.history = found.game.history(found.start)
        self.judgements: list[Judgement] = []
        self.thrown: list[bool] = []
        self._active: ActivePlayer | None = None

    def work(self, ticket: Ticket[Judged | Reviewed], scale: Scale) -> None:
        """Judges the moves that are left, and then sums up."""
        if self._active is None:
            self._active = ActivePlayer(self.player, exact=True)
        for ply in range(len(self.judgements), len(self.found.moves)):
            if not ticket.goes_on:
                return
            each = self._judged(ticket, self._active, scale, ply)
            after = self.history.position.play(each.move)
            thrown = _is_won(self.history.position, for_mover=False) and not _is_won(after, for_mover=True)
            self.judgements.append(each)
            self.thrown.append(thrown)
            self.history.play(each.move)
            ticket.put(_message(each, thrown))
        ticket.put(self._sums(scale))

    def _judged(self, ticket: Ticket[Judged | Reviewed], active: ActivePlayer, scale: Scale, ply: int) -> Judgement:
        position, move = self.history.position, self.found.moves[ply]
        if self.history.outcome() is not None:  # played on after a draw by the rules
            return Judgement(ply, move, position.write(move), position.turn, "", 0.0, "", "", (), "")
        whole: Analysis | None = None

        def report(each: Analysis) -> bool:
            nonlocal whole
            if whole is None or not is_cut_short(whole, each):
                whole = each
            return ticket.goes_on

        with ticket.uses(active.search):
            end = active.think(self.history, report=report)
        if not ticket.goes_on:
            raise Stopped
        if whole is None or not is_cut_short(whole, end):
            whole = end
        return judged(whole, scale, position, ply, move)

    def _sums(self, scale: Scale) -> Reviewed:
        return Reviewed(
            black=self._sum(Color.BLACK), white=self._sum(Color.WHITE), unit=scale.unit, player=self.player.name
        )

    def _sum(self, color: Color) -> SideReview:
        own = [(each, thrown) for each, thrown in zip(self.judgements, self.thrown, strict=True) if each.turn == color]
        kinds = [each.kind for each, _ in own]
        count = max(1, len(own))
        return SideReview(
            accuracy=sum(accuracy(each) for each, _ in own) / count if own else 100.0,
            moves=len(own),
            slips=kinds.count("slip"),
            mistakes=kinds.count("mistake"),
            blunders=kinds.count("blunder"),
            thrown=sum(thrown for _, thrown in own),
            mean_cost=sum(each.cost for each, _ in own) / count,
        )


def accuracy(each: Judgement) -> float:
    """How good a move was, in percent: 100 for the best, 50 for one that costs about a sixth of a point."""
    points = max(0.0, each.best_chance - each.chance) / 2
    return 100.0 * math.exp(-HALF * points)


def _message(each: Judgement, thrown: bool) -> Judged:
    return Judged(
        ply=each.ply,
        move=each.text,
        side=boards.side(each.turn),
        value=each.value,
        prospect=each.chance,
        cost=each.cost,
        mark=each.mark,
        kind=each.kind,
        better=list(each.better),
        best=each.best,
        best_prospect=each.best_chance,
        thrown=thrown,
    )


def _is_won(position: Position, *, for_mover: bool) -> bool:
    """Whether the tables say that the side to move has won; or the side that has just moved."""
    verdict = boards.table_verdict(position)
    if verdict is None:
        outcome = position.outcome() if for_mover else None
        return outcome is not None and outcome.winner == ~position.turn
    return (verdict.before() if for_mover else verdict).result.name == "WIN"


HANDLERS: dict[type, Handler] = {Review: review}
