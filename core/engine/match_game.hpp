// A game between two searches.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/searcher.hpp"
#include "games/playing.hpp"

namespace ludus {

// One side of a match game: a search and what it may spend on a move.
template <class Game>
struct Side {
    Searcher<Game>* searcher = nullptr;
    Budget budget{};
};

// What the two sides did; index 0 is the side that moves first at the start of the game.
template <class Game>
struct MatchGame {
    std::string moves;            // the whole game, opening included, one move after another
    std::vector<double> values;   // of each move after the opening, for its mover
    std::vector<int> depths;
    std::array<std::uint64_t, 2> nodes{};
    std::array<double, 2> seconds{};
    std::array<int, 2> chosen{};  // how many moves each side chose
    Outcome outcome{};
    typename Game::Position last{};
};

// Plays a game from the start, the opening's moves first. Throws IllegalMove if one of them is not legal.
template <class Game>
MatchGame<Game> play_game(Side<Game> first, Side<Game> second, const std::vector<typename Game::Move>& opening, DrawRules rules, std::uint64_t seed);

}  // namespace ludus
