// Learning from its own games: Tic-Tac-Toe 3D.
#include "engine/fitting_kinds.hpp"

namespace ludus {

using tictactoe3d::Game;

template SelfPlay<Game> self_play(Searcher<Game>*, Budget, std::uint64_t, std::uint64_t, std::uint64_t, const SelfPlayOptions&, const Adjudicator<Game>&);

template <>
std::unique_ptr<PhaseFit<Game>> make_phase_fit(std::span<const float> theta, std::size_t width, std::vector<TrainingPosition<Game>> positions,
                                               const FitOptions& options) {
    return make_fit<tictactoe3d::LineInputs>(theta, width, std::move(positions), options);
}

template <>
std::vector<float> initial_phase_theta<Game>(std::size_t width, std::uint64_t seed) { return initial_theta<tictactoe3d::LineInputs>(width, seed); }

}  // namespace ludus
