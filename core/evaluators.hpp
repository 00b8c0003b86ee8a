// Evaluators: the value in [-1, 1] of an afterstate for the side that has just moved.
//
// An evaluator keeps a State along the line of play, so that a search pays only for what a move changes:
//     begin(state, position)                  the state of any position
//     follow(after, before, position, move)   the state after a legal move, from the state before it
//     value(state, afterstate)                the value
// One that has a network can be taught; whoever does it asks for
//     encode(afterstate, inputs)              the network's inputs; returns what goes straight into its output node
//     with(network)                           the same evaluator with another network of the same shape
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "encoders.hpp"
#include "packed.hpp"
#include "patterns.hpp"

namespace ludus {

namespace draughts {

// Pieces counted, 2 a man and 3 a king: the difference as a share of the whole, so that who is ahead likes exchanges.
class Material {
public:
    using Game = draughts::Game;
    struct State {};

    void begin(State&, Position) const {}
    void follow(State&, const State&, Position, Move) const {}
    float value(const State&, Position afterstate) const {
        const int own = material(afterstate.other, afterstate.kings), other = material(afterstate.own, afterstate.kings);
        return static_cast<float>(own - other) / static_cast<float>(std::max(own + other, 1));  // a board may be empty
    }

private:
    static constexpr int material(Board pieces, Board kings) { return 2 * std::popcount(pieces) + std::popcount(pieces & kings); }
};

// A network on the squares of the board, or on sums of them, which are folded into the squares.
// The net inputs of the first layer's nodes are kept for both views of the board and changed by each move.
class BoardNetwork {
public:
    using Game = draughts::Game;
    static constexpr std::size_t most = 16;  // vectors: 128 nodes
    using Sums = std::array<Integers, most>;
    using State = std::array<Sums, 2>;  // as Black sees the board, as White sees it

    // `king` is the worth of a king where a man is 1; `difference` adds the piece difference to the output node.
    BoardNetwork(const Network& network, float king, bool difference)
        : upper_(network), rows_(folded(network, king)), king_(king), difference_(difference) {
        if (rows_.width() > most) throw std::invalid_argument("a network on the board has at most 128 nodes in its first layer");
    }

    void begin(State& state, Position p) const {
        for (Sums& sums : state) std::fill_n(sums.begin(), rows_.width(), Integers{});
        const auto turn = static_cast<std::size_t>(p.turn);
        detail::for_each_bit(p.own, [&](unsigned s) { put(state, turn, s, p.kings >> s & 1); });
        detail::for_each_bit(p.other, [&](unsigned s) { put(state, 1 - turn, s ^ 31, p.kings >> s & 1); });
    }

    void follow(State& after, const State& before, Position p, Move move) const {
        const unsigned king = p.kings >> move.from & 1, crowned = king | (crown_row >> move.to & 1);
        const auto turn = static_cast<std::size_t>(p.turn);
        const Integers *from = row(move.from, king), *to = row(move.to, crowned);
        const Integers *from_beyond = row(move.from ^ 31U, king), *to_beyond = row(move.to ^ 31U, crowned);
        for (std::size_t w = 0; w < rows_.width(); ++w) {
            after[turn][w] = before[turn][w] - from[w] + to[w];
            after[1 - turn][w] = before[1 - turn][w] + from_beyond[w] - to_beyond[w];
        }
        detail::for_each_bit(move.captured, [&](unsigned s) {
            const Integers *gone = row(s, p.kings >> s & 1), *gone_beyond = row(s ^ 31, p.kings >> s & 1);
            for (std::size_t w = 0; w < rows_.width(); ++w) {
                after[turn][w] += gone[w];
                after[1 - turn][w] -= gone_beyond[w];
            }
        });
    }

    float value(const State& state, Position afterstate) const {
        const Sums& sums = state[static_cast<std::size_t>(!afterstate.turn)];
        std::array<Vector, most> net;
        for (std::size_t w = 0; w < rows_.width(); ++w) net[w] = rows_.net(sums[w], w);
        return upper_.value(net.data(), difference_ ? piece_difference(afterstate, king_) : 0);
    }

    float encode(Position afterstate, std::span<float> inputs) const {
        if (inputs.size() == 32) encode_squares(afterstate, king_, inputs.first<32>());
        else encode_subsquares(afterstate, king_, inputs.first<91>());
        return difference_ ? piece_difference(afterstate, king_) : 0;
    }
    BoardNetwork with(const Network& network) const { return {network, king_, difference_}; }

private:
    // The first layer over the squares of the ring, 32 rows for men and 32 for kings: an input that is a sum over squares
    // is given to those squares.
    static FixedRows folded(const Network& network, float king) {
        const Rows given(network);
        const std::size_t inputs = network.inputs();
        if (!(king > 0 && king <= 100)) throw std::invalid_argument("a king is worth more than 0 and at most 100 men");
        if (inputs != 32 && inputs != 91) throw std::invalid_argument("a network on the board has 32 or 91 inputs");
        Rows rows(64, network.layers().front().outputs);
        rows.bias = given.bias;
        for (std::size_t i = 0; i < inputs; ++i) {
            const auto add = [&](unsigned square) {
                for (std::size_t w = 0; w < rows.width; ++w) {
                    rows[ring(square + 1)][w] += given[i][w];
                    rows[32 + ring(square + 1)][w] += king * given[i][w];
                }
            };
            if (inputs == 32) add(static_cast<unsigned>(i));
            else std::ranges::for_each(subsquares()[i], add);
        }
        return FixedRows(rows);
    }

