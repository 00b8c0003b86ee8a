// English draughts: Position, Move, generate, play, perft.
//
// The board is a ring of 32 squares. Seen by the side to move, which plays up the page:
//
//       21  15  09  03          A step up-right is a rotation of the whole board by 1,
//     20  14  08  02            a step up-left by 7, on every row; downwards the same backwards.
//       13  07  01  27          So one expression moves all pieces, and only the edges are masked.
//     12  06  00  26
//       05  31  25  19          Turning the board round takes square s to 31 - s: reversing the bits
//     04  30  24  18            of a word turns it, and reversing `own` and `other` as one 64-bit word
//       29  23  17  11          also swaps the sides. Hence no colours anywhere below, and a position
//     28  22  16  10            of 16 bytes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <type_traits>

#include "games/bits.hpp"
#include "games/moves.hpp"
#include "games/outcome.hpp"
#include "games/random.hpp"

namespace ludus::draughts {

using Board = std::uint32_t;  // a set of squares of the ring

// The ring's index of square 1..32 as Black sees it; White sees the same square at 31 - ring(n).
constexpr unsigned ring(unsigned square) {
    const unsigned row = (square - 1) / 4, column = (square - 1) % 4;
    return (10 + 6 * column + 8 * (row / 2) + row % 2) % 32;
}

constexpr Board bit(unsigned index) { return Board{1} << index; }

// The set of squares with these numbers, for the side that plays up from 1.
constexpr Board squares(std::initializer_list<unsigned> numbers) {
    Board board = 0;
    for (const unsigned n : numbers) board |= bit(ring(n));
    return board;
}

constexpr Board home_row = squares({1, 2, 3, 4});
constexpr Board crown_row = squares({29, 30, 31, 32});
constexpr Board left_edge = squares({4, 12, 20, 28});
constexpr Board right_edge = squares({5, 13, 21, 29});
constexpr Board edge = home_row | crown_row | left_edge | right_edge;

// The squares that are reached are masked, not those that are left: so steps and jumps begin with the same rotation.
constexpr Board up_right(Board b) { return std::rotl(b, 1) & ~(left_edge | home_row); }
constexpr Board up_left(Board b) { return std::rotl(b, 7) & ~(right_edge | home_row); }
constexpr Board down_left(Board b) { return std::rotr(b, 1) & ~(right_edge | crown_row); }
constexpr Board down_right(Board b) { return std::rotr(b, 7) & ~(left_edge | crown_row); }

// One step in direction 0..3, in the order above; the first two are forward.
constexpr Board step(Board b, unsigned direction) {
    switch (direction) {
        case 0: return up_right(b);
        case 1: return up_left(b);
        case 2: return down_left(b);
        default: return down_right(b);
    }
}

constexpr std::uint64_t reversed(std::uint64_t x) {
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0F0F0F0F0F0F0F0F) | (x & 0x0F0F0F0F0F0F0F0F) << 4;
    return __builtin_bswap64(x);
}

constexpr Board turned(Board b) { return static_cast<Board>(reversed(b) >> 32); }

struct Position {
    Board own = 0;    // pieces of the side to move
    Board other = 0;  // pieces of its opponent
    Board kings = 0;  // of both
    Color turn = Color::black;

    constexpr Board empty() const { return ~(own | other); }
    constexpr int pieces() const { return std::popcount(own) + std::popcount(other); }

    friend constexpr bool operator==(const Position&, const Position&) = default;
};

