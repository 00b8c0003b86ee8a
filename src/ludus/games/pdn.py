"""PDN 3.0, the draughts players' file of games, for English draughts (GameType 21, Black moves first).

`read` gives the games of a file one by one; `write` gives the text of one; a file is the texts of its games.

A few tags are not facts of their own but say what the record holds anyway: `OWN_TAGS`. The reader turns them into the
record's start and outcome and leaves them out of its tags; the writer makes them again. All other tags are kept as they
are. So `read` of `write(record)` is the record, with two provisos: white space in a comment is one blank, and comments
are not empty. What a record has no place for is not kept: variations, marks of strength (`!`, `$1`), move numbers.

In draughts files `1-0` mostly means that Black won, who moves first; in some it means White. We write the former and
add a tag `Winner` that says it plainly. A tag `Reason` has the reason of an outcome when the moves do not show it.
PDN has no way to write `}` in a comment: we write `%7D`.

    >>> from ludus.games import pdn
    >>> sorted(pdn.OWN_TAGS)
    ['FEN', 'GameType', 'Reason', 'Result', 'SetUp', 'Winner']
    >>> next(pdn.read(['[Event "Final"] [Result "1-0"] 1. 11-15 1-0'])).tags
    {'Event': 'Final'}
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ludus._core import AmbiguousMove, BadPosition, Color, IllegalMove, Outcome, Reason
from ludus._core.draughts import START, History, Move, Position
from ludus.games import pdn_mending as mending
from ludus.games.pdn_mending import Mend
from ludus.games.pdn_tokens import BOTH_LOST, LONGEST_LINE, RESULTS, Kind, Token, tokens
from ludus.games.record import Record
from ludus.games.results import BadResult, written_outcome, written_reason

__all__ = ["OWN_TAGS", "BadPdn", "read", "write"]

OWN_TAGS = frozenset({"Result", "Winner", "Reason", "GameType", "SetUp", "FEN"})

_USUAL_TAGS = ("Event", "Site", "Date", "Round", "Black", "White")  # and Result
_WINNERS = {"Black": Color.BLACK, "White": Color.WHITE, "Draw": None}
_WIDTH = 80


class BadPdn(ValueError):
    """A game that cannot be read; with the line of the file and the reason.

    Examples:
        >>> next(read(["1. 11-15 11-16 *"]))
        Traceback (most recent call last):
        ludus.games.pdn.BadPdn: line 1: move 2: '11-16' is not legal in W:W21,...
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


def read(
    lines: Iterable[str],
    *,
    first_in_result: Color = Color.BLACK,
    on_error: Callable[[BadPdn], object] | None = None,
    strict: bool = False,
    on_mended: Callable[[Mend], object] | None = None,
) -> Iterator[Record[Position, Move]]:
    """The games of an open file (or of any lines), each as soon as its last line is read.

    `first_in_result` is the side whose points a result gives first, which won at `1-0`; a tag `Winner` in the file
    overrules it. A result is checked against the last position where the rules have ended the game.

    A game that cannot be read raises BadPdn; with `on_error` the error is passed to it, and the next game follows.

    What old files write against the standard is mended where only one meaning is possible, see `pdn_mending`;
    `on_mended` is told. With `strict` nothing is mended: such a game cannot be read.

    Examples:
        >>> for record in read(["1. 11-15 23-19 1/2-1/2", "1. 9-13 *"]):
        ...     print(len(record.moves), record.outcome)
        2 Draw: by adjudication
        1 None
    """
    for number, game in enumerate(_games(tokens(lines, strict=strict), strict=strict), 1):
        try:
            record = _record(game, first_in_result, strict=strict)
            if on_mended is not None:
                for line, how in game.mended:
                    on_mended(Mend(number, line, how))
        except BadPdn as error:
            if on_error is None:
                raise
            on_error(error)
        else:
            yield record


