// What alpha-beta and principal variation search share in their trees: the path to a node and whether it repeats, the lines of
// play, scores in a table, and the order of moves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "search/search.hpp"

namespace ludus {

// A search without endgame tables; the other kind is EndgameGuide.
struct NoEndgames {};

// The keys of the positions of a game and of the line of play, the present one last.
class Path {
public:
    // `keys` are those of the game's positions that can come again, the present one last (History::keys).
    void begin(std::span<const std::uint64_t> keys) {
        keys_.assign(keys.begin(), keys.end());
        fresh_ = 0;
    }

    std::uint64_t key() const { return keys_.back(); }

    // Goes on to the position with this key. Returns what `back` needs to come back.
    std::size_t go(std::uint64_t key, bool irreversible) {
        const std::size_t fresh = fresh_;
        if (irreversible) fresh_ = keys_.size();
        keys_.push_back(key);
        return fresh;
    }
    void back(std::size_t fresh) {
        keys_.pop_back();
        fresh_ = fresh;
    }

    // The plies since the last move that cannot be taken back, as far as the keys of the game tell.
    int quiet_plies() const { return static_cast<int>(keys_.size() - 1 - fresh_); }

    bool is_repeated() const {
        // The same side is to move every second ply, and two plies cannot lead back.
        const std::size_t now = keys_.size() - 1;
        for (std::size_t back = 4; back <= now && now - back >= fresh_; back += 2) {
            if (keys_[now - back] == keys_[now]) return true;
        }
        return false;
    }

private:
    std::vector<std::uint64_t> keys_;
    std::size_t fresh_ = 0;  // where the last irreversible move led
};

// The best line found from each ply of the line of play.
template <class Move>
class Lines {
public:
    void clear(int ply) { at(ply).clear(); }
    // A new best line from `ply`: the move, and the line after it.
    void begin_with(Move move, int ply) { join(at(ply), move, ply); }
    // Puts the move and the line after it, which begins at `ply` + 1, into `line`.
    void join(std::vector<Move>& line, Move move, int ply) {
        const auto& rest = at(ply + 1);
        line.assign(1, move);
        line.insert(line.end(), rest.begin(), rest.end());
    }

private:
    std::vector<Move>& at(int ply) { return lines_[static_cast<std::size_t>(ply)]; }

    std::array<std::vector<Move>, most_plies + 1> lines_;
};

// Scores in a table. A win counts from the root in the search and from the position in the table.
template <bool with_endgames>
struct TableScores {
    static Score to_table(Score score, int ply) { return counts_plies(score) ? score + ply : counts_plies(-score) ? score - ply : score; }
    static Score from_table(Score score, int ply) { return counts_plies(score) ? score - ply : counts_plies(-score) ? score + ply : score; }

private:
    // Is the score that of a win, of an endgame table or of a line of play?
    static constexpr bool counts_plies(Score score) { return with_endgames ? score >= table_win - 2 * most_plies : is_win(score); }
};

// The places 0 to `count` - 1 in the order in which to try them: the greatest merit first, and of equals the first place, so that a
// search repeats to the bit. They are picked one by one, because most positions are cut off by one of the first moves.
template <class Merit, std::size_t most>
class PickOrder {
public:
    static_assert(std::is_signed_v<Merit>);

    template <class MeritOf>
    PickOrder(std::size_t count, MeritOf merit) : count_(count) {
        for (std::size_t i = 0; i < count; ++i) merits_[i] = merit(i);
    }

    // The next place; there has to be one.
    std::uint8_t next() {
        std::size_t best = 0;
        for (std::size_t i = 1; i < count_; ++i) best = merits_[i] > merits_[best] ? i : best;
        merits_[best] = std::numeric_limits<Merit>::min();
        return picked_[size_++] = static_cast<std::uint8_t>(best);
    }

    // The places so far.
    std::span<const std::uint8_t> picked() const { return {picked_.data(), size_}; }

private:
    std::size_t count_, size_ = 0;
    std::array<Merit, most> merits_;
    std::array<std::uint8_t, most> picked_;
};

}  // namespace ludus
