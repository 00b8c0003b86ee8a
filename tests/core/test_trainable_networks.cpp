// Networks in training: what they value by difference is the network's value, and a step is TD(lambda)'s with momentum.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check.hpp"
#include "games/playing.hpp"
#include "learning/line_network.hpp"
#include "learning/row_network.hpp"
#include "networks.hpp"

using namespace ludus;

namespace {

// Follows random games; `encode` gives the inputs of an afterstate and what goes past all layers.
template <class Trainable, class Encode>
void values_and_steps_are_the_network_s(Trainable trainable, Network network, Encode encode) {
    using Game = typename Trainable::Game;
    using Position = typename Game::Position;
    std::vector<float> inputs(network.inputs()), gradient(network.theta().size());
    float worst_value = 0, worst_step = 0, largest_step = 0;
    CHECK(trainable.theta() == network.theta());
    struct Reference {
        std::vector<float> trace, last;
    };
    const auto learn = [&](Position afterstate, float target, TdMemory<Vector>* memory, float momentum, Reference& reference) {
        const float rate = 0.01F, decay = 0.7F;
        const float y = network.gradient(inputs, gradient, encode(afterstate, std::span<float>(inputs)));
        const float error = trainable.learn(afterstate, 1, target, {.rate = rate, .trace_decay = decay, .momentum = momentum, .memory = memory});
        worst_value = std::max(worst_value, std::fabs(target - y - error));
        auto theta = network.theta();
        for (std::size_t i = 0; i < theta.size(); ++i) {
            reference.trace[i] = (memory ? decay * reference.trace[i] : 0) + gradient[i];
            float change = rate * error * reference.trace[i];
            if (change * reference.last[i] > 0) change += momentum * reference.last[i];
            theta[i] += reference.last[i] = change;
            largest_step = std::max(largest_step, std::fabs(change));
        }
        worst_step = std::max(worst_step, furthest(trainable.theta(), theta));
        network = Network(network.layers(), trainable.theta());  // from here on, so that no error is carried along
    };
    for (std::uint64_t index = 0; index < 4; ++index) {
        Rng rng(11, index);
        const float momentum = index == 3 ? 0.5F : 0;
        TdMemory<Vector>& memory = trainable.memory(0, momentum > 0);
        Reference reference{.trace = std::vector<float>(network.theta().size()), .last = std::vector<float>(network.theta().size())};
        std::optional<Position> last;
        int plies = 0;
        random_game<Game>(Game::start, rng, {.plies = 60}, [&](Position p, typename Game::Move move) {
            const auto moves = Game::generate(p);
            std::vector<float> nets(moves.size());
            trainable.look(p);
            trainable.nets(p, moves.begin(), moves.size(), nets.data());
            for (std::size_t m = 0; m < moves.size(); ++m) {
                const float direct = encode(Game::play(p, moves[m]), std::span<float>(inputs));
                worst_value = std::max(worst_value, std::fabs(trainable.value(nets[m]) - network.value(inputs, direct)));
            }
            if (++plies > 16) return;  // the rest for the values only
            // One that lies beside what was looked at last, then at once one that does not.
            const bool traced = index % 2 != 0;
            if (last) learn(*last, 2 * rng.uniform() - 1, traced ? &memory : nullptr, momentum, reference);
            last = Game::play(p, move);
            if (plies % 4 == 0) learn(*last, 1, traced ? &memory : nullptr, momentum, reference);
        });
    }
    CHECK(worst_value < 1e-5F);
    CHECK(worst_step < 1e-6F);
    CHECK(largest_step > 1e-4F);
}

void trainable_networks_are_their_networks() {
    const auto cells = [](tictactoe3d::Position p, std::span<float> inputs) {
        tictactoe3d::encode_cells(p, inputs.subspan<0, 64>());
        return 0.0F;
    };
    for (const bool bias : {false, true}) {
        const Network small = lines_network({1}, 1, bias), deep = lines_network({32, 1}, 2, bias), narrow = lines_network({5, 1}, 3, bias);
        values_and_steps_are_the_network_s(tictactoe3d::LineNetwork<false>(small, Derivative::exact), small, cells);
        values_and_steps_are_the_network_s(tictactoe3d::LineNetwork<true>(deep, Derivative::exact), deep, cells);
        values_and_steps_are_the_network_s(tictactoe3d::LineNetwork<true>(narrow, Derivative::exact), narrow, cells);
        for (const auto& sizes : {std::vector<std::size_t>{64, 50, 1}, {64, 95, 51, 1}, {64, 7, 3, 9, 1}}) {
            const Network network = random_network(sizes, 4, Activation::logistic, bias);
            values_and_steps_are_the_network_s(RowNetwork(network, tictactoe3d::CellInputs(), Derivative::exact), network, cells);
        }
        for (const bool symmetric : {false, true}) {
            const tictactoe3d::PatternInputs inputs(symmetric);
            const Network network = random_network({inputs.size(), 32, 1}, 5, Activation::logistic, bias);
            values_and_steps_are_the_network_s(RowNetwork(network, inputs, Derivative::exact), network, [&](tictactoe3d::Position p, std::span<float> to) {
                std::ranges::copy(tictactoe3d::encode_patterns(p, symmetric), to.begin());
                return 0.0F;
            });
        }
        const Network squares = random_network({32, 40, 10, 1}, 6, Activation::tanh, bias);
        values_and_steps_are_the_network_s(RowNetwork(squares, draughts::BoardInputs(false, 1.3F, true), Derivative::exact), squares, [](draughts::Position p, std::span<float> to) {
            draughts::encode_squares(p, 1.3F, to.subspan<0, 32>());
            return draughts::piece_difference(p, 1.3F);
        });
        const Network features = random_network({38, 20, 1}, 7, Activation::tanh, bias);
        values_and_steps_are_the_network_s(RowNetwork(features, draughts::FeatureInputs(draughts::featuremap12, draughts::Coding::clean), Derivative::exact), features,
                                           [](draughts::Position p, std::span<float> to) {
            draughts::encode(p, draughts::featuremap12, draughts::Coding::clean, to);
            return 0.0F;
        });
    }
}

}  // namespace

int main() {
    trainable_networks_are_their_networks();
    return failed();
}
