// The structured networks of Tic-Tac-Toe 3D in training: four detectors on each of the 76 lines, 64-304-1 or 64-304-n-1.
//
// What makes it fast. A ply costs one pass over the lines: the pass that makes the last step of learning also looks at the
// position that comes next, so every weight is read and written once. A move changes four to seven lines, so its afterstate
// is valued by difference; so is the mover's own last afterstate, which is the position without the opponent's last stone.
// Without biases an empty line has no value and no gradient: it is left out, with the same result.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "evaluation/patterns.hpp"
#include "games/tictactoe3d.hpp"
#include "learning/packed_weights.hpp"

namespace ludus::tictactoe3d {

// `deep` has a second hidden layer of at most 32 nodes.
template <bool deep>
class LineNetwork : public PackedWeights {
public:
    using Game = tictactoe3d::Game;
    using Prediction = Position;  // an afterstate, for the side that has just moved
    static constexpr bool always_remembers = false;

    LineNetwork(const Network& network, Derivative derivative)
        : output_(network.layers().back(), derivative), scale_(detail::scale(network.layers().front().activation)),
          steepness_(detail::steepness(network.layers().front().activation, derivative)), bias_(network.layers().front().bias) {
        const auto& layers = network.layers();
        if (layers.size() != (deep ? 3 : 2) || !fits(layers.front())) throw std::invalid_argument("the network does not have four nodes on each of the 76 lines");
        for (std::size_t node = 0; node < nodes; ++node) {
            for (std::size_t place = 0; place < 4; ++place) add_place((detectors + node / lanes * 4 + place) * lanes + node % lanes);
            if (bias_) add_place((biases + node / lanes) * lanes + node % lanes);
        }
        if constexpr (deep) {
            const Layer& second = layers[1];
            if (second.outputs > width * lanes || !second.connections.empty()) throw std::invalid_argument("the layer above the lines is full and has at most 32 nodes");
            second_scale_ = detail::scale(second.activation);
            second_steepness_ = detail::steepness(second.activation, derivative);
            second_bias_ = second.bias;
            for (std::size_t node = 0; node < second.outputs; ++node) {
                for (std::size_t k = 0; k < nodes; ++k) add_place((rows + k * width) * lanes + node);
                if (second.bias) add_place(row_biases * lanes + node);
            }
        }
        for (std::size_t k = 0; k < layers.back().inputs; ++k) add_place(out * lanes + k);
        if (layers.back().bias) add_place(out_bias * lanes);
        fill(network.theta(), out_bias + 1);
    }

    std::vector<float> theta() {
        if (pending_) pass(Look::no);
        return PackedWeights::theta();
    }

    void look(Position p) { look(p.own, p.other); }

    // Of the position looked at last. Step by step for all moves: the work of one does not wait for another's.
    void nets(Position p, const Move* moves, std::size_t n, float* to) const {
        std::array<Vector, 4 * columns> changes;  // of the nodes of the lines that a move changes, two lines a vector
        std::array<Vector, 4 * columns> before;
        std::size_t used = 0;
        for (std::size_t m = 0; m < n; ++m) {
            const Crossings& changed = crossings[cell_of(p, moves[m])];
            for (std::size_t i = 0; i < changed.n; i += 2, ++used) {
                const auto [line, place] = changed.list[i];
                const auto [next, next_place] = changed.list[i + 1 < changed.n ? i + 1 : i];  // a last one alone goes twice
                before[used] = both(quad(values_.data(), line), quad(values_.data(), next));
                changes[used] = both(quad(nets_.data(), line) + quad(&weights_[detectors + line / 2U * 4 + place], line % 2),
                                     quad(nets_.data(), next) + quad(&weights_[detectors + next / 2U * 4 + next_place], next % 2));
            }
        }
        for (std::size_t i = 0; i < used; ++i) changes[i] = tanh_of(scale_ * changes[i]) - before[i];
        std::array<Sums, columns> sums;
        const auto* quads = reinterpret_cast<const Quad*>(changes.data());
        for (std::size_t m = 0; m < n; ++m) {
            const Crossings& changed = crossings[cell_of(p, moves[m])];
            Sums total = sums_;
            for (std::size_t i = 0; i < changed.n; ++i) join(total, changed.list[i].line, quads[i]);
            quads += changed.n + changed.n % 2;
            sums[m] = total;
        }
        for (std::size_t m = 0; m < n; ++m) to[m] = output_net(activated(sums[m]), sums[m]);
    }

