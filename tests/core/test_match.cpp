// A match on two threads, which share evaluators and endgame tables: its games are those of one thread.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "built_tables.hpp"
#include "check.hpp"
#include "engine/match_game.hpp"
#include "engine/searcher.hpp"
#include "evaluation/draughts_evaluators.hpp"
#include "evaluation/tictactoe3d_evaluators.hpp"
#include "games/playing.hpp"
#include "networks.hpp"

using namespace ludus;

namespace {

constexpr std::size_t games = 8;

// The moves of all games; each thread makes searches of its own with `make`, as the workers of a match do.
template <class Game, class Make>
std::vector<std::string> match(std::size_t threads, const Make& make) {
    std::vector<std::string> played(games);
    const auto play = [&](std::size_t first) {
        const auto one = make(0), other = make(1);
        for (std::size_t index = first; index < games; index += threads) {
            const std::uint64_t seed = index / 2;
            MatchSide<Game> sides[] = {{one.get(), {.nodes = 400}, side_seed(seed, 0)}, {other.get(), {.nodes = 400}, side_seed(seed, 1)}};
            const std::size_t begins = index % 2;
            played[index] = play_game<Game>(sides[begins], sides[1 - begins], Game::start, {}, {}).moves;
        }
    };
    std::vector<std::thread> running;
    for (std::size_t thread = 0; thread < threads; ++thread) running.emplace_back(play, thread);
    for (std::thread& thread : running) thread.join();
    return played;
}

void draughts_with_tables() {
    const endgames::Built all = endgames::built(3, 2);
    const auto network = make_evaluator<draughts::BoardNetwork>(random_network({32, 40, 10, 1}, 3), 1.5F, false).kind;
    const auto material = make_evaluator<draughts::Material>().kind;
    const auto make = [&](int side) {
        return side == 0 ? make_alphabeta(network, {}, 1, all.tables) : make_pvs<draughts::Game>(material, {}, 4, 1, all.tables);
    };
    const auto alone = match<draughts::Game>(1, make);
    CHECK(match<draughts::Game>(2, make) == alone);
    CHECK(!alone[0].empty() && alone[0] != alone[1]);
}

void tictactoe3d_with_play_outs() {
    const auto network = make_evaluator<tictactoe3d::Material>().kind;
    const auto make = [&](int side) {
        return side == 0 ? make_alphabeta<tictactoe3d::Game>(network, {}, 1) : make_mcts<tictactoe3d::Game>(network, {});
    };
    const auto alone = match<tictactoe3d::Game>(1, make);
    CHECK(match<tictactoe3d::Game>(2, make) == alone);
}

}  // namespace

int main() {
    draughts_with_tables();
    tictactoe3d_with_play_outs();
    return failed();
}
