// Tic-Tac-Toe 3D as text: a line for a position, `a1` to `d4` for moves, a drawn board.
//
// A position is the 16 columns, a1 b1 c1 d1 / a2 ... d4, each with its stones from the bottom up: w, b, or - when empty.
#pragma once

#include <string>
#include <string_view>

#include "games/text.hpp"
#include "games/tictactoe3d.hpp"

namespace ludus::tictactoe3d {

// What lies in a cell: w, b, or '.' for nothing.
constexpr char stone(Position p, unsigned cell) {
    if (!(p.occupied() & bit(cell))) return '.';
    const bool white = (p.own & bit(cell) ? p.turn() : !p.turn()) == Color::white;
    return white ? 'w' : 'b';
}

inline std::string text(Position p) {
    std::string text;
    for (unsigned column = 0; column < columns; ++column) {
        if (column) text += column % 4 ? ',' : '/';
        if (!(p.occupied() & bit(column))) text += '-';
        for (unsigned cell = column; cell < cells && p.occupied() & bit(cell); cell += columns) text += stone(p, cell);
    }
    return text;
}

// Throws BadPosition with the reason.
inline Position parse_position(std::string_view text) {
    const std::string shown = quoted(text) + " is not a position: ";
    Board white = 0, black = 0;
    unsigned column = 0, level = 0;
    bool empty = false;
    const auto finish_column = [&] {
        if (level == 0 && !empty) throw BadPosition(shown + "an empty column is written -");
        level = 0;
        empty = false;
    };
    for (const char c : text) {
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
        if (c == ',' || c == '/') {
            finish_column();
            if (++column >= columns) throw BadPosition(shown + "it has more than 16 columns");
            if ((c == '/') != (column % 4 == 0)) throw BadPosition(shown + "columns are separated by commas, rows of four by /");
        } else if (c == '-') {
            if (level || empty) throw BadPosition(shown + "- stands alone for an empty column");
            empty = true;
        } else if (c == 'w' || c == 'b') {
            if (empty) throw BadPosition(shown + "- stands alone for an empty column");
            if (level == 4) throw BadPosition(shown + "a column holds at most 4 stones");
            (c == 'w' ? white : black) |= bit(level++ * columns + column);
        } else {
            throw BadPosition(shown + "it is made of w, b, -, commas and /");
        }
    }
    finish_column();
    if (column != columns - 1) throw BadPosition(shown + "it has " + std::to_string(column + 1) + " columns, not 16");
    const int ahead = std::popcount(white) - std::popcount(black);
    if (ahead != 0 && ahead != 1) throw BadPosition(shown + "White moves first and the sides take turns, so White has as many stones as Black or one more");
    const Position p = ahead == 0 ? Position{.own = white, .other = black} : Position{.own = black, .other = white};
    if (has_line(p.own)) throw BadPosition(shown + "the side to move has four in a line already");
    return p;
}

inline std::string text(Move move) { return {static_cast<char>('a' + move.column % 4), static_cast<char>('1' + move.column / 4)}; }

// A column says all there is to say.
inline std::string short_text(Position, Move move) { return text(move); }

// The legal moves as part of an error message.
inline std::string legal_moves(Position p) {
    std::string listed;
    for_each_move(p, [&](Move move) { listed.append(listed.empty() ? "legal: " : ", ").append(text(move)); });
    return listed.empty() ? "the game is over" : listed;
}

// The move of a column, a1 to d4. Throws IllegalMove if it is none.
inline Move move_of(std::string_view written) {
    const std::string_view column = trimmed(written);
    const int x = column.size() == 2 ? (column[0] | 0x20) - 'a' : -1, y = column.size() == 2 ? column[1] - '1' : -1;
    if (x < 0 || x > 3 || y < 0 || y > 3) throw IllegalMove(quoted(written) + " is not a move: write a column, a1 to d4");
    return {static_cast<std::uint8_t>(x + 4 * y)};
}

// Throws IllegalMove with the reason.
inline Move parse_move(Position p, std::string_view written) {
    const Move move = move_of(written);
    if (!generate(p).contains(move)) throw IllegalMove(quoted(written) + " is not legal in " + text(p) + "; " + legal_moves(p));
    return move;
}

// The four levels side by side, the lowest first.
inline std::string drawn(Position p) {
    std::string text;
    for (int row = 3; row >= 0; --row) {
        text += static_cast<char>('1' + row);
        for (unsigned level = 0; level < 4; ++level) {
            text += level ? "   " : " ";
            for (unsigned x = 0; x < 4; ++x) {
                text += x ? " " : "";
                text += stone(p, level * columns + static_cast<unsigned>(row) * 4 + x);
            }
        }
        text += "\n";
    }
    text += "  a b c d   a b c d   a b c d   a b c d\n";
    text += "  level 1   level 2   level 3   level 4\n";
    const auto ended = outcome(p);
    return text + (ended ? describe(*ended) : name(p.turn()) + " to move");
}

}  // namespace ludus::tictactoe3d
