// What a network in training sees of an afterstate: the inputs that are not zero, and what a move changes in them.
//
//     for_each(afterstate, put)    put(input, value) for every input that is not zero, for the side that has just moved
//     changes(position, move, put) the same for what the move adds to the inputs of the side that makes it
//     direct(afterstate)           what goes past all layers into the output node
//
// Where a move changes much of what its side sees, there are no `changes` and an afterstate is looked at anew.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <span>

#include "evaluation/encoders.hpp"
#include "evaluation/patterns.hpp"

namespace ludus {

namespace tictactoe3d {

// cells64
class CellInputs {
public:
    using Game = tictactoe3d::Game;
    static constexpr bool has_changes = true;

    std::size_t size() const { return cells; }
    template <class Put>
    void for_each(Position afterstate, Put put) const {
        for (Board left = afterstate.occupied(); left; left &= left - 1) {
            const auto cell = static_cast<unsigned>(std::countr_zero(left));
            put(cell, afterstate.other & bit(cell) ? 1.0F : -1.0F);
        }
    }
    template <class Put>
    void changes(Position p, Move move, Put put) const { put(cell_of(p, move), 1.0F); }
    float direct(Position) const { return 0; }
};

// patterns6156, or the fewer inputs of its symmetric table
class PatternInputs {
public:
    using Game = tictactoe3d::Game;
    static constexpr bool has_changes = true;

    explicit PatternInputs(bool symmetric) : table_(&pattern_table(symmetric)) {}

    std::size_t size() const { return table_->inputs; }
    template <class Put>
    void for_each(Position afterstate, Put put) const {
        for (std::size_t line = 0; line < lines.size(); ++line) put(table_->input[line][pattern(afterstate.other, afterstate.own, line)], 1.0F);
    }
    template <class Put>
    void changes(Position p, Move move, Put put) const {
        for (const auto [line, place] : crossings[cell_of(p, move)]) {
            const unsigned before = pattern(p.own, p.other, line);
            put(table_->input[line][before], -1.0F);
            put(table_->input[line][before + place_worth[place]], 1.0F);
        }
    }
    float direct(Position) const { return 0; }

private:
    const PatternTable* table_;
};

}  // namespace tictactoe3d

namespace draughts {

// squares32 or subsquares91, with or without the piece difference
class BoardInputs {
public:
    using Game = draughts::Game;
    static constexpr bool has_changes = false;

    BoardInputs(bool sums, float king, bool difference) : sums_(sums), king_(king), difference_(difference) {}

    std::size_t size() const { return sums_ ? 91 : 32; }
    template <class Put>
    void for_each(Position afterstate, Put put) const {
        std::array<float, 91> inputs{};
        if (sums_) encode_subsquares(afterstate, king_, inputs);
        else encode_squares(afterstate, king_, std::span<float, 91>(inputs).subspan<0, 32>());
        for (std::size_t i = 0; i < size(); ++i) {
            if (inputs[i] != 0) put(i, inputs[i]);
        }
    }
    float direct(Position afterstate) const { return difference_ ? piece_difference(afterstate, king_) : 0; }

private:
    bool sums_;
    float king_;
    bool difference_;
};

// The bits of a set of features.
class FeatureInputs {
public:
    using Game = draughts::Game;
    static constexpr bool has_changes = false;

    FeatureInputs(FeatureSet set, Coding coding) : set_(set), coding_(coding) {}

    std::size_t size() const { return set_.inputs(); }
    template <class Put>
    void for_each(Position afterstate, Put put) const {
        pack(afterstate, set_, coding_).for_each_on([&](std::size_t i) { put(i, 1.0F); });
    }
    float direct(Position) const { return 0; }

private:
    FeatureSet set_;
    Coding coding_;
};

}  // namespace draughts
}  // namespace ludus