constexpr Position start{.own = squares({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
                         .other = squares({21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32})};

// A move is 64 bits; `from`, `to` and `captured` are on the board as its mover saw it.
// `path` holds the direction of each jump, two bits a jump, the first lowest: two routes to one square are two moves.
struct Move {
    Board captured = 0;
    std::uint32_t from : 5 = 0;
    std::uint32_t to : 5 = 0;
    std::uint32_t path : 18 = 0;
    Color turn : 1 = Color::black;

    constexpr int jumps() const { return std::popcount(captured); }
    constexpr unsigned direction(int jump) const { return path >> 2 * jump & 3; }

    friend constexpr bool operator==(const Move&, const Move&) = default;
};
static_assert(sizeof(Move) == 8 && sizeof(Position) == 16);

// A move from its parts, put together as one word: the compiler puts bit-fields together in memory, part by part, and a processor
// waits when it reads as a whole what it has just written in parts.
constexpr Move make_move(Board captured, unsigned from, unsigned to, unsigned direction, Color turn) {
    if (std::is_constant_evaluated()) return Move{.captured = captured, .from = from & 31, .to = to & 31, .path = direction & 3, .turn = turn};
    const std::uint64_t fields = (from & 31) | (to & 31) << 5 | (direction & 3) << 10 | static_cast<unsigned>(turn) << 28;
    return std::bit_cast<Move>(fields << 32 | captured);
}

// A jumper keeps to a quarter of the board, 8 squares joined over 9 others; no quarter gives more than
// 17 maximal routes however it is filled (tests/core/test_draughts.cpp counts them all).
// Hence at most 9 jumps in a move and 68 capturing moves; plain moves are at most 12 kings by 4.
constexpr std::size_t most_moves = 68;

using Moves = MoveList<Move, most_moves>;

// The squares that pieces reach in each of the four directions.
struct Reach {
    std::array<Board, 4> to;

    constexpr Board any() const { return to[0] | to[1] | to[2] | to[3]; }
    constexpr unsigned count() const {
        return static_cast<unsigned>(std::popcount(to[0]) + std::popcount(to[1]) + std::popcount(to[2]) + std::popcount(to[3]));
    }
};

// By one step to an empty square, upwards from `up` and downwards from `down`. Kings are in both.
constexpr Reach steps(Board up, Board down, Board empty) {
    return {{up_right(up) & empty, up_left(up) & empty, down_left(down) & empty, down_right(down) & empty}};
}

// By one jump over `victims`. One mask is enough: a rotation over the edge ends on the edge, where nothing is captured.
constexpr Reach jumps(Board up, Board down, Board victims, Board empty) {
    victims &= ~edge;
    return {{std::rotl(std::rotl(up, 1) & victims, 1) & empty, std::rotl(std::rotl(up, 7) & victims, 7) & empty,
             std::rotr(std::rotr(down, 1) & victims, 1) & empty, std::rotr(std::rotr(down, 7) & victims, 7) & empty}};
}

// By a step, or the first jump of a capture, of the side to move: its men go up.
constexpr Reach steps(Position p) { return steps(p.own, p.own & p.kings, p.empty()); }
constexpr Reach jumps(Position p) { return jumps(p.own, p.own & p.kings, p.other, p.empty()); }

constexpr bool must_capture(Position p) { return jumps(p).any() != 0; }

namespace detail {

template <class Visit>
constexpr void for_each_bit(Board board, Visit&& visit) {
    for (; board; board &= board - 1) visit(static_cast<unsigned>(std::countr_zero(board)));
}

// Can a first jump be followed by another? The first victim may be left standing for the question:
// a second jump over it would only lead back to the square that was left, which is not empty yet.
constexpr bool chains(Position p, const Reach& first) {
    const Board kings = p.own & p.kings;
    const Board landed_kings = kings ? jumps(kings, kings, p.other, p.empty()).any() : 0;
    return jumps(first.any(), landed_kings, p.other, p.empty()).any() != 0;
}

// A capture under way: the piece has jumped to `at` and may jump over `victims` to the squares of `landing`.
struct Jumper {
    Board at;
    Board victims;
    Board landing;
    Board backward;  // all squares for a king, none for a man

    template <unsigned direction>
    constexpr Board over() const { return step(at, direction) & victims & (direction < 2 ? ~Board{0} : backward); }
    template <unsigned direction>
    constexpr Board to() const { return step(over<direction>(), direction) & landing; }

    // A man that is crowned stops without a case of its own: nothing leads up from the last row.
    constexpr bool can_jump() const { return (to<0>() | to<1>() | to<2>() | to<3>()) != 0; }
};

template <class Visit>
constexpr void for_each_jump(Jumper jumper, Move move, Visit& visit);

// One jump in `direction`, if there is one, and all that follow.
template <unsigned direction, class Visit>
constexpr void jump(const Jumper& jumper, Move move, Visit& visit) {
    const Board to = jumper.to<direction>();
    if (!to) return;
    const Board over = jumper.over<direction>();
    move.path = (move.path | direction << 2 * move.jumps()) & 0x3FFFF;
    move.captured |= over;
    const Jumper next{.at = to, .victims = jumper.victims ^ over, .landing = jumper.landing, .backward = jumper.backward};
    if (next.can_jump()) return for_each_jump(next, move, visit);
    move.to = std::countr_zero(to) & 31;
    visit(move);
}

template <class Visit>
constexpr void for_each_jump(Jumper jumper, Move move, Visit& visit) {
    jump<0>(jumper, move, visit);
    jump<1>(jumper, move, visit);
    if (!jumper.backward) return;
    jump<2>(jumper, move, visit);
    jump<3>(jumper, move, visit);
}

// Captures when some of them go on after the first jump. Rare, and kept out of the way of the common case.
template <class Visit>
[[gnu::noinline]] constexpr void for_each_chain(Position p, const Reach& first, Visit& visit) {
    const Board jumping = down_left(down_left(first.to[0])) | down_right(down_right(first.to[1])) |
                          up_right(up_right(first.to[2])) | up_left(up_left(first.to[3]));
    for_each_bit(jumping, [&](unsigned from) {
        // The square it leaves is free: a king may come back to it.
        const Jumper jumper{.at = bit(from),
                            .victims = p.other,
                            .landing = p.empty() | bit(from),
                            .backward = Board{0} - (p.kings >> from & 1)};
        for_each_jump(jumper, Move{.from = from & 31, .turn = p.turn}, visit);
    });
}

// Single steps or single jumps, two directions in one loop, the second in the upper half of the word: a loop less
// is a wrong guess less for the processor. `back` is one step back round the ring from `to`. (The two boards are values:
// a processor waits when it reads as one word what it has just written as two.)
template <bool jump, unsigned direction, class Visit>
constexpr void for_each_single(Board first, Board second, Color turn, Visit& visit) {
    constexpr unsigned back0 = direction == 0 ? 31 : 1, back1 = direction == 0 ? 25 : 7;
    for (std::uint64_t both = std::uint64_t{second} << 32 | first; both; both &= both - 1) {
        const auto to = static_cast<unsigned>(std::countr_zero(both));
        const unsigned back = to < 32 ? back0 : back1;
        if constexpr (jump) {
            const unsigned way = to < 32 ? direction : direction + 1;
            visit(make_move(bit((to + back) & 31), to + 2 * back, to, way, turn));
        } else {
            visit(make_move(0, to + back, to, 0, turn));
        }
    }
}

}  // namespace detail

// Calls `visit(move)` for every legal move. Capturing is compulsory.
template <class Visit>
constexpr void for_each_move(Position p, Visit visit) {
    if (const Reach first = jumps(p); first.any()) {
        if (detail::chains(p, first)) return detail::for_each_chain(p, first, visit);
        detail::for_each_single<true, 0>(first.to[0], first.to[1], p.turn, visit);
        detail::for_each_single<true, 2>(first.to[2], first.to[3], p.turn, visit);
    } else {
        const Reach plain = steps(p);
        detail::for_each_single<false, 0>(plain.to[0], plain.to[1], p.turn, visit);
        detail::for_each_single<false, 2>(plain.to[2], plain.to[3], p.turn, visit);
    }
}

constexpr Moves generate(Position p) {
    Moves moves;
    for_each_move(p, [&](Move move) { moves.add(move); });
    return moves;
}

namespace detail {

[[gnu::noinline]] constexpr std::uint64_t count_chains(Position p, const Reach& first) {
    std::uint64_t count = 0;
    auto visit = [&](Move) { ++count; };
    for_each_chain(p, first, visit);
    return count;
}

}  // namespace detail

// The number of legal moves, without making them.
constexpr std::uint64_t count_moves(Position p) {
    const Reach first = jumps(p);
    if (!first.any()) return steps(p).count();
    if (!detail::chains(p, first)) return first.count();
    return detail::count_chains(p, first);
}

namespace detail {

[[gnu::noinline]] inline Move random_chain(Position p, const Reach& first, Rng& rng) {
    Moves moves;
    auto add = [&](Move move) { moves.add(move); };
    for_each_chain(p, first, add);
    return moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
}

}  // namespace detail

constexpr bool can_move(Position p) { return steps(p).any() || must_capture(p); }

// Puts into `move` a legal move, all of them equally likely; false when there is none. It is generate(p)[rng.below(count_moves(p))],
// but a list is only made when a capture goes on after its first jump.
// (Not an optional: the compiler puts bit-fields together in memory there, which makes random play a third slower.)
inline bool random_move(Position p, Rng& rng, Move& move) {
    const Reach first = jumps(p);
    const bool capture = first.any() != 0;
    if (capture && detail::chains(p, first)) [[unlikely]] {
        move = detail::random_chain(p, first, rng);
        return true;
    }
    const Reach plain = steps(p);
    // Both kinds are at hand and one is taken without a branch: whether one can capture is hard for the processor to guess.
    const auto choose = [&](unsigned direction) { return capture ? first.to[direction] : plain.to[direction]; };
    const std::uint64_t forward = std::uint64_t{choose(1)} << 32 | choose(0), backward = std::uint64_t{choose(3)} << 32 | choose(2);
    const auto forwards = static_cast<unsigned>(std::popcount(forward)), all = forwards + static_cast<unsigned>(std::popcount(backward));
    if (all == 0) return false;
    const unsigned n = rng.below(all);
    const bool goes_forward = n < forwards;
    const unsigned to = nth_bit(goes_forward ? forward : backward, goes_forward ? n : n - forwards);
    const unsigned direction = to / 32 + (goes_forward ? 0 : 2);
    const unsigned back = 0x0701191FU >> 8 * direction & 31;  // one step back round the ring: 31, 25, 1 or 7
    move = make_move(capture ? bit((to + back) & 31) : 0, to + (capture ? 2 * back : back), to, capture ? direction & 3 : 0, p.turn);
    return true;
}

// The position after a legal move, seen by the other side.
constexpr Position play(Position p, Move move) {
    const Board from = bit(move.from), to = bit(move.to);
    const Board way = from ^ to;  // nothing when a king comes back to where it began
    const Board own = p.own ^ way;
    const Board other = p.other & ~move.captured;
    const Board moved_king = Board{0} - (p.kings >> move.from & 1);
    const Board kings = ((p.kings ^ (way & moved_king)) | (to & crown_row)) & ~move.captured;
    const std::uint64_t both = reversed(std::uint64_t{other} << 32 | own);
    return {.own = static_cast<Board>(both),
            .other = static_cast<Board>(both >> 32),
            .kings = kings ? turned(kings) : 0,  // asked, because the answer is easy to guess and turning is not free
            .turn = !p.turn};
}

namespace detail {

// The number of replies when some of them capture more than one piece. Rare, and kept out of the way.
[[gnu::noinline]] constexpr std::uint64_t count_chains(Position p, Move move) {
    p = play(p, move);
    return count_chains(p, jumps(p));
}

// The number of moves of the side that plays down, if no capture goes on after its first jump.
// Whether it can capture is not asked by a branch, because the processor would often guess wrong.
[[gnu::always_inline]] constexpr std::optional<unsigned> count_downwards(Board movers, Board kings, Board victims) {
    const Board empty = ~(movers | victims);
    const Reach first = jumps(kings, movers, victims, empty);
    const Board landed_kings = jumps(kings, kings, victims, empty).any();
    if (jumps(landed_kings, first.any(), victims, empty).any()) [[unlikely]] return std::nullopt;
    const Board free = empty & (Board{first.any() != 0} - 1);  // for a step: nothing if there is a jump
    const Reach plain = steps(kings, movers, free);
    return Reach{{first.to[0] | plain.to[0], first.to[1] | plain.to[1], first.to[2] | plain.to[2], first.to[3] | plain.to[3]}}.count();
}

}  // namespace detail

// The number of replies to a legal move: count_moves(play(p, move)), but the board is not turned.
// `kings`: the opponent may have kings. Without them half of the expressions are nothing.
template <bool kings>
[[gnu::always_inline]] constexpr std::uint64_t count_replies(Position p, Move move) {
    const Board movers = p.other & ~move.captured, own = p.own ^ bit(move.from) ^ bit(move.to);
    const auto count = detail::count_downwards(movers, kings ? movers & p.kings : 0, own);
    return count ? *count : detail::count_chains(p, move);
}

// The same position with the sides exchanged: what Black faced, White faces, the board turned round.
constexpr Position with_sides_exchanged(Position p) {
    p.turn = !p.turn;
    return p;
}

// True when a move can never be taken back: no position before it can come again.
constexpr bool irreversible(Position p, Move move) { return move.captured || !(p.kings & bit(move.from)); }

// How the game ended here; nothing while it goes on. Draws are the history's business, not the position's.
constexpr std::optional<Outcome> outcome(Position p) {
    if (can_move(p)) return std::nullopt;
    return Outcome{.winner = !p.turn, .reason = Reason::no_moves};
}

namespace detail {

// The number of games of two plies. Most of the work of perft, so nothing in the loop is a call or asked twice.
template <bool kings>
constexpr std::uint64_t two_plies(Position p) {
    std::uint64_t leaves = 0;
    for_each_move(p, [&](Move move) __attribute__((always_inline)) { leaves += count_replies<kings>(p, move); });
    return leaves;
}

}  // namespace detail

// The number of games of `depth` plies. `plain` makes every one of them; else the last ply is only counted.
template <bool plain = false>
constexpr std::uint64_t perft(Position p, int depth) {
    if (depth == 0) return 1;
    if (!plain && depth == 1) return count_moves(p);
    if (!plain && depth == 2) return p.other & p.kings ? detail::two_plies<true>(p) : detail::two_plies<false>(p);
    std::uint64_t leaves = 0;
    for_each_move(p, [&](Move move) { leaves += perft<plain>(play(p, move), depth - 1); });
    return leaves;
}

// Zobrist's hash: a random word for each piece on each square, and one for White to move, exclusively or-ed.
class Zobrist {
public:
    static constexpr std::uint64_t of(Position p) {
        std::uint64_t key = p.turn == Color::white ? white_to_move : 0;
        detail::for_each_bit(p.own, [&](unsigned s) { key ^= piece(p.turn, p.kings >> s & 1, s, p.turn); });
        detail::for_each_bit(p.other, [&](unsigned s) { key ^= piece(!p.turn, p.kings >> s & 1, s, p.turn); });
        return key;
    }

    // The key of play(p, move), from the key of p.
    static constexpr std::uint64_t after(std::uint64_t key, Position p, Move move) {
        const unsigned king = p.kings >> move.from & 1;
        const unsigned crowned = king | (crown_row >> move.to & 1);
        key ^= white_to_move ^ piece(p.turn, king, move.from, p.turn) ^ piece(p.turn, crowned, move.to, p.turn);
        detail::for_each_bit(move.captured, [&](unsigned s) { key ^= piece(!p.turn, p.kings >> s & 1, s, p.turn); });
        return key;
    }

private:
    static constexpr std::uint64_t white_to_move = mix(0x1D05);
    static constexpr auto words = [] {
        std::array<std::uint64_t, 128> table{};
        for (unsigned i = 0; i < table.size(); ++i) table[i] = mix(0xD4A06475 + i);
        return table;
    }();

    // `s` is a square as `viewer` sees it: for White the same piece stands at 31 - s, that is s ^ 31.
    static constexpr std::uint64_t piece(Color color, unsigned king, unsigned s, Color viewer) {
        const unsigned square = s ^ (viewer == Color::white ? 31 : 0);
        return words[static_cast<unsigned>(color) * 64 + king * 32 + square];
    }
};

// The types and the rules under the words that every game has.
struct Game {
    using Position = draughts::Position;
    using Move = draughts::Move;
    using Moves = draughts::Moves;
    using Zobrist = draughts::Zobrist;
    static constexpr std::size_t most_moves = draughts::most_moves;

    static constexpr Position start = draughts::start;
    static constexpr Color turn(Position p) { return p.turn; }
    static constexpr Moves generate(Position p) { return draughts::generate(p); }
    static bool random_move(Position p, Rng& rng, Move& move) { return draughts::random_move(p, rng, move); }
    static constexpr Position play(Position p, Move move) { return draughts::play(p, move); }
    static constexpr bool irreversible(Position p, Move move) { return draughts::irreversible(p, move); }
    static constexpr std::optional<Outcome> outcome(Position p) { return draughts::outcome(p); }
    // Is the fight at rest, so that a search may stop and value the position?
    static constexpr bool is_quiet(Position p) { return !must_capture(p); }
    static constexpr bool is_over(Position p) { return !can_move(p); }
    // Has the side to move more than one move?
    static constexpr bool has_choice(Position p) { return count_moves(p) > 1; }
    // Has the side to move, in a game that is over, pieces that cannot move?
    static constexpr bool is_blocked(Position p) { return p.own != 0; }
    // Does this legal move win the game at once?
    static constexpr bool wins(Position p, Move move) { return !can_move(play(p, move)); }
    // A small number for what a move does, wherever it is played: the index of a search's memory of good moves.
    static constexpr std::size_t slots = 1024;
    static constexpr std::size_t slot(Move move) { return move.from * 32U + move.to; }
    template <bool plain>
    static constexpr std::uint64_t perft(Position p, int depth) { return draughts::perft<plain>(p, depth); }
};

}  // namespace ludus::draughts
