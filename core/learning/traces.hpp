// TD(lambda) with eligibility traces: how a network learns from the line of afterstates of one game.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "evaluation/network.hpp"

namespace ludus {

struct TraceOptions {
    float gamma = 0.98F;
    float lambda = 0.1F;
    float momentum = 0.9F;
    std::vector<float> rates{};  // of each weight: a layer has its own, and a weight with 0 stays as it is
};

// What the learner's network is shown of a position. `sign` turns the value around when the position is the opponent's
// afterstate; a position that needs no network has a `known` value, and nothing is learned from what it is made of.
struct View {
    std::span<const float> inputs{};
    float direct = 0;
    float sign = 1;
    std::optional<float> known{};
};

// The course of one game. What the lineage's programs do: the prediction to be corrected is made again with the new
// weights after every update, and a weight's last change is added to the next one, times the momentum, only if both go the
// same way. The last changes are forgotten between games.
class Traces {
public:
    Traces(Network network, TraceOptions options)
        : network_(std::move(network)), options_(std::move(options)), theta_(network_.theta()),
          traces_(theta_.size()), gradient_(theta_.size()), last_(theta_.size()) {
        if (options_.rates.size() != theta_.size()) throw std::invalid_argument("there is a learning rate for each weight");
    }

    const Network& network() const { return network_; }

    // The first afterstate, or the first after a move that says nothing about the ones before it.
    void begin(const View& view) {
        std::ranges::fill(traces_, 0.0F);
        follow(view);
    }

    // The next afterstate: corrects the prediction of the one before it.
    void step(const View& view) {
        const float value = view.known ? *view.known : view.sign * network_.value(view.inputs, view.direct);
        update(options_.gamma * value - predicted_);
        follow(view);
    }

    // The game is over.
    void end(float reward) { update(reward - predicted_); }

private:
    void update(float error) {
        for (std::size_t i = 0; i < theta_.size(); ++i) {
            float change = options_.rates[i] * error * traces_[i];
            if (change * last_[i] > 0) change += options_.momentum * last_[i];
            theta_[i] += last_[i] = change;
        }
        network_ = Network(network_.layers(), theta_);
    }

    void follow(const View& view) {
        for (float& trace : traces_) trace *= options_.lambda;
        if (view.known) {
            predicted_ = *view.known;
            return;
        }
        predicted_ = view.sign * network_.gradient(view.inputs, gradient_, view.direct);
        for (std::size_t i = 0; i < traces_.size(); ++i) traces_[i] += view.sign * gradient_[i];
    }

    Network network_;
    TraceOptions options_;
    std::vector<float> theta_, traces_, gradient_, last_;
    float predicted_ = 0;
};

}  // namespace ludus
