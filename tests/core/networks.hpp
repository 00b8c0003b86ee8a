// Random networks for the tests, and how far two of them are apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluation/network.hpp"
#include "games/random.hpp"
#include "games/tictactoe3d.hpp"

inline ludus::Network random_network(const std::vector<std::size_t>& sizes, std::uint64_t seed,
                                     ludus::Activation activation = ludus::Activation::tanh, bool bias = true) {
    std::vector<ludus::Layer> layers;
    std::size_t weights = 0;
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        layers.push_back({.inputs = sizes[i - 1], .outputs = sizes[i], .activation = activation, .bias = bias});
        weights += layers.back().weights();
    }
    std::vector<float> theta(weights);
    ludus::Rng rng(seed, 0);
    for (float& weight : theta) weight = rng.uniform() - 0.5F;
    return {layers, theta};
}

// Four nodes on each of the 76 lines, and full layers of these sizes above them.
inline ludus::Network lines_network(const std::vector<std::size_t>& sizes, std::uint64_t seed, bool bias) {
    ludus::Layer first{.inputs = 64, .outputs = 304, .activation = ludus::Activation::logistic, .bias = bias};
    for (const ludus::tictactoe3d::Board line : ludus::tictactoe3d::lines) {
        std::vector<std::uint32_t> cells;
        for (std::uint32_t cell = 0; cell < 64; ++cell) {
            if (line >> cell & 1) cells.push_back(cell);
        }
        first.connections.insert(first.connections.end(), 4, cells);
    }
    std::vector<ludus::Layer> layers{first};
    std::size_t weights = first.weights(), below = first.outputs;
    for (const std::size_t size : sizes) {
        layers.push_back({.inputs = below, .outputs = size, .activation = ludus::Activation::logistic, .bias = bias});
        weights += layers.back().weights();
        below = size;
    }
    std::vector<float> theta(weights);
    ludus::Rng rng(seed, 0);
    for (float& weight : theta) weight = rng.uniform() - 0.5F;
    return {layers, theta};
}

// The largest difference between two weights; infinite if there are not as many of them.
inline float furthest(const std::vector<float>& a, const std::vector<float>& b) {
    float worst = a.size() == b.size() ? 0 : HUGE_VALF;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) worst = std::max(worst, std::fabs(a[i] - b[i]));
    return worst;
}
