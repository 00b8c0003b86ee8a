// Tic-Tac-Toe 3D, 4x4x4 with gravity: the same words as draughts.hpp for the other game.
//
// Bit 16 * level + column of a board is a cell; column = letter + 4 * (digit - 1), so level 0 reads
//
//     4 | 12 13 14 15         A level is 16 bits, so the free cells that a stone can fall to are
//     3 |  8  9 10 11         the occupied cells shifted up one level, plus the floor, less the
//     2 |  4  5  6  7         occupied cells: no columns are looked at one by one.
//     1 |  0  1  2  3
//          a  b  c  d
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "games/bits.hpp"
#include "games/moves.hpp"
#include "games/outcome.hpp"
#include "games/random.hpp"

namespace ludus::tictactoe3d {

using Board = std::uint64_t;  // a set of cells

constexpr int columns = 16;
constexpr int cells = 64;

constexpr Board bit(unsigned cell) { return Board{1} << cell; }

// The 13 directions of a line, as the distance between neighbouring cells and the cells where a line may begin.
// The opposite directions would name the same lines from their other end.
struct Direction {
    int distance;
    Board beginnings;
};

constexpr auto directions = [] {
    std::array<Direction, 13> table{};
    for (int i = 0; i < 13; ++i) {
        const int way = i + 14;  // 0..26 are all ways of -1, 0, +1 on three axes; 13 stands still
        const int dx = way % 3 - 1, dy = way / 3 % 3 - 1, dz = way / 9 - 1;
        Board beginnings = 0;
        for (int cell = 0; cell < cells; ++cell) {
            const auto stays = [](int from, int by) { return from + 3 * by >= 0 && from + 3 * by < 4; };
            if (stays(cell % 4, dx) && stays(cell / 4 % 4, dy) && stays(cell / 16, dz)) {
                beginnings |= bit(static_cast<unsigned>(cell));
            }
        }
        table[static_cast<std::size_t>(i)] = {.distance = dx + 4 * dy + 16 * dz, .beginnings = beginnings};
    }
    return table;
}();

// The 76 lines of four cells.
constexpr auto lines = [] {
    std::array<Board, 76> table{};
    std::size_t n = 0;
    for (const auto [distance, beginnings] : directions) {
        for (Board left = beginnings; left; left &= left - 1) {
            const Board first = left & (0 - left);
            table.at(n++) = first | first << distance | first << 2 * distance | first << 3 * distance;
        }
    }
    return table;
}();

// The lines through a cell, 4 or 7; a list of 4 is filled up with copies of its first.
constexpr std::size_t most_lines = 7;
constexpr auto lines_through = [] {
    std::array<std::array<Board, most_lines>, cells> table{};
    for (unsigned cell = 0; cell < cells; ++cell) {
        std::size_t n = 0;
        for (const Board line : lines) {
            if (line & bit(cell)) table[cell][n++] = line;
        }
        for (std::size_t i = n; i < most_lines; ++i) table[cell][i] = table[cell][0];
    }
    return table;
}();

// Does `board`, which holds `cell`, hold a whole line through it?
constexpr bool completes_line(Board board, unsigned cell) {
    bool whole = false;
    for (const Board line : lines_through[cell]) whole |= (board & line) == line;
    return whole;
}

constexpr bool has_line(Board board) {
    Board begun = 0;
    for (const auto [distance, beginnings] : directions) {
        const Board two = board & board >> distance;
        begun |= two & two >> 2 * distance & beginnings;
    }
    return begun != 0;
}

struct Position {
    Board own = 0;    // stones of the side to move
    Board other = 0;  // stones of its opponent, who moved last

    constexpr Board occupied() const { return own | other; }
    constexpr int stones() const { return std::popcount(occupied()); }
    // White moves first, so the number of stones tells whose turn it is.
    constexpr Color turn() const { return stones() % 2 == 0 ? Color::white : Color::black; }
    // The cells a stone can fall to, at most one a column.
    constexpr Board open() const { return (occupied() << columns | 0xFFFF) & ~occupied(); }

    friend constexpr bool operator==(const Position&, const Position&) = default;
};

constexpr Position start{};

struct Move {
    std::uint8_t column = 0;

