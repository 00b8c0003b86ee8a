// What the fast networks in training share: all weights in one list of vectors, and the steps of TD(lambda) over it.
//
//     look(position)                       prepares for the moves of a position
//     nets(position, moves, n, to)         the output node's net input after each of n moves from there, for its mover
//     value(net)                           the value it stands for
//     learn(afterstate, gamma, next, step) moves the value of an afterstate towards gamma * next; returns the error it had
//     theta()                              the weights so far
#pragma once

#include <algorithm>
#include <array>
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

    // The memory of a side, 0 or 1, empty. It is kept for the next game: to make one of a large network takes longer than a game.
    TdMemory<Vector>& memory(std::size_t side, bool momentum) {
        TdMemory<Vector>& memory = memories_[side];
        memory.trace.resize(weights_.size());
        memory.last_change.resize(momentum ? weights_.size() : 0);
        memory.has_row.resize(rows_);
        for_used(memory, [&](std::size_t from, std::size_t to) {
            std::fill(memory.trace.data() + from, memory.trace.data() + to, Vector{});
            if (momentum) std::fill(memory.last_change.data() + from, memory.last_change.data() + to, Vector{});
        });
        for (const std::uint32_t row : memory.rows) memory.has_row[row] = 0;
        memory.rows.clear();
        return memory;
    }

    // Begins a new trace in a game.
    void forget(TdMemory<Vector>& memory) const {
        for_used(memory, [&](std::size_t from, std::size_t to) { std::fill(memory.trace.data() + from, memory.trace.data() + to, Vector{}); });
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

    // The weights from `first` on are `rows` rows of `width` vectors, of which a game uses few: a step of TD(lambda) leaves the others out.
    void set_rows(std::size_t first, std::size_t rows, std::size_t width) {
        first_row_ = first;
        rows_ = rows;
        row_width_ = width;
    }
    void use_row(const TdStep<Vector>& step, std::size_t row) const {
        if (!step.memory || step.memory->has_row[row]) return;
        step.memory->has_row[row] = 1;
        step.memory->rows.push_back(static_cast<std::uint32_t>(row));
    }

    // A step has three parts: begin, add the gradient times factor() to the list that begin returned, end.
    std::vector<Vector>& begin(const TdStep<Vector>& step) { return step.memory ? step.memory->trace : weights_; }
    static float factor(const TdStep<Vector>& step, float error) { return step.memory ? 1 : step.rate * error; }
    // The trace fades here, for the next step: its memory is at hand.
    void end(const TdStep<Vector>& step, float error) {
        if (!step.memory) return;
        for_used(*step.memory, [&](std::size_t from, std::size_t to) {
            update(weights_, *step.memory, [&](std::size_t) { return step.rate; }, error, step.momentum, from, to);
            for (std::size_t i = from; i < to; ++i) step.memory->trace[i] *= step.trace_decay;
        });
    }

    std::vector<Vector> weights_;

private:
    // Visits the parts of the lists of a memory that are not known to be zero.
    template <class Visit>
    void for_used(const TdMemory<Vector>& memory, Visit visit) const {
        visit(std::size_t{0}, first_row_);
        for (const std::uint32_t row : memory.rows) visit(first_row_ + row * row_width_, first_row_ + (row + 1) * row_width_);
        visit(first_row_ + rows_ * row_width_, weights_.size());
    }

    std::vector<std::uint32_t> places_;
    std::size_t first_row_ = 0, rows_ = 0, row_width_ = 0;
    std::array<TdMemory<Vector>, 2> memories_;
};

}  // namespace ludus
