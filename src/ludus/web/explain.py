"""Why a player values a position as it does: features, pieces, the map of MP-Draughts, or the visits of MCTS.

Values are those of the evaluator alone, without a search, for the side that made the last move. What was before is the
board before the move with the other side to move, so that the difference is that of the move alone.
"""

from collections.abc import AsyncIterator
from typing import cast

from ludus.games import History, draughts, tictactoe3d
from ludus.games.core import Evaluator as CoreEvaluator
from ludus.play.teams import chosen_network
from ludus.players import ActivePlayer, Player, contributions
from ludus.players.contributions import Contribution
from ludus.players.evaluators import MultiPhase
from ludus.players.searches import Ept, Uct
from ludus.web import boards
from ludus.web.boards import Read
from ludus.web.context import Client, Handler
from ludus.web.messages.analyse import Explain, Explained, Reason, Unit, UnitMap, Visits
from ludus.web.play import game_of
from ludus.web.searches import Ticket

MOST = 12  # things that speak most


async def explain(request: Explain, client: Client) -> AsyncIterator[Explained]:
    """Why the player values the position after the last move as it does."""
    context = client.context
    found = await game_of(request.line)
    player = context.roster.find(request.player, request.line.game)

    def work(ticket: Ticket[Explained]) -> None:
        if isinstance(player.search, Uct | Ept):
            with context.roster.active(player) as active:
                ticket.put(_visits(ticket, active, player, found))
        elif player.evaluator is None:
            ticket.put(_explained(player, found, words=f"{player.name} does not value positions."))
        else:
            ticket.put(_by_evaluator(player, found))

    async for answer in context.searches.slow.submit(client, work):
        yield answer


def _explained(player: Player, found: Read, *, words: str) -> Explained:
    return Explained(
        kind="none",
        player=player.name,
        side=boards.side(~found.position.turn),
        before=0.0,
        after=0.0,
        items=[],
        map=None,
        visits=[],
        words=words,
    )


def _visits(ticket: Ticket[Explained], active: ActivePlayer, player: Player, found: Read) -> Explained:
    """The play-outs of each move, after a search of the position."""
    if found.history.outcome() is not None:
        return _explained(player, found, words="The game is over.")
    with ticket.uses(active.search):
        end = active.think(found.history, report=lambda _: ticket.goes_on)
    position = found.position
    visits = [
        Visits(move=position.write(each.move), visits=each.visits, value=each.value)
        for each in sorted(end.moves, key=lambda each: -each.visits)
    ]
    words = f"{end.nodes:,} play-outs: the move with the most of them is played. Values are for the side to move."
    plain = _explained(player, found, words=words)
    return Explained(
        kind="visits",
        player=plain.player,
        side=plain.side,
        before=0.0,
        after=-end.value,
        items=[],
        map=None,
        visits=visits,
        words=words,
    )


def _by_evaluator(player: Player, found: Read) -> Explained:
    assert player.evaluator is not None
    evaluator = player.evaluator.build(found.game.core, player.theta)
    position = found.position
    if not isinstance(position, draughts.Position):
        return _cells(player, evaluator, found)
    before = _before(found)
    own, theta = contributions.speaking(player.evaluator, player.theta, found.history)
    speaker: CoreEvaluator = own.build(found.game.core, theta)
    now = contributions.of_features(own, theta, position)
    kind = "squares" if now is None else "features"
    if now is None:
        now = contributions.of_pieces(speaker, position)
        then = contributions.of_pieces(speaker, before)
    else:
        then = contributions.of_features(own, theta, before) or []
    unit_map = _map(player.evaluator, player, found.history) if isinstance(player.evaluator, MultiPhase) else None
    kinds = {"features": "what each feature adds", "squares": "what each piece adds"}
    return Explained(
        kind="map" if unit_map else "features" if kind == "features" else "squares",
        player=player.name,
        side=boards.side(~position.turn),
        before=speaker.value(before),
        after=speaker.value(position),
        items=_items(then, now),
        map=unit_map,
        visits=[],
        words=f"The value without a search, from -1 to 1, for {~position.turn}; and {kinds[kind]} to it.",
    )


def _before(found: Read) -> draughts.Position:
    """The board before the last move, with the other side to move; at the start of a game the board itself."""
    position = found.start
    for move in found.moves[:-1]:
        position = position.play(move)
    start = cast(draughts.Position, position)
    return contributions.passed(start) if found.moves else start


def _items(then: list[Contribution], now: list[Contribution]) -> list[Reason]:
    """Those that speak most for and against, or have changed most, the heaviest first."""
    # A piece that has moved is another one, on another square.
    earlier = {each.name: each for each in then}
    later = {each.name: each for each in now}
    items = []
    for name in dict.fromkeys([*later, *earlier]):
        old, new = earlier.get(name), later.get(name)
        square = next((each.square for each in (new, old) if each is not None), None)
        items.append(
            Reason(
                name=name,
                before=old.amount if old else 0.0,
                after=new.amount if new else 0.0,
                weight=new.weight if new else 0.0,
                weight_before=old.weight if old else 0.0,
                squares=[] if square is None else [square],
                words=contributions.WORDS.get(name, ""),
            )
        )
    items = [each for each in items if each.weight or each.weight_before]
    return sorted(items, key=lambda each: -max(abs(each.weight), abs(each.weight - each.weight_before)))[:MOST]


def _map(team: MultiPhase, player: Player, history: History) -> UnitMap:
    """The units of the map with their distances, and which network speaks."""
    choice = team.choice(player.theta, history)
    words = list(chosen_network(player, history))
    distances = choice.distances
    nearest = min(range(len(distances)), key=lambda at: (distances[at], at)) if distances else None
    units = [
        Unit(number=number, distance=distances[at] if distances else 0.0, specialist=number in team.specialists)
        for at, number in enumerate(team.units)
    ]
    known = zip(team.attributes, choice.attributes, strict=True) if choice.attributes else ()
    return UnitMap(
        rows=team.rows,
        columns=team.columns,
        units=units,
        chosen=None if nearest is None or choice.position is None else team.units[nearest],
        specialist=bool(choice.member),
        attributes=[name for name, value in known if value],
        words=words,
    )


def _cells(player: Player, evaluator: CoreEvaluator, found: Read) -> Explained:
    """What the evaluator thinks of each cell that can be taken now. Stones below others cannot be removed to ask."""
    position = cast(tictactoe3d.Position, found.position)
    value = evaluator.value(position)
    items = []
    for move in () if position.outcome() else position.moves():
        after = position.play(move)
        cell = boards.fallen(position, move)
        won = after.outcome()
        worth = (1.0 if won.winner is not None else 0.0) if won else evaluator.value(after)
        items.append(
            Reason(name=position.write(move), before=0.0, after=1.0, weight=worth, weight_before=0.0, squares=[cell])
        )
    items.sort(key=lambda each: -each.weight)
    turn = position.turn
    return Explained(
        kind="squares",
        player=player.name,
        side=boards.side(turn),
        before=0.0,
        after=-value,
        items=items,
        map=None,
        visits=[],
        words=f"What each cell is worth to {turn}, from -1 to 1, without a search.",
    )


HANDLERS: dict[type, Handler] = {Explain: explain}
