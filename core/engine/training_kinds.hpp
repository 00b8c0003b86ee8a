// The training behind training.hpp, to be compiled once a game.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "engine/picking_searcher.hpp"
#include "engine/training.hpp"
#include "learning/trainable_evaluator.hpp"

namespace ludus {

template <class Network>
class TrainableNetworkOf final : public TrainableNetwork<typename Network::Game> {
public:
    using Game = typename Network::Game;

    template <class... Args>
    explicit TrainableNetworkOf(Args&&... args) : network_(std::forward<Args>(args)...) {}

    TrainingResult train(std::uint64_t first, std::uint64_t games, std::uint64_t seed, const TrainingOptions& options, double rate, double rate_change,
                         LearnerSide side, const MatchSide<Game>* opponent) override {
        const auto choose = [&](const History<Game>& history, bool random, Rng& rng) {
            return choose_greedily(network_, history.position(), options, random, rng);
        };
        TrainingResult total;
        for (std::uint64_t game = first; game < first + games; ++game) {
            Rng rng(seed, game), opening(seed, ~game);
            std::optional<Color> learner;
            MatchSide<Game> other;
            if (opponent) {
                learner = color(side, game);
                other = in_game(*opponent, game);
            }
            const float rate_now = static_cast<float>(rate + static_cast<double>(game) * rate_change);
            total += training_game(network_, random_opening<Game>(Game::start, options.rules, options.opening_plies, opening), learner, options, rate_now, rng,
                                   choose, [&](const History<Game>& history) { return other.choose(history); });
        }
        return total;
    }

    TestResult test(std::uint64_t games, const TrainingOptions& options, LearnerSide side, const MatchSide<Game>& opponent) override {
        Rng unused(0, 0);
        const auto pick = [&](const History<Game>& history, std::uint64_t) {
            return choose_greedily(network_, history.position(), options, false, unused).move;
        };
        PickingSearcher<Game, decltype(pick)> own(pick);
        const MatchSide<Game> learner{.searcher = &own};
        TestResult total;
        for (std::uint64_t game = 0; game < games; ++game) {
            const Color mine = color(side, game);
            const MatchSide<Game> other = in_game(opponent, game);
            History<Game> history(Game::start, options.rules);
            const Outcome outcome = play_out(history, [&](const History<Game>& now) { return (Game::turn(now.position()) == mine ? learner : other).choose(now); });
            ++(!outcome.winner ? total.draws : *outcome.winner == mine ? total.wins : total.losses);
        }
        return total;
    }

    std::vector<float> theta() override { return network_.theta(); }

    std::vector<float> values(typename Game::Position p) override {
        network_.look(p);
        const auto moves = Game::generate(p);
        std::vector<float> values(moves.size());
        network_.nets(p, moves.begin(), moves.size(), values.data());
        for (float& value : values) value = network_.value(value);
        return values;
    }

    float learn(typename Game::Position afterstate, float target, float rate) override { return network_.learn(afterstate, 1, target, {.rate = rate}); }

private:
    static Color color(LearnerSide side, std::uint64_t game) {
        const Color first = Game::turn(Game::start);
        return side == LearnerSide::first || (side == LearnerSide::both && game % 2 == 0) ? first : !first;
    }

    static MatchSide<Game> in_game(MatchSide<Game> side, std::uint64_t game) {
        side.seed = mix(side_seed(side.seed, game));
        return side;
    }

    Network network_;
};

template <class Game>
TrainedGame play_training_game(Evaluator<Game>& evaluator, const Network& network, const MatchSide<Game>& learner, const MatchSide<Game>& opponent,
                               const TrainingGame<Game>& game) {
    return std::visit([&]<class Kind>(Kind& kind) -> TrainedGame {
        if constexpr (requires { kind.with(network); }) {
            TrainableEvaluator<Kind> trainable(kind, network, game.rates);
            constexpr std::uint64_t both = 2;
            Rng rng(mix(game.seed), game.learner ? static_cast<std::uint64_t>(*game.learner) : both), opening(game.seed, 0);  // the same for both colours
            const auto search = [&](const History<Game>& history) { return learner.searcher->search(history, learner.budget, learner.seed).variation; };
            const auto result = training_game_by_search(trainable, random_opening<Game>(game.start, game.options.rules, game.options.opening_plies, opening),
                                                        game.learner, game.options, rng, search,
                                                        [&](const History<Game>& history) { return opponent.choose(history); },
                                                        [&](typename Game::Position p) { return game.judge ? game.judge(p) : std::nullopt; },
                                                        [&](typename Game::Position p) { return game.known ? game.known(p) : std::nullopt; });
            return {.result = result, .theta = trainable.theta()};
        } else {
            throw std::invalid_argument("only an evaluator with a network can learn");
        }
    }, *evaluator.kind);
}

}  // namespace ludus
