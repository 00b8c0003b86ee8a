// English draughts as text: FEN for positions, `11-15` and `22x15x8` for moves, a drawn board.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/draughts.hpp"
#include "games/text.hpp"

namespace ludus::draughts {

// The number 1..32 of a square of the ring as `viewer` sees it.
constexpr unsigned number(unsigned index, Color viewer) {
    constexpr auto table = [] {
        std::array<unsigned, 32> numbers{};
        for (unsigned n = 1; n <= 32; ++n) numbers[ring(n)] = n;
        return numbers;
    }();
    return table[viewer == Color::white ? index ^ 31 : index];
}

constexpr unsigned index(unsigned number, Color viewer) { return viewer == Color::white ? ring(number) ^ 31 : ring(number); }

// What stands on square 1..32: b or w a man, B or W a king, '.' nothing.
constexpr char piece(Position p, unsigned number) {
    const Board square = bit(index(number, p.turn));
    if (!((p.own | p.other) & square)) return '.';
    const Color color = p.own & square ? p.turn : !p.turn;
    if (p.kings & square) return color == Color::black ? 'B' : 'W';
    return color == Color::black ? 'b' : 'w';
}

// The canonical FEN: White before Black, men before kings, each in ascending order, no ranges.
inline std::string text(Position p) {
    const auto side = [&](char man, char king) {
        std::string text;
        for (const char wanted : {man, king}) {
            for (unsigned n = 1; n <= 32; ++n) {
                if (piece(p, n) != wanted) continue;
                if (!text.empty()) text += ',';
                if (wanted == king) text += 'K';
                text += std::to_string(n);
            }
        }
        return text;
    };
    return std::string{p.turn == Color::black ? "B" : "W"} + ":W" + side('w', 'W') + ":B" + side('b', 'B');
}

namespace detail {

inline unsigned square_number(std::string_view text) {
    const auto n = whole_number(text);
    if (!n || *n < 1 || *n > 32) throw BadPosition(quoted(text) + " is not a square: squares are 1 to 32");
    return *n;
}

inline std::optional<Color> color_of(char letter) {
    if (letter == 'B' || letter == 'b') return Color::black;
    if (letter == 'W' || letter == 'w') return Color::white;
    return std::nullopt;
}

struct Side {
    bool given = false;
    Board pieces = 0;  // as the side itself sees them
    Board kings = 0;
};

// One field of a FEN after its colour: `18,24,K10` or `1-12`.
inline Side side(std::string_view text, Color color) {
    Side result{.given = true};
    while (!trimmed(text).empty()) {
        std::string_view item = trimmed(take_until(text, ','));
        const bool king = !item.empty() && (item.front() == 'K' || item.front() == 'k');
        if (king) item = trimmed(item.substr(1));
        const bool range = item.find('-') != std::string_view::npos;
        std::string_view last = item;
        const unsigned from = square_number(trimmed(take_until(last, '-')));
        const unsigned to = range ? square_number(trimmed(last)) : from;
        if (to < from) throw BadPosition("the range " + quoted(item) + " runs backwards");
        for (unsigned n = from; n <= to; ++n) {
            const Board square = bit(index(n, color));
            if (result.pieces & square) throw BadPosition("square " + std::to_string(n) + " is named twice");
            if (!king && square & crown_row) {
                throw BadPosition("a man of " + name(color) + " cannot stand on " + std::to_string(n) +
                                  ", where it would have been crowned");
            }
            result.pieces |= square;
            if (king) result.kings |= square;
        }
    }
    if (std::popcount(result.pieces) > 12) {
        throw BadPosition(name(color) + " has " + std::to_string(std::popcount(result.pieces)) +
                          " pieces; a side has at most 12");
    }
    return result;
}

}  // namespace detail

// Reads FEN in all its forms: either colour first, ranges, an empty or missing side, a full stop at the end,
// and the move counters (`:H0:F1`) that some programs add. Throws BadPosition with the reason.
inline Position parse_position(std::string_view text) {
    std::string_view rest = trimmed(text);
    if (rest.ends_with('.')) rest.remove_suffix(1);
    const std::string_view mover = trimmed(take_until(rest, ':'));
    const auto turn = mover.size() == 1 ? detail::color_of(mover.front()) : std::nullopt;
    if (!turn) {
        throw BadPosition(quoted(text) + " is not a position: it begins with the side to move, B: or W:, as in B:W21-32:B1-12");
    }
    std::array<detail::Side, 2> sides;
    while (!rest.empty()) {
        const std::string_view field = trimmed(take_until(rest, ':'));
        if (field.empty()) continue;
        if ((field.front() == 'H' || field.front() == 'F') && whole_number(field.substr(1))) continue;
        const auto color = detail::color_of(field.front());
        if (!color) throw BadPosition(quoted(field) + " should begin with B or W, the side whose pieces follow");
        auto& side = sides[static_cast<std::size_t>(*color)];
        if (side.given) throw BadPosition(name(*color) + "'s pieces are given twice");
        side = detail::side(field.substr(1), *color);
    }
    const detail::Side& own = sides[static_cast<std::size_t>(*turn)];
    const detail::Side& other = sides[static_cast<std::size_t>(!*turn)];
    const Board others = turned(other.pieces);
    if (const Board both = own.pieces & others) {
        const auto square = static_cast<unsigned>(std::countr_zero(both));
        throw BadPosition("square " + std::to_string(number(square, *turn)) + " holds a piece of both sides");
    }
    return {.own = own.pieces, .other = others, .kings = own.kings | turned(other.kings), .turn = *turn};
}

// The squares a move visits, as numbers, from the first to the last.
inline std::vector<unsigned> path(Move move) {
    std::vector<unsigned> numbers{number(move.from, move.turn)};
    Board at = bit(move.from);
    for (int jump = 0; jump < move.jumps(); ++jump) {
        at = step(step(at, move.direction(jump)), move.direction(jump));
        numbers.push_back(number(static_cast<unsigned>(std::countr_zero(at)), move.turn));
    }
    if (!move.captured) numbers.push_back(number(move.to, move.turn));
    return numbers;
}

// The squares of the pieces a move captures, in the order of its jumps: each lies midway between two squares of the path.
inline std::vector<unsigned> captured(Move move) {
    std::vector<unsigned> numbers;
    Board at = bit(move.from);
    for (int jump = 0; jump < move.jumps(); ++jump) {
        const Board over = step(at, move.direction(jump));
        numbers.push_back(number(static_cast<unsigned>(std::countr_zero(over)), move.turn));
        at = step(over, move.direction(jump));
    }
    return numbers;
}

inline std::string joined(const std::vector<unsigned>& numbers, char separator) {
    std::string text;
    for (const unsigned n : numbers) {
        if (!text.empty()) text += separator;
        text += std::to_string(n);
    }
    return text;
}

// A move with every square it visits: 11-15, 22x15, 22x15x8.
inline std::string text(Move move) { return joined(path(move), move.captured ? 'x' : '-'); }

// The same with only its first and last square, where no other legal move has them both.
inline std::string short_text(Position p, Move move) {
    int same = 0;
    for_each_move(p, [&](Move other) { same += other.from == move.from && other.to == move.to; });
    if (same > 1) return text(move);
    return joined({number(move.from, move.turn), number(move.to, move.turn)}, move.captured ? 'x' : '-');
}

// The legal moves as part of an error message.
inline std::string legal_moves(Position p) {
    std::string listed;
    for_each_move(p, [&](Move move) { listed.append(listed.empty() ? "legal: " : ", ").append(text(move)); });
    return listed.empty() ? "there is no legal move" : listed;
}

namespace detail {

// Are `some` squares among `all` in the same order, the first and the last the same?
inline bool names(const std::vector<unsigned>& some, const std::vector<unsigned>& all) {
    if (some.front() != all.front() || some.back() != all.back()) return false;
    std::size_t found = 0;
    for (const unsigned n : all) found += found < some.size() && some[found] == n;
    return found == some.size();
}

}  // namespace detail

namespace detail {

// A move as it is written: the squares it names, and whether a jump is written between them (22x15) or not (11-15).
struct WrittenMove {
    std::vector<unsigned> squares;
    bool jumps = false;
};

// Throws IllegalMove if it is no move at all.
inline WrittenMove written_move(std::string_view text) {
    WrittenMove move;
    std::string_view rest = trimmed(text);
    while (!rest.empty()) {
        const auto end = rest.find_first_of("-xX:");
        const auto n = whole_number(rest.substr(0, end));
        const bool last = end == std::string_view::npos;
        if (!n || *n < 1 || *n > 32 || (!last && end + 1 == rest.size()) || move.squares.size() > 10) {
            move.squares.clear();
            break;
        }
        move.squares.push_back(*n);
        if (last) break;
        move.jumps |= rest[end] != '-';
        rest.remove_prefix(end + 1);
    }
    if (move.squares.size() < 2) throw IllegalMove(quoted(text) + " is not a move: write it as 11-15, 22x15 or 22x15x8");
    return move;
}

}  // namespace detail

// The side that a move with these squares belongs to unless it is a king's move backwards: Black's men go to higher numbers.
inline Color usual_side(const std::vector<unsigned>& squares) { return squares[1] > squares[0] ? Color::black : Color::white; }

// The move that visits these squares, made of its text and its side alone; in what positions it is legal is another question.
// Throws IllegalMove if no piece can go that way.
inline Move move_of(std::string_view written, std::optional<Color> side = std::nullopt) {
    const auto [squares_named, jumps] = detail::written_move(written);
    const Color turn = side.value_or(usual_side(squares_named));
    const auto refuse = [&] { throw IllegalMove(quoted(written) + " is not a move: no piece can go from square to square like that"); };
    if (!jumps && squares_named.size() != 2) refuse();
    if (squares_named.size() > 10) refuse();
    Move move{.from = index(squares_named.front(), turn) & 31, .to = index(squares_named.back(), turn) & 31, .turn = turn};
    for (std::size_t i = 1; i < squares_named.size(); ++i) {
        const Board from = bit(index(squares_named[i - 1], turn)), to = bit(index(squares_named[i], turn));
        unsigned direction = 0;
        while (direction < 4 && (jumps ? step(step(from, direction), direction) : step(from, direction)) != to) ++direction;
        const Board over = step(from, direction);
        if (direction == 4 || (jumps && move.captured & over)) refuse();
        if (!jumps) continue;
        move.path = (move.path | direction << 2 * move.jumps()) & 0x3FFFF;
        move.captured |= over;
    }
    return move;
}

// Reads a move as people write it: its first and last square, and as many between as it takes to tell it from the others;
// a hyphen will do for a capture. Throws IllegalMove or AmbiguousMove with the reason.
inline Move parse_move(Position p, std::string_view written) {
    const std::string shown = quoted(written);
    const detail::WrittenMove written_as = detail::written_move(written);
    std::vector<Move> meant;
    bool exact = false;
    for_each_move(p, [&](Move move) {
        if (exact || (written_as.jumps && !move.captured)) return;
        const auto visited = path(move);
        exact = visited == written_as.squares;
        if (exact) meant = {move};
        else if (detail::names(written_as.squares, visited)) meant.push_back(move);
    });
    if (meant.empty()) {
        std::string why = shown + " is not legal in " + text(p);
        if (must_capture(p) && !written_as.jumps) why += ", where a capture is compulsory";
        throw IllegalMove(why + "; " + legal_moves(p));
    }
    for (const Move other : meant) {
        // Routes that take the same pieces lead to the same position, so it does not matter which one was meant.
        if (other.captured == meant.front().captured) continue;
        std::string routes;
        for (const Move move : meant) routes.append(routes.empty() ? "" : " or ").append(text(move));
        throw AmbiguousMove(shown + " could be " + routes);
    }
    return meant.front();
}

// The board with White at the bottom, and the numbers of each row's squares.
inline std::string drawn(Position p) {
    std::string text;
    for (unsigned row = 0; row < 8; ++row) {
        text += row % 2 == 0 ? "  " : "";
        for (unsigned column = 0; column < 4; ++column) {
            text += piece(p, row * 4 + column + 1);
            text += column < 3 ? "   " : "";
        }
        text += row % 2 == 0 ? "   " : "     ";
        text += std::to_string(row * 4 + 1) + "-" + std::to_string(row * 4 + 4) + "\n";
    }
    const auto ended = outcome(p);
    return text + (ended ? describe(*ended) : name(p.turn) + " to move");
}

}  // namespace ludus::draughts
