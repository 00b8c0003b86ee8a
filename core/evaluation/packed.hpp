// Networks packed for a search: rows of weights in whole vectors, so that a move costs a few vector additions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "evaluation/network.hpp"
#include "evaluation/vector.hpp"

namespace ludus {

// The widest first layer that an evaluator takes, in vectors: 512 nodes.
constexpr std::size_t most_vectors = 64;

// The net inputs of a layer: its biases and, for each input, the input times its row of weights. The rows go on in zeros to
// a whole vector of inputs.
inline void weigh(const Vector* from, std::size_t inputs, const Vector* rows, const Vector* bias, std::size_t width, Vector* to) {
    const auto* in = reinterpret_cast<const float*>(from);
    if (width >= 4) {
        for_pieces(width, [&](std::size_t first, auto n) {
            std::array<Vector, n> sums;
            for (std::size_t k = 0; k < n; ++k) sums[k] = bias[first + k];
            const Vector* row = rows + first;
            for (std::size_t i = 0; i < inputs; ++i, row += width) {
                for (std::size_t k = 0; k < n; ++k) sums[k] += in[i] * row[k];
            }
            for (std::size_t k = 0; k < n; ++k) to[first + k] = sums[k];
        });
        return;
    }
    for (std::size_t w = 0; w < width; ++w) {
        // Four sums at a time: one alone would wait for itself at every step.
        Vector sums[4] = {bias[w], Vector{}, Vector{}, Vector{}};
        const Vector* row = rows + w;
        for (std::size_t i = 0; i < inputs; i += 4, row += 4 * width) {
            sums[0] += in[i] * row[0];
            sums[1] += in[i + 1] * row[width];
            sums[2] += in[i + 2] * row[2 * width];
            sums[3] += in[i + 3] * row[3 * width];
        }
        to[w] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }
}

// The layers of a network above its first one, packed for speed: for each node a row of its weights into the next layer's
// nodes, padded with zeros to whole vectors.
class Upper {
public:
    explicit Upper(const Network& network) : first_(network.layers().front()) {
        std::size_t at = first_.weights();
        for (std::size_t l = 0; l < network.layers().size(); ++l) {
            const Layer& layer = network.layers()[l];
            if (vectors(layer.outputs) > most_vectors) throw std::invalid_argument("a layer has at most 512 nodes");
            if (l == 0) continue;
            Hidden hidden{.inputs = layer.inputs, .width = vectors(layer.outputs), .activation = layer.activation, .weights = {}, .bias = {}};
            hidden.weights.assign(vectors(layer.inputs) * lanes * hidden.width, Vector{});
            hidden.bias.assign(hidden.width, Vector{});
            for (std::size_t node = 0; node < layer.outputs; ++node) {
                for (std::size_t k = 0; k < layer.fan_in(node); ++k) {
                    hidden.weights[layer.source(node, k) * hidden.width + node / lanes][node % lanes] = network.theta()[at++];
                }
                if (layer.bias) hidden.bias[node / lanes][node % lanes] = network.theta()[at++];
            }
            hidden_.push_back(std::move(hidden));
        }
        if (hidden_.empty()) return;
        // The last layer has one node: its weights lie along its inputs, not across its outputs.
        const Hidden& last = hidden_.back();
        output_.assign(vectors(last.inputs), Vector{});
        for (std::size_t i = 0; i < last.inputs; ++i) output_[i / lanes][i % lanes] = last.weights[i][0];
        output_bias_ = last.bias[0][0];
        output_activation_ = last.activation;
        hidden_.pop_back();
    }

    // The number of vectors of the first layer's nodes.
    std::size_t width() const { return vectors(first_.outputs); }

