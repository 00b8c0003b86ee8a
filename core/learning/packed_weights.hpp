// What the fast networks in training share: all weights in one list of vectors, and the steps of TD(lambda) over it.
//
//     look(position)                       prepares for the moves of a position
//     nets(position, moves, n, to)         the output node's net input after each of n moves from there, for its mover
//     value(net)                           the value it stands for
//     learn(afterstate, gamma, next, step) moves the value of an afterstate towards gamma * next; returns the error it had
//     theta()                              the weights so far
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "evaluation/network.hpp"
#include "evaluation/vector.hpp"
#include "learning/td_update.hpp"

namespace ludus {

// Which derivative of tanh(x / 2) backpropagation uses: its own, or 1 - y^2, twice that, as many programs have it.
enum class Derivative : std::uint8_t { exact, doubled };

namespace detail {

// What tanh is taken of: x times this.
inline float scale(Activation activation) { return activation == Activation::logistic ? 0.5F : 1.0F; }

// The factor s in the slope s * (1 - y^2) of a layer's nodes.
inline float steepness(Activation activation, Derivative derivative) {
    if (activation == Activation::linear) throw std::invalid_argument("only the output node of a network in training may be linear");
    return activation == Activation::logistic && derivative == Derivative::exact ? 0.5F : 1.0F;
}

// The slope of nodes whose activation is y.
template <class T>
T slope(float steepness, T y) { return steepness * (1.0F - y * y); }

// The output node: its weights lie along the nodes below it, its bias in a vector after them.
class OutputNode {
public:
    OutputNode(const Layer& layer, Derivative derivative) : activation_(layer.activation), bias_(layer.bias),
          steepness_(layer.activation == Activation::linear ? 0 : steepness(layer.activation, derivative)) {}

    float value(float net) const { return activated(activation_, net); }
    float slope(float y) const { return activation_ == Activation::linear ? 1 : detail::slope(steepness_, y); }
    bool bias() const { return bias_; }

private:
    Activation activation_;
    bool bias_;
    float steepness_;
};

}  // namespace detail

// The weights of a network in a list of vectors, and where each weight of theta lies among its floats.
class PackedWeights {
public:
    std::vector<float> theta() const {
        const auto* floats = reinterpret_cast<const float*>(weights_.data());
        std::vector<float> theta(places_.size());
        for (std::size_t i = 0; i < places_.size(); ++i) theta[i] = floats[places_[i]];
        return theta;
    }

    TdMemory<Vector> memory(bool momentum) const {
        return {.trace = std::vector<Vector>(weights_.size()), .last_change = std::vector<Vector>(momentum ? weights_.size() : 0)};
    }

protected:
    // The next weight of theta lies at this float of the list.
    void add_place(std::size_t at) { places_.push_back(static_cast<std::uint32_t>(at)); }

    // To be called when all weights have their places.
    void fill(const std::vector<float>& theta, std::size_t vectors) {
        weights_.assign(vectors, Vector{});
        auto* floats = reinterpret_cast<float*>(weights_.data());
        for (std::size_t i = 0; i < places_.size(); ++i) floats[places_[i]] = theta[i];
    }

    // A step has three parts: begin, add the gradient times factor() to the list that begin returned, end.
    std::vector<Vector>& begin(const TdStep<Vector>& step) {
        if (!step.memory) return weights_;
        fade(step.memory->trace, step.trace_decay);
        return step.memory->trace;
    }
    static float factor(const TdStep<Vector>& step, float error) { return step.memory ? 1 : step.rate * error; }
    void end(const TdStep<Vector>& step, float error) {
        if (step.memory) update(weights_, *step.memory, [&](std::size_t) { return step.rate; }, error, step.momentum);
    }

    std::vector<Vector> weights_;

private:
    std::vector<std::uint32_t> places_;
};

}  // namespace ludus
