// A game between two searches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/searcher.hpp"
#include "games/playing.hpp"

namespace ludus {

// The seed of a side's searches in a game with this seed.
constexpr std::uint64_t side_seed(std::uint64_t seed, std::uint64_t side) { return mix(seed) + side; }

// One side of a game: a search, what it may spend on a move, and the seed of its searches.
template <class Game>
struct MatchSide {
    Searcher<Game>* searcher = nullptr;
    Budget budget{};
    std::uint64_t seed = 0;

    typename Game::Move choose(const History<Game>& history) const { return searcher->choose(history, budget, seed); }
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

// How a game is to end at a position that could be played on; nothing if it is to go on.
template <class Game>
using Adjudicator = std::function<std::optional<Outcome>(typename Game::Position)>;

// Ends games by the result of the tables, at the first position that they have and in which no capture is compulsory.
Adjudicator<draughts::Game> table_adjudicator(std::shared_ptr<const endgames::Tables> tables);

// Plays a game from `start`, the opening's moves first; `first` has the side that is to move there. Throws IllegalMove if a move
// of the opening is not legal.
template <class Game>
MatchGame<Game> play_game(const MatchSide<Game>& first, const MatchSide<Game>& second, typename Game::Position start,
                          const std::vector<typename Game::Move>& opening, DrawRules rules, const Adjudicator<Game>& adjudicator = {});

}  // namespace ludus
