// Pupils: what they value by difference is the network's value, and a step is the gradient's; whole games of training.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "search/rule_player.hpp"
#include "check.hpp"
#include "games/draughts_notation.hpp"
#include "learning/line_pupil.hpp"
#include "networks.hpp"
#include "learning/td.hpp"

using namespace ludus;

namespace {

// Four nodes on each of the 76 lines, and full layers of these sizes above them.
Network lines_network(const std::vector<std::size_t>& sizes, std::uint64_t seed, bool bias) {
    Layer first{.inputs = 64, .outputs = 304, .activation = Activation::logistic, .bias = bias};
    for (const tictactoe3d::Board line : tictactoe3d::lines) {
        std::vector<std::uint32_t> cells;
        for (std::uint32_t cell = 0; cell < 64; ++cell) {
            if (line >> cell & 1) cells.push_back(cell);
        }
        first.connections.insert(first.connections.end(), 4, cells);
    }
    std::vector<Layer> layers{first};
    std::size_t weights = first.weights(), below = first.outputs;
    for (const std::size_t size : sizes) {
        layers.push_back({.inputs = below, .outputs = size, .activation = Activation::logistic, .bias = bias});
        weights += layers.back().weights();
        below = size;
    }
    std::vector<float> theta(weights);
    Rng rng(seed, 0);
    for (float& weight : theta) weight = rng.uniform() - 0.5F;
    return {layers, theta};
}

float furthest(const std::vector<float>& a, const std::vector<float>& b) {
    CHECK(a.size() == b.size());
    float worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::fabs(a[i] - b[i]));
    return worst;
}

// Follows random games; `encode` gives the inputs of an afterstate and what goes past all layers.
template <class Pupil, class Encode>
void values_and_steps_are_the_network_s(Pupil pupil, Network network, Encode encode) {
    using Game = typename Pupil::Game;
    using Position = typename Game::Position;
    std::vector<float> inputs(network.inputs()), gradient(network.theta().size());
    float worst_value = 0, worst_step = 0, largest_step = 0;
    CHECK(pupil.theta() == network.theta());
    const auto learn = [&](Position afterstate, float target, std::vector<Vector>* trace, std::vector<float>& faded) {
        const float rate = 0.01F, decay = 0.7F;
        const float y = network.gradient(inputs, gradient, encode(afterstate, std::span<float>(inputs)));
        const float error = pupil.learn(afterstate, target, {.rate = rate, .decay = decay, .trace = trace});
        worst_value = std::max(worst_value, std::fabs(target - y - error));
        auto theta = network.theta();
        for (std::size_t i = 0; i < theta.size(); ++i) {
            faded[i] = (trace ? decay * faded[i] : 0) + gradient[i];
            theta[i] += rate * error * faded[i];
            largest_step = std::max(largest_step, std::fabs(rate * error * faded[i]));
        }
        worst_step = std::max(worst_step, furthest(pupil.theta(), theta));
        network = Network(network.layers(), pupil.theta());  // from here on, so that no error is carried along
    };
    for (std::uint64_t index = 0; index < 4; ++index) {
        Rng rng(11, index);
        std::vector<Vector> trace = pupil.no_trace();
        std::vector<float> faded(network.theta().size());
        std::optional<Position> last;
        int plies = 0;
        random_game<Game>(Game::start, rng, {.plies = 60}, [&](Position p, typename Game::Move move) {
            const auto moves = Game::generate(p);
            std::vector<float> nets(moves.size());
            pupil.see(p);
            pupil.nets(p, moves.begin(), moves.size(), nets.data());
            for (std::size_t m = 0; m < moves.size(); ++m) {
                const float direct = encode(Game::play(p, moves[m]), std::span<float>(inputs));
                worst_value = std::max(worst_value, std::fabs(pupil.value(nets[m]) - network.value(inputs, direct)));
            }
            if (++plies > 16) return;  // the rest for the values only
            // One that lies beside what was looked at last, then at once one that does not.
            const bool traced = index % 2 != 0;
            if (last) learn(*last, 2 * rng.uniform() - 1, traced ? &trace : nullptr, faded);
            last = Game::play(p, move);
            if (plies % 4 == 0) learn(*last, 1, traced ? &trace : nullptr, faded);
        });
    }
    CHECK(worst_value < 1e-5F);
    CHECK(worst_step < 1e-6F);
    CHECK(largest_step > 1e-4F);
}

