// A fully connected network in training, on any inputs: its first layer adds up the rows of the inputs that are not zero.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "evaluation/packed.hpp"
#include "learning/inputs.hpp"
#include "learning/packed_weights.hpp"

namespace ludus {

namespace detail {

// A list of rows and what each counts; sums over it stay in registers, four vectors at a time.
class RowList {
public:
    void clear() { n_ = 0; }
    void add(std::size_t row, float x) {
        rows_[n_] = static_cast<std::uint32_t>(row);
        counts_[n_++] = x;
    }

    // to = from + the sum of count * row
    void sum_into(Vector* to, const Vector* from, const Vector* weights, std::size_t width) const {
        for_pieces(width, [&](std::size_t w, auto n) {
            std::array<Vector, n> total;
            for (std::size_t k = 0; k < n; ++k) total[k] = from[w + k];
            for (std::size_t i = 0; i < n_; ++i) {
                const Vector* row = weights + rows_[i] * width + w;
                for (std::size_t k = 0; k < n; ++k) total[k] += counts_[i] * row[k];
            }
            for (std::size_t k = 0; k < n; ++k) to[w + k] = total[k];
        });
    }

    // each row += count * change
    void spread(const Vector* change, Vector* weights, std::size_t width) const {
        for_pieces(width, [&](std::size_t w, auto n) {
            for (std::size_t i = 0; i < n_; ++i) {
                Vector* row = weights + rows_[i] * width + w;
                for (std::size_t k = 0; k < n; ++k) row[k] += counts_[i] * change[w + k];
            }
        });
    }

    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t i = 0; i < n_; ++i) visit(rows_[i], counts_[i]);
    }

private:
    std::size_t n_ = 0;
    std::array<std::uint32_t, 128> rows_;
    std::array<float, 128> counts_;
};

}  // namespace detail

// A fully connected network whose first layer is a row of weights for each input that is not zero.
template <class Inputs>
class RowNetwork : public PackedWeights {
public:
    using Game = typename Inputs::Game;
    using Position = typename Game::Position;
    using Move = typename Game::Move;
    using Prediction = Position;  // an afterstate, for the side that has just moved
    static constexpr bool always_remembers = false;

    RowNetwork(const Network& network, Inputs inputs, Derivative derivative)
        : inputs_(std::move(inputs)), output_(network.layers().back(), derivative) {
        const auto& layers = network.layers();
        if (layers.size() < 2) throw std::invalid_argument("a network in training has a hidden layer");
        if (inputs_.size() != network.inputs()) throw std::invalid_argument("the network does not fit its inputs");
        std::size_t size = 0;
        for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
            const Layer& layer = layers[l];
            if (vectors(layer.outputs) > most_vectors) throw std::invalid_argument("a layer has at most 512 nodes");
            Hidden hidden{.inputs = layer.inputs, .width = vectors(layer.outputs), .bias = size, .rows = 0, .has_bias = layer.bias,
                          .scale = detail::scale(layer.activation), .steepness = detail::steepness(layer.activation, derivative)};
            hidden.rows = size + hidden.width;
            for (std::size_t node = 0; node < layer.outputs; ++node) {
                for (std::size_t k = 0; k < layer.fan_in(node); ++k) {
                    if (l && layer.fan_in(node) != layer.inputs) throw std::invalid_argument("only the first layer of a network in training may be structured");
                    add_place((hidden.rows + layer.source(node, k) * hidden.width) * lanes + node);
                }
                if (layer.bias) add_place(hidden.bias * lanes + node);
            }
            size = hidden.rows + vectors(layer.inputs) * lanes * hidden.width;
            hidden_.push_back(hidden);
            if (!layer.connections.empty()) connect(layer);
        }
        out_ = size;
        const Layer& last = layers.back();
        for (std::size_t k = 0; k < last.inputs; ++k) add_place(out_ * lanes + k);
        out_bias_ = out_ + vectors(last.inputs);
        if (last.bias) add_place(out_bias_ * lanes);
        fill(network.theta(), out_bias_ + 1);
        set_rows(hidden_[0].rows, hidden_[0].inputs, hidden_[0].width);
        for (Activations* values : {&sums_, &values_, &deltas_}) values->resize(hidden_.size());
        seen_.resize(hidden_.front().width);
    }

    void look(Position p) {
        if constexpr (Inputs::has_changes) first_sums(Position{.own = p.other, .other = p.own}, seen_.data());
    }

    // Layer by layer for all moves: the work of one does not wait for another's.
    void nets(Position p, const Move* moves, std::size_t n, float* to) {
        const Hidden& first = hidden_[0];
        batch_.resize(n * first.width);
        for (std::size_t m = 0; m < n; ++m) {
            Vector* sums = &batch_[m * first.width];
            if constexpr (Inputs::has_changes) {
                list_.clear();
                inputs_.changes(p, moves[m], [&](std::size_t i, float x) { list_.add(i, x); });
                list_.sum_into(sums, seen_.data(), &weights_[first.rows], first.width);
            } else {
                first_sums(Game::play(p, moves[m]), sums);
            }
        }
        for (Vector& v : batch_) v = tanh_of(first.scale * v);
        for (std::size_t m = 0; m < n; ++m) {
            to[m] = upper(&batch_[m * first.width]) + (Inputs::has_changes ? 0 : inputs_.direct(Game::play(p, moves[m])));
        }
    }

    float value(float net) const { return output_.value(net); }

    float learn(Position afterstate, float gamma, float next, const TdStep<Vector>& step) { return learn(afterstate, gamma * next, step); }
    [[gnu::noinline]] float learn(Position afterstate, float target, const TdStep<Vector>& step) {
        Vector* sums = sums_[0].data();
        first_sums(afterstate, sums);
        for (std::size_t w = 0; w < hidden_[0].width; ++w) values_[0][w] = tanh_of(hidden_[0].scale * sums[w]);
        const float y = value(upper(values_[0].data()) + inputs_.direct(afterstate)), error = target - y;
        const float size = factor(step, error) * output_.slope(y);
        backward(size);
        list_.for_each([&](std::size_t row, float) { use_row(step, row); });
        add_gradient(begin(step), size);
        end(step, error);
        return error;
    }

