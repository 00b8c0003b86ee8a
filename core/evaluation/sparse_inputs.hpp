// Inputs of which few are on: what a network with a sparse first layer sees of a position, by the view of the side to move.
//
// A class of inputs has
//     count                          how many there are; `usual` is how many are on in most positions, `most` the most that can be
//     phase(position)                which of the `phases` upper networks values it
//     is_ending(position)            is it one of the many positions late in a game?
//     for_each(position, visit)      visit(input) for every input that is on, as the side to move sees it
//     turned(position)               the position as the other side sees it
//     changes(position, move, change, drop)
//                                    what a move changes: change(view, gone, come) and drop(view, gone); view 0 is the mover's,
//                                    1 the opponent's. The first call for each view is a change.
//     image(position, n)             the n-th of `images` positions that are worth the same
#pragma once

#include <array>
#include <bit>
#include <cstddef>

#include "evaluation/patterns.hpp"
#include "games/draughts.hpp"
#include "games/tictactoe3d.hpp"

namespace ludus::draughts {

// Own man, own king, other man, other king on each square of the ring.
struct PieceInputs {
    using Game = draughts::Game;
    static constexpr std::size_t count = 128, usual = 16, most = 24, phases = 4, images = 1;

    static constexpr std::size_t phase(Position p) {
        const int pieces = p.pieces();
        return pieces <= 6 ? 0 : pieces <= 10 ? 1 : pieces <= 16 ? 2 : 3;
    }

    static constexpr bool is_ending(Position p) { return p.pieces() <= 10; }

    template <class Visit>
    static constexpr void for_each(Position p, Visit visit) {
        detail::for_each_bit(p.own, [&](unsigned s) { visit(input(0, p.kings >> s & 1, s)); });
        detail::for_each_bit(p.other, [&](unsigned s) { visit(input(1, p.kings >> s & 1, s)); });
    }

    static constexpr Position turned(Position p) {
        return {.own = draughts::turned(p.other), .other = draughts::turned(p.own), .kings = draughts::turned(p.kings), .turn = !p.turn};
    }

    template <class Change, class Drop>
    static constexpr void changes(Position p, Move move, Change change, Drop drop) {
        const unsigned king = p.kings >> move.from & 1, crowned = king | (crown_row >> move.to & 1);
        change(0, input(0, king, move.from), input(0, crowned, move.to));
        change(1, input(1, king, move.from ^ 31U), input(1, crowned, move.to ^ 31U));
        detail::for_each_bit(move.captured, [&](unsigned s) {
            const unsigned gone = p.kings >> s & 1;
            drop(0, input(1, gone, s));
            drop(1, input(0, gone, s ^ 31U));
        });
    }

    static constexpr Position image(Position p, unsigned) { return p; }

private:
    static constexpr std::size_t input(unsigned other, unsigned king, unsigned square) { return 64 * other + 32 * king + square; }
};

}  // namespace ludus::draughts

namespace ludus::tictactoe3d {

// The pattern of each line, and the cells that a stone can fall to.
struct LineInputs {
    using Game = tictactoe3d::Game;
    static constexpr std::size_t pattern_count = lines.size() * patterns;
    static constexpr std::size_t count = pattern_count + cells, usual = lines.size(), most = lines.size() + columns, phases = 4, images = symmetries;

    static constexpr std::size_t phase(Position p) {
        const int stones = p.stones();
        return stones <= 12 ? 0 : stones <= 24 ? 1 : stones <= 36 ? 2 : 3;
    }

    static constexpr bool is_ending(Position p) { return p.stones() > 36; }

    template <class Visit>
    static void for_each(Position p, Visit visit) {
        for (std::size_t line = 0; line < lines.size(); ++line) visit(line * patterns + pattern(p.own, p.other, line));
        for (Board left = p.open(); left; left &= left - 1) visit(pattern_count + static_cast<unsigned>(std::countr_zero(left)));
    }

    static constexpr Position turned(Position p) { return {.own = p.other, .other = p.own}; }

    template <class Change, class Drop>
    static void changes(Position p, Move move, Change change, Drop drop) {
        const unsigned cell = cell_of(p, move);
        for (const auto [line, place] : crossings[cell]) {
            const std::size_t own = line * patterns + pattern(p.own, p.other, line), seen = line * patterns + pattern(p.other, p.own, line);
            change(0, own, own + place_worth[place]);
            change(1, seen, seen + 2 * place_worth[place]);
        }
        for (unsigned view = 0; view < 2; ++view) {
            if (cell + columns < cells) change(view, pattern_count + cell, pattern_count + cell + columns);
            else drop(view, pattern_count + cell);
        }
    }

    static constexpr Position image(Position p, unsigned n) { return n ? symmetric(p, static_cast<int>(n)) : p; }
};

}  // namespace ludus::tictactoe3d
