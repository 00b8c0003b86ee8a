// The network in whole numbers: what is kept along the line of play is the sum from scratch, and the fast way gives what a plain one
// gives, to the bit. Self-play and the fit: labels, and weights that do not depend on threads.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "check.hpp"
#include "engine/fitting.hpp"
#include "evaluation/phase_network.hpp"
#include "games/playing.hpp"

using namespace ludus;

namespace {

template <class Inputs>
std::vector<float> random_theta(std::size_t width, std::uint64_t seed, float spread) {
    std::vector<float> theta(PhaseShape<Inputs>(width).weights());
    Rng rng(seed, 0);
    for (float& weight : theta) weight = (2 * rng.uniform() - 1) * spread;
    return theta;
}

// The definition, in the widest numbers, from the text at the top of phase_network.hpp.
template <class Inputs>
std::int64_t plain_net(const std::vector<float>& theta, std::size_t width, typename Inputs::Game::Position p) {
    using Shape = PhaseShape<Inputs>;
    const Shape shape(width);
    std::vector<std::int64_t> first;
    for (const auto seen : {p, Inputs::turned(p)}) {
        std::vector<std::int64_t> view(width);
        for (std::size_t i = 0; i < width; ++i) view[i] = rounded(theta[shape.rows() + i], Shape::bias_limit, Shape::row_bits);
        Inputs::for_each(seen, [&](std::size_t input) {
            for (std::size_t i = 0; i < width; ++i) view[i] += rounded(theta[input * width + i], Shape::row_limit, Shape::row_bits);
        });
        for (const std::int64_t sum : view) {
            CHECK(std::abs(sum) <= 32767);
            const auto clipped = static_cast<double>(std::clamp<std::int64_t>(sum, 0, 1 << Shape::row_bits));
            first.push_back(static_cast<std::int64_t>(std::floor(clipped * clipped / (1 << Shape::row_bits) + 0.5)));
        }
    }
    const float* upper = theta.data() + shape.phase(Inputs::phase(p));
    const float *bias = upper + 16 * first.size(), *output = bias + 16;
    std::int64_t net = rounded(output[16], Shape::upper_bias_limit, Shape::net_bits);
    for (std::size_t o = 0; o < 16; ++o) {
        std::int64_t sum = rounded(bias[o], Shape::upper_bias_limit, 18);
        for (std::size_t i = 0; i < first.size(); ++i) sum += first[i] * rounded(upper[o * first.size() + i], Shape::second_limit, Shape::second_bits);
        net += std::clamp<std::int64_t>(sum >> 5, 0, 8192) * rounded(output[o], Shape::output_limit, Shape::output_bits);
    }
    CHECK(std::abs(net) < (std::int64_t{1} << 31));
    return net;
}

template <class Inputs>
void kept_sums_and_fast_sums_are_exact(std::size_t width, float spread) {
    using Game = typename Inputs::Game;
    const auto theta = random_theta<Inputs>(width, 3, spread);
    const auto network = std::make_unique<PhaseNetwork<Inputs>>(theta, width);
    using State = typename PhaseNetwork<Inputs>::State;
    const auto kept = std::make_unique<State>(), next = std::make_unique<State>(), anew = std::make_unique<State>();
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(5, index);
        network->begin(*kept, Game::start);
        random_game<Game>(Game::start, rng, {}, [&](typename Game::Position p, typename Game::Move move) {
            network->follow(*next, *kept, p, move);
            const auto after = Game::play(p, move);
            network->begin(*anew, after);
            for (std::size_t view = 0; view < 2; ++view) {
                for (std::size_t i = 0; i < width; ++i) CHECK((*next)[view][i / 16][i % 16] == (*anew)[view][i / 16][i % 16]);
            }
            CHECK(network->net(*next, after) == plain_net<Inputs>(theta, width, after));
            const double logit = static_cast<double>(network->net(*next, after)) / (1 << 22);
            CHECK(std::abs(static_cast<double>(network->value(*next, after)) + std::tanh(logit / 2)) < 2e-6);
            *kept = *next;
        });
    }
}

template <class Game>
SelfPlay<Game> some_games(std::uint64_t first, std::uint64_t games) {
    return self_play<Game>(nullptr, {}, first, games, 7, {}, {});
}

template <class Game>
void games_depend_on_their_number() {
    const auto all = some_games<Game>(0, 6);
    auto parts = some_games<Game>(0, 2).positions;
    const auto rest = some_games<Game>(2, 4);
    parts.insert(parts.end(), rest.positions.begin(), rest.positions.end());
    CHECK(all.positions.size() == parts.size() && all.wins + all.draws + all.losses == 6);
    for (std::size_t i = 0; i < parts.size(); ++i) CHECK(parts[i].position() == all.positions[i].position() && parts[i].label.result == all.positions[i].label.result);
    for (const auto& each : all.positions) CHECK(each.is_sound() && Game::is_quiet(each.position()) && each.label.value == Label::no_value);
}

template <class Inputs>
void fit_does_not_depend_on_threads() {
    using Game = typename Inputs::Game;
    const auto positions = some_games<Game>(0, 300).positions;
    const auto start = initial_theta<Inputs>(16, 1);
    const auto fitted = [&](unsigned threads, std::uint64_t step) {
        const auto fit = make_phase_fit<Game>(start, 16, positions, {.epochs = 2, .seed = 4});
        double first = 0, last = 0;
        while (fit->done() < fit->total()) {
            last = fit->step(step, threads);
            if (first == 0) first = last;
        }
        CHECK(step > 1 || last < first);
        return fit->theta();
    };
    const auto one = fitted(1, 1000);
    CHECK(one == fitted(3, 7));
    CHECK(one == fitted(8, 1));
    CHECK(one != start);
}

// Pieces decide: after a fit to positions where the side with more pieces won, it values them so.
void fit_learns_what_it_is_shown() {
    using Game = draughts::Game;
    auto positions = some_games<Game>(0, 400).positions;
    for (auto& each : positions) {
        const int more = std::popcount(each.own) - std::popcount(each.other);
        each.label.result = static_cast<std::int8_t>((more > 0) - (more < 0));
    }
    const auto fit = make_phase_fit<Game>(initial_theta<draughts::PieceInputs>(32, 1), 32, positions, {.epochs = 20});
    while (fit->done() < fit->total()) fit->step(1000, 2);
    const auto network = std::make_unique<draughts::PhaseNetwork>(fit->theta(), 32);
    const auto state = std::make_unique<draughts::PhaseNetwork::State>();
    int right = 0, decided = 0;
    for (const auto& each : some_games<Game>(1000, 100).positions) {
        const int more = std::popcount(each.own) - std::popcount(each.other);
        if (!more) continue;
        network->begin(*state, each.position());
        right += (network->value(*state, each.position()) < 0) == (more > 0);
        ++decided;
    }
    CHECK(right > 0.95 * decided);
}

}  // namespace

int main() {
    for (const std::size_t width : {16, 64, 256}) {
        for (const float spread : {0.3F, 20.0F}) {
            kept_sums_and_fast_sums_are_exact<draughts::PieceInputs>(width, spread);
            kept_sums_and_fast_sums_are_exact<tictactoe3d::LineInputs>(width, spread);
        }
    }
    games_depend_on_their_number<draughts::Game>();
    games_depend_on_their_number<tictactoe3d::Game>();
    fit_does_not_depend_on_threads<draughts::PieceInputs>();
    fit_does_not_depend_on_threads<tictactoe3d::LineInputs>();
    fit_learns_what_it_is_shown();
    return failed();
}