void pupils_are_their_networks() {
    const auto cells = [](tictactoe3d::Position p, std::span<float> inputs) {
        tictactoe3d::encode_cells(p, inputs.subspan<0, 64>());
        return 0.0F;
    };
    for (const bool bias : {false, true}) {
        const Network small = lines_network({1}, 1, bias), deep = lines_network({32, 1}, 2, bias), narrow = lines_network({5, 1}, 3, bias);
        values_and_steps_are_the_network_s(tictactoe3d::LinePupil<false>(small, Derivative::exact), small, cells);
        values_and_steps_are_the_network_s(tictactoe3d::LinePupil<true>(deep, Derivative::exact), deep, cells);
        values_and_steps_are_the_network_s(tictactoe3d::LinePupil<true>(narrow, Derivative::exact), narrow, cells);
        for (const auto& sizes : {std::vector<std::size_t>{64, 50, 1}, {64, 95, 51, 1}, {64, 7, 3, 9, 1}}) {
            const Network network = random_network(sizes, 4, Activation::logistic, bias);
            values_and_steps_are_the_network_s(RowPupil(network, tictactoe3d::CellInputs(), Derivative::exact), network, cells);
        }
        for (const bool symmetric : {false, true}) {
            const tictactoe3d::PatternInputs inputs(symmetric);
            const Network network = random_network({inputs.size(), 32, 1}, 5, Activation::logistic, bias);
            values_and_steps_are_the_network_s(RowPupil(network, inputs, Derivative::exact), network, [&](tictactoe3d::Position p, std::span<float> to) {
                std::ranges::copy(tictactoe3d::encode_patterns(p, symmetric), to.begin());
                return 0.0F;
            });
        }
        const Network squares = random_network({32, 40, 10, 1}, 6, Activation::tanh, bias);
        values_and_steps_are_the_network_s(RowPupil(squares, draughts::BoardInputs(false, 1.3F, true), Derivative::exact), squares, [](draughts::Position p, std::span<float> to) {
            draughts::encode_squares(p, 1.3F, to.subspan<0, 32>());
            return draughts::piece_difference(p, 1.3F);
        });
        const Network features = random_network({38, 20, 1}, 7, Activation::tanh, bias);
        values_and_steps_are_the_network_s(RowPupil(features, draughts::FeatureInputs(draughts::featuremap12, draughts::Coding::clean), Derivative::exact), features,
                                           [](draughts::Position p, std::span<float> to) {
            draughts::encode(p, draughts::featuremap12, draughts::Coding::clean, to);
            return 0.0F;
        });
    }
}

// Whole games under the sanitizers, with each reading and against an opponent.
template <class Pupil>
void plays_games(Pupil pupil) {
    using Game = typename Pupil::Game;
    const auto before = pupil.theta();
    for (std::uint64_t game = 0; game < 8; ++game) {
        const TdOptions options{.gamma = 0.9F, .lambda = game & 1 ? 0.5F : 0, .rule_win = (game & 2) != 0, .train_terminal = (game & 4) != 0, .avoid_loss = game == 5};
        Rng rng(3, game);
        std::optional<Color> learner;
        if (game >= 6) learner = game % 2 ? Color::white : Color::black;
        const TdResult result = td_game(pupil, options, 0.01F, {.plies = 80}, rng, learner, [&](const History<Game>& history) {
            if constexpr (std::is_same_v<Game, tictactoe3d::Game>) return tictactoe3d::rule_player_move(history.position(), tictactoe3d::Order::move, game);
            else return Game::generate(history.position())[0];
        });
        CHECK(result.plies > 0 && result.steps > 0 && result.steps <= result.plies + 1 && std::isfinite(result.squared_error));
        test_game(pupil, options, {.plies = 80}, Color::white, [](const History<Game>& history) { return Game::generate(history.position())[0]; });
    }
    CHECK(furthest(before, pupil.theta()) > 1e-3F);
}

}  // namespace

int main() {
    pupils_are_their_networks();
    plays_games(tictactoe3d::LinePupil<true>(lines_network({32, 1}, 2, true), Derivative::exact));
    plays_games(tictactoe3d::LinePupil<false>(lines_network({1}, 2, false), Derivative::doubled));
    plays_games(RowPupil(random_network({64, 50, 1}, 4, Activation::logistic), tictactoe3d::CellInputs(), Derivative::exact));
    plays_games(RowPupil(random_network({38, 20, 1}, 7), draughts::FeatureInputs(draughts::featuremap12, draughts::Coding::clean), Derivative::exact));
    return failed();
}