    float value(float net) const { return output_.value(net); }

    float learn(Position afterstate, float gamma, float next, const TdStep<Vector>& step) { return learn(afterstate, gamma * next, step); }
    [[gnu::noinline]] float learn(Position afterstate, float target, const TdStep<Vector>& step) {
        const Board mine = afterstate.other, theirs = afterstate.own;
        Board changed = (mine ^ mine_) | (theirs ^ theirs_);
        if (!seen_ || std::popcount(changed) > 2) {
            look(mine, theirs);
            changed = 0;
        }
        // The afterstate's nodes: those of the position seen, but for the lines that differ.
        pending_patterns_ = patterns_;
        pending_values_ = values_;
        Sums sums = sums_;
        for (; changed; changed &= changed - 1) {
            for (const auto [line, place] : crossings[static_cast<std::size_t>(std::countr_zero(changed))]) {
                const std::size_t pair = line / 2U;
                pending_patterns_[line] = static_cast<std::uint8_t>(pattern(mine, theirs, line));
                const Vector before = pending_values_[pair];
                pending_values_[pair] = tanh_of(scale_ * pair_net(pair, pending_patterns_));
                const Vector difference = pending_values_[pair] - before;
                const auto* quads = reinterpret_cast<const Quad*>(&difference);
                join(sums, line, quads[line % 2]);
            }
        }
        const Sums top = activated(sums);
        const float y = value(output_net(top, sums)), error = target - y;
        const float size = factor(step, error) * output_.slope(y);
        std::vector<Vector>& to = begin(step);
        for (std::size_t w = 0; w < delta_.size(); ++w) delta_[w] = size * weights_[out + w];
        if constexpr (deep) {
            for (std::size_t w = 0; w < width; ++w) {
                delta_[w] *= detail::slope(second_steepness_, top[w]);
                to[out + w] += size * top[w];
                if (second_bias_) to[row_biases + w] += delta_[w];
            }
        }
        if (output_.bias()) to[out_bias][0] += size;
        size_ = size;
        pending_ = true;
        seen_ = false;
        if (step.memory) {
            pass(Look::no, &step.memory->trace);
            end(step, error);
        }
        return error;
    }

private:
    using Quad = float __attribute__((vector_size(16)));
    enum class Look : bool { no, yes };

    static constexpr std::size_t pairs = lines.size() / 2;  // two lines of four nodes fill a vector
    static constexpr std::size_t nodes = 4 * lines.size();
    static constexpr std::size_t width = 4;  // vectors of the second layer

    // Where what lies in the list of weights.
    static constexpr std::size_t detectors = 0;              // [pairs][4 places]
    static constexpr std::size_t biases = 4 * pairs;         // [pairs]
    static constexpr std::size_t rows = biases + pairs;      // [nodes][width]
    static constexpr std::size_t row_biases = rows + (deep ? nodes * width : 0);
    static constexpr std::size_t out = row_biases + (deep ? width : 0);
    static constexpr std::size_t out_bias = out + (deep ? width : pairs);

    using Values = std::array<Vector, pairs>;
    using Patterns = std::array<std::uint8_t, lines.size()>;
    // What the lines add up to: the net inputs of the second layer, or of the output node, a part of it in each lane.
    using Sums = std::array<Vector, deep ? width : 1>;

    static constexpr unsigned empty_line = 0;

    static bool fits(const Layer& layer) {
        if (layer.inputs != cells || layer.outputs != nodes || layer.connections.size() != nodes) return false;
        for (std::size_t node = 0; node < nodes; ++node) {
            Board line = 0;
            for (const std::uint32_t cell : layer.connections[node]) line |= bit(cell);
            if (line != lines[node / 4]) return false;
        }
        return true;
    }

