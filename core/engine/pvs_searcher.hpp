// Principal variation search as a caller holds it: a table that lives through a game, and threads that share it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "engine/searcher_kinds.hpp"
#include "search/pvs.hpp"

namespace ludus {

template <class Kind, class Endgames>
class PvsSearcher final : public EvaluatingSearcher<Kind> {
public:
    using Base = EvaluatingSearcher<Kind>;
    using typename Base::Found, typename Base::Game, typename Base::Report;

    // `endgames` is copied for each thread.
    PvsSearcher(SharedEvaluator<Game> owner, const Kind& kind, PvsOptions options, std::size_t megabytes, int threads, const Endgames& endgames)
        : Base(std::move(owner), kind), options_(options), table_(megabytes) {
        for (int i = 0; i < threads; ++i) searches_.push_back(std::make_unique<Search>(this->active_.evaluator, options, table_, endgames));
    }

    void new_game() override { positions_.clear(); }

    Found search(const History<Game>& history, Budget budget, std::uint64_t seed, const Report& report) override {
        if (options_.keep_table && continues(history) && searches_[0]->shares_scores(history.position())) {
            table_.grow_old();
        } else {
            table_.clear();
            for (auto& search : searches_) search->forget();
        }
        positions_ = history.positions();
        this->active_.update(history);
        const SearchRoot<Game> root(history);
        std::atomic<bool> ended = false;
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < searches_.size(); ++i) {
            helpers.emplace_back([&, i] {
                Rng rng(seed + i, static_cast<std::uint64_t>(history.plies()));
                // Every second helper is a ply ahead: the threads find different things first.
                searches_[i]->search(root, {.depth = budget.depth}, &ended, [](const Found&) { return true; }, rng, 1 + static_cast<int>(i % 2));
            });
        }
        Rng rng(seed, static_cast<std::uint64_t>(history.plies()));
        const StopHelpers stop_helpers{ended};  // before the threads are joined, whatever happens
        return searches_[0]->search(root, budget, &this->stop, report, rng);
    }

private:
    using Search = Pvs<typename Base::Active, Endgames>;

    struct StopHelpers {
        std::atomic<bool>& ended;
        ~StopHelpers() { ended = true; }
    };

    // Is this the game of the last search, further on? A protocol may send only the end of a game: then it is enough that the
    // position is a move or two later.
    bool continues(const History<Game>& history) const {
        if (positions_.empty()) return false;
        const auto& now = history.positions();
        if (now.size() > positions_.size() && std::equal(positions_.begin(), positions_.end(), now.begin())) return true;
        const auto leads = [](auto from, auto to, const auto& further) {
            const auto moves = Game::generate(from);
            return std::any_of(moves.begin(), moves.end(), [&](auto move) { return further(Game::play(from, move), to); });
        };
        const auto same = [](auto one, auto other) { return one == other; };
        return leads(positions_.back(), now.back(), [&](auto reply, auto to) { return reply == to || leads(reply, to, same); });
    }

    PvsOptions options_;
    SharedTable table_;
    std::vector<std::unique_ptr<Search>> searches_;
    std::vector<typename Game::Position> positions_;  // of the game that was searched last
};

}  // namespace ludus
