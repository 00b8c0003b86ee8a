"""The tokens of PDN, line by line."""

import re
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from typing import NamedTuple

BOTH_LOST = (0.0, 0.0)

# What each result says: the points of the side that comes first, and of the other; None when it says nothing.
RESULTS: dict[str, tuple[float, float] | None] = {
    "1-0": (1, 0),
    "0-1": (0, 1),
    "1/2-1/2": (0.5, 0.5),
    "2-0": (1, 0),
    "0-2": (0, 1),
    "1-1": (0.5, 0.5),
    "1/2": (0.5, 0.5),  # in old files
    "0-0": BOTH_LOST,
    "*": None,
}


class Kind(Enum):
    """What a token is."""

    TAG = auto()
    BROKEN_TAG = auto()
    COMMENT = auto()
    MOVES = auto()  # one, or all those of a plain line with blanks between them
    RESULT = auto()
    OPEN = auto()
    CLOSE = auto()
    JUNK = auto()
    UNCLOSED = auto()  # a comment without its end
    LINE_END = auto()
    TOO_LONG = auto()  # a line that no file of games has


class Token(NamedTuple):
    """A word of a PDN file, and the line on which it begins. A tag also has a value; its text is its name.

    A move that was written with blanks inside has what was written as its value; otherwise moves have none.
    """

    kind: Kind
    text: str
    line: int
    value: str = ""


_KINDS = dict(Kind.__members__)  # a plain dict: asking the enumeration for every word is slow

LONGEST_LINE = 1_000_000  # characters

# Every character of a line belongs to one of these; those without a name say nothing about the game. The quantifiers
# are possessive (++ and *+): a line of any kind takes linear time and no memory of its own.
_TOKEN = r"""
    [\s\ufeff]++                                                                       # a byte order mark is a blank
  | (?P<RESULT> (?: ANY_RESULT ) (?![\w/:-]) | \* )
  | (?P<MOVES> ONE_MOVE )
  | [0-9]++ \s*+ \.++ | \.\.\.                                                        # 1. and 1...
  | [!?]++                                                                             # the strength of a move
  | \$[0-9]++                                                                          # the same as a number
  | \{ (?P<COMMENT> [^}]*+ ) \}
  | \{ (?P<UNCLOSED> [^}]*+ )
  | ; (?P<REST> .*+ )
  | \[ \s*+ (?P<TAG> [A-Za-z0-9_]++ ) \s*+ " (?P<VALUE> (?: [^"\\\r\n]++ | \\[^\r\n] )*+ ) " \s*+ \]
  | (?P<BROKEN_TAG> \[ .*+ )
  | (?P<OPEN> \( )
  | (?P<CLOSE> \) )
  | (?P<JUNK> "[^"]*+" | [^\s\ufeff{}()\[;"]++ | . )
    """
# Most lines of moves are plain: numbers and moves, perhaps a result at the end. Such a line is matched as a whole, and
# its moves are one token; any other line gives the same moves one by one. Squares are 1 to 99 here, so that 1-1 is the
# only result that could be taken for a move.
_PLAIN_LINE = r"""
    (?P<MOVES> (?: \s*+ NUMBER (?! 1-1 (?![0-9]) ) [1-9][0-9]?+ (?: -[1-9][0-9]?+ | (?: x[1-9][0-9]?+ )++ ) (?!\S) )++ )
    \s*+ NUMBER (?P<RESULT> ANY_RESULT | \* )?+ \s*+ \Z
    """
_ESCAPE = re.compile(r'\\(["\\])')
_NUMBER = re.compile(r"[0-9]++\.++")


def _pattern(text: str, **parts: str) -> re.Pattern[str]:
    parts["ANY_RESULT"] = "1-0 | 0-1 | 1/2-1/2 | 2-0 | 0-2 | 1-1 | 0-0 | 1/2"
    for name, part in parts.items():
        text = text.replace(name, part)
    return re.compile(text, re.VERBOSE | re.DOTALL)


_STRICT = _pattern(_TOKEN, ONE_MOVE=r"[0-9]++ (?: [-xX:] [0-9]++ )++")
_LENIENT = _pattern(_TOKEN, ONE_MOVE=r"[0-9]++ (?: [ \t]*+ [-xX:] [ \t]*+ [0-9]++ )++")
_PLAIN = _pattern(_PLAIN_LINE, NUMBER=r"(?: [0-9]++ \.++ \s*+ )?+")


def tokens(lines: Iterable[str], *, strict: bool = False) -> Iterator[Token]:
    """The tokens of a file, read a line at a time.

    Every line ends in LINE_END but one that is open in a comment, and a plain one without a result.
    Without `strict` there may be blanks inside a move or a result; the value of such a token is what was written.
    """
    pattern = _STRICT if strict else _LENIENT
    comment: list[str] = []  # the lines so far of one that is still open, which began on line `opened`
    opened = 0
    for number, line in enumerate(lines, start=1):
        at = 0
        if len(line) > LONGEST_LINE:
            yield Token(Kind.TOO_LONG, "", number)
            continue
        if comment:
            end = line.find("}")
            comment.append(line if end < 0 else line[:end])
            if end < 0:
                continue
            yield Token(Kind.COMMENT, "".join(comment), opened)
            comment, at = [], end + 1
        elif plain := _PLAIN.match(line):
            moves, result = plain.groups()
            yield Token(Kind.MOVES, _NUMBER.sub("", moves), number)
            if result:
                yield Token(Kind.RESULT, result, number)
                yield Token(Kind.LINE_END, "", number)
            continue
        elif line.startswith("%"):
            continue
        for match in pattern.finditer(line, at):
            name = match.lastgroup
            if name is None:
                continue
            if name == "UNCLOSED":
                comment, opened = [match["UNCLOSED"]], number
            elif name == "VALUE":
                value = match["VALUE"]
                yield Token(Kind.TAG, match["TAG"], number, _ESCAPE.sub(r"\1", value) if "\\" in value else value)
            elif name == "REST":
                yield Token(Kind.COMMENT, match["REST"], number)
            elif name == "MOVES":
                yield _move(match["MOVES"], number)
            else:
                yield Token(_KINDS[name], match[name], number)
        if not comment:
            yield Token(Kind.LINE_END, "", number)
    if comment:
        yield Token(Kind.UNCLOSED, "", opened)


def _move(written: str, number: int) -> Token:
    text = re.sub(r"[ \t]+", "", written) if " " in written or "\t" in written else written
    if text == written:
        return Token(Kind.MOVES, text, number)
    return Token(Kind.RESULT if text in RESULTS else Kind.MOVES, text, number, written)
