// An evaluator whose network is trained while searches use it: the plain form of training, where the search takes the time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "evaluation/network.hpp"
#include "games/playing.hpp"
#include "learning/td_update.hpp"
#include "learning/training_game.hpp"

namespace ludus {

template <class Evaluator>
class TrainableEvaluator {
public:
    using Game = typename Evaluator::Game;
    using Position = typename Game::Position;
    using Move = typename Game::Move;
    static constexpr bool always_remembers = true;

    // What the game will bring the learner: `sign` times the network's value of a position, which may be an afterstate of the
    // opponent; or a value that is known without the network, from which the network learns nothing directly.
    struct Prediction {
        Position position{};
        float sign = 1;
        std::optional<float> known{};
    };

    // `evaluator` is given the network and every change of it. There is a learning rate for each weight; one of 0 stays as it is.
    TrainableEvaluator(Evaluator& evaluator, const Network& network, std::vector<float> rates)
        : evaluator_(evaluator), network_(network), theta_(network.theta()), rates_(std::move(rates)), inputs_(network.inputs()), gradient_(theta_.size()) {
        if (rates_.size() != theta_.size()) throw std::invalid_argument("there is a learning rate for each weight");
        evaluator_ = evaluator_.with(network_);
    }

    const std::vector<float>& theta() const { return theta_; }

    // Momentum or not, the last changes are kept: so the rounding does not depend on it.
    TdMemory<float>& memory(std::size_t side, bool) {
        TdMemory<float>& memory = memories_[side];
        memory.trace.assign(theta_.size(), 0);
        memory.last_change.assign(theta_.size(), 0);
        return memory;
    }
    void forget(TdMemory<float>& memory) const { std::ranges::fill(memory.trace, 0.0F); }

    // The prediction of `learner` at the end of a line of moves: the position there is known to be won, lost or drawn, or the
    // network values it. Without `leaf` nothing is known, as the line is one move whose afterstate learns.
    // `judge` may know the outcome of a position that could be played on.
    template <class Judge = NoJudge>
    static Prediction predict(const History<Game>& history, const std::vector<Move>& line, Color learner, bool leaf, const Judge& judge = {}) {
        History<Game> ahead = history;
        for (const Move move : line) ahead.play(move);
        if (leaf) {
            if (const auto ended = Game::outcome(ahead.position())) return {.known = reward(*ended, learner)};
            if (const auto judged = judge(ahead.position())) return {.known = reward(*judged, learner)};
            const auto& keys = ahead.keys();
            // The search takes a position that comes back for a draw, also if the chosen move itself brings it back.
            if (std::find(keys.begin(), keys.end() - 1, keys.back()) != keys.end() - 1) return {.known = 0.0F};
        }
        return {.position = ahead.position(), .sign = Game::turn(ahead.position()) == learner ? -1.0F : 1.0F};
    }

    float value(const Prediction& prediction) {
        if (prediction.known) return *prediction.known;
        const float direct = evaluator_.encode(prediction.position, inputs_);
        return prediction.sign * network_.value(inputs_, direct);
    }

    float learn(const Prediction& prediction, float gamma, float next, const TdStep<float>& step) {
        std::vector<float>& trace = step.memory->trace;
        fade(trace, step.trace_decay);
        float predicted = 0;
        if (prediction.known) {
            predicted = *prediction.known;
        } else {
            const float direct = evaluator_.encode(prediction.position, inputs_);
            predicted = prediction.sign * network_.gradient(inputs_, gradient_, direct);
            for (std::size_t i = 0; i < trace.size(); ++i) trace[i] += prediction.sign * gradient_[i];
        }
        const float error = gamma * next - predicted;
        update(theta_, *step.memory, [&](std::size_t i) { return step.rate * rates_[i]; }, error, step.momentum, 0, theta_.size());
        network_ = Network(network_.layers(), theta_);
        evaluator_ = evaluator_.with(network_);
        return error;
    }

private:
    Evaluator& evaluator_;
    Network network_;
    std::vector<float> theta_, rates_, inputs_, gradient_;
    std::array<TdMemory<float>, 2> memories_;
};

// Knows the value of no position.
struct NoValue {
    template <class Position>
    std::optional<float> operator()(const Position&) const { return std::nullopt; }
};

// A training game of an evaluator whose moves a search chooses: `search(history)` is the principal variation. Without a learner
// it plays both sides and learns from both.
//     judge(position)    the outcome that is known of a position without playing on, if any: the game ends there
//     known(position)    the value for the side to move that is known of a position, if any: it is a target, and the game goes on
template <class Evaluator, class Search, class Reply, class Judge = NoJudge, class Known = NoValue>
TrainingResult training_game_by_search(TrainableEvaluator<Evaluator>& network, History<typename Evaluator::Game> history, std::optional<Color> learner,
                                       const TrainingOptions& options, Rng& rng, Search search, Reply reply, Judge judge = {}, Known known = {}) {
    using Game = typename Evaluator::Game;
    using Trainable = TrainableEvaluator<Evaluator>;
    const auto choose = [&](const History<Game>& now, bool random, Rng& chance) {
        std::vector<typename Game::Move> line(1);
        if (random) Game::random_move(now.position(), chance, line.front());
        else line = search(now);
        if (!options.leaf) line.resize(1);
        const auto prediction = Trainable::predict(now, line, Game::turn(now.position()), options.leaf, judge);
        const auto sure = known(Game::play(now.position(), line.front()));
        return TrainingMove<typename Game::Move, typename Trainable::Prediction>{line.front(), prediction, sure ? -*sure : network.value(prediction)};
    };
    return training_game(network, std::move(history), learner, options, 1, rng, choose, reply, judge);
}

}  // namespace ludus