    // The output, from the net inputs of the first layer's nodes; `direct` goes straight into the output node.
    float value(const Vector* net, float direct) const {
        if (output_.empty()) return output(first_.activation, net[0][0] + direct);
        std::array<Vector, most_vectors> values, next;
        for (std::size_t i = 0; i < width(); ++i) values[i] = activated(first_.activation, net[i]);
        const Vector* from = values.data();
        Vector* to = next.data();
        for (const Hidden& hidden : hidden_) {
            hidden.forward(from, to);
            to = std::exchange(from, to) == values.data() ? values.data() : next.data();
        }
        Vector total{};
        for (std::size_t i = 0; i < output_.size(); ++i) total += from[i] * output_[i];
        return output(output_activation_, sum(total) + output_bias_ + direct);
    }

private:
    // An evaluator's values are in [-1, 1], whatever a linear output node says.
    static float output(Activation activation, float net) { return std::clamp(activated(activation, net), -1.0F, 1.0F); }

    struct Hidden {
        std::size_t inputs;
        std::size_t width;
        Activation activation;
        std::vector<Vector> weights;  // [inputs, padded][width]
        std::vector<Vector> bias;     // [width]

        void forward(const Vector* from, Vector* to) const {
            weigh(from, inputs, weights.data(), bias.data(), width, to);
            for (std::size_t w = 0; w < width; ++w) to[w] = activated(activation, to[w]);
        }
    };

    Layer first_;
    std::vector<Hidden> hidden_;
    std::vector<Vector> output_;
    float output_bias_ = 0;
    Activation output_activation_ = Activation::linear;
};

// The first layer's weights as a padded row of its nodes for each input, and the row of biases.
struct Rows {
    std::size_t width = 0;
    std::vector<Vector> weights;  // [inputs][width]
    std::vector<Vector> bias;     // [width]

    explicit Rows(const Network& network) : Rows(network.layers().front().inputs, network.layers().front().outputs) {
        const Layer& layer = network.layers().front();
        std::size_t at = 0;
        for (std::size_t node = 0; node < layer.outputs; ++node) {
            for (std::size_t k = 0; k < layer.fan_in(node); ++k) {
                weights[layer.source(node, k) * width + node / lanes][node % lanes] = network.theta()[at++];
            }
            if (layer.bias) bias[node / lanes][node % lanes] = network.theta()[at++];
        }
    }
    Rows(std::size_t inputs, std::size_t outputs) : width(vectors(outputs)), weights(inputs * width, Vector{}), bias(width, Vector{}) {}

    const Vector* operator[](std::size_t input) const { return &weights[input * width]; }
    Vector* operator[](std::size_t input) { return &weights[input * width]; }
};

// Rows in whole numbers. Sums of whole numbers do not depend on the order in which they are made, so a position has one
// value whatever line of play led to it: a search with a table gives what a search without one gives.
class FixedRows {
public:
    // The scale is the largest power of two at which the sum of all rows still fits.
    explicit FixedRows(const Rows& rows) : width_(rows.width), bias_(rows.bias), weights_(rows.weights.size()) {
        float most = 1;
        for (std::size_t node = 0; node < width_ * lanes; ++node) {
            float total = 0;
            for (std::size_t at = node / lanes; at < rows.weights.size(); at += width_) total += std::fabs(rows.weights[at][node % lanes]);
            most = std::max(most, total);
        }
        if (!(most < 0x1p30F)) throw std::invalid_argument("the weights of the first layer are too large");
        const float scale = std::exp2(std::floor(std::log2(0x1p30F / most)));
        for (std::size_t at = 0; at < weights_.size(); ++at) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                weights_[at][lane] = static_cast<std::int32_t>(std::lrint(rows.weights[at][lane] * scale));
            }
        }
        step_ = 1 / scale;
    }

    std::size_t width() const { return width_; }
    const Integers* operator[](std::size_t input) const { return &weights_[input * width_]; }

    // The net inputs that a vector of sums means, as they are or with the other sign.
    Vector net(Integers sums, std::size_t w, float sign = 1) const { return bias_[w] + sign * step_ * __builtin_convertvector(sums, Vector); }

private:
    std::size_t width_;
    std::vector<Vector> bias_;        // [width]
    std::vector<Integers> weights_;   // [inputs][width]
    float step_ = 1;
};

}  // namespace ludus