    const Integers* row(unsigned s, unsigned king) const { return rows_[s + 32 * king]; }

    // A piece of `side` on square `s` as it sees it.
    void put(State& state, std::size_t side, unsigned s, unsigned king) const {
        for (std::size_t w = 0; w < rows_.width(); ++w) {
            state[side][w] += row(s, king)[w];
            state[1 - side][w] -= row(s ^ 31, king)[w];
        }
    }

    Upper upper_;
    FixedRows rows_;
    float king_;
    bool difference_;
};

// A network on the bits of a set of features: only the rows of bits that are on are added up.
class FeatureNetwork {
public:
    using Game = draughts::Game;
    struct State {};

    FeatureNetwork(const Network& network, FeatureSet set, Coding coding) : upper_(network), rows_(network), set_(set), coding_(coding) {
        if (set.inputs() != network.inputs()) throw std::invalid_argument("the network does not fit its set of features");
    }

    void begin(State&, Position) const {}
    void follow(State&, const State&, Position, Move) const {}
    float value(const State&, Position afterstate) const {
        // The common set is named, so that the compiler leaves out the other features.
        const PackedInputs inputs = set_.mask == featuremap12.mask ? pack(afterstate, featuremap12, coding_) : pack(afterstate, set_, coding_);
        std::array<Vector, most_vectors> net;
        std::copy(rows_.bias.begin(), rows_.bias.end(), net.begin());
        inputs.for_each_on([&](std::size_t i) {
            for (std::size_t w = 0; w < rows_.width; ++w) net[w] += rows_[i][w];
        });
        return upper_.value(net.data(), 0);
    }

    float encode(Position afterstate, std::span<float> inputs) const {
        draughts::encode(afterstate, set_, coding_, inputs);
        return 0;
    }
    FeatureNetwork with(const Network& network) const { return {network, set_, coding_}; }

private:
    Upper upper_;
    Rows rows_;
    FeatureSet set_;
    Coding coding_;
};

// Samuel's polynomial: the values of a set of terms, each times its coefficient. The terms are NET-FEATUREMAP's features
// and then CORN and MOVE; the coefficients are the weights of a network of one node.
class Polynomial {
public:
    using Game = draughts::Game;
    struct State {};
    static constexpr std::size_t most = feature_codes.size() + 2;

    // Term i is in it if bit i of `terms` is on.
    Polynomial(const Network& network, std::uint32_t terms) : network_(network), terms_(terms) {
        if (terms == 0 || terms >> most) throw std::invalid_argument("the terms of a polynomial are a mask of 30 bits and not empty");
        if (network.layers().size() != 1 || !network.layers().front().connections.empty()) throw std::invalid_argument("a polynomial is a network of one node");
        if (network.inputs() != static_cast<std::size_t>(std::popcount(terms))) throw std::invalid_argument("a polynomial has a coefficient for each term");
    }

    void begin(State&, Position) const {}
    void follow(State&, const State&, Position, Move) const {}
    float value(const State&, Position afterstate) const {
        const float* coefficient = network_.theta().data();
        float sum = 0;
        for_each_term(afterstate, [&](float term) { sum += *coefficient++ * term; });
        if (network_.layers().front().bias) sum += *coefficient;
        return std::clamp(activated(network_.layers().front().activation, sum), -1.0F, 1.0F);
    }

    float encode(Position afterstate, std::span<float> inputs) const {
        float* input = inputs.data();
        for_each_term(afterstate, [&](float term) { *input++ = term; });
        return 0;
    }
    Polynomial with(const Network& network) const { return {network, terms_}; }

private:
    template <class Visit>
    void for_each_term(Position afterstate, Visit visit) const {
        for_each_feature(afterstate, FeatureSet{terms_ & featuremap28.mask}, [&](Feature, int value) { visit(static_cast<float>(value)); });
        if (terms_ >> (most - 2) & 1) visit(corner_credit(afterstate));
        if (terms_ >> (most - 1) & 1) visit(the_move(seen_by_other(afterstate)));
    }

    Network network_;
    std::uint32_t terms_;
};

}  // namespace draughts

namespace tictactoe3d {

// Lines that only one side has stones on, the more stones the more they count.
class Material {
public:
    using Game = tictactoe3d::Game;
    struct State {};

    void begin(State&, Position) const {}
    void follow(State&, const State&, Position, Move) const {}
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

}  // namespace tictactoe3d
}  // namespace ludus
