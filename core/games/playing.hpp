// A game from its first position to its end: repetition, limits, random play.
//
// `Game` is draughts::Game or tictactoe3d::Game: the types and the rules of a game under the words they share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "games/outcome.hpp"
#include "games/random.hpp"

namespace ludus {

// When a game that could go on is a draw. The defaults are the official ones; 0 turns a rule off.
struct DrawRules {
    int repetitions = 3;   // the same position with the same side to move, this many times
    int quiet_plies = 80;  // plies since the last capture or man's move
    int plies = 0;         // plies of the whole game
    bool blocked = false;  // a side that has pieces and no move draws; by the official rules it loses

    friend constexpr bool operator==(const DrawRules&, const DrawRules&) = default;
};

// What the draw rules need to know of a game so far. Apart from the position, so that a loop can keep that in registers.
template <class Game>
class DrawClock {
public:
    using Position = typename Game::Position;
    using Move = typename Game::Move;
    using Zobrist = typename Game::Zobrist;

    DrawClock(Position start, DrawRules rules) : rules_(rules), keys_{Zobrist::of(start)} {}

    const DrawRules& rules() const { return rules_; }
    int plies() const { return plies_; }
    const std::vector<std::uint64_t>& keys() const { return keys_; }

    void play(Position before, Move move) {
        const std::uint64_t key = Zobrist::after(keys_.back(), before, move);
        if (Game::irreversible(before, move)) keys_.clear();
        keys_.push_back(key);
        ++plies_;
    }

    // Plies since the last capture or man's move.
    int quiet_plies() const { return static_cast<int>(keys_.size()) - 1; }
    // How often the present position has stood, this time included.
    // To bring a position back takes an even number of plies, four at least.
    int times() const {
        int times = 1;
        for (std::size_t back = 4; back < keys_.size(); back += 2) times += keys_[keys_.size() - 1 - back] == keys_.back();
        return times;
    }

    // The plies until the game is a draw unless there is a capture or a man moves; nothing without such a rule.
    std::optional<int> quiet_plies_left() const {
        if (!rules_.quiet_plies) return std::nullopt;
        return rules_.quiet_plies + 1 - static_cast<int>(keys_.size());
    }

    // The draw rule that ends the game, unless the position itself has ended it.
    std::optional<Reason> draw() const {
        if (rules_.repetitions && repeated()) return Reason::repetition;
        if (rules_.quiet_plies && keys_.size() > static_cast<std::size_t>(rules_.quiet_plies)) return Reason::quiet_moves;
        if (rules_.plies && plies_ >= rules_.plies) return Reason::length;
        return std::nullopt;
    }

private:
    // Most runs are too short to be looked at.
    bool repeated() const {
        if (keys_.size() <= 4 * (static_cast<std::size_t>(rules_.repetitions) - 1)) return false;
        return times() >= rules_.repetitions;
    }

    DrawRules rules_;
    std::vector<std::uint64_t> keys_;  // of the positions that can still come again, the present one last
    int plies_ = 0;
};

// How the position itself ends the game; nothing while it goes on. A blocked side draws if the rules say so.
template <class Game>
std::optional<Outcome> outcome(typename Game::Position position, bool blocked_draws) {
    auto ended = Game::outcome(position);
    if (blocked_draws && ended && Game::is_blocked(position)) ended->winner.reset();
    return ended;
}

// How a game ended that stands here; nothing while it goes on.
template <class Game>
std::optional<Outcome> outcome(typename Game::Position position, const DrawClock<Game>& clock) {
    if (const auto ended = outcome<Game>(position, clock.rules().blocked)) return ended;
    if (const auto reason = clock.draw()) return Outcome{.winner = std::nullopt, .reason = *reason};
    return std::nullopt;
}

// A game so far.
template <class Game>
class History {
public:
    using Position = typename Game::Position;
    using Move = typename Game::Move;

    explicit History(Position start, DrawRules rules = {}) : positions_{start}, clock_(start, rules) {}

    const Position& position() const { return positions_.back(); }
    // All positions of the game, the present one last.
    const std::vector<Position>& positions() const { return positions_; }
    // All moves of the game, the last one last.
    const std::vector<Move>& moves() const { return moves_; }
    const DrawClock<Game>& clock() const { return clock_; }
    const DrawRules& rules() const { return clock_.rules(); }
    int plies() const { return clock_.plies(); }
    // The keys of the positions that can still come again, the present one last.
    const std::vector<std::uint64_t>& keys() const { return clock_.keys(); }
    // The plies until the game is a draw unless there is a capture or a man moves; nothing without such a rule.
    std::optional<int> quiet_plies_left() const { return clock_.quiet_plies_left(); }

    void play(Move move) {
        clock_.play(position(), move);
        positions_.push_back(Game::play(position(), move));
        moves_.push_back(move);
    }

    // Takes the last move back, if there is one. The clock forgets at a capture what was before it, so it runs again from the start.
    void undo() {
        if (moves_.empty()) return;
        moves_.pop_back();
        positions_.pop_back();
        clock_ = DrawClock<Game>(positions_.front(), rules());
        for (std::size_t i = 0; i < moves_.size(); ++i) clock_.play(positions_[i], moves_[i]);
    }

    // How the game ended; nothing while it goes on.
    std::optional<Outcome> outcome() const { return ludus::outcome(position(), clock_); }

private:
    std::vector<Position> positions_;
    std::vector<Move> moves_;
    DrawClock<Game> clock_;
};

// Plays a game on to its end; `choose(history)` is the move of the side to move.
template <class Game, class Choose>
Outcome play_out(History<Game>& history, Choose choose) {
    std::optional<Outcome> outcome;
    while (!(outcome = history.outcome())) history.play(choose(history));
    return *outcome;
}

// A game that has begun with this many uniformly random moves, fewer if it ends before.
template <class Game>
History<Game> random_opening(typename Game::Position start, DrawRules rules, int plies, Rng& rng) {
    History<Game> history(start, rules);
    for (int ply = 0; ply < plies && !history.outcome(); ++ply) {
        typename Game::Move move;
        Game::random_move(history.position(), rng, move);
        history.play(move);
    }
    return history;
}

// Has the side to move a move that wins at once?
template <class Game>
bool can_win(typename Game::Position p) {
    if (Game::is_over(p)) return false;
    for (const auto move : Game::generate(p)) {
        if (Game::wins(p, move)) return true;
    }
    return false;
}

// The moves of the list after which the opponent cannot win at once; all of them if there is no such move.
template <class Game>
typename Game::Moves safe_moves(typename Game::Position p, const typename Game::Moves& moves) {
    typename Game::Moves safe;
    for (const auto move : moves) {
        if (!can_win<Game>(Game::play(p, move))) safe.add(move);
    }
    return safe.empty() ? moves : safe;
}

// Plays uniformly random moves from `start` to the end; `visit(position, move)` sees each of them.
template <class Game, class Visit>
Outcome random_game(typename Game::Position start, Rng& rng, DrawRules rules, Visit visit) {
    auto position = start;
    DrawClock<Game> clock(start, rules);
    typename Game::Move move;
    while (!clock.draw() && Game::random_move(position, rng, move)) {
        visit(position, move);
        clock.play(position, move);
        position = Game::play(position, move);
    }
    return *outcome(position, clock);
}

}  // namespace ludus
