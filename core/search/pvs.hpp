// Principal variation search, the search of the champion: alpha-beta with what strong programs add to it.
//
// Each part can be switched off, so that a match can say what it is worth; docs/search.md has the log of those matches. The
// searches of the other players are in alphabeta.hpp and do not change with this one.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "games/playing.hpp"
#include "games/random.hpp"
#include "search/pace.hpp"
#include "search/search.hpp"
#include "search/shared_table.hpp"
#include "search/tree.hpp"
#include "search/value_cache.hpp"

namespace ludus {

struct PvsOptions {
    bool keep_table = true;   // use in a game what was found at earlier moves of it
    bool unfinished = true;   // take the best move of an iteration that there was no time to finish
    bool aspiration = true;   // expect about the value of the iteration before
    bool killers = true;      // try moves first that cut off at this ply, or as an answer to the same move
    bool reductions = true;   // look less deeply at moves that come late in the order
    bool probcut = true;      // give up a line that a shallower search finds far too good
    bool futility = true;     // give up a line near the leaves whose value is far too good
    bool razoring = true;     // give up a line near the leaves whose value is far too bad
    bool internal = true;     // look less deeply where the table knows no move
    bool extensions = true;   // a forced reply costs no depth
    bool singular = true;     // in the principal variation look more deeply at a move that is far better than all others
    bool draw_rule = true;    // know the limit of quiet moves, and value less what comes near to it
    bool forced = true;       // play the only legal move at once
    bool exact_root = false;  // find the exact value of every move at the root, not only of the best
};

// The present position of a game and what its past and its rules mean for a search.
template <class Game>
struct SearchRoot {
    typename Game::Position position;
    std::span<const std::uint64_t> keys;         // of the positions that can come again, the present one last (History::keys)
    DrawRules rules{};
    std::optional<int> quiet_plies_left{};       // until the game is a draw (History::quiet_plies_left)

    explicit SearchRoot(const History<Game>& history)
        : position(history.position()), keys(history.keys()), rules(history.rules()), quiet_plies_left(history.quiet_plies_left()) {}
};

template <class Evaluator, class Endgames = NoEndgames>
class Pvs {
public:
    using Game = typename Evaluator::Game;
    using Position = typename Game::Position;
    using Move = typename Game::Move;

    Pvs(const Evaluator& evaluator, PvsOptions options, SharedTable& table, Endgames endgames = {})
        : evaluator_(evaluator), options_(options), table_(table), endgames_(std::move(endgames)), states_(most_plies + 1) {
        for (std::size_t depth = 1; depth < reductions_.size(); ++depth) {
            for (std::size_t i = 1; i < reductions_[depth].size(); ++i) {
                const double amount = 0.4 + std::log(static_cast<double>(depth)) * std::log(static_cast<double>(i + 1)) / 2.2;
                reductions_[depth][i] = static_cast<std::int8_t>(amount);
            }
        }
    }

    // Can the table be used for a search that begins here? Below a root inside the endgame tables scores depend on that root.
    bool shares_scores(Position root) const {
        if constexpr (with_endgames) return !endgames_.covers(root);
        return true;
    }

    // A new game: what was learned about the order of moves, and the values of positions, is forgotten.
    void forget() {
        for (auto& side : history_) side.fill(0);
        values_.clear();
    }