    friend constexpr bool operator==(const Move&, const Move&) = default;
};

constexpr std::size_t most_moves = columns;

using Moves = MoveList<Move, most_moves>;

constexpr bool is_over(Position p) { return has_line(p.other) || p.stones() == cells; }

// How the game ended here; nothing while it goes on.
constexpr std::optional<Outcome> outcome(Position p) {
    if (has_line(p.other)) return Outcome{.winner = !p.turn(), .reason = Reason::four_in_line};
    if (p.stones() == cells) return Outcome{.winner = std::nullopt, .reason = Reason::full_board};
    return std::nullopt;
}

// Calls `visit(move)` for every legal move.
template <class Visit>
constexpr void for_each_move(Position p, Visit visit) {
    if (has_line(p.other)) return;
    for (Board open = p.open(); open; open &= open - 1) {
        visit(Move{static_cast<std::uint8_t>(std::countr_zero(open) % columns)});
    }
}

constexpr Moves generate(Position p) {
    Moves moves;
    for_each_move(p, [&](Move move) { moves.add(move); });
    return moves;
}

// Puts into `move` a legal move, all of them equally likely; false when the game is over. It is generate(p)[rng.below(moves)]
// without the list.
inline bool random_move(Position p, Rng& rng, Move& move) {
    if (is_over(p)) return false;
    const Board open = p.open();
    const unsigned n = rng.below(static_cast<std::uint32_t>(std::popcount(open)));
    move = Move{static_cast<std::uint8_t>(nth_bit(open, n) % columns)};
    return true;
}

// The cell that a stone in this column falls to; the column is not full.
constexpr unsigned cell_of(Position p, Move move) {
    constexpr Board column = 0x0001000100010001;
    return static_cast<unsigned>(std::countr_zero(p.open() & column << move.column));
}

// The position after a legal move, seen by the other side.
constexpr Position play(Position p, Move move) { return {.own = p.other, .other = p.own | bit(cell_of(p, move))}; }

// Does this legal move make four in a line?
constexpr bool wins(Position p, Move move) {
    const unsigned cell = cell_of(p, move);
    return completes_line(p.own | bit(cell), cell);
}

// Stones never leave: no position can come again.
constexpr bool irreversible(Position, Move) { return true; }

// The number of games of `depth` plies; a game that is over has no continuation. `plain` makes every one of them.
template <bool plain = false>
constexpr std::uint64_t perft(Position p, int depth) {
    if (depth == 0) return 1;
    if (!plain && depth == 1) return has_line(p.other) ? 0 : static_cast<std::uint64_t>(std::popcount(p.open()));
    std::uint64_t leaves = 0;
    for_each_move(p, [&](Move move) { leaves += perft<plain>(play(p, move), depth - 1); });
    return leaves;
}

// The 8 symmetries of the square act on the columns; gravity fixes the vertical axis.
// Symmetry 4 * m + r mirrors a-d to d-a when m is 1, then turns r quarters.
constexpr int symmetries = 8;
constexpr auto symmetric_columns = [] {
    std::array<std::array<std::uint8_t, columns>, symmetries> table{};
    for (unsigned symmetry = 0; symmetry < symmetries; ++symmetry) {
        for (unsigned column = 0; column < columns; ++column) {
            unsigned x = column % 4, y = column / 4;
            if (symmetry >= 4) x = 3 - x;
            for (unsigned quarter = 0; quarter < symmetry % 4; ++quarter) {
                const unsigned turned = 3 - x;
                x = y;
                y = turned;
            }
            table[symmetry][column] = static_cast<std::uint8_t>(x + 4 * y);
        }
    }
    return table;
}();

constexpr Board symmetric(Board board, int symmetry) {
    const auto& to = symmetric_columns[static_cast<std::size_t>(symmetry)];
    Board image = 0;
    for (; board; board &= board - 1) {
        const auto cell = static_cast<unsigned>(std::countr_zero(board));
        image |= bit(cell / columns * columns + to[cell % columns]);
    }
    return image;
}

constexpr Position symmetric(Position p, int symmetry) {
    return {.own = symmetric(p.own, symmetry), .other = symmetric(p.other, symmetry)};
}

// Zobrist's hash: a random word for each stone on each cell, exclusively or-ed.
class Zobrist {
public:
    static constexpr std::uint64_t of(Position p) {
        std::uint64_t key = 0;
        for (Board left = p.own; left; left &= left - 1) key ^= stone(p.turn(), static_cast<unsigned>(std::countr_zero(left)));
        for (Board left = p.other; left; left &= left - 1) key ^= stone(!p.turn(), static_cast<unsigned>(std::countr_zero(left)));
        return key;
    }

    // The key of play(p, move), from the key of p.
    static constexpr std::uint64_t after(std::uint64_t key, Position p, Move move) {
        return key ^ stone(p.turn(), cell_of(p, move));
    }

private:
    static constexpr auto words = [] {
        std::array<std::uint64_t, 2 * cells> table{};
        for (unsigned i = 0; i < table.size(); ++i) table[i] = mix(0x7171C3D + i);
        return table;
    }();

    static constexpr std::uint64_t stone(Color color, unsigned cell) {
        return words[static_cast<unsigned>(color) * cells + cell];
    }
};

// The types and the rules under the words that every game has.
struct Game {
    using Position = tictactoe3d::Position;
    using Move = tictactoe3d::Move;
    using Moves = tictactoe3d::Moves;
    using Zobrist = tictactoe3d::Zobrist;
    static constexpr std::size_t most_moves = tictactoe3d::most_moves;

    static constexpr Position start = tictactoe3d::start;
    static constexpr Color turn(Position p) { return p.turn(); }
    static constexpr Moves generate(Position p) { return tictactoe3d::generate(p); }
    static bool random_move(Position p, Rng& rng, Move& move) { return tictactoe3d::random_move(p, rng, move); }
    static constexpr Position play(Position p, Move move) { return tictactoe3d::play(p, move); }
    static constexpr bool irreversible(Position p, Move move) { return tictactoe3d::irreversible(p, move); }
    static constexpr std::optional<Outcome> outcome(Position p) { return tictactoe3d::outcome(p); }
    // Is the fight at rest, so that a search may stop and value the position? Here there are no exchanges.
    static constexpr bool is_quiet(Position) { return true; }
    static constexpr bool is_over(Position p) { return tictactoe3d::is_over(p); }
    // Has the side to move more than one move?
    static constexpr bool has_choice(Position p) { return !is_over(p) && std::popcount(p.open()) > 1; }
    // Has the side to move, in a game that is over, pieces that cannot move? Here no piece moves.
    static constexpr bool is_blocked(Position) { return false; }
    // Does this legal move win the game at once?
    static constexpr bool wins(Position p, Move move) { return tictactoe3d::wins(p, move); }
    // A small number for what a move does, wherever it is played: the index of a search's memory of good moves.
    static constexpr std::size_t slots = columns;
    static constexpr std::size_t slot(Move move) { return move.column; }
    template <bool plain>
    static constexpr std::uint64_t perft(Position p, int depth) { return tictactoe3d::perft<plain>(p, depth); }
};

}  // namespace ludus::tictactoe3d
