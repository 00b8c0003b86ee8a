// The long loops that the bindings call, each compiled in a file of its own.
#pragma once

#include <cstdint>

#include "games/draughts.hpp"
#include "games/playing.hpp"
#include "games/tictactoe3d.hpp"

namespace ludus {

// Games counted for the side that moved first.
struct Tally {
    std::uint64_t wins = 0, draws = 0, losses = 0, plies = 0;

    constexpr Tally& operator+=(const Tally& other) {
        wins += other.wins;
        draws += other.draws;
        losses += other.losses;
        plies += other.plies;
        return *this;
    }
};

template <class Game>
std::uint64_t perft(typename Game::Position p, int depth, bool plain);

// Random games `first` to `first + count - 1` of a seed.
template <class Game>
Tally random_games(std::uint64_t seed, std::uint64_t first, std::uint64_t count);

}  // namespace ludus
