"""What an engine does wrong: its start, its moves, its time, its use of the protocol and its end, one finding each.

`findings` is what `ludus engines check` prints. The limits and the protocols are those of docs/engines.md.
"""

import shlex
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from msgspec import Struct

from ludus import games
from ludus.counted import counted
from ludus.games import GameName, Move, draughts
from ludus.games.draughts import START
from ludus.players.searches import Budget
from ludus.protocols import hub
from ludus.protocols.clients import HubClient
from ludus.protocols.conversation import Answer, Conversation, Limits
from ludus.protocols.engine import PREFIXES, Engine, Patience, names_engine
from ludus.protocols.process import EngineFailure, shown

GAME_PLIES = 40
UNKNOWN = "a-command-that-no-engine-knows"

# Where a rule or a notation is easy to get wrong: what is there, the first position if it is not the usual one, and the
# moves from there.
POSITIONS: dict[GameName, tuple[tuple[str, str, str], ...]] = {
    "draughts": (
        ("in the start position", "", ""),
        ("as White", "", "11-15"),
        ("where a capture is compulsory", "", "11-15 22-18"),
        ("where a king can take several pieces", "W:WK6:B5,10,11,19,20,27,K18,K26", ""),
        ("where a man takes several pieces", "B:W18,26,27,32:B10,14,15,16", ""),
        ("where a man is about to be crowned", "B:W9,K32:B26,27", ""),
        ("after moves of kings, which a Hub engine gets as moves", "B:WK32,K31:BK1,K5,12", "1-6 32-28 6-1 28-32"),
    ),
    "tictactoe3d": (
        ("in the start position", "", ""),
        ("as the second player", "", "a1"),
        ("where a column is full", "", "a1 a1 a1 a1"),
        ("where it can win at once", "", "a1 b1 a2 b2 a3 b3"),
        ("in a position that is given", "wb,w,-,-/b,-,-,-/-,-,-,-/-,-,-,-", ""),
        (
            "where three columns are left",
            "",
            "d1 a1 b1 c3 c2 d2 d4 d2 c1 c3 a3 d1 d1 a2 d3 c2 d2 c1 d4 c1 c3 c1 c4 a3 a1 b4 b4 b2 b4 a4 d1 b1 b1 b2 a2 "
            "a2 b4 d4 d2 d4 b2 a4 a4 c2 a2 d3 b3 c3 b3 c2 a3 a1 b2 a4 a1 a3 b1 b3 c4 d3 c4",
        ),
    ),
}


class Finding(Struct, frozen=True, kw_only=True):
    """A check, what the engine did wrong in it, and a remark of interest.

    Examples:
        >>> Finding(check="ends after quit", failure="was still running 2 s after quit").passed
        False
    """

    check: str  # what a good engine does
    failure: str = ""  # empty when it did
    remark: str = ""

    @property
    def passed(self) -> bool:
        """Whether the engine did what it should."""
        return not self.failure


class Check(NamedTuple):
    """What a good engine does, and the function that finds out; it returns a remark and raises EngineFailure."""

    name: str
    work: Callable[[Conversation], str]


def findings(
    name: str,
    protocol: Literal["hub", "line"] | None = None,
    limits: Limits | None = None,
    game: GameName = draughts.GAME.name,
) -> Iterator[Finding]:
    """Starts an engine again and again, and yields one finding a check.

    `name` is a command, or a name of an engine as in a match. Without a protocol it is found as in a match. When the
    engine cannot be made ready or does not move, the later checks are left out. Raises ValueError for a name that no
    engine can have, and for Hub in another game than draughts.

    Examples:
        >>> for finding in findings("no-such-program", "line"):
        ...     print(finding.check, "--", finding.failure)
        starts -- cannot start no-such-program: No such file or directory
    """
    limits = limits or Limits()
    name = name if names_engine(name) else f"engine:{name}"
    prefix, _, command = name.partition(":")
    protocol = protocol or PREFIXES[prefix]
    asked = f"engine+{protocol}" if protocol else prefix
    patience = Patience(hello=limits.hello)
    engine = Engine(f"{asked}:{command}", Budget(seconds=limits.move), patience, game=game)  # which checks all of it
    if engine.protocol is None:
        try:
            with engine:
                engine.start()
        except EngineFailure as failure:
            yield Finding(check="starts and speaks Hub or the line protocol", failure=failure.reason)
            return
        if not engine.has_answered:
            reason = f"answered neither hub nor go within {limits.hello:g} s"
            yield Finding(check="speaks Hub or the line protocol", failure=reason)
            return
        yield Finding(check="speaks Hub or the line protocol", remark=engine.protocol or "")
    conversation = Conversation(shlex.split(command), engine.protocol or "line", limits, games.find(game))
    try:
        for check in _begin(conversation):
            finding = _finding(check, conversation)
            yield finding
            if not finding.passed:
                return
        for check in _checks(conversation):
            yield _finding(check, conversation)
    finally:
        conversation.close()


