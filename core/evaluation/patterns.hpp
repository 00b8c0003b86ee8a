// The lines of Tic-Tac-Toe 3D as patterns: the stones on the four cells of a line make one of 81.
//
// A pattern is a number of four digits in base 3, the line's lowest cell first: 0 empty, 1 mine, 2 theirs.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/bits.hpp"
#include "games/tictactoe3d.hpp"

namespace ludus::tictactoe3d {

constexpr std::size_t patterns = 81;
constexpr std::array<unsigned, 4> place_worth = {1, 3, 9, 27};  // of a stone of mine on the line's n-th cell

// A line through a cell, and which of the line's cells it is.
struct Crossing {
    std::uint8_t line = 0;
    std::uint8_t place = 0;
};

struct Crossings {
    std::array<Crossing, most_lines> list{};
    std::size_t n = 0;

    constexpr const Crossing* begin() const { return list.data(); }
    constexpr const Crossing* end() const { return list.data() + n; }
};

constexpr auto crossings = [] {
    std::array<Crossings, cells> table{};
    for (std::size_t line = 0; line < lines.size(); ++line) {
        std::uint8_t place = 0;
        for (Board left = lines[line]; left; left &= left - 1) {
            Crossings& there = table[static_cast<std::size_t>(std::countr_zero(left))];
            there.list[there.n++] = {.line = static_cast<std::uint8_t>(line), .place = place++};
        }
    }
    return table;
}();

// Four bits as digits in base 3.
constexpr auto ternary = [] {
    std::array<std::uint8_t, 16> table{};
    for (unsigned bits = 0; bits < 16; ++bits) {
        for (unsigned place = 0; place < 4; ++place) table[bits] = static_cast<std::uint8_t>(table[bits] + (bits >> place & 1) * place_worth[place]);
    }
    return table;
}();

inline unsigned pattern(Board mine, Board theirs, std::size_t line) {
    return ternary[gathered(mine, lines[line])] + 2U * ternary[gathered(theirs, lines[line])];
}

// A network's input for each pattern of each line. In the symmetric table lines and patterns that the symmetries of the
// board turn into each other have one input, so a network on it values all images of a position alike.
struct PatternTable {
    std::array<std::array<std::uint16_t, patterns>, lines.size()> input{};
    std::size_t inputs = 0;
};

inline const PatternTable& pattern_table(bool symmetric) {
    static const auto make = [](bool shared) {
        PatternTable table;
        constexpr std::uint16_t none = 0xFFFF;
        for (auto& row : table.input) row.fill(none);
        for (std::size_t line = 0; line < lines.size(); ++line) {
            for (std::size_t code = 0; code < patterns; ++code) {
                if (table.input[line][code] != none) continue;
                Board mine = 0, theirs = 0;
                std::size_t rest = code;
                for (Board left = lines[line]; left; left &= left - 1, rest /= 3) {
                    if (rest % 3 == 1) mine |= left & (0 - left);
                    if (rest % 3 == 2) theirs |= left & (0 - left);
                }
                for (int symmetry = 0; symmetry < (shared ? symmetries : 1); ++symmetry) {
                    const Board image = ludus::tictactoe3d::symmetric(lines[line], symmetry);
                    std::size_t to = 0;
                    while (lines[to] != image) ++to;
                    table.input[to][pattern(ludus::tictactoe3d::symmetric(mine, symmetry), ludus::tictactoe3d::symmetric(theirs, symmetry), to)] =
                        static_cast<std::uint16_t>(table.inputs);
                }
                ++table.inputs;
            }
        }
        return table;
    };
    static const std::array<PatternTable, 2> tables = {make(false), make(true)};
    return tables[symmetric];
}

}  // namespace ludus::tictactoe3d
