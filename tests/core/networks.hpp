// Random networks for the tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluation/network.hpp"
#include "games/random.hpp"

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
