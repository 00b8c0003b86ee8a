// Lessons: whole games under the sanitizers, with every way to learn from them.
#include <cstdint>
#include <span>
#include <vector>

#include "search/alphabeta.hpp"
#include "check.hpp"
#include "games/draughts_notation.hpp"
#include "evaluation/draughts_evaluators.hpp"
#include "evaluation/tictactoe3d_evaluators.hpp"
#include "learning/lessons.hpp"
#include "networks.hpp"

using namespace ludus;
using draughts::Game;

namespace {

// A lesson of an evaluator against itself as it was; gives the weights at the end.
template <class Evaluator>
std::vector<float> taught(Evaluator evaluator, const Network& network, const Lesson<Game>& lesson, float rate, float* reward = nullptr) {
    Traces traces(network, {.gamma = 0.98F, .lambda = 0.7F, .momentum = 0.9F, .rates = std::vector<float>(network.theta().size(), rate)});
    const Evaluator frozen = evaluator;
    TranspositionTable table(1);
    AlphaBeta<Evaluator> own(evaluator, {}, table), opponents(frozen, {}, table);
    const auto choose = [&](const History<Game>& history, bool mine) {
        return (mine ? own : opponents).search(history.position(), history.keys(), {.depth = 3}, nullptr, [](const auto&) { return true; });
    };
    const auto encode = [&](draughts::Position afterstate, std::span<float> inputs) { return evaluator.encode(afterstate, inputs); };
    const Lived lived = live(lesson, traces, choose, encode, [&] { evaluator = evaluator.with(traces.network()); });
    CHECK(lived.plies > 0 && (lived.reward == 0 || lived.reward == 1 || lived.reward == -1));
    if (reward) *reward = lived.reward;
    return traces.network().theta();
}

template <class Evaluator>
void learns(const Evaluator& evaluator, const Network& network) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Lesson<Game> lesson{.side = seed % 2 ? Color::white : Color::black, .opening_plies = 4, .epsilon = 0.1F, .leaf = seed >= 2, .seed = seed};
        const auto theta = taught(evaluator, network, lesson, 0.01F);
        CHECK(theta != network.theta());
        CHECK(theta == taught(evaluator, network, lesson, 0.01F));
        CHECK(taught(evaluator, network, lesson, 0) == network.theta());
    }
}

void the_inputs_are_those_of_the_value() {
    const Network network = random_network({30, 1}, 4);
    const draughts::Polynomial polynomial(network, (1U << 30) - 1);
    std::vector<float> inputs(30);
    Rng rng(7, 0);
    random_game<Game>(Game::start, rng, {}, [&](draughts::Position position, draughts::Move) {
        polynomial.encode(position, inputs);
        CHECK(std::fabs(polynomial.value({}, position) - network.value(inputs)) < 1e-5F);
    });
}

// Black to move cannot but win: every move is forced.
void the_reward_is_the_learner_s() {
    const Network network = random_network({38, 5, 1}, 5);
    const draughts::FeatureNetwork evaluator(network, draughts::featuremap12, draughts::Coding::clean);
    const draughts::Position start = draughts::parse_position("B:W29:B21,25");
    for (const Color side : {Color::black, Color::white}) {
        float reward = 0;
        taught(evaluator, network, {.start = start, .side = side}, 0.1F, &reward);
        CHECK(reward == (side == Color::black ? 1 : -1));
    }
}

}  // namespace

int main() {
    const Network features = random_network({38, 20, 1}, 1), squares = random_network({91, 6, 1}, 2), terms = random_network({30, 1}, 3);
    learns(draughts::FeatureNetwork(features, draughts::featuremap12, draughts::Coding::clean), features);
    learns(draughts::BoardNetwork(squares, 1.5F, true), squares);
    learns(draughts::Polynomial(terms, (1U << 30) - 1), terms);
    the_inputs_are_those_of_the_value();
    the_reward_is_the_learner_s();
    return failed();
}