    // The cells of a pattern as numbers: 1 mine, -1 theirs.
    static constexpr auto signs = [] {
        std::array<std::array<float, 4>, patterns> table{};
        for (unsigned code = 0; code < patterns; ++code) {
            for (unsigned place = 0; place < 4; ++place) {
                const unsigned digit = code / place_worth[place] % 3;
                table[code][place] = digit == 1 ? 1.0F : digit == 2 ? -1.0F : 0.0F;
            }
        }
        return table;
    }();

    static Quad quad(const Vector* list, std::size_t i) { return reinterpret_cast<const Quad*>(list)[i]; }

    static Vector both(Quad a, Quad b) { return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7); }

    // The cells at one place of the two lines of a pair, each beside its line's four nodes.
    static std::array<Vector, 4> cells_of(std::size_t pair, const Patterns& codes) {
        Quad one, two;
        std::copy_n(signs[codes[2 * pair]].data(), 4, reinterpret_cast<float*>(&one));
        std::copy_n(signs[codes[2 * pair + 1]].data(), 4, reinterpret_cast<float*>(&two));
        return {__builtin_shufflevector(one, two, 0, 0, 0, 0, 4, 4, 4, 4), __builtin_shufflevector(one, two, 1, 1, 1, 1, 5, 5, 5, 5),
                __builtin_shufflevector(one, two, 2, 2, 2, 2, 6, 6, 6, 6), __builtin_shufflevector(one, two, 3, 3, 3, 3, 7, 7, 7, 7)};
    }

    Vector pair_net(std::size_t pair, const Patterns& codes) const {
        const auto x = cells_of(pair, codes);
        const Vector* weights = &weights_[detectors + 4 * pair];
        return (weights_[biases + pair] + x[0] * weights[0]) + x[1] * weights[1] + (x[2] * weights[2] + x[3] * weights[3]);
    }

    // The sums stay in registers, but only if the loops are unrolled.
    template <std::size_t n>
    static void add_rows(Sums& sums, const Vector* row, const float* values) {
        Vector a = sums[0], b = sums[1], c = sums[2], d = sums[3];
#pragma GCC unroll 8
        for (std::size_t j = 0; j < n; ++j, row += width) {
            a += values[j] * row[0];
            b += values[j] * row[1];
            c += values[j] * row[2];
            d += values[j] * row[3];
        }
        sums = {a, b, c, d};
    }

    // Adds what four nodes of a line give to what is above them.
    void join(Sums& sums, std::size_t line, Quad values) const {
        if constexpr (deep) {
            add_rows<4>(sums, &weights_[rows + 4 * line * width], reinterpret_cast<const float*>(&values));
        } else {
            const Quad part = values * quad(&weights_[out], line);
            sums[0] += both(part, Quad{});
        }
    }

    Sums activated(Sums sums) const {
        if constexpr (deep) {
            for (Vector& v : sums) v = tanh_of(second_scale_ * v);
        }
        return sums;
    }

    // The output node's net input, from the second layer's values or the sums of a network without one.
    float output_net(const Sums& top, const Sums& sums) const {
        if constexpr (!deep) return sum(sums[0]) + weights_[out_bias][0];
        Vector total{};
        for (std::size_t w = 0; w < top.size(); ++w) total += top[w] * weights_[out + w];
        return sum(total) + weights_[out_bias][0];
    }

    void look(Board mine, Board theirs) {
        mine_ = mine;
        theirs_ = theirs;
        for (std::size_t line = 0; line < lines.size(); ++line) patterns_[line] = static_cast<std::uint8_t>(pattern(mine, theirs, line));
        pass(Look::yes);
        seen_ = true;
    }

