// The learning behind fitting.hpp, to be compiled once a game.
#pragma once

#include <optional>
#include <stdexcept>
#include <utility>

#include "engine/fitting.hpp"

namespace ludus {

template <class Game>
SelfPlay<Game> self_play(Searcher<Game>* searcher, Budget budget, std::uint64_t first, std::uint64_t games, std::uint64_t seed, const SelfPlayOptions& options,
                         const Adjudicator<Game>& adjudicator) {
    using Found = typename Searcher<Game>::Found;
    SelfPlay<Game> played;
    const auto search = [&](const History<Game>& history, std::uint64_t game_seed) -> std::optional<Found> {
        if (!searcher) return std::nullopt;
        return searcher->search(history, budget, game_seed);
    };
    const auto adjudicate = [&](typename Game::Position p) -> std::optional<Outcome> { return adjudicator ? adjudicator(p) : std::nullopt; };
    for (std::uint64_t game = first; game < first + games; ++game) {
        if (searcher) searcher->new_game();  // what it plays depends on its number alone
        play_self(played, seed, game, options, search, adjudicate);
    }
    return played;
}

template <class Inputs>
std::unique_ptr<PhaseFit<typename Inputs::Game>> make_fit(std::span<const float> theta, std::size_t width,
                                                          std::vector<TrainingPosition<typename Inputs::Game>> positions, const FitOptions& options) {
    const auto make = [&]<std::size_t wide>() { return std::make_unique<PhaseFitOf<Inputs, wide>>(theta, std::move(positions), options); };
    switch (PhaseShape<Inputs>(width).width) {
        case 16: return make.template operator()<2>();
        case 32: return make.template operator()<4>();
        case 64: return make.template operator()<8>();
        case 128: return make.template operator()<16>();
        default: return make.template operator()<32>();
    }
}

}  // namespace ludus
