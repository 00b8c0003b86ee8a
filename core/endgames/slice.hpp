// A slice: all positions with given numbers of men and kings, and a number for each of them.
//
// A position is seen by the side to move, so colours do not matter. A position is numbered by four sets, the men of both
// sides and then the kings of both sides, each by the rank of its set among all sets of that size:
//
//     own men      on the 28 squares that are not the crown row
//     other men    on the 28 squares that are not the home row, their own crown row
//     own kings    on the squares without men
//     other kings  on the squares that are left
//
// The kings come last, so positions that differ by the step of a king have near numbers. Men of both sides may get the same
// square: those numbers stand for no position. They are few, and leaving them in makes the numbering four sums.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "games/draughts.hpp"

namespace ludus::endgames {

using draughts::Board;
using draughts::Position;

constexpr int most_pieces = 8;  // of both sides together, for which the numbers of a slice fit 64 bits easily

// binomial[n][k]: the sets of k among n squares.
constexpr auto binomial = [] {
    std::array<std::array<std::uint64_t, most_pieces + 1>, 33> table{};
    for (std::size_t n = 0; n <= 32; ++n) {
        table[n][0] = 1;
        for (std::size_t k = 1; k <= most_pieces && n; ++k) table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
    }
    return table;
}();

struct Slice {
    int own_men = 0, own_kings = 0, other_men = 0, other_kings = 0;

    constexpr int pieces() const { return own_men + own_kings + other_men + other_kings; }
    constexpr int men() const { return own_men + other_men; }
    // The slice in which the opponent is to move.
    constexpr Slice mirrored() const { return {other_men, other_kings, own_men, own_kings}; }

    friend constexpr auto operator<=>(const Slice&, const Slice&) = default;
};

constexpr Slice slice_of(Position p) {
    const Board own_kings = p.own & p.kings, other_kings = p.other & p.kings;
    return {std::popcount(p.own ^ own_kings), std::popcount(own_kings), std::popcount(p.other ^ other_kings), std::popcount(other_kings)};
}

// All slices of so many pieces, both sides present, in the order in which they can be built: a man that is crowned leads to a
// slice with fewer men, which comes before.
inline std::vector<Slice> slices(int pieces) {
    std::vector<Slice> all;
    for (int men = 0; men <= pieces; ++men) {
        for (int own = 1; own < pieces; ++own) {
            for (int own_men = 0; own_men <= own; ++own_men) {
                const int other_men = men - own_men, other = pieces - own;
                if (other_men >= 0 && other_men <= other) all.push_back({own_men, own - own_men, other_men, other - other_men});
            }
        }
    }
    return all;
}

// How many positions a slice has: men of the two sides share 24 squares, and each side has 4 squares of its own.
inline std::uint64_t count_positions(Slice slice) {
    std::uint64_t count = 0;
    for (int shared = 0; shared <= slice.own_men; ++shared) {  // own men on the squares that both sides' men can have
        if (slice.own_men - shared > 4 || shared > 24) continue;
        count += binomial[24][static_cast<std::size_t>(shared)] * binomial[4][static_cast<std::size_t>(slice.own_men - shared)] *
                 binomial[static_cast<std::size_t>(28 - shared)][static_cast<std::size_t>(slice.other_men)];
    }
    const auto free = static_cast<std::size_t>(32 - slice.men());
    return count * binomial[free][static_cast<std::size_t>(slice.own_kings)] *
           binomial[free - static_cast<std::size_t>(slice.own_kings)][static_cast<std::size_t>(slice.other_kings)];
}

// The numbering of one slice.
class SliceIndex {
public:
    SliceIndex() = default;
    explicit SliceIndex(Slice slice) : slice_(slice) {
        const auto free = static_cast<std::size_t>(32 - slice.men());
        other_men_ = binomial[28][static_cast<std::size_t>(slice.other_men)];
        own_kings_ = binomial[free][static_cast<std::size_t>(slice.own_kings)];
        other_kings_ = binomial[free - static_cast<std::size_t>(slice.own_kings)][static_cast<std::size_t>(slice.other_kings)];
        size_ = binomial[28][static_cast<std::size_t>(slice.own_men)] * other_men_ * own_kings_ * other_kings_;
    }

    Slice slice() const { return slice_; }
    std::uint64_t size() const { return size_; }

    // The number of a position of this slice.
    std::uint64_t index(Position p) const {
        const Board own_kings = p.own & p.kings, other_kings = p.other & p.kings;
        const Board own_men = p.own ^ own_kings, other_men = p.other ^ other_kings;
        const Board men = own_men | other_men;
        const std::uint64_t pawns = rank(own_men, draughts::crown_row) * other_men_ + rank(other_men, draughts::home_row);
        return (pawns * own_kings_ + rank(own_kings, men)) * other_kings_ + rank(other_kings, men | own_kings);
    }

    // The position with this number, Black to move; none if men of both sides have the same square.
    std::optional<Position> position(std::uint64_t index) const {
        const std::uint64_t other_kings = index % other_kings_;
        index /= other_kings_;
        const std::uint64_t own_kings = index % own_kings_;
        index /= own_kings_;
        Position p;
        p.own = set(index / other_men_, slice_.own_men, draughts::crown_row);
        p.other = set(index % other_men_, slice_.other_men, draughts::home_row);
        if (p.own & p.other) return std::nullopt;
        const Board men = p.own | p.other;
        const Board own = set(own_kings, slice_.own_kings, men);
        const Board other = set(other_kings, slice_.other_kings, men | own);
        p.own |= own;
        p.other |= other;
        p.kings = own | other;
        return p;
    }

private:
    // The rank of a set among the sets of its size on the squares that are not `taken`: the colexicographic order.
    static std::uint64_t rank(Board set, Board taken) {
        std::uint64_t rank = 0;
        for (std::size_t k = 1; set; set &= set - 1, ++k) {
            const Board below = (set & (~set + 1)) - 1;  // the squares under the lowest of the set
            rank += binomial[static_cast<std::size_t>(std::popcount(below & ~taken))][k];
        }
        return rank;
    }

    static Board set(std::uint64_t rank, int size, Board taken) {
        Board set = 0;
        const Board free = ~taken;
        auto place = static_cast<std::size_t>(std::popcount(free));
        for (auto k = static_cast<std::size_t>(size); k > 0; --k) {
            do --place;
            while (binomial[place][k] > rank);
            rank -= binomial[place][k];
            set |= nth(free, place);
        }
        return set;
    }

    // The nth square of a set, counted from 0.
    static Board nth(Board set, std::size_t n) { return draughts::bit(nth_bit(set, static_cast<unsigned>(n))); }

    Slice slice_{};
    std::uint64_t other_men_ = 0, own_kings_ = 0, other_kings_ = 0, size_ = 0;
};

}  // namespace ludus::endgames