    // The sums of eight vectors, each in its lane.
    static Vector sums_of(const std::array<Vector, 8>& v) {
        const auto halves = [](Vector a, Vector b) {
            return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14) + __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
        };
        const auto quarters = [](Vector ab, Vector cd) {
            return __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13) + __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
        };
        const Vector low = quarters(halves(v[0], v[1]), halves(v[2], v[3])), high = quarters(halves(v[4], v[5]), halves(v[6], v[7]));
        return __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11) + __builtin_shufflevector(low, high, 4, 5, 6, 7, 12, 13, 14, 15);
    }

    // One pass over the lines: makes the step that is pending, in the weights or in a trace, and looks at the new position.
    void pass(Look wanted, std::vector<Vector>* trace = nullptr) {
        const bool learns = pending_, looks = wanted == Look::yes;
        Vector* to = trace ? trace->data() : weights_.data();
        const auto says = [&](const Patterns& codes, std::size_t pair) {
            return bias_ || codes[2 * pair] != empty_line || codes[2 * pair + 1] != empty_line;
        };
        Sums sums{};
        if constexpr (deep) std::copy_n(&weights_[row_biases], width, sums.begin());
        const auto give = [&](std::size_t pair) {
            if (!says(patterns_, pair)) return;
            if constexpr (deep) add_rows<8>(sums, &weights_[rows + 8 * pair * width], reinterpret_cast<const float*>(&values_[pair]));
            else sums[0] += values_[pair] * weights_[out + pair];
        };
        // Four pairs at a time, whose values do not wait for each other. What they give to a second layer is added up while the next
        // four learn: each of these many additions waits for the one before it, and learning fills the time.
        constexpr std::size_t group = 4, behind = deep ? group : 0;
        for (std::size_t first = 0; first < pairs + behind; first += group) {
            const std::size_t end = std::min(first + group, pairs);
            for (std::size_t pair = first; pair < first + group; ++pair) {
                if (learns && pair < pairs && says(pending_patterns_, pair)) add_gradient(pair, to);
                if (deep && looks && pair >= behind && pair - behind < pairs) give(pair - behind);
            }
            if (!looks) continue;
            for (std::size_t pair = first; pair < end; ++pair) nets_[pair] = says(patterns_, pair) ? pair_net(pair, patterns_) : Vector{};
            for (std::size_t pair = first; pair < end; ++pair) values_[pair] = tanh_of(scale_ * nets_[pair]);
            for (std::size_t pair = first; !deep && pair < end; ++pair) give(pair);
        }
        if (looks) sums_ = sums;
        pending_ = false;
    }

    void add_gradient(std::size_t pair, Vector* to) {
        const Vector values = pending_values_[pair];
        Vector delta;
        if constexpr (deep) {
            const Vector* row = &weights_[rows + 8 * pair * width];
            const Vector a = delta_[0], b = delta_[1], c = delta_[2], d = delta_[3];
            std::array<Vector, 8> products;
#pragma GCC unroll 8
            for (std::size_t j = 0; j < 8; ++j, row += width) products[j] = (row[0] * a + row[1] * b) + (row[2] * c + row[3] * d);
            delta = sums_of(products);
            Vector* learned = to + rows + 8 * pair * width;
#pragma GCC unroll 8
            for (std::size_t j = 0; j < 8; ++j, learned += width) {
                learned[0] += values[j] * a;
                learned[1] += values[j] * b;
                learned[2] += values[j] * c;
                learned[3] += values[j] * d;
            }
        } else {
            delta = delta_[pair];
            to[out + pair] += size_ * values;
        }
        delta *= detail::slope(steepness_, values);
        const auto x = cells_of(pair, pending_patterns_);
        Vector* detector = to + detectors + 4 * pair;
        for (std::size_t place = 0; place < 4; ++place) detector[place] += x[place] * delta;
        if (bias_) to[biases + pair] += delta;
    }

    detail::OutputNode output_;
    float scale_, second_scale_ = 1;
    float steepness_, second_steepness_ = 1;
    bool bias_, second_bias_ = false;

    // The position looked at last; of no use once the weights have moved.
    Board mine_ = 0, theirs_ = 0;
    bool seen_ = false;
    Patterns patterns_{};
    Values nets_{}, values_{};
    Sums sums_{};

    // The step that is pending: the afterstate's lines, and the derivatives of the nodes above them times the step.
    bool pending_ = false;
    Patterns pending_patterns_{};
    Values pending_values_{};
    std::array<Vector, deep ? width : pairs> delta_{};
    float size_ = 0;
};

}  // namespace ludus::tictactoe3d