    // Searches a position that is not over, from `first_depth` one ply deeper at a time; `report(iteration)` says whether to go
    // on. Moves of the same value are tried in an order drawn from `rng`. Returns what was found at the greatest depth.
    template <class Report>
    Iteration<Move> search(const SearchRoot<Game>& root, Budget budget, const std::atomic<bool>* stop, Report report, Rng& rng, int first_depth = 1) {
        Meter meter(budget, stop);
        meter_ = &meter;
        stopped_ = false;
        for (auto& side : history_) {
            for (std::int32_t& earned : side) earned /= 4;
        }
        killers_.fill({});
        counters_.fill(no_slot);
        path_.begin(root.keys);
        rules_ = root.rules;
        evaluator_.begin(states_[0], root.position);

        Iteration<Move> best;
        for (const Move move : Game::generate(root.position)) best.moves.push_back({.move = move, .score = 0, .exact = false});
        shuffle(best.moves, rng);
        std::size_t choices = best.moves.size();
        if constexpr (with_endgames) {
            choices = endgames_.begin(root.position, root.keys, root.quiet_plies_left, meter, best);
            if (choices == 0) {
                best.nodes = meter.nodes();
                best.seconds = meter.seconds();
                report(best);
                return best;
            }
        }
        best.variation = {best.moves.front().move};
        int deepest = budget.depth ? std::min(budget.depth, most_plies / 2) : most_plies / 2;
        if (options_.forced && choices == 1 && !options_.exact_root) deepest = 1;
        pace_.reset();
        if (budget.usual_seconds > 0) pace_.emplace(budget.usual_seconds, budget.seconds);
        for (int depth = std::min(first_depth, deepest); depth <= deepest; ++depth) {
            Iteration<Move> iteration{.depth = depth, .moves = best.moves};
            if (pace_) meter.end_at(pace_->deadline(false));
            deepen(root.position, iteration, choices, best);
            if (stopped_) {
                if (options_.unfinished && !iteration.variation.empty()) adopt(best, iteration);
                break;
            }
            iteration.nodes = meter.nodes();
            iteration.seconds = meter.seconds();
            const bool changed = iteration.variation.front() != best.variation.front();
            const Score fall = depth > 1 ? best.score - iteration.score : 0;
            best = std::move(iteration);
            if (!report(best)) break;
            if (pace_ && !pace_->goes_on(best.seconds, changed, fall)) break;
            // A forced end is found at the depth where it lies, and nothing deeper can change it.
            if ((is_win(best.score) || is_loss(best.score)) && depth >= win - std::abs(best.score)) break;
        }
        best.nodes = meter.nodes();
        best.seconds = meter.seconds();
        return best;
    }

private:
    static constexpr std::uint16_t no_slot = 0xFFFF;
    static constexpr std::int32_t history_limit = 1 << 14;
    static constexpr bool with_endgames = !std::is_same_v<Endgames, NoEndgames>;
    using Scores = TableScores<with_endgames>;
    using Order = PickOrder<std::int32_t, Game::most_moves>;
    using Values = std::conditional_t<requires { requires Evaluator::is_costly; }, ValueCache, NoValueCache>;

    static constexpr int near_leaves = 4;  // with so many plies left futility and razoring prune, with more ProbCut
    // Margins, as shares of the value of a won game.
    static constexpr Score aspiration_window = unit / 32;
    static constexpr Score probcut_margin = unit / 10;
    static constexpr Score leaf_margin = unit / 8;  // for each ply that is left, and one more
    static constexpr Score singular_margin = unit / 12;

    // One iteration, with a window around the value of the one before it; a window that proves wrong is opened.
    void deepen(Position position, Iteration<Move>& iteration, std::size_t choices, const Iteration<Move>& before) {
        Score alpha = -infinite, beta = infinite, delta = aspiration_window;
        if (options_.aspiration && !options_.exact_root && iteration.depth >= 5 && std::abs(before.score) < unit) {
            alpha = before.score - delta;
            beta = before.score + delta;
        }
        while (true) {
            search_root(position, iteration, choices, alpha, beta);
            if (stopped_) return;
            if (iteration.score > alpha && iteration.score < beta) return;
            delta *= 4;
            if (pace_ && iteration.score <= alpha) meter_->end_at(pace_->deadline(true));
            if (iteration.score <= alpha) alpha = delta > unit ? -infinite : iteration.score - delta;
            else beta = delta > unit ? infinite : iteration.score + delta;
        }
    }