def write(record: Record[Position, Move]) -> str:
    """The game as PDN, with an empty line at its end.

    Raises ValueError for what the file cannot say: a tag of `OWN_TAGS`, a tag's name that is not a word or a value of
    more than one line, a comment beyond the last move, an outcome that contradicts the last position (BadResult);
    and IllegalMove.

    Examples:
        >>> record = Record(START, (START.move("11-15"),), tags={"Black": "You"})
        >>> print(write(record).rstrip())
        [Black "You"]
        [Result "*"]
        [GameType "21"]
        <BLANKLINE>
        1. 11-15 *
    """
    if beyond := [ply for ply in record.comments if not 0 <= ply <= len(record.moves)]:
        raise ValueError(f"there is no move {beyond[0]} to comment on: the game has {len(record.moves)}")
    text: list[str] = []
    position = record.start
    # Full moves are counted from Black's, so a game that White begins starts in the middle of the first.
    first_ply = 0 if position.turn == Color.BLACK else 1
    for ply, move in enumerate(record.moves):
        text += _comment_words(record.comments.get(ply, ""))
        if (ply + first_ply) % 2 == 0:
            text.append(f"{(ply + first_ply) // 2 + 1}.")
        elif ply == 0:
            text.append("1...")
        text.append(position.write(move))
        position = position.play(move)
    text += _comment_words(record.comments.get(len(record.moves), ""))
    text.append(_result(record.outcome))
    return "\n".join([*_tag_lines(record, position), "", *_wrapped(text), "", ""])


@dataclass(slots=True)
class _Game:
    """The tokens of a game in the file, before moves and results are checked."""

    tags: dict[str, Token] = field(default_factory=dict)
    moves: list[Token] = field(default_factory=list)
    plies: int = 0  # how many moves these are
    comments: dict[int, list[str]] = field(default_factory=dict)
    result: Token | None = None
    fault: BadPdn | None = None  # the first thing that does not belong in a game
    mended: list[tuple[int, str]] = field(default_factory=list)  # the line, and what was mended there

    def is_game(self) -> bool:
        """Whether there is more than stray comments and separators."""
        return bool(self.tags or self.moves or self.fault)

    def is_ended_by(self, tag: Token) -> bool:
        """Whether this tag begins the next game although this one has no result.

        It does after moves; without them when there is one of its name already, unless the two are in one paragraph:
        even the standard's own example has a section with two Events. The last one counts.
        """
        if self.moves or tag.text not in self.tags:
            return bool(self.moves)
        return tag.line > 1 + max(token.line for token in self.tags.values())

    def blame(self, line: int, reason: str) -> None:
        self.fault = self.fault or BadPdn(line, reason)


def _games(file: Iterable[Token], *, strict: bool) -> Iterator[_Game]:
    """Splits a file into its games, never raising: what is wrong with a game is noted in it."""
    game = _Game()
    variations: list[int] = []  # the lines on which those that we are in were opened
    ended = False  # the game before had a result
    skipped = 0  # the line whose rest is text after a result
    for token in file:
        kind = token.kind
        if kind is Kind.LINE_END and not game.result:
            continue  # a line only ends a game that has its result
        is_tag = kind is Kind.TAG or kind is Kind.BROKEN_TAG
        if token.line == skipped and not is_tag:
            continue
        if kind is Kind.JUNK and not strict and not variations and (game.result or (ended and not game.is_game())):
            game.mended.append((token.line, mending.AFTER_RESULT))
            skipped = token.line
            continue
        if kind is Kind.OPEN:
            variations.append(token.line)
            continue
        if variations and is_tag:
            game.blame(variations[0], "the variation that begins here is not closed before the next game")
            variations = []
        elif variations and kind is not Kind.UNCLOSED:
            if kind is Kind.CLOSE:
                variations.pop()
            continue
        # After a result only a comment on its line still belongs to the game.
        if (game.result and kind is not Kind.COMMENT) or (is_tag and game.is_ended_by(token)):
            if game.is_game():
                ended = game.result is not None
                yield game
            game = _Game()
        _add(game, token)
    if variations:
        game.blame(variations[0], "the variation that begins here is not closed")
    if game.is_game():
        yield game