def _finding(check: Check, conversation: Conversation) -> Finding:
    try:
        if not conversation.is_open and check.name != "starts":
            conversation.open()
            conversation.greet()
        return Finding(check=check.name, remark=check.work(conversation))
    except EngineFailure as failure:
        conversation.close()  # the next check begins with a fresh process
        return Finding(check=check.name, failure=failure.reason)


def _begin(conversation: Conversation) -> Iterator[Check]:
    yield Check("starts", _start)
    if conversation.is_hub:
        yield Check("answers hub with wait", _hello)
        yield Check(f"plays the variant {hub.VARIANT}", _variant)
        yield Check("answers init with ready", _ready)
    yield Check("answers go with a move", _answer)


def _checks(conversation: Conversation) -> Iterator[Check]:
    if conversation.is_hub:
        yield Check("answers ping with pong", _ping)
    else:
        yield Check("writes nothing when it is not asked for a move", _silent)
    for where, start, moves in POSITIONS[conversation.game.name]:
        yield Check(f"plays a legal move {where}", _position(start, moves))
    yield Check(f"keeps to {conversation.limits.move:g} s a move", _time)
    for budget in (Budget(depth=4), Budget(nodes=2000)):
        yield Check(f"accepts a limit of {budget.unit}", _limit(budget))
    yield Check("answers go once", _once)
    yield Check("writes values, counts and lines that can be read", _details)
    yield Check(f"plays {GAME_PLIES} moves of a game against itself", _game)
    if conversation.is_hub:
        yield Check("answers stop with done, in analysis", _stop)
    yield Check("survives commands that it does not know", _unknown)
    yield Check("writes nothing outside the protocol", _strange)
    yield Check("ends after quit", lambda talk: _leave(talk, "quit"))
    yield Check("ends at the end of its input", lambda talk: _leave(talk, None))


def _start(talk: Conversation) -> str:
    talk.open()
    return ""


def _hello(talk: Conversation) -> str:
    talk.expect("hub", "wait", talk.limits.hello)
    assert isinstance(talk.client, HubClient)
    if not talk.client.title:
        raise EngineFailure("did not say its name: it needs a line id with name and version before wait")
    return talk.client.title


def _variant(talk: Conversation) -> str:
    assert isinstance(talk.client, HubClient)
    lines = talk.client.set_up()
    for line in lines:
        talk.send(line)
    return "" if lines or talk.client.has_variant else "it has no parameter variant"


def _ready(talk: Conversation) -> str:
    talk.expect("init", "ready", talk.limits.hello)
    return ""


def _answer(talk: Conversation) -> str:
    if not talk.is_hub:
        talk.new_game()
    talk.go(talk.game.start, [], Budget(seconds=talk.limits.move))
    return ""


def _ping(talk: Conversation) -> str:
    talk.expect("ping", "pong", talk.limits.prompt)
    return ""


def _silent(talk: Conversation) -> str:
    for line in ("hub", *talk.client.new_game(), f"fen {talk.game.start.text}"):
        talk.send(line)
    if lines := talk.silence():
        raise EngineFailure(f"wrote: {shown(lines[0])}")
    return ""


def _position(text: str, moves: str) -> Callable[[Conversation], str]:
    def work(talk: Conversation) -> str:
        start = talk.game.position(text) if text else talk.game.start
        talk.new_game()
        played = talk.game.moves(moves.split(), start)
        return str(talk.ask(start, played, Budget(seconds=talk.limits.move)).move)

    return work