    // Searches the first `choices` moves; the others are known to be worse.
    void search_root(Position position, Iteration<Move>& iteration, std::size_t choices, Score alpha, Score beta) {
        std::vector<RootMove<Move>>& moves = iteration.moves;
        Score best = -infinite;
        for (std::size_t i = 0; i < choices; ++i) {
            const bool full = i == 0 || options_.exact_root;
            const int depth = iteration.depth - 1;
            Score score = full ? child(position, moves[i].move, 0, depth, options_.exact_root ? -infinite : alpha, beta)
                               : child(position, moves[i].move, 0, depth, alpha, alpha + 1);
            if (!full && !stopped_ && score > alpha && score < beta) score = child(position, moves[i].move, 0, depth, alpha, beta);
            if (stopped_) break;
            moves[i].score = score;
            moves[i].exact = score > alpha || options_.exact_root;
            if (score <= best) continue;
            best = score;
            if (score <= alpha) continue;
            alpha = std::max(alpha, score);
            lines_.join(iteration.variation, moves[i].move, 0);
            std::rotate(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(i), moves.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            if (alpha >= beta) break;
        }
        iteration.score = best;
        if (stopped_ || !options_.exact_root) return;
        const auto end = moves.begin() + static_cast<std::ptrdiff_t>(choices);
        std::stable_sort(moves.begin(), end, [](const auto& a, const auto& b) { return a.score > b.score; });
    }

    // Takes over the best move of an iteration that was not finished.
    static void adopt(Iteration<Move>& best, Iteration<Move>& unfinished) {
        best.score = unfinished.moves.front().score;
        best.variation = std::move(unfinished.variation);
        best.moves = std::move(unfinished.moves);
    }

    // The value of a move at `ply` for its mover, `depth` plies left after it.
    Score child(Position position, Move move, int ply, int depth, Score alpha, Score beta) {
        const std::uint64_t key = Game::Zobrist::after(path_.key(), position, move);
        table_.prefetch(key);
        const auto at = static_cast<std::size_t>(ply);
        evaluator_.follow(states_[at + 1], states_[at], position, move);
        const std::size_t fresh = path_.go(key, Game::irreversible(position, move));
        last_[at + 1] = static_cast<std::uint16_t>(Game::slot(move));
        const Score score = -negamax(Game::play(position, move), ply + 1, depth, -beta, -alpha);
        path_.back(fresh);
        return score;
    }

    // The value of `position` for the side to move, looking `depth` plies ahead, if need be without the move at one place.
    // A result <= alpha is an upper bound, >= beta a lower bound, in between exact.
    Score negamax(Position position, int ply, int depth, Score alpha, Score beta, std::uint8_t without = SharedTable::no_move) {
        lines_.clear(ply);
        if (!meter_->spend()) stopped_ = true;
        if (stopped_) return 0;
        const int quiet_plies = path_.quiet_plies();
        if (quiet_plies >= 4) {
            if (path_.is_repeated()) return 0;
            if (options_.draw_rule && rules_.quiet_plies && quiet_plies >= rules_.quiet_plies) return Game::is_over(position) ? over(position, ply) : 0;
        }
        if constexpr (with_endgames) {
            if (const auto known = endgames_.score(position, ply)) return *known;
        }
        const bool quiet = Game::is_quiet(position);
        if ((depth <= 0 && quiet) || ply >= most_plies - 1) {
            return Game::is_over(position) ? over(position, ply) : evaluate(position, ply, quiet_plies);
        }

        const bool principal = beta - alpha > 1;
        const bool whole = without == SharedTable::no_move;
        std::uint8_t first = SharedTable::no_move;
        std::optional<Score> expected;  // of the table's move, if it may be the only good one
        if (depth > 0 && whole) {
            if (const auto entry = table_.find(path_.key())) {
                first = entry->move;
                const Score known = Scores::from_table(entry->score, ply);
                // In the principal variation a cut would lose the line of play.
                if (entry->depth >= depth && !principal) {
                    if (entry->bound == Bound::exact) return known;
                    if (entry->bound == Bound::lower && known >= beta) return known;
                    if (entry->bound == Bound::upper && known <= alpha) return known;
                }
                if (options_.singular && principal && depth >= 6 && entry->depth >= depth - 4 && entry->bound != Bound::upper && std::abs(known) < unit) expected = known;
            }
        }

        if (!principal && whole && quiet && depth > 0 && std::abs(beta) < unit && Game::has_choice(position)) {
            if (const auto bound = prune(position, ply, depth, beta, quiet_plies)) return *bound;
            lines_.clear(ply);
            if (stopped_) return 0;
        }
        const auto moves = Game::generate(position);
        if (moves.empty()) return over(position, ply);
        if (options_.extensions && moves.size() == 1 && depth > 0 && ply < 2 * most_plies / 3) ++depth;
        if (options_.internal && first == SharedTable::no_move && depth >= 4 && quiet) --depth;
        const bool singular = expected && moves.size() > 1 && ply < 2 * most_plies / 3 && is_singular(position, ply, depth, first, *expected);
        if (stopped_) return 0;

        Order order = arrange(position, moves, first, ply);
        Score best = -infinite;
        std::uint8_t best_place = SharedTable::no_move;
        const Score original = alpha;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const std::uint8_t place = order.next();
            if (place == without) continue;
            const Move move = moves[place];
            Score score;
            if (best == -infinite) {
                score = child(position, move, ply, depth - 1 + singular, alpha, beta);
            } else {
                const int reduction = quiet ? reduced(depth, i, principal) : 0;
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
                if (quiet && depth > 0 && whole) credit(position, moves, order.picked(), ply, depth);
                break;
            }
        }
        if (depth > 0 && whole) {
            const Bound bound = best >= beta ? Bound::lower : best > original ? Bound::exact : Bound::upper;
            table_.store(path_.key(), {.score = Scores::to_table(best, ply), .depth = depth, .bound = bound, .move = best_place});
        }
        return best;
    }

    // The score of a position that is over.
    Score over(Position position, int ply) const { return ended<Game>(position, ply, rules_.blocked); }

    // The value of a quiet position for the side to move. The nearer the limit of quiet moves, the less it is worth.
    Score evaluate(Position position, int ply, int quiet_plies) {
        Score score = values_.find(path_.key(), [&] { return -to_score(evaluator_.value(states_[static_cast<std::size_t>(ply)], position)); });
        const int limit = rules_.quiet_plies;
        if (options_.draw_rule && limit && quiet_plies > limit / 4) {
            score = static_cast<Score>(static_cast<std::int64_t>(score) * (limit - quiet_plies) * 4 / (limit * 3));
        }
        if constexpr (with_endgames) score += endgames_.held(ply);
        return score;
    }

