// Evaluators: the value in [-1, 1] of an afterstate for the side that has just moved.
//
// An evaluator keeps a State along the line of play, so that a search pays only for what a move changes:
//     begin(state, position)                  the state of any position
//     follow(after, before, position, move)   the state after a legal move, from the state before it
//     value(state, afterstate)                the value
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <stdexcept>

#include "encoders.hpp"
#include "packed.hpp"

namespace ludus {

namespace draughts {

// Pieces counted, 2 a man and 3 a king; a whole army more is 1.
class Material {
public:
    using Game = draughts::Game;
    struct State {};

    void begin(State&, Position) const {}
    void follow(State&, const State&, Position, Move) const {}
    float value(const State&, Position afterstate) const {
        return static_cast<float>(material(afterstate.other, afterstate.kings) - material(afterstate.own, afterstate.kings)) / 36.0F;
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
    struct State {
        std::array<std::array<Vector, most>, 2> net;  // as Black sees the board, as White sees it
    };

    // `king` is the worth of a king where a man is 1; `difference` adds the piece difference to the output node.
    BoardNetwork(const Network& network, float king, bool difference)
        : upper_(network), rows_(folded(network)), king_(king), difference_(difference) {
        if (rows_.width > most) throw std::invalid_argument("a network on the board has at most 128 nodes in its first layer");
    }

    void begin(State& state, Position p) const {
        for (const Color view : {Color::black, Color::white}) {
            auto& net = state.net[static_cast<std::size_t>(view)];
            std::copy(rows_.bias.begin(), rows_.bias.end(), net.begin());
            const unsigned turn = view == p.turn ? 0 : 31;
            const auto add = [&](Board pieces, float sign) {
                detail::for_each_bit(pieces, [&](unsigned s) { change(net, s ^ turn, sign * worth(p.kings, s)); });
            };
            add(p.own, view == p.turn ? 1.0F : -1.0F);
            add(p.other, view == p.turn ? -1.0F : 1.0F);
        }
    }

    void follow(State& after, const State& before, Position p, Move move) const {
        const unsigned from = move.from, to = move.to;
        const float left = worth(p.kings, from);
        const float came = worth(p.kings >> from & 1 ? bit(to) : crown_row, to);
        const auto turn = static_cast<std::size_t>(p.turn);
        replace(after.net[turn], before.net[turn], from, -left, to, came);
        replace(after.net[1 - turn], before.net[1 - turn], from ^ 31, left, to ^ 31, -came);
        detail::for_each_bit(move.captured, [&](unsigned s) {
            change(after.net[turn], s, worth(p.kings, s));
            change(after.net[1 - turn], s ^ 31, -worth(p.kings, s));
        });
    }

    float value(const State& state, Position afterstate) const {
        const auto& net = state.net[static_cast<std::size_t>(!afterstate.turn)];
        return upper_.value(net.data(), difference_ ? piece_difference(afterstate, king_) : 0);
    }

private:
    using Net = std::array<Vector, most>;

    // The first layer over the 32 squares of the ring: inputs that are sums over squares are given to those squares.
    static Rows folded(const Network& network) {
        const Rows given(network);
        const std::size_t inputs = network.inputs();
        if (inputs != 32 && inputs != 91) throw std::invalid_argument("a network on the board has 32 or 91 inputs");
        Rows rows(32, network.layers().front().outputs);
        rows.bias = given.bias;
        for (std::size_t i = 0; i < inputs; ++i) {
            const auto add = [&](unsigned square) {
                for (std::size_t w = 0; w < rows.width; ++w) rows[ring(square + 1)][w] += given[i][w];
            };
            if (inputs == 32) add(static_cast<unsigned>(i));
            else std::ranges::for_each(subsquares()[i], add);
        }
        return rows;
    }

    float worth(Board kings, unsigned s) const { return kings >> s & 1 ? king_ : 1.0F; }

    void change(Net& net, unsigned s, float by) const {
        const Vector* row = rows_[s];
        for (std::size_t w = 0; w < rows_.width; ++w) net[w] += by * row[w];
    }

    void replace(Net& after, const Net& before, unsigned from, float left, unsigned to, float came) const {
        const Vector *row_from = rows_[from], *row_to = rows_[to];
        for (std::size_t w = 0; w < rows_.width; ++w) after[w] = before[w] + left * row_from[w] + came * row_to[w];
    }

    Upper upper_;
    Rows rows_;
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

private:
    Upper upper_;
    Rows rows_;
    FeatureSet set_;
    Coding coding_;
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
    struct State {
        std::array<Vector, most_vectors> sums;
    };

    explicit CellNetwork(const Network& network) : upper_(network), rows_(network) {
        if (network.inputs() != cells) throw std::invalid_argument("a network on the cells has 64 inputs");
    }

    void begin(State& state, Position p) const {
        std::fill_n(state.sums.begin(), rows_.width, Vector{});
        const float own = sign(p.turn());
        for (Board left = p.own; left; left &= left - 1) add(state, state, static_cast<unsigned>(std::countr_zero(left)), own);
        for (Board left = p.other; left; left &= left - 1) add(state, state, static_cast<unsigned>(std::countr_zero(left)), -own);
    }
    void follow(State& after, const State& before, Position p, Move move) const { add(after, before, cell_of(p, move), sign(p.turn())); }
    float value(const State& state, Position afterstate) const {
        const float own = -sign(afterstate.turn());
        std::array<Vector, most_vectors> net;
        for (std::size_t w = 0; w < rows_.width; ++w) net[w] = rows_.bias[w] + own * state.sums[w];
        return upper_.value(net.data(), 0);
    }

private:
    static constexpr float sign(Color color) { return color == Color::white ? 1.0F : -1.0F; }

    void add(State& after, const State& before, unsigned cell, float by) const {
        const Vector* row = rows_[cell];
        for (std::size_t w = 0; w < rows_.width; ++w) after.sums[w] = before.sums[w] + by * row[w];
    }

    Upper upper_;
    Rows rows_;
};

}  // namespace tictactoe3d
}  // namespace ludus
