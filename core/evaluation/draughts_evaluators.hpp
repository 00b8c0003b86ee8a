// The evaluators of draughts: material, networks on the board, networks on features, and Samuel's polynomial.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "evaluation/encoders.hpp"
#include "evaluation/evaluators.hpp"
#include "evaluation/packed.hpp"

namespace ludus::draughts {

// Pieces counted, 2 a man and 3 a king: the difference as a share of the whole, so that exchanges favour the side that is ahead.
class Material : public Stateless<Game> {
public:
    float value(const State&, Position afterstate) const {
        const int own = material(afterstate.other, afterstate.kings), other = material(afterstate.own, afterstate.kings);
        return static_cast<float>(own - other) / static_cast<float>(std::max(own + other, 1));  // a board may be empty
    }
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
class FeatureNetwork : public Stateless<Game> {
public:
    FeatureNetwork(const Network& network, FeatureSet set, Coding coding) : upper_(network), rows_(network), set_(set), coding_(coding) {
        if (set.inputs() != network.inputs()) throw std::invalid_argument("the network does not fit its set of features");
    }

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
class Polynomial : public Stateless<Game> {
public:
    static constexpr std::size_t most = feature_codes.size() + 2;

    // Term i is in it if bit i of `terms` is on.
    Polynomial(const Network& network, std::uint32_t terms) : network_(network), terms_(terms) {
        if (terms == 0 || terms >> most) throw std::invalid_argument("the terms of a polynomial are a mask of 30 bits and not empty");
        if (network.layers().size() != 1 || !network.layers().front().connections.empty()) throw std::invalid_argument("a polynomial is a network of one node");
        if (network.inputs() != static_cast<std::size_t>(std::popcount(terms))) throw std::invalid_argument("a polynomial has a coefficient for each term");
    }

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

}  // namespace ludus::draughts
