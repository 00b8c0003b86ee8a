// What all searches share: scores, budgets, and the word to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

namespace ludus {

// Inside a search a value in [-1, 1] is a whole number of 2^-20, so that windows have an exact next step.
// A win is worth more than any value, and more the sooner it comes. A win that only an endgame table knows of lies between.
using Score = std::int32_t;
constexpr Score unit = 1 << 20;
constexpr Score held_win = 1 << 21;  // a win by the table that the search has not come nearer to
constexpr Score table_win = 1 << 22;
constexpr Score win = 1 << 24;
constexpr Score infinite = 1 << 25;
constexpr int most_plies = 200;  // from the root to the deepest leaf

inline Score to_score(float value) { return static_cast<Score>(std::lrint(value * static_cast<float>(unit))); }

// The end of a line may lie twice as far: the table can continue a line of the search by one as long again.
constexpr bool is_win(Score score) { return score >= win - 2 * most_plies; }
constexpr bool is_loss(Score score) { return score <= 2 * most_plies - win; }

// Wins and losses are 1 and -1 to the world outside, those of endgame tables too.
constexpr double to_value(Score score) { return score > unit ? 1 : score < -unit ? -1 : static_cast<double>(score) / unit; }

// The score for the side to move of a position that is over.
template <class Game>
Score ended(typename Game::Position position, int ply, bool blocked_draws = false) {
    const auto outcome = Game::outcome(position);
    if (!outcome->winner || (blocked_draws && Game::is_blocked(position))) return 0;
    return *outcome->winner == Game::turn(position) ? win - ply : ply - win;
}

template <class Move>
struct RootMove {
    Move move;
    Score score;
    bool exact;                // else the move is worth at most this, or, where a search had no time for it, nothing is known
    std::uint64_t visits = 0;  // MCTS: the play-outs that began with it
};

// What a search found; a deepening one finds something at every depth.
template <class Move>
struct Iteration {
    int depth = 0;
    Score score = 0;
    std::uint64_t nodes = 0;  // so far, all iterations together
    double seconds = 0;
    std::vector<Move> variation{};        // the principal variation
    std::vector<RootMove<Move>> moves{};  // the best first
};

// How much a search may spend; 0 sets no limit. A limit of nodes or play-outs is met exactly, so it repeats to the bit.
struct Budget {
    int depth = 0;
    std::uint64_t nodes = 0;  // play-outs for MCTS
    double seconds = 0;
    double usual_seconds = 0;  // of a clock: what a usual move takes, where `seconds` are the most; 0 without a clock
};

// The budget of one search as it is spent, and a flag by which another thread can end it.
class Meter {
public:
    Meter(Budget budget, const std::atomic<bool>* stop) : budget_(budget), stop_(stop), deadline_(budget.seconds) {}

    // Counts one node; false when there may be no more.
    bool spend() {
        if (budget_.nodes && nodes_ >= budget_.nodes) return false;
        ++nodes_;
        return nodes_ % 1024 || !is_time_up();
    }
    bool is_time_up() const {
        return (stop_ && stop_->load(std::memory_order_relaxed)) || (deadline_ > 0 && seconds() >= deadline_);
    }

    // Time is up so many seconds after the beginning.
    void end_at(double seconds) { deadline_ = seconds; }

    const Budget& budget() const { return budget_; }
    std::uint64_t nodes() const { return nodes_; }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

private:
    using Clock = std::chrono::steady_clock;

    Budget budget_;
    const std::atomic<bool>* stop_;
    double deadline_;
    std::uint64_t nodes_ = 0;
    Clock::time_point begin_ = Clock::now();
};

}  // namespace ludus
