// The evaluators of Tic-Tac-Toe 3D: open lines, networks on the cells, and networks on the patterns of the lines.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "evaluation/evaluators.hpp"
#include "evaluation/packed.hpp"
#include "evaluation/patterns.hpp"

namespace ludus::tictactoe3d {

// Lines that only one side has stones on, the more stones the more they count.
class Material : public Stateless<Game> {
public:
    float value(const State&, Position afterstate) const {
        int score = 0;
        for (const Board line : lines) {
            const int own = std::popcount(afterstate.other & line), other = std::popcount(afterstate.own & line);
            if (!other) score += own * own;
            if (!own) score -= other * other;
        }
        return static_cast<float>(score) / (76 * 16.0F);
    }
};

// A network on the 64 cells. The sums are kept as White sees them; Black sees the same with the other sign.
class CellNetwork {
public:
    using Game = tictactoe3d::Game;
    using State = std::array<Integers, most_vectors>;

    explicit CellNetwork(const Network& network) : upper_(network), rows_(Rows(network)) {
        if (network.inputs() != cells) throw std::invalid_argument("a network on the cells has 64 inputs");
    }

    void begin(State& state, Position p) const {
        std::fill_n(state.begin(), rows_.width(), Integers{});
        const Board white = p.turn() == Color::white ? p.own : p.other;
        for (Board left = p.occupied(); left; left &= left - 1) {
            const auto cell = static_cast<unsigned>(std::countr_zero(left));
            put(state, state, cell, white & bit(cell) ? Color::white : Color::black);
        }
    }
    void follow(State& after, const State& before, Position p, Move move) const { put(after, before, cell_of(p, move), p.turn()); }
    float value(const State& state, Position afterstate) const {
        const float sign = afterstate.turn() == Color::black ? 1.0F : -1.0F;  // White has just moved, or Black
        std::array<Vector, most_vectors> net;
        for (std::size_t w = 0; w < rows_.width(); ++w) net[w] = rows_.net(state[w], w, sign);
        return upper_.value(net.data(), 0);
    }

private:
    void put(State& after, const State& before, unsigned cell, Color color) const {
        const Integers* row = rows_[cell];
        for (std::size_t w = 0; w < rows_.width(); ++w) after[w] = color == Color::white ? before[w] + row[w] : before[w] - row[w];
    }

    Upper upper_;
    FixedRows rows_;
};

// A network on the patterns of the lines. The sums are kept for both views, because a pattern seen from the other side is
// another pattern.
class PatternNetwork {
public:
    using Game = tictactoe3d::Game;
    static constexpr std::size_t most = 16;  // vectors: 128 nodes
    using Sums = std::array<Integers, most>;
    using State = std::array<Sums, 2>;  // as Black sees the board, as White sees it

    PatternNetwork(const Network& network, bool symmetric) : upper_(network), rows_(Rows(network)), table_(&pattern_table(symmetric)) {
        if (network.inputs() != table_->inputs) throw std::invalid_argument("a network on these patterns has " + std::to_string(table_->inputs) + " inputs");
        if (rows_.width() > most) throw std::invalid_argument("a network on patterns has at most 128 nodes in its first layer");
    }

    void begin(State& state, Position p) const {
        for (Sums& sums : state) std::fill_n(sums.begin(), rows_.width(), Integers{});
        for (std::size_t line = 0; line < lines.size(); ++line) {
            add(state[static_cast<std::size_t>(p.turn())], line, pattern(p.own, p.other, line));
            add(state[static_cast<std::size_t>(!p.turn())], line, pattern(p.other, p.own, line));
        }
    }

    void follow(State& after, const State& before, Position p, Move move) const {
        const auto mover = static_cast<std::size_t>(p.turn()), other = 1 - mover;
        for (std::size_t side = 0; side < 2; ++side) std::copy_n(before[side].begin(), rows_.width(), after[side].begin());
        for (const auto [line, place] : crossings[cell_of(p, move)]) {
            const unsigned own = pattern(p.own, p.other, line), seen = pattern(p.other, p.own, line);
            change(after[mover], line, own, own + place_worth[place]);
            change(after[other], line, seen, seen + 2 * place_worth[place]);
        }
    }

    float value(const State& state, Position afterstate) const {
        const Sums& sums = state[static_cast<std::size_t>(!afterstate.turn())];
        std::array<Vector, most> net;
        for (std::size_t w = 0; w < rows_.width(); ++w) net[w] = rows_.net(sums[w], w);
        return upper_.value(net.data(), 0);
    }

private:
    void add(Sums& sums, std::size_t line, unsigned code) const {
        const Integers* row = rows_[table_->input[line][code]];
        for (std::size_t w = 0; w < rows_.width(); ++w) sums[w] += row[w];
    }
    void change(Sums& sums, std::size_t line, unsigned from, unsigned to) const {
        const Integers *gone = rows_[table_->input[line][from]], *come = rows_[table_->input[line][to]];
        for (std::size_t w = 0; w < rows_.width(); ++w) sums[w] += come[w] - gone[w];
    }

    Upper upper_;
    FixedRows rows_;
    const PatternTable* table_;
};

}  // namespace ludus::tictactoe3d
