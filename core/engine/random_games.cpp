// Random games by the thousand, compiled apart for the same reason as perft.
#include "engine/counting.hpp"

namespace ludus {

template <class Game>
Tally random_games(std::uint64_t seed, std::uint64_t first, std::uint64_t count) {
    Tally tally;
    for (std::uint64_t game = 0; game < count; ++game) {
        Rng rng(seed, first + game);
        const auto count_ply = [&](typename Game::Position, typename Game::Move) { ++tally.plies; };
        const Outcome outcome = random_game<Game>(Game::start, rng, {}, count_ply);
        if (!outcome.winner) ++tally.draws;
        else ++(*outcome.winner == Game::turn(Game::start) ? tally.wins : tally.losses);
    }
    return tally;
}

template Tally random_games<draughts::Game>(std::uint64_t, std::uint64_t, std::uint64_t);
template Tally random_games<tictactoe3d::Game>(std::uint64_t, std::uint64_t, std::uint64_t);

}  // namespace ludus
