// Alpha-beta: fail-soft, iterative deepening, transposition table, move ordering, quiescence, late-move reductions.
//
// Each part can be switched off; with all of them off it is plain alpha-beta and gives minimax's value. `Endgames` is
// NoEndgames or EndgameGuide: a search without tables is compiled without a trace of them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "games/random.hpp"
#include "search/search.hpp"
#include "search/transposition_table.hpp"
#include "search/tree.hpp"

namespace ludus {

struct AlphaBetaOptions {
    bool table = true;        // remember positions
    bool deeper = true;       // let the table answer from a deeper search than was asked for
    bool ordering = true;     // try promising moves first
    bool quiescence = true;   // go on at the leaves while a capture is forced
    bool reductions = true;   // look less deeply at moves that come late in the order
    bool repetition = true;   // a position that comes back is a draw
    bool exact_root = false;  // find the exact value of every move at the root, not only of the best
};

template <class Evaluator, class Endgames = NoEndgames>
class AlphaBeta {
public:
    using Game = typename Evaluator::Game;
    using Position = typename Game::Position;
    using Move = typename Game::Move;

    AlphaBeta(const Evaluator& evaluator, AlphaBetaOptions options, TranspositionTable& table, Endgames endgames = {})
        : evaluator_(evaluator), options_(options), table_(table), endgames_(std::move(endgames)), states_(most_plies + 1) {}

    bool blocked_draws = false;  // a side that has pieces and no move draws (DrawRules)

    // Searches `position`, which is not over, one ply deeper at a time; `report(iteration)` says whether to go on.
    // `keys` are those of the game's positions that can come again, the present one last (History::keys).
    // Moves of the same value are tried in an order drawn from `rng`, if there is one; else in the order of generation. Ties are
    // broken at random because a fixed order makes a player without knowledge repeat moves.
    // `quiet_plies` are those left before a draw by the rule of 40 moves, if there is one: only endgame tables ask.
    // Returns the last iteration that was finished, or, if there was time for none, the moves without values.
    template <class Report>
    Iteration<Move> search(Position position, std::span<const std::uint64_t> keys, Budget budget, const std::atomic<bool>* stop, Report report, Rng* rng = nullptr,
                           [[maybe_unused]] std::optional<int> quiet_plies = {}) {
        Meter meter(budget, stop);
        meter_ = &meter;
        stopped_ = false;
        table_.clear();
        for (auto& side : history_) side.fill(0);
        path_.begin(keys);
        evaluator_.begin(states_[0], position);

        Iteration<Move> best;
        for (const Move move : Game::generate(position)) best.moves.push_back({.move = move, .score = 0, .exact = false});
        if (rng) shuffle(best.moves, *rng);
        std::size_t choices = best.moves.size();
        if constexpr (with_endgames) {
            choices = endgames_.begin(position, keys, quiet_plies, meter, best);
            if (choices == 0) {
                best.nodes = meter.nodes();
                best.seconds = meter.seconds();
                report(best);
                return best;
            }
        }
        best.variation = {best.moves.front().move};
        const int deepest = budget.depth ? std::min(budget.depth, most_plies / 2) : most_plies / 2;
        for (int depth = 1; depth <= deepest; ++depth) {
            Iteration<Move> iteration{.depth = depth, .moves = best.moves};
            search_root(position, iteration, choices);
            if (stopped_) break;
            iteration.nodes = meter.nodes();
            iteration.seconds = meter.seconds();
            best = std::move(iteration);
            if (!report(best)) break;
            if (is_win(best.score) || is_loss(best.score)) {
                // A forced end is found at the depth where it lies, and nothing deeper can change it.
                if (depth >= win - std::abs(best.score)) break;
            }
        }
        best.nodes = meter.nodes();
        best.seconds = meter.seconds();
        return best;
    }

private:
    static constexpr std::size_t history_limit = 1 << 20;
    static constexpr bool with_endgames = !std::is_same_v<Endgames, NoEndgames>;
    using Scores = TableScores<with_endgames>;
    using Order = PickOrder<std::int64_t, Game::most_moves>;

    // Searches the first `choices` moves; the others are known to be worse.
    void search_root(Position position, Iteration<Move>& iteration, std::size_t choices) {
        Score alpha = -infinite;
        std::vector<RootMove<Move>>& moves = iteration.moves;
        for (std::size_t i = 0; i < choices; ++i) {
            const bool full = i == 0 || options_.exact_root;
            Score score = full ? child(position, moves[i].move, 0, iteration.depth - 1, -infinite, infinite)
                               : child(position, moves[i].move, 0, iteration.depth - 1, alpha, alpha + 1);
            if (!full && score > alpha) score = child(position, moves[i].move, 0, iteration.depth - 1, alpha, infinite);
            if (stopped_) return;
            moves[i].score = score;
            moves[i].exact = full || score > alpha;
            if (score > alpha) {
                alpha = score;
                lines_.join(iteration.variation, moves[i].move, 0);
            }
        }
        iteration.score = alpha;
        // The best move first; a bound is not a reason to change the order of the others.
        const auto end = moves.begin() + static_cast<std::ptrdiff_t>(choices);
        std::stable_sort(moves.begin(), end, [](const auto& a, const auto& b) { return a.exact && (!b.exact || a.score > b.score); });
    }