private:
    using Activations = std::vector<std::array<Vector, most_vectors>>;

    struct Hidden {
        std::size_t inputs, width, bias, rows;  // the last two are places in the list of weights
        bool has_bias;
        float scale, steepness;
    };

    // Ones where the first layer has connections: only they may learn.
    void connect(const Layer& layer) {
        const Hidden& first = hidden_[0];
        connected_.assign(first.inputs * first.width, Vector{});
        for (std::size_t node = 0; node < layer.outputs; ++node) {
            for (const std::uint32_t i : layer.connections[node]) connected_[i * first.width + node / lanes][node % lanes] = 1;
        }
    }

    // Leaves the afterstate's inputs in list_.
    void first_sums(Position afterstate, Vector* sums) {
        const Hidden& first = hidden_[0];
        list_.clear();
        inputs_.for_each(afterstate, [&](std::size_t i, float x) { list_.add(i, x); });
        list_.sum_into(sums, &weights_[first.bias], &weights_[first.rows], first.width);
    }

    // From the first layer's values to the output node's net input; leaves those of the other hidden layers in values_.
    float upper(const Vector* first) {
        const Vector* below = first;
        for (std::size_t l = 1; l < hidden_.size(); ++l) {
            const Hidden& layer = hidden_[l];
            weigh(below, layer.inputs, &weights_[layer.rows], &weights_[layer.bias], layer.width, sums_[l].data());
            for (std::size_t w = 0; w < layer.width; ++w) values_[l][w] = tanh_of(layer.scale * sums_[l][w]);
            below = values_[l].data();
        }
        Vector total{};
        for (std::size_t w = 0; w < hidden_.back().width; ++w) total += below[w] * weights_[out_ + w];
        return sum(total) + weights_[out_bias_][0];
    }

    // The derivative of the output by each hidden node's net input, times `size`, from the values of the last forward pass.
    void backward(float size) {
        for (std::size_t l = hidden_.size(); l-- > 0;) {
            const Hidden& layer = hidden_[l];
            if (l + 1 == hidden_.size()) {
                for (std::size_t w = 0; w < layer.width; ++w) deltas_[l][w] = size * weights_[out_ + w];
            } else {
                const Hidden& above = hidden_[l + 1];
                auto* delta = reinterpret_cast<float*>(deltas_[l].data());
                std::fill_n(deltas_[l].begin(), layer.width, Vector{});
                for (std::size_t node = 0; node < above.inputs; ++node) {
                    const Vector* row = &weights_[above.rows + node * above.width];
                    Vector total{};
                    for (std::size_t w = 0; w < above.width; ++w) total += row[w] * deltas_[l + 1][w];
                    delta[node] = sum(total);
                }
            }
            for (std::size_t w = 0; w < layer.width; ++w) deltas_[l][w] *= detail::slope(layer.steepness, values_[l][w]);
        }
    }

    // Of the afterstate of the last forward pass.
    void add_gradient(std::vector<Vector>& to, float size) const {
        for (std::size_t w = 0; w < hidden_.back().width; ++w) to[out_ + w] += size * values_.back()[w];
        if (output_.bias()) to[out_bias_][0] += size;
        for (std::size_t l = 0; l < hidden_.size(); ++l) {
            const Hidden& layer = hidden_[l];
            const Vector* delta = deltas_[l].data();
            if (layer.has_bias) {
                for (std::size_t w = 0; w < layer.width; ++w) to[layer.bias + w] += delta[w];
            }
            Vector* rows = &to[layer.rows];
            if (l) {
                const auto* below = reinterpret_cast<const float*>(values_[l - 1].data());
                for (std::size_t i = 0; i < layer.inputs; ++i) {
                    for (std::size_t w = 0; w < layer.width; ++w) rows[i * layer.width + w] += below[i] * delta[w];
                }
            } else if (connected_.empty()) {
                list_.spread(delta, rows, layer.width);
            } else {
                list_.for_each([&](std::size_t i, float x) {
                    for (std::size_t at = i * layer.width, w = 0; w < layer.width; ++w) rows[at + w] += x * delta[w] * connected_[at + w];
                });
            }
        }
    }

    Inputs inputs_;
    detail::OutputNode output_;
    std::vector<Hidden> hidden_;
    std::size_t out_ = 0, out_bias_ = 0;
    std::vector<Vector> connected_;       // of a structured first layer
    std::vector<Vector> seen_;            // the first layer's net inputs of the position looked at
    std::vector<Vector> batch_;           // the first layer's nodes after each of several moves
    detail::RowList list_;                // the inputs of what is being valued
    Activations sums_, values_, deltas_;  // a list of vectors for each hidden layer
};

}  // namespace ludus