    // The bound of a position that is too good or too bad to look at in full, when the window is [beta - 1, beta]; nothing if it
    // has to be searched.
    std::optional<Score> prune(Position position, int ply, int depth, Score beta, int quiet_plies) {
        const Score score = evaluate(position, ply, quiet_plies);
        const Score margin = leaf_margin * (depth + 1);
        if (options_.futility && depth <= near_leaves && score - margin >= beta) return score - margin;
        if (options_.razoring && depth <= near_leaves && score + margin < beta) return score + margin;
        if (!options_.probcut || depth <= near_leaves || score < beta) return std::nullopt;
        const Score bound = beta + probcut_margin;
        if (negamax(position, ply, depth - 4, bound - 1, bound) < bound || stopped_) return std::nullopt;
        return beta;
    }

    // Are all moves but the table's far worse than that one is expected to be?
    bool is_singular(Position position, int ply, int depth, std::uint8_t move, Score expected) {
        const Score bound = expected - singular_margin;
        const Score others = negamax(position, ply, depth - 4, bound - 1, bound, move);
        lines_.clear(ply);
        return others < bound;
    }

    int reduced(int depth, std::size_t i, bool principal) const {
        if (!options_.reductions || depth < 3 || i < 2) return 0;
        const auto row = std::min<std::size_t>(static_cast<std::size_t>(depth), reductions_.size() - 1);
        const int amount = reductions_[row][std::min<std::size_t>(i, reductions_[row].size() - 1)] - principal;
        return std::clamp(amount, 0, depth - 2);
    }

    // The moves' places in the order in which to try them: the table's move, those that cut off here before, then by history.
    Order arrange(Position position, const typename Game::Moves& moves, std::uint8_t first, int ply) const {
        const auto at = static_cast<std::size_t>(ply);
        const auto& history = history_[static_cast<std::size_t>(Game::turn(position))];
        const auto& killers = killers_[at];
        const std::uint16_t counter = ply > 0 ? counters_[last_[at]] : no_slot;
        return Order(moves.size(), [&](std::size_t i) {
            const std::size_t slot = Game::slot(moves[i]);
            if (i == first) return 1 << 30;
            if (options_.killers && slot + 1 == killers[0]) return 1 << 22;
            if (options_.killers && slot + 1 == killers[1]) return 1 << 21;
            if (options_.killers && slot == counter) return 1 << 20;
            return history[slot];
        });
    }

    // The last of the moves that were tried has cut off. It earns credit, and those before it lose some.
    void credit(Position position, const typename Game::Moves& moves, std::span<const std::uint8_t> tried, int ply, int depth) {
        auto& history = history_[static_cast<std::size_t>(Game::turn(position))];
        const std::int32_t bonus = std::min(depth * depth, 400);
        const auto change = [&](Move move, std::int32_t by) {
            std::int32_t& earned = history[Game::slot(move)];
            earned += by - earned * std::abs(by) / history_limit;
        };
        for (const std::uint8_t place : tried.first(tried.size() - 1)) change(moves[place], -bonus);
        const Move move = moves[tried.back()];
        change(move, bonus);
        const auto slot = static_cast<std::uint16_t>(Game::slot(move));
        auto& killers = killers_[static_cast<std::size_t>(ply)];
        if (killers[0] != slot + 1) killers = {static_cast<std::uint16_t>(slot + 1), killers[0]};
        if (ply > 0) counters_[last_[static_cast<std::size_t>(ply)]] = slot;
    }

    const Evaluator& evaluator_;
    PvsOptions options_;
    SharedTable& table_;
    [[no_unique_address]] Endgames endgames_;
    [[no_unique_address]] Values values_;
    Meter* meter_ = nullptr;
    std::optional<Pace> pace_;  // under a clock
    bool stopped_ = false;
    DrawRules rules_{};
    std::vector<typename Evaluator::State> states_;                     // by ply
    Lines<Move> lines_;
    std::array<std::array<std::int32_t, Game::slots>, 2> history_{};    // by side: what moves have earned by cutting off
    std::array<std::array<std::uint16_t, 2>, most_plies + 1> killers_;  // by ply: slots of moves that cut off, plus 1
    std::array<std::uint16_t, Game::slots> counters_;                   // by the slot of a move: that of the move that refuted it
    std::array<std::uint16_t, most_plies + 1> last_{};                  // by ply: the slot of the move that led there
    std::array<std::array<std::int8_t, 64>, 64> reductions_{};          // by depth and place in the order
    Path path_;
};

}  // namespace ludus
