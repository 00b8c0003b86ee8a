// Planes: a position as small boards of numbers from 0 to 1, one above another, for networks that see a picture.
//
// They are seen by the side to move. Draughts has six planes of 8 rows by 8 columns, with the side to move at the bottom, playing up:
//
//     0 own men     2 the opponent's men     4 quiet plies so far, as a share of the limit; the same number everywhere
//     1 own kings   3 the opponent's kings   5 how often this position stood before, as a share of the limit; likewise
//
// Tic-Tac-Toe 3D has eight planes of 4 rows (digits) by 4 columns (letters): own stones on level 1 to 4, then the opponent's.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "evaluation/features.hpp"
#include "games/draughts.hpp"
#include "games/playing.hpp"
#include "games/tictactoe3d.hpp"

namespace ludus {

template <class Game>
struct Planes;

template <>
struct Planes<draughts::Game> {
    static constexpr std::array<std::size_t, 3> shape{6, 8, 8};
    static constexpr std::size_t size = 6 * 64;

    // `row` holds `size` numbers. A position alone has no quiet plies and did not stand before.
    static void write(draughts::Position p, float* row) {
        std::fill(row, row + size, 0.0F);
        const auto put = [&](draughts::Board pieces, std::size_t plane) {
            draughts::detail::for_each_bit(pieces, [&](unsigned s) { row[64 * plane + places[s]] = 1; });
        };
        put(p.own & ~p.kings, 0);
        put(p.own & p.kings, 1);
        put(p.other & ~p.kings, 2);
        put(p.other & p.kings, 3);
    }

    static void write(draughts::Position p, const DrawClock<draughts::Game>& clock, float* row) {
        write(p, row);
        const DrawRules& rules = clock.rules();
        const auto fill = [&](int count, int limit, std::size_t plane) {
            if (count <= 0 || limit <= 0) return;
            const float share = std::min(1.0F, static_cast<float>(count) / static_cast<float>(limit));
            std::fill(row + 64 * plane, row + 64 * (plane + 1), share);
        };
        fill(clock.quiet_plies(), rules.quiet_plies, 4);
        fill(clock.times() - 1, rules.repetitions - 1, 5);
    }

    // The same board from the other side.
    static draughts::Position other_view(draughts::Position p) { return draughts::seen_by_other(p); }

private:
    // The cell of a square of the ring: the mover's square 1 is in the bottom row.
    static constexpr auto places = [] {
        std::array<std::size_t, 32> table{};
        for (unsigned square = 1; square <= 32; ++square) {
            const unsigned row = (square - 1) / 4, column = (square - 1) % 4 * 2 + (1 - row % 2);
            table[draughts::ring(square)] = 8 * (7 - row) + (7 - column);
        }
        return table;
    }();
};

template <>
struct Planes<tictactoe3d::Game> {
    static constexpr std::array<std::size_t, 3> shape{8, 4, 4};
    static constexpr std::size_t size = 2 * 64;

    static void write(tictactoe3d::Position p, float* row) {
        for (const tictactoe3d::Board stones : {p.own, p.other}) {
            for (unsigned first = 0; first < 64; first += 4, row += 4) std::copy_n(fours[stones >> first & 15].data(), 4, row);
        }
    }

    static void write(tictactoe3d::Position p, const DrawClock<tictactoe3d::Game>&, float* row) { write(p, row); }

    static tictactoe3d::Position other_view(tictactoe3d::Position p) { return {.own = p.other, .other = p.own}; }

private:
    // Four cells as numbers, by their bits. One cell at a time is twice as slow without AVX-512.
    static constexpr auto fours = [] {
        std::array<std::array<float, 4>, 16> table{};
        for (unsigned bits = 0; bits < 16; ++bits) {
            for (unsigned cell = 0; cell < 4; ++cell) table[bits][cell] = static_cast<float>(bits >> cell & 1);
        }
        return table;
    }();
};

}  // namespace ludus
