// Networks: layer sizes, activation, connections, and one flat vector `theta` of weights and biases.
//
// Theta lists, layer by layer and node by node, the weights of the node's connections and then its bias if it has one.
// A node's share of theta is therefore one slice: what a genetic operator exchanges and a trace decays.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "evaluation/vector.hpp"

namespace ludus {

enum class Activation : std::uint8_t {
    tanh,
    logistic,  // the logistic function scaled to [-1, 1], which is tanh(x / 2)
    linear,
};

template <class T>  // float or Vector
constexpr T activated(Activation activation, T x) {
    switch (activation) {
        case Activation::tanh: return tanh_of(x);
        case Activation::logistic: return tanh_of(x * 0.5F);
        default: return x;
    }
}

// The derivative, from the activated value y.
constexpr float slope(Activation activation, float y) {
    switch (activation) {
        case Activation::tanh: return 1 - y * y;
        case Activation::logistic: return 0.5F * (1 - y * y);
        default: return 1;
    }
}

struct Layer {
    std::size_t inputs = 0;
    std::size_t outputs = 0;
    Activation activation = Activation::tanh;
    bool bias = true;
    // For a structured layer, the inputs of each node, ascending; empty when every node has all inputs.
    std::vector<std::vector<std::uint32_t>> connections{};

    std::size_t fan_in(std::size_t node) const { return connections.empty() ? inputs : connections[node].size(); }
    std::size_t source(std::size_t node, std::size_t k) const { return connections.empty() ? k : connections[node][k]; }

    std::size_t weights() const {
        std::size_t n = bias ? outputs : 0;
        for (std::size_t node = 0; node < outputs; ++node) n += fan_in(node);
        return n;
    }

    void check() const {
        if (inputs == 0 || outputs == 0) throw std::invalid_argument("a layer has at least one input and one output");
        if (connections.empty()) return;
        if (connections.size() != outputs) throw std::invalid_argument("a structured layer lists the connections of each of its nodes");
        for (const auto& sources : connections) {
            for (std::size_t k = 0; k < sources.size(); ++k) {
                if (sources[k] >= inputs) throw std::invalid_argument("a connection comes from input " + std::to_string(sources[k]) + " of " + std::to_string(inputs));
                if (k && sources[k] <= sources[k - 1]) throw std::invalid_argument("the connections of a node are listed once each, ascending");
            }
        }
    }
};

class Network {
public:
    Network(std::vector<Layer> layers, std::vector<float> theta) : layers_(std::move(layers)), theta_(std::move(theta)) {
        if (layers_.empty()) throw std::invalid_argument("a network has at least one layer");
        std::size_t weights = 0;
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            layers_[i].check();
            if (i && layers_[i].inputs != layers_[i - 1].outputs) throw std::invalid_argument("each layer takes what the one before it gives");
            weights += layers_[i].weights();
        }
        if (layers_.back().outputs != 1) throw std::invalid_argument("a network that values positions has one output");
        if (weights != theta_.size()) {
            throw std::invalid_argument("this network has " + std::to_string(weights) + " weights, not " + std::to_string(theta_.size()));
        }
        // So that no sum of products is infinite or undefined.
        if (!std::ranges::all_of(theta_, [](float weight) { return std::fabs(weight) <= 1e9F; })) {
            throw std::invalid_argument("the weights of a network are finite numbers, at most a billion in size");
        }
    }

    const std::vector<Layer>& layers() const { return layers_; }
    const std::vector<float>& theta() const { return theta_; }
    std::size_t inputs() const { return layers_.front().inputs; }

    // The output; `direct` is added to the output node as it is, past all layers (Blondie24's piece difference).
    float value(std::span<const float> inputs, float direct = 0) const { return activations(inputs, direct).back().front(); }

    // The output, and in `gradient` (of theta's size) its derivative by each weight.
    float gradient(std::span<const float> inputs, std::span<float> gradient, float direct = 0) const {
        const auto values = activations(inputs, direct);
        std::vector<float> delta{1};  // derivative of the output by each node's activated value, layer by layer backwards
        std::size_t end = theta_.size();
        for (std::size_t l = layers_.size(); l-- > 0;) {
            const Layer& layer = layers_[l];
            const std::span<const float> below = l ? std::span<const float>(values[l - 1]) : inputs;
            std::vector<float> delta_below(layer.inputs, 0);
            std::size_t at = end -= layer.weights();
            for (std::size_t node = 0; node < layer.outputs; ++node) {
                const float d = delta[node] * slope(layer.activation, values[l][node]);
                for (std::size_t k = 0; k < layer.fan_in(node); ++k, ++at) {
                    const std::size_t source = layer.source(node, k);
                    gradient[at] = d * below[source];
                    delta_below[source] += d * theta_[at];
                }
                if (layer.bias) gradient[at++] = d;
            }
            delta = std::move(delta_below);
        }
        return values.back().front();
    }

private:
    std::vector<std::vector<float>> activations(std::span<const float> inputs, float direct) const {
        std::vector<std::vector<float>> values;
        std::span<const float> below = inputs;
        std::size_t at = 0;
        for (const Layer& layer : layers_) {
            const bool last = &layer == &layers_.back();
            std::vector<float> outputs(layer.outputs);
            for (std::size_t node = 0; node < layer.outputs; ++node) {
                float net = last ? direct : 0;
                for (std::size_t k = 0; k < layer.fan_in(node); ++k) net += theta_[at++] * below[layer.source(node, k)];
                if (layer.bias) net += theta_[at++];
                outputs[node] = activated(layer.activation, net);
            }
            values.push_back(std::move(outputs));
            below = values.back();
        }
        return values;
    }

    std::vector<Layer> layers_;
    std::vector<float> theta_;
};

}  // namespace ludus