def _add(game: _Game, token: Token) -> None:
    match token.kind:
        case Kind.MOVES:
            game.moves.append(token)
            game.plies += len(token.text.split())
        case Kind.COMMENT:
            game.comments.setdefault(game.plies, []).append(token.text)
        case Kind.TAG:
            game.tags[token.text] = token
        case Kind.RESULT:
            game.result = token
        case Kind.LINE_END:
            pass
        case Kind.TOO_LONG:
            game.blame(token.line, f"the line has more than {LONGEST_LINE:,} characters")
        case Kind.BROKEN_TAG:
            game.blame(token.line, f'{_shown(token.text)} is not a tag: a tag is [Name "value"] on one line')
        case Kind.UNCLOSED:
            game.blame(token.line, "the comment that begins here is not closed")
        case Kind.CLOSE:
            game.blame(token.line, "a variation is closed that was not opened")
        case _:
            game.blame(token.line, f"{_shown(token.text)} is neither a move nor anything else of PDN")


def _record(game: _Game, first_in_result: Color, *, strict: bool) -> Record[Position, Move]:
    if game.fault:
        raise game.fault
    start = _start(game, strict=strict)
    moves, last = _usual_moves(game, start) or _any_moves(game, start, strict=strict)
    return Record(
        start,
        tuple(moves),
        _outcome(game, last, first_in_result),
        {name: tag.value for name, tag in game.tags.items() if name not in OWN_TAGS},
        {ply: text for ply, texts in game.comments.items() if (text := _comment(texts))},
    )


def _usual_moves(game: _Game, start: Position) -> tuple[list[Move], Position] | None:
    """The moves and the last position, with one call of the core; None if a move has to be mended or is wrong."""
    if any(token.value for token in game.moves):
        return None
    text = " ".join([token.text for token in game.moves])
    try:
        history = History(start, moves=text)
    except (IllegalMove, AmbiguousMove):
        return None
    moves = history.moves
    # Every quiet move has one hyphen. If captures have none, there are as many hyphens as quiet moves.
    captures = sum(1 for move in moves if move.captured)
    return (moves, history.position) if captures + text.count("-") == len(moves) else None


def _any_moves(game: _Game, position: Position, *, strict: bool) -> tuple[list[Move], Position]:
    """The same for any game, move by move. Raises BadPdn with the line of the move that cannot be read."""
    moves: list[Move] = []
    for token in game.moves:
        for text in token.text.split():
            try:
                move = position.move(text)
            except (IllegalMove, AmbiguousMove) as error:
                mended = None if strict else mending.move(position, text)
                if mended is None:
                    raise BadPdn(token.line, f"move {len(moves) + 1}: {error}") from error
                move = mended[0]
                game.mended.append((token.line, mended[1]))
            else:
                if move.captured and "-" in text:
                    if strict:
                        raise BadPdn(token.line, f"move {len(moves) + 1}: {text} is a capture, which is written with x")
                    game.mended.append((token.line, mending.CAPTURE_WITH_HYPHEN))
            if token.value:
                game.mended.append((token.line, mending.BLANKS))
            moves.append(move)
            position = position.play(move)
    return moves, position


def _start(game: _Game, *, strict: bool) -> Position:
    tags = game.tags
    game_type, fen, set_up = tags.get("GameType"), tags.get("FEN"), tags.get("SetUp")
    # Some programs add what GameType 21 means anyway: "21,B,8,8,N1,0".
    if game_type and game_type.value.partition(",")[0].strip() != "21":
        raise BadPdn(
            game_type.line, f"GameType {_shown(game_type.value)} is not English draughts, which is GameType 21"
        )
    if fen is None:
        if set_up and set_up.value == "1":
            raise BadPdn(set_up.line, "SetUp announces a position, but there is no FEN")
        return START
    text = fen.value
    if text.lstrip().startswith("?") and not strict:
        text = mending.fen(text, game.moves[0].text.split()[0] if game.moves else None)
        game.mended.append((fen.line, mending.NO_TURN))
    try:
        return Position(text)
    except BadPosition as error:
        raise BadPdn(fen.line, f"FEN: {error}") from error


