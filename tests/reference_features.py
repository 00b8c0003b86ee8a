"""The features of NET-FEATUREMAP by the book: slow, square by square, moves really made. To compare the core with.

The passive side P, which has just moved, plays up the rows from square 1; the active side A is to move.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ludus.games import Color
from ludus.games.draughts import Position


class Piece(NamedTuple):
    side: str  # P or A
    king: bool


Board = dict[int, Piece]
Way = tuple[int, int]

WAYS: list[Way] = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
CENTRE = {10, 11, 14, 15, 18, 19, 22, 23}
DOUBLE_DIAGONALS = {1, 6, 10, 15, 19, 24, 28} | {5, 9, 14, 18, 23, 27, 32}
MOMENTS = (
    dict.fromkeys(DOUBLE_DIAGONALS, 3)
    | dict.fromkeys([2, 7, 11, 16, 20, 13, 17, 22, 26, 31], 2)
    | dict.fromkeys([3, 8, 12, 21, 25, 30], 1)
    | dict.fromkeys([4, 29], 0)
)


def place(square: int) -> tuple[int, int]:
    row, k = divmod(square - 1, 4)
    return row, 2 * k + (1 - row % 2)


SQUARES = {place(square): square for square in range(1, 33)}
NEXT = {
    (square, way): SQUARES.get((place(square)[0] + way[0], place(square)[1] + way[1]))
    for square in range(1, 33)
    for way in WAYS
}
NEIGHBOURS = {square: [n for way in WAYS if (n := NEXT[square, way])] for square in range(1, 33)}


def is_inner(square: int) -> bool:
    row, column = place(square)
    return 0 < row < 7 and 0 < column < 7


def board_of(afterstate: Position) -> Board:
    white_is_active = afterstate.turn == Color.WHITE
    board = {}
    for square, letter in afterstate.pieces().items():
        active = (letter in "wW") == white_is_active
        board[square if white_is_active else 33 - square] = Piece("A" if active else "P", letter.isupper())
    return board


def ways(piece: Piece) -> list[Way]:
    if piece.king:
        return WAYS
    return [way for way in WAYS if way[0] == (1 if piece.side == "P" else -1)]


def steps(board: Board, side: str) -> Iterator[tuple[int, int]]:
    for square, piece in board.items():
        if piece.side == side:
            for way in ways(piece):
                to = NEXT[square, way]
                if to and to not in board:
                    yield square, to


def jumps(board: Board, square: int) -> list[tuple[int, int]]:
    """The squares jumped over and landed on, for each first jump of the piece on `square`."""
    piece = board[square]
    found = []
    for way in ways(piece):
        over = NEXT[square, way]
        to = over and NEXT[over, way]
        if over and to and over in board and board[over].side != piece.side and to not in board:
            found.append((over, to))
    return found


def after_step(board: Board, square: int, to: int) -> Board:
    after = dict(board)
    piece = after.pop(square)
    crowned = place(to)[0] == (7 if piece.side == "P" else 0)
    after[to] = Piece(piece.side, piece.king or crowned)
    return after


def takings(board: Board, victim: int) -> Iterator[tuple[Board, int]]:
    """Each way to take the piece on `victim` by one jump: the board after it and where the taker stands."""
    for square in NEIGHBOURS[victim]:
        if square in board:
            for over, to in jumps(board, square):
                if over == victim:
                    after = dict(board)
                    after[to] = after.pop(square)
                    del after[over]
                    yield after, to


def offers(board: Board) -> tuple[set[int], set[int]]:
    """The squares of DenialOfOccupancy and of Exchange."""
    denied, exchanged = set(), set()
    for square, to in steps(board, "A"):
        retaken = [any(True for _ in takings(after, at)) for after, at in takings(after_step(board, square, to), to)]
        if not all(retaken):
            denied.add(to)
        elif retaken:
            exchanged.add(to)
    return denied, exchanged


def jump_score(board: Board, side: str) -> int:
    return sum(min(2, len(jumps(board, square))) for square, piece in board.items() if piece.side == side)


def threatening(board: Board, side: str) -> set[int]:
    return {to for square, to in steps(board, side) if jumps(after_step(board, square, to), to)}


def diagonals(square: int) -> list[tuple[int | None, int | None]]:
    return [(NEXT[square, (1, 1)], NEXT[square, (-1, -1)]), (NEXT[square, (1, -1)], NEXT[square, (-1, 1)])]


def forks(board: Board, passive: set[int], active_has_king: bool) -> int:
    count = 0
    for left in passive:
        row, column = place(left)
        right = SQUARES.get((row, column + 2))
        if right not in passive:
            continue
        # A man of A comes down from the row above the pair and would land on the row below; a king also the other way.
        sides = [1, -1] if active_has_king else [1]
        for near in sides:
            needed = [(row + near, column + 1), (row - near, column - 1), (row - near, column + 3)]
            if all(spot in SQUARES and SQUARES[spot] not in board for spot in needed):
                count += 1
                break
    return count


def is_gap(square: int, passive: set[int]) -> bool:
    for ends in diagonals(square):
        if any(end in passive for end in ends) and all(end is None or end in passive for end in ends):
            return True
    return False


def features(afterstate: Position) -> list[int]:
    """The 28 raw values, in order."""
    board = board_of(afterstate)
    passive = {s for s, piece in board.items() if piece.side == "P"}
    active = set(board) - passive
    kings = {s for s, piece in board.items() if piece.king}
    empty = set(range(1, 33)) - set(board)
    men = passive - kings
    inner = {s for s in passive if is_inner(s)}
    free = {s: sum(n in empty for n in NEIGHBOURS[s]) for s in inner}

    worth = {s: 3 if s in kings else 2 for s in board}
    ahead = sum(worth[s] for s in passive) - sum(worth[s] for s in active)
    mobility = {to for _, to in steps(board, "A")}
    denied, exchanged = offers(board)
    active_has_king = bool(active & kings)
    bridge, oreo = {1, 3}, {2, 3, 7}
    return [
        max(0, ahead),
        max(0, -ahead),
        jump_score(board, "A"),
        jump_score(board, "P"),
        sum(17 <= s <= 24 for s in men) - sum(9 <= s <= 16 for s in men),
        len(passive & DOUBLE_DIAGONALS),
        int(not active_has_king and bridge <= men),
        len(men & CENTRE),
        sum(s in active - kings or s in mobility for s in CENTRE),
        len(mobility),
        sum(any(set(ends) <= empty for ends in diagonals(s)) for s in inner),
        len(passive & kings & CENTRE),
        sum(MOMENTS[s] for s in passive),
        int(not (not kings and active & {7, 26} and not passive & {7, 26})),
        2 if 13 in passive and passive & {9, 14} and {17, 21, 22, 25} <= active else 0,
        len(denied),
        sum(set(ends) <= passive for s in inner for ends in diagonals(s)),
        len(exchanged),
        forks(board, passive, active_has_king),
        sum(is_gap(s, passive) for s in empty),
        int(not active_has_king and (bridge <= passive or oreo <= passive)),
        sum(is_inner(s) and sum(n in passive for n in NEIGHBOURS[s]) >= 3 for s in empty),
        len(mobility) - len(denied),
        sum(free[s] >= 3 for s in inner),
        int(not passive & kings and oreo <= passive),
        sum(free[s] == 4 for s in inner & men),
        len(threatening(board, "A")),
        len(threatening(board, "P")),
    ]


BITS = [4, 4, 3, 3, 3, 4, 1, 3, 3, 4, 3, 3, 4, 1, 2, 4, 3, 4, 3, 4, 1, 3, 3, 3, 1, 3, 3, 3]
FORCED_ABOVE_7 = {3, 4, 11, 27, 28, 20, 22, 24, 26, 17}  # PieceThreat, PieceTake, Exposure, Threat, Taken, Gap, ...
FORCED_ABOVE_15 = {10, 16, 23}  # TotalMobility, DenialOfOccupancy, UndeniedMobility


def inputs(values: list[int], *, faithful: bool) -> list[float]:
    """The inputs of all 28 features, worked number by number."""
    result: list[float] = []
    for number, (value, bits) in enumerate(zip(values, BITS, strict=True), start=1):
        if faithful:
            value += {5: 8, 8: -1, 9: -1, 12: -1}.get(number, 0)
            value = max(value, 0)  # 0 or less turns all bits off
            digits = [value // 2**i % 2 for i in range(bits)]
            if number in (2, 5):
                digits[0] = int(value == 1)
            if (number in FORCED_ABOVE_7 and value > 7) or (number in FORCED_ABOVE_15 and value > 15):
                digits[0] = 1
        else:
            value = min(max(value, 0), 2**bits - 1)
            digits = [value // 2**i % 2 for i in range(bits)]
        result += digits
    return result
