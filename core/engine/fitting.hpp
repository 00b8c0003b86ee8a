// Learning from games of one's own, as a caller asks for it: games by the hundred, and a network that is fitted to their positions.
// Compiled once a game, in draughts_fitting.cpp and tictactoe3d_fitting.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/match_game.hpp"
#include "engine/searcher.hpp"
#include "learning/phase_fit.hpp"
#include "learning/self_play.hpp"

namespace ludus {

// Games number `first` and on, each by its own random numbers. Without a searcher all moves are random.
template <class Game>
SelfPlay<Game> self_play(Searcher<Game>* searcher, Budget budget, std::uint64_t first, std::uint64_t games, std::uint64_t seed, const SelfPlayOptions& options,
                         const Adjudicator<Game>& adjudicator);

// Throws std::invalid_argument if the weights do not fit the width, or there are too few positions.
template <class Game>
std::unique_ptr<PhaseFit<Game>> make_phase_fit(std::span<const float> theta, std::size_t width, std::vector<TrainingPosition<Game>> positions,
                                               const FitOptions& options);

// Random weights of a network of this width.
template <class Game>
std::vector<float> initial_phase_theta(std::size_t width, std::uint64_t seed);

}  // namespace ludus
