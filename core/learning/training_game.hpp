// A training game: a network plays, and each of its predictions is corrected towards the one that follows it.
//
// A side predicts at each of its turns what the game will bring it: the value of the afterstate of its move, or what a search
// that chose the move ends in. The target of its last prediction is the present one, a move of each side later, or the final
// reward: 1, 0 or -1. An update is made before the next choice.
//
// A network in training has
//     Prediction                               what is predicted at a turn, as far as the network has to know it
//     memory(side, momentum)                   the memory of TD(lambda) (td_update.hpp) for a side, 0 or 1, empty
//     forget(memory)                           begins a new trace
//     learn(prediction, gamma, next, step)     moves a prediction towards gamma * next; returns the error it had
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "games/playing.hpp"
#include "learning/td_update.hpp"

namespace ludus {

struct TrainingOptions {
    float gamma = 1;                   // what the next prediction counts
    float trace_decay = 0;             // by which a trace fades at each step: gamma * lambda, or lambda as the cloning learners have it
    float momentum = 0;                // the share of a weight's last change that is added to the next if both go the same way
    float epsilon = 0.1F;              // how often chance chooses the move
    bool learn_from_random = true;     // a random move corrects the prediction before it; else it begins a new trace
    bool rule_win = true;              // a move that wins at once is worth 1, whatever the network says
    bool train_terminal = true;        // the last prediction of a game learns the reward itself, not only the one before it
    bool avoid_loss = false;           // no move after which the opponent wins at once, if there is another
    bool leaf = false;                 // with a search: predict by the end of its principal variation, not by the move's afterstate
    int opening_plies = 0;             // random moves of both sides first
    DrawRules rules{};
};

// What training games came to, summed up.
struct TrainingResult {
    std::uint64_t plies = 0;
    std::uint64_t steps = 0;
    double squared_error = 0;  // summed over the steps
    std::optional<Color> winner{};  // of the last game

    TrainingResult& operator+=(const TrainingResult& other) {
        plies += other.plies;
        steps += other.steps;
        squared_error += other.squared_error;
        winner = other.winner;
        return *this;
    }
};

// What a learner does at its turn: its move, its prediction and the value of that by the weights of the moment.
template <class Move, class Prediction>
struct TrainingMove {
    Move move{};
    Prediction prediction{};
    float value = 0;
};

constexpr float reward(const Outcome& outcome, Color color) { return !outcome.winner ? 0.0F : *outcome.winner == color ? 1.0F : -1.0F; }

// A judge that knows no outcome: the game is played to its end.
struct NoJudge {
    template <class Position>
    std::optional<Outcome> operator()(const Position&) const { return std::nullopt; }
};

// Plays the game that `history` has begun, and learns from it.
//     learner                         the side that learns; none: both
//     choose(history, random, rng)    the learner's TrainingMove; `random` says that chance chooses
//     reply(history)                  the other side's move
//     judge(position)                 the outcome that is known of a position without playing on, if any
template <class Network, class Choose, class Reply, class Judge = NoJudge>
TrainingResult training_game(Network& network, History<typename Network::Game> history, std::optional<Color> learner, const TrainingOptions& options,
                             float rate, Rng& rng, Choose choose, Reply reply, Judge judge = {}) {
    using Game = typename Network::Game;
    using Memory = std::remove_reference_t<decltype(network.memory(0, true))>;
    struct LearningSide {
        std::optional<typename Network::Prediction> prediction;  // its last one
        Memory* memory = nullptr;
    };
    std::array<LearningSide, 2> sides;
    const bool remembers = Network::always_remembers || options.trace_decay > 0 || options.momentum > 0;
    if (remembers) {
        for (std::size_t side = 0; side < sides.size(); ++side) sides[side].memory = &network.memory(side, options.momentum > 0);
    }
    TrainingResult result;
    const auto learn = [&](LearningSide& side, float gamma, float next) {
        const float error = network.learn(*side.prediction, gamma, next,
                                          {.rate = rate, .trace_decay = options.trace_decay, .momentum = options.momentum, .memory = side.memory});
        ++result.steps;
        result.squared_error += static_cast<double>(error) * error;
    };

    const auto outcome = [&] {
        const auto played_out = history.outcome();
        return played_out ? played_out : judge(history.position());
    };
    std::optional<Outcome> ended = outcome();
    while (!ended) {
        const Color color = Game::turn(history.position());
        LearningSide &side = sides[static_cast<std::size_t>(color)], &other = sides[1 - static_cast<std::size_t>(color)];
        if (learner && *learner != color) {
            history.play(reply(history));
            ended = outcome();
        } else {
            const bool random = options.epsilon > 0 && rng.uniform() < options.epsilon;
            const auto chosen = choose(history, random, rng);
            history.play(chosen.move);
            ended = outcome();
            if (random && !options.learn_from_random) {
                if (side.memory) network.forget(*side.memory);
            } else if (side.prediction) {
                if (ended && !options.train_terminal) learn(side, 1, reward(*ended, color));
                else learn(side, options.gamma, chosen.value);
            }
            side.prediction = chosen.prediction;
            if (ended && options.train_terminal) learn(side, 1, reward(*ended, color));
        }
        if (ended && other.prediction) learn(other, 1, reward(*ended, !color));
    }
    result.plies = static_cast<std::uint64_t>(history.plies());
    result.winner = ended->winner;
    return result;
}

// The move whose afterstate a fast network in training values most, or a random one, in a game that is not over.
template <class Network>
TrainingMove<typename Network::Game::Move, typename Network::Prediction> choose_greedily(Network& network, typename Network::Game::Position p,
                                                                                         const TrainingOptions& options, bool random, Rng& rng) {
    using Game = typename Network::Game;
    network.look(p);
    auto moves = Game::generate(p);
    if (options.avoid_loss) moves = safe_moves<Game>(p, moves);
    std::array<float, Game::most_moves> nets;
    if (random) {
        const auto move = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
        if (options.rule_win && Game::wins(p, move)) return {move, Game::play(p, move), 1};
        network.nets(p, &move, 1, nets.data());
        return {move, Game::play(p, move), network.value(nets[0])};
    }
    if (options.rule_win) {
        for (const auto move : moves) {
            if (Game::wins(p, move)) return {move, Game::play(p, move), 1};
        }
    }
    // The output's activation is monotone: it is taken of the best move only.
    network.nets(p, moves.begin(), moves.size(), nets.data());
    const auto best = static_cast<std::size_t>(std::max_element(nets.begin(), nets.begin() + moves.size()) - nets.begin());
    return {moves[best], Game::play(p, moves[best]), network.value(nets[best])};
}

}  // namespace ludus
