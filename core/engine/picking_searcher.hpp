// A search that only picks a move: by chance, by the rules of the rule player, or by a network in training.
#pragma once

#include <cstdint>
#include <utility>

#include "engine/searcher.hpp"

namespace ludus {

// `pick(history, seed)` is a move.
template <class Game, class Pick>
class PickingSearcher final : public Searcher<Game> {
public:
    using typename Searcher<Game>::Found;
    using typename Searcher<Game>::Report;

    explicit PickingSearcher(Pick pick) : pick_(std::move(pick)) {}

    Found search(const History<Game>& history, Budget, std::uint64_t seed, const Report& report) override {
        Found found{.variation = {pick_(history, seed)}};
        found.moves.push_back({.move = found.variation.front(), .score = 0, .exact = false});
        report(found);
        return found;
    }

    typename Game::Move choose(const History<Game>& history, Budget, std::uint64_t seed) override { return pick_(history, seed); }

private:
    Pick pick_;
};

}  // namespace ludus