    // The value of a move at `ply` for its mover, `depth` plies left after it.
    Score child(Position position, Move move, int ply, int depth, Score alpha, Score beta) {
        const std::uint64_t key = Game::Zobrist::after(path_.key(), position, move);
        if (options_.table) table_.prefetch(key);
        const auto at = static_cast<std::size_t>(ply);
        evaluator_.follow(states_[at + 1], states_[at], position, move);
        const std::size_t fresh = path_.go(key, Game::irreversible(position, move));
        const Score score = -negamax(Game::play(position, move), ply + 1, depth, -beta, -alpha);
        path_.back(fresh);
        return score;
    }

    // The value of `position` for the side to move, looking `depth` plies ahead.
    // A result <= alpha is an upper bound, >= beta a lower bound, in between exact.
    Score negamax(Position position, int ply, int depth, Score alpha, Score beta) {
        lines_.clear(ply);
        if (!meter_->spend()) stopped_ = true;
        if (stopped_) return 0;
        if (options_.repetition && path_.is_repeated()) return 0;
        if constexpr (with_endgames) {
            if (const auto known = endgames_.score(position, ply)) return *known;
        }

        const bool leaf = depth <= 0 && (!options_.quiescence || Game::is_quiet(position));
        if (leaf || ply >= most_plies - 1) {
            if (Game::is_over(position)) return ended<Game>(position, ply, blocked_draws);
            const Score score = -to_score(evaluator_.value(states_[static_cast<std::size_t>(ply)], position));
            if constexpr (with_endgames) return score + endgames_.held(ply);
            return score;
        }

        std::uint8_t first = TranspositionTable::no_move;
        const bool remember = options_.table && depth > 0;
        if (remember) {
            if (const auto entry = table_.find(path_.key())) {
                first = entry->move;
                const Score known = Scores::from_table(entry->score, ply);
                const bool deep_enough = options_.deeper ? entry->depth >= depth : entry->depth == depth;
                // In the principal variation a cut would lose the line of play.
                if (deep_enough && beta - alpha == 1) {
                    if (entry->bound == Bound::exact) return known;
                    if (entry->bound == Bound::lower && known >= beta) return known;
                    if (entry->bound == Bound::upper && known <= alpha) return known;
                }
            }
        }

        auto moves = Game::generate(position);
        if (moves.empty()) return ended<Game>(position, ply, blocked_draws);
        const bool quiet = Game::is_quiet(position);
        Order order = arrange(position, moves, first);

        Score best = -infinite;
        std::uint8_t best_place = TranspositionTable::no_move;
        const Score original = alpha;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const std::uint8_t place = order.next();
            const Move move = moves[place];
            Score score;
            if (i == 0) {
                score = child(position, move, ply, depth - 1, alpha, beta);
            } else {
                const int reduction = options_.reductions && quiet && depth >= 3 && i >= 2 ? 1 + (i >= 5 && depth >= 5) : 0;
                score = child(position, move, ply, depth - 1 - reduction, alpha, alpha + 1);
                if (reduction && score > alpha) score = child(position, move, ply, depth - 1, alpha, alpha + 1);
                if (score > alpha && score < beta) score = child(position, move, ply, depth - 1, alpha, beta);
            }
            if (stopped_) return 0;
            if (score <= best) continue;
            best = score;
            best_place = place;
            if (score <= alpha) continue;
            alpha = score;
            lines_.begin_with(move, ply);
            if (alpha >= beta) {
                if (options_.ordering && quiet) credit(position, move, depth);
                break;
            }
        }
        if (remember) {
            const Bound bound = best >= beta ? Bound::lower : best > original ? Bound::exact : Bound::upper;
            table_.store(path_.key(), Scores::to_table(best, ply), depth, bound, best_place);
        }
        return best;
    }

    // The moves' places in the order in which to try them: the table's move, then those that have cut off most.
    Order arrange(Position position, const typename Game::Moves& moves, std::uint8_t first) const {
        const auto& history = history_[static_cast<std::size_t>(Game::turn(position))];
        return Order(moves.size(), [&](std::size_t i) {
            if (!options_.ordering) return std::int64_t{0};
            return i == first ? std::numeric_limits<std::int64_t>::max() : std::int64_t{history[Game::slot(moves[i])]};
        });
    }

    void credit(Position position, Move move, int depth) {
        auto& history = history_[static_cast<std::size_t>(Game::turn(position))];
        std::uint32_t& earned = history[Game::slot(move)];
        earned += static_cast<std::uint32_t>(depth * depth);
        if (earned < history_limit) return;
        for (std::uint32_t& each : history) each /= 2;
    }

    const Evaluator& evaluator_;
    AlphaBetaOptions options_;
    TranspositionTable& table_;
    [[no_unique_address]] Endgames endgames_;
    Meter* meter_ = nullptr;
    bool stopped_ = false;
    std::vector<typename Evaluator::State> states_;                      // by ply
    Lines<Move> lines_;
    std::array<std::array<std::uint32_t, Game::slots>, 2> history_{};    // by side: what moves have earned by cutting off
    Path path_;
};

}  // namespace ludus
