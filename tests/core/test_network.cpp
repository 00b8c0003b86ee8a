// Networks: the activation, the gradient, and that what a search keeps along the line of play is the network's value.
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "check.hpp"
#include "games/draughts_notation.hpp"
#include "evaluation/draughts_evaluators.hpp"
#include "evaluation/tictactoe3d_evaluators.hpp"
#include "networks.hpp"
#include "games/playing.hpp"

using namespace ludus;

namespace {

void tanh_is_tanh() {
    double worst = 0;
    for (float x = -30; x < 30; x += 1e-3F) worst = std::max(worst, std::fabs(static_cast<double>(tanh_of(x)) - std::tanh(static_cast<double>(x))));
    CHECK(worst < 7e-7);
    CHECK(tanh_of(0.0F) == 0 && tanh_of(1e30F) <= 1 && tanh_of(-1e30F) >= -1);
}

// A small structured network: two inputs a node in the first layer, everything above it.
Network structured(std::uint64_t seed) {
    Layer first{.inputs = 6, .outputs = 4, .activation = Activation::logistic, .bias = true, .connections = {{0, 1}, {1, 2, 3}, {3, 5}, {4}}};
    Layer second{.inputs = 4, .outputs = 3, .activation = Activation::tanh, .bias = false};
    Layer third{.inputs = 3, .outputs = 1, .activation = Activation::tanh, .bias = true};
    std::vector<float> theta(first.weights() + second.weights() + third.weights());
    CHECK(theta.size() == 8 + 4 + 12 + 4);
    Rng rng(seed, 0);
    for (float& weight : theta) weight = 2 * rng.uniform() - 1;
    return {{first, second, third}, theta};
}

void gradient_is_the_slope_of_the_value(const Network& network) {
    std::vector<float> inputs(network.inputs()), gradient(network.theta().size());
    Rng rng(5, 1);
    for (float& input : inputs) input = 2 * rng.uniform() - 1;
    const float direct = 0.25F;
    CHECK(network.gradient(inputs, gradient, direct) == network.value(inputs, direct));
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        const auto moved = [&](float by) {
            auto theta = network.theta();
            theta[i] += by;
            return static_cast<double>(Network(network.layers(), theta).value(inputs, direct));
        };
        const double slope = (moved(0.01F) - moved(-0.01F)) / 0.02;
        CHECK(std::fabs(slope - static_cast<double>(gradient[i])) < 2e-4);
    }
}

// Follows random games and compares the kept value with that of the whole network.
template <class Evaluator, class Encode>
void kept_value_is_the_network_value(const Evaluator& evaluator, const Network& network, Encode encode) {
    using Game = typename Evaluator::Game;
    double worst = 0;
    for (std::uint64_t index = 0; index < 30; ++index) {
        Rng rng(7, index);
        typename Evaluator::State before, after, anew;
        evaluator.begin(before, Game::start);
        random_game<Game>(Game::start, rng, {}, [&](typename Game::Position p, typename Game::Move move) {
            const auto afterstate = Game::play(p, move);
            evaluator.follow(after, before, p, move);
            evaluator.begin(anew, afterstate);
            // To the bit: the line of play must leave no trace.
            CHECK(evaluator.value(after, afterstate) == evaluator.value(anew, afterstate));
            std::vector<float> inputs(network.inputs());
            const float direct = encode(afterstate, std::span<float>(inputs));
            worst = std::max(worst, static_cast<double>(std::fabs(evaluator.value(after, afterstate) - network.value(inputs, direct))));
            before = after;
        });
    }
    CHECK(worst < 1e-5);
}

void evaluators_are_their_networks() {
    const auto squares = [](draughts::Position p, std::span<float> inputs) {
        draughts::encode_squares(p, 1.3F, inputs.subspan<0, 32>());
        return draughts::piece_difference(p, 1.3F);
    };
    const auto subsquares = [](draughts::Position p, std::span<float> inputs) {
        draughts::encode_subsquares(p, 1.5F, inputs.subspan<0, 91>());
        return 0.0F;
    };
    const auto features = [](draughts::Position p, std::span<float> inputs) {
        draughts::encode(p, draughts::featuremap28, draughts::Coding::faithful, inputs);
        return 0.0F;
    };
    const auto cells = [](tictactoe3d::Position p, std::span<float> inputs) {
        tictactoe3d::encode_cells(p, inputs.subspan<0, 64>());
        return 0.0F;
    };
    for (const auto& sizes : {std::vector<std::size_t>{32, 40, 10, 1}, {32, 1}, {32, 7, 1}, {32, 100, 9, 11, 1}}) {
        const auto network = random_network(sizes, 1);
        kept_value_is_the_network_value(draughts::BoardNetwork(network, 1.3F, true), network, squares);
    }
    const auto wide = random_network({91, 40, 10, 1}, 2);
    kept_value_is_the_network_value(draughts::BoardNetwork(wide, 1.5F, false), wide, subsquares);
    const auto map = random_network({83, 20, 1}, 3);
    kept_value_is_the_network_value(draughts::FeatureNetwork(map, draughts::featuremap28, draughts::Coding::faithful), map, features);
    for (const bool bias : {false, true}) {
        const auto network = random_network({64, 95, 51, 1}, 4, Activation::logistic, bias);
        kept_value_is_the_network_value(tictactoe3d::CellNetwork(network), network, cells);
    }
}

void a_network_that_cannot_be_is_refused() {
    const auto refused = [](auto make) {
        try {
            make();
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(refused([] { Network({}, {}); }));
    CHECK(refused([] { Network({{.inputs = 2, .outputs = 1}}, {1, 2}); }));                                       // three weights
    CHECK(refused([] { Network({{.inputs = 2, .outputs = 2}}, std::vector<float>(6)); }));                        // two outputs
    CHECK(refused([] { Network({{.inputs = 2, .outputs = 3}, {.inputs = 2, .outputs = 1}}, std::vector<float>(12)); }));
    CHECK(refused([] { Network({{.inputs = 2, .outputs = 1, .connections = {{2}}}}, std::vector<float>(2)); }));  // no input 2
    CHECK(refused([] { draughts::BoardNetwork(random_network({64, 1}, 1), 1.5F, false); }));
}

}  // namespace

int main() {
    tanh_is_tanh();
    gradient_is_the_slope_of_the_value(structured(1));
    gradient_is_the_slope_of_the_value(random_network({5, 7, 3, 1}, 2));
    gradient_is_the_slope_of_the_value(random_network({5, 1}, 3, Activation::linear));
    evaluators_are_their_networks();
    a_network_that_cannot_be_is_refused();
    return failed();
}