def _time(talk: Conversation) -> str:
    limit = talk.limits.move + talk.limits.grace
    slowest = 0.0
    played = talk.game.random_game(0, 0)[0]
    for plies in (0, 1, 4):
        took = talk.ask(talk.game.start, played[:plies], Budget(seconds=talk.limits.move)).seconds
        slowest = max(slowest, took)
    if slowest > limit:
        raise EngineFailure(f"took {slowest:.2f} s for a move, with {talk.limits.move:g} s to think")
    return f"at most {slowest:.2f} s"


def _limit(budget: Budget) -> Callable[[Conversation], str]:
    def work(talk: Conversation) -> str:
        return f"{talk.ask(talk.game.start, [], budget).seconds:.2f} s for {budget}"

    return work


def _once(talk: Conversation) -> str:
    talk.ask(talk.game.start, [], Budget(seconds=talk.limits.move))
    again = [line for line in talk.silence() if line.split()[:1] == [talk.client.answer]]
    if again:
        raise EngineFailure(f"answered again: {shown(again[0])}")
    return ""


def _details(talk: Conversation) -> str:
    answer = talk.ask(talk.game.start, [], Budget(seconds=talk.limits.move))
    return _hub_details(answer) if talk.is_hub else _line_details(answer)


def _line_details(answer: Answer) -> str:
    words = [word for word in answer.lines[-1].split()[2:] if "=" in word]
    for word in words:
        name, _, value = word.partition("=")
        number = _number(name, value) if name in ("value", "depth", "nodes") else 0.0
        if name == "value" and abs(number) > 1:
            raise EngineFailure(f"wrote {shown(word)}: a value is from -1 to 1")
    return ", ".join(map(shown, words))


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise EngineFailure(f"wrote {name}={shown(text)}, which is not a number") from None


def _hub_details(answer: Answer) -> str:
    count = 0
    for text in answer.lines:
        try:
            line = hub.read(text)
        except hub.BadLine:
            continue  # counted by another check
        if line is None or line.command != "info":
            continue
        count += 1
        for name in ("depth", "score", "nodes", "time", "nps", "mean-depth"):
            if name in line.arguments:
                _number(name, line.arguments[name])
        try:
            list(hub.read_moves(START, line.arguments.get("pv", "")))
        except ValueError as error:
            raise EngineFailure(f"wrote a pv that cannot be played: {shown(str(error))}") from error
    return f"{count} info lines"


def _game(talk: Conversation) -> str:
    talk.new_game()
    position, moves = talk.game.start, list[Move]()
    while len(moves) < GAME_PLIES and not position.outcome():
        move = talk.ask(talk.game.start, moves, Budget(seconds=0.02)).move
        moves.append(move)
        position = position.play(move)
    return f"{len(moves)} moves"


def _stop(talk: Conversation) -> str:
    for line in (str(hub.Line("pos", {"pos": hub.write_position(START)})), "level infinite", "go analyze"):
        talk.send(line)
    early = talk.silence()
    if any(line.split()[:1] == ["done"] for line in early):
        raise EngineFailure("ended an analysis without a limit before stop")
    talk.expect("stop", "done", talk.limits.prompt)
    return ""


def _unknown(talk: Conversation) -> str:
    before = len(talk.strange)
    for line in (UNKNOWN, f"{UNKNOWN} with=arguments", "", "   "):
        talk.send(line)
    lines = talk.silence()
    del talk.strange[before:]
    talk.ask(talk.game.start, [], Budget(seconds=talk.limits.move))
    return f"it says: {shown(lines[0])}" if lines else ""


def _strange(talk: Conversation) -> str:
    if talk.strange:
        raise EngineFailure(f"wrote {counted(len(talk.strange), 'such line')}, the first: {talk.strange[0]}")
    return ""


def _leave(talk: Conversation, line: str | None) -> str:
    talk.ask(talk.game.start, [], Budget(seconds=talk.limits.move))  # so that its start is not in the time to end
    talk.leave(line)
    return ""
