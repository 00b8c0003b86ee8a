// A game from its first position to its end: repetition, limits, random play.
//
// `Game` is draughts::Game or tictactoe3d::Game: the types and the rules of a game under the words they share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "outcome.hpp"
#include "random.hpp"

namespace ludus {

// When a game that could go on is a draw. The defaults are the official ones; 0 turns a rule off.
struct DrawRules {
    int repetitions = 3;   // the same position with the same side to move, this many times
    int quiet_plies = 80;  // plies since the last capture or man's move
    int plies = 0;         // plies of the whole game
};

// A game so far, with what the draw rules need to know of it.
template <class Game>
class History {
public:
    using Position = typename Game::Position;
    using Move = typename Game::Move;
    using Zobrist = typename Game::Zobrist;

    explicit History(Position start, DrawRules rules = {}) : rules_(rules), position_(start), keys_{Zobrist::of(start)} {}

    const Position& position() const { return position_; }
    int plies() const { return plies_; }
    // The keys of the positions that can still come again, the present one last.
    const std::vector<std::uint64_t>& keys() const { return keys_; }

    void play(Move move) {
        const std::uint64_t key = Zobrist::after(keys_.back(), position_, move);
        if (Game::irreversible(position_, move)) keys_.clear();
        keys_.push_back(key);
        position_ = Game::play(position_, move);
        ++plies_;
    }

    // How the game ended; nothing while it goes on.
    std::optional<Outcome> outcome() const {
        if (const auto ended = Game::outcome(position_)) return ended;
        if (const auto reason = draw()) return Outcome{.winner = std::nullopt, .reason = *reason};
        return std::nullopt;
    }

    // The draw rule that applies, unless the position itself has ended the game.
    std::optional<Reason> draw() const {
        if (rules_.repetitions && occurrences() >= rules_.repetitions) return Reason::repetition;
        if (rules_.quiet_plies && keys_.size() > static_cast<std::size_t>(rules_.quiet_plies)) return Reason::quiet_moves;
        if (rules_.plies && plies_ >= rules_.plies) return Reason::length;
        return std::nullopt;
    }

private:
    // How often the present position has been on the board. It takes four plies at least to bring one back, always an even number.
    int occurrences() const {
        int count = 1;
        for (std::size_t back = 4; back < keys_.size(); back += 2) count += *(keys_.rbegin() + static_cast<std::ptrdiff_t>(back)) == keys_.back();
        return count;
    }

    DrawRules rules_;
    Position position_;
    std::vector<std::uint64_t> keys_;
    int plies_ = 0;
};

// Plays uniformly random moves from `start` to the end; `visit(position, move)` sees each of them.
template <class Game, class Visit>
Outcome random_game(typename Game::Position start, Rng& rng, DrawRules rules, Visit visit) {
    History<Game> history(start, rules);
    while (!history.draw()) {
        const auto move = Game::random_move(history.position(), rng);
        if (!move) break;
        visit(history.position(), *move);
        history.play(*move);
    }
    return *history.outcome();
}

}  // namespace ludus
