// Encoders: an afterstate as network inputs, seen by the side that has just moved, which always plays up from square 1.
//
// squares32     a number a square: own man 1, own king `king`, the opponent's negative
// subsquares91  the sums of those over the 91 sub-squares of the board, 3x3 to 8x8
// featuremap    the bits of a set of NET-FEATUREMAP's features (featuremap.hpp)
// cells64       Tic-Tac-Toe 3D: own stone 1, the opponent's -1
// patterns      how often each pattern of each line is there; or of each class of lines, which the board's symmetries share
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "games/draughts.hpp"
#include "evaluation/featuremap.hpp"
#include "evaluation/patterns.hpp"
#include "games/tictactoe3d.hpp"

namespace ludus {

namespace draughts {

// The squares, 0 to 31 for 1 to 32, of each of the 91 sub-squares: all 3x3 row by row, then all 4x4, and so on.
inline const std::vector<std::vector<unsigned>>& subsquares() {
    static const auto table = [] {
        std::vector<std::vector<unsigned>> list;
        for (unsigned size = 3; size <= 8; ++size) {
            for (unsigned top = 0; top + size <= 8; ++top) {
                for (unsigned left = 0; left + size <= 8; ++left) {
                    std::vector<unsigned> members;
                    for (unsigned square = 0; square < 32; ++square) {
                        const unsigned row = square / 4, column = square % 4 * 2 + (1 - row % 2);
                        if (row - top < size && column - left < size) members.push_back(square);
                    }
                    list.push_back(std::move(members));
                }
            }
        }
        return list;
    }();
    return table;
}

// The pieces of a board as numbers, 0 to 31 for squares 1 to 32 of the side that has just moved.
inline void encode_squares(Position afterstate, float king, std::span<float, 32> inputs) {
    const Position view = seen_by_other(afterstate);
    for (unsigned square = 0; square < 32; ++square) {
        const unsigned s = ring(square + 1);
        const float worth = view.kings >> s & 1 ? king : 1.0F;
        inputs[square] = view.own >> s & 1 ? worth : view.other >> s & 1 ? -worth : 0.0F;
    }
}

inline void encode_subsquares(Position afterstate, float king, std::span<float, 91> inputs) {
    std::array<float, 32> squares{};
    encode_squares(afterstate, king, squares);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        inputs[i] = 0;
        for (const unsigned square : subsquares()[i]) inputs[i] += squares[square];
    }
}

// What Blondie24 adds to its output node: the worth of the pieces of the side that has just moved, less the opponent's.
constexpr float piece_difference(Position afterstate, float king) {
    const auto worth = [&](Board pieces) {
        return static_cast<float>(std::popcount(pieces & ~afterstate.kings)) + king * static_cast<float>(std::popcount(pieces & afterstate.kings));
    };
    return worth(afterstate.other) - worth(afterstate.own);
}

}  // namespace draughts

namespace tictactoe3d {

inline void encode_cells(Position afterstate, std::span<float, 64> inputs) {
    for (unsigned cell = 0; cell < cells; ++cell) {
        inputs[cell] = static_cast<float>(afterstate.other >> cell & 1) - static_cast<float>(afterstate.own >> cell & 1);
    }
}

inline std::vector<float> encode_patterns(Position afterstate, bool symmetric) {
    const PatternTable& table = pattern_table(symmetric);
    std::vector<float> inputs(table.inputs);
    for (std::size_t line = 0; line < lines.size(); ++line) inputs[table.input[line][pattern(afterstate.other, afterstate.own, line)]] += 1;
    return inputs;
}

}  // namespace tictactoe3d
}  // namespace ludus