def _outcome(game: _Game, last: Position, first_in_result: Color) -> Outcome | None:
    tag, winner_tag, reason_tag = game.tags.get("Result"), game.tags.get("Winner"), game.tags.get("Reason")
    if tag and tag.value in ("", "?"):  # the standard's words for what is not known
        tag = None
    if tag and tag.value not in RESULTS:
        raise BadPdn(tag.line, f"Result {_shown(tag.value)} is not one of {', '.join(RESULTS)}")
    if winner_tag and winner_tag.value not in _WINNERS:
        raise BadPdn(winner_tag.line, f"Winner {_shown(winner_tag.value)} is not one of {', '.join(_WINNERS)}")
    at_end = RESULTS[game.result.text] if game.result else None
    in_tag = RESULTS[tag.value] if tag else None
    if game.result and tag and at_end and in_tag and at_end != in_tag:
        raise BadPdn(game.result.line, f"the game ends in {game.result.text}, but its tag Result is {tag.value}")
    points = at_end or in_tag
    said = winner_tag or (game.result if at_end else tag if in_tag else None)
    if said is None:
        if reason_tag:
            raise BadPdn(reason_tag.line, "there is a Reason why the game ended, but no result")
        return None

    winner = None
    if points and points[0] != points[1]:
        winner = first_in_result if points[0] > points[1] else ~first_in_result
    if winner_tag:
        if points and (points == BOTH_LOST or (winner is None) != (winner_tag.value == "Draw")):
            raise BadPdn(winner_tag.line, f"Winner is {winner_tag.value}, which contradicts the result")
        winner = _WINNERS[winner_tag.value]
    reason = reason_tag.value if reason_tag else "forfeit" if points == BOTH_LOST else None
    try:
        return written_outcome(winner, reason, last)
    except BadResult as error:
        if not last.outcome() and reason_tag:
            raise BadPdn(reason_tag.line, str(error)) from error
        hint = ""
        if winner is not None and not winner_tag:
            other = ~first_in_result
            hint = f"; if this file gives {other}'s points first, read it with first_in_result=Color.{other.name}"
            if other == Color.WHITE:
                hint += ", or write it anew with ludus pdn merge --white-first"
        raise BadPdn(said.line, f"{error}{hint}") from error


def _result(outcome: Outcome | None) -> str:
    if outcome is None:
        return "*"
    if outcome.winner is None:
        return "0-0" if outcome.reason == Reason.FORFEIT else "1/2-1/2"
    return "1-0" if outcome.winner == Color.BLACK else "0-1"


def _tag_lines(record: Record[Position, Move], last: Position) -> Iterator[str]:
    if own := OWN_TAGS & record.tags.keys():
        raise ValueError(f"the tag {min(own)} is made from the record; it cannot be one of its tags")
    outcome = record.outcome
    result = _result(outcome)
    tags = {name: record.tags[name] for name in _USUAL_TAGS if name in record.tags}
    tags["Result"] = result
    if outcome is not None:
        if result != "0-0":  # both sides lost
            tags["Winner"] = next(name for name, winner in _WINNERS.items() if winner == outcome.winner)
        if reason := written_reason(outcome, last):
            tags["Reason"] = reason
    tags["GameType"] = "21"
    if record.start != START:
        tags |= {"SetUp": "1", "FEN": record.start.text}
    for name, value in (tags | dict(record.tags)).items():
        if not re.fullmatch("[A-Za-z0-9_]+", name):
            raise ValueError(f"{name!r} cannot name a tag: a name is made of letters, digits and _")
        if "\n" in value or "\r" in value:
            raise ValueError(f"the tag {name} has more than one line: {value!r}")
        escaped = value.replace("\\", r"\\").replace('"', r"\"")
        yield f'[{name} "{escaped}"]'


def _comment(texts: list[str]) -> str:
    """What a record keeps of the comments at one place."""
    text = " ".join(" ".join(texts).split())
    return re.sub("%(7D|25)", lambda match: "}" if match[1] == "7D" else "%", text)


def _comment_words(text: str) -> list[str]:
    """The opposite, as words. A `%` is only escaped where it would be taken for an escape itself."""
    escaped = re.sub("%(?=7D|25)", "%25", text).replace("}", "%7D")
    return f"{{{' '.join(escaped.split())}}}".split(" ") if escaped.strip() else []


def _wrapped(words: list[str]) -> Iterator[str]:
    line = ""
    for text in words:
        if line and len(line) + 1 + len(text) > _WIDTH:
            yield line
            line = text
        else:
            line = f"{line} {text}" if line else text
    yield line


def _shown(text: str) -> str:
    """What the file says, for an error message: cut when it is long."""
    text = text.strip()
    return ascii(text if len(text) <= 60 else text[:60] + "...")
