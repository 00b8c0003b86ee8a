// Minimax, kept plain: every line to a fixed depth, no bounds, no memory, no extensions. It is NeuroDraughts' search,
// the yardstick of the others, and at depth 1 the greedy choice among afterstates. `search_pruned` finds the same move and the
// same value in less time, by alpha-beta cuts: for training, where nothing else is asked.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

#include "search/search.hpp"

namespace ludus {

template <class Evaluator>
class Minimax {
public:
    using Game = typename Evaluator::Game;
    using Position = typename Game::Position;
    using Move = typename Game::Move;

    explicit Minimax(const Evaluator& evaluator) : evaluator_(evaluator) {}

    bool blocked_draws = false;  // a side that has pieces and no move draws (DrawRules)

    // Searches `position`, which is not over, to the depth of the budget, which must name one, at most `most_plies`.
    // If the budget runs out before, the moves that it did not suffice for have no value and stand last.
    Iteration<Move> search(Position position, Budget budget, const std::atomic<bool>* stop) {
        Meter meter(budget, stop);
        meter_ = &meter;
        stopped_ = false;
        states_.resize(static_cast<std::size_t>(budget.depth) + 1);
        evaluator_.begin(states_[0], position);

        Iteration<Move> result{.depth = budget.depth};
        for (const Move move : Game::generate(position)) {
            evaluator_.follow(states_[1], states_[0], position, move);
            const Score score = -negamax(Game::play(position, move), 1, budget.depth - 1);
            result.moves.push_back({.move = move, .score = stopped_ ? 0 : score, .exact = !stopped_});
        }
        std::stable_sort(result.moves.begin(), result.moves.end(), [](const auto& a, const auto& b) { return a.exact && (!b.exact || a.score > b.score); });
        result.score = result.moves.front().score;
        result.variation = {result.moves.front().move};
        result.nodes = meter.nodes();
        result.seconds = meter.seconds();
        return result;
    }

    // The same best move with the same value. Moves that are not better than one before them have a bound only.
    Iteration<Move> search_pruned(Position position, Budget budget, const std::atomic<bool>* stop) {
        Meter meter(budget, stop);
        meter_ = &meter;
        stopped_ = false;
        states_.resize(static_cast<std::size_t>(budget.depth) + 1);
        cutting_.assign(states_.size(), Move{});
        evaluator_.begin(states_[0], position);

        Iteration<Move> result{.depth = budget.depth};
        Score best = -infinite;
        for (const Move move : Game::generate(position)) {
            evaluator_.follow(states_[1], states_[0], position, move);
            const Score score = -negamax(Game::play(position, move), 1, budget.depth - 1, -infinite, -best);
            const bool better = score > best && !stopped_;
            if (better) {
                best = score;
                result.variation = {move};
            }
            result.moves.push_back({.move = move, .score = stopped_ ? 0 : score, .exact = better});
        }
        std::stable_sort(result.moves.begin(), result.moves.end(), [](const auto& a, const auto& b) { return a.exact && (!b.exact || a.score > b.score); });
        if (result.variation.empty()) result.variation = {result.moves.front().move};
        result.score = result.moves.front().score;
        result.nodes = meter.nodes();
        result.seconds = meter.seconds();
        return result;
    }

private:
    // With cuts: a result <= alpha is an upper bound, >= beta a lower bound, in between exact.
    Score negamax(Position position, int ply, int depth, Score alpha, Score beta) {
        if (!meter_->spend()) stopped_ = true;
        if (stopped_) return 0;
        if (Game::is_over(position)) return ended<Game>(position, ply, blocked_draws);
        const auto at = static_cast<std::size_t>(ply);
        if (depth == 0) return -to_score(evaluator_.value(states_[at], position));
        auto moves = Game::generate(position);
        // The last move that made a cut at this ply often makes another: it is tried first.
        if (auto* const found = std::find(moves.begin(), moves.end(), cutting_[at]); found != moves.end()) std::rotate(moves.begin(), found, found + 1);
        Score best = -infinite;
        for (const Move move : moves) {
            evaluator_.follow(states_[at + 1], states_[at], position, move);
            best = std::max(best, -negamax(Game::play(position, move), ply + 1, depth - 1, -beta, -std::max(alpha, best)));
            if (best >= beta) {
                cutting_[at] = move;
                break;
            }
        }
        return best;
    }

    Score negamax(Position position, int ply, int depth) {
        if (!meter_->spend()) stopped_ = true;
        if (stopped_) return 0;
        if (Game::is_over(position)) return ended<Game>(position, ply, blocked_draws);
        const auto at = static_cast<std::size_t>(ply);
        if (depth == 0) return -to_score(evaluator_.value(states_[at], position));
        Score best = -infinite;
        for (const Move move : Game::generate(position)) {
            evaluator_.follow(states_[at + 1], states_[at], position, move);
            best = std::max(best, -negamax(Game::play(position, move), ply + 1, depth - 1));
        }
        return best;
    }

    const Evaluator& evaluator_;
    Meter* meter_ = nullptr;
    bool stopped_ = false;
    std::vector<typename Evaluator::State> states_;  // by ply
    std::vector<Move> cutting_;                      // by ply: the move that made the last cut
};

}  // namespace ludus
