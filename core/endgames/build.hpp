// Building a slice and its mirror by retrograde analysis: the exact result of every position, and its distance in plies.
//
// A position is one byte while it is built. Distances count the plies to the end of the game, the winner being in a hurry and
// the loser not: a lost position has an even distance and a won one an odd distance, so the byte says both.
//
//     0            not decided: a draw when the work is done
//     1 + d        decided, d plies from the end
//     254          a draw by a capture that must be made
//     255          no position
//
// Captures and crownings lead to slices that were built before. Within the pair only quiet moves remain. In the order of
// their distance, every decided position passes its result on to the positions before it: the predecessors of a loss are
// won, and a predecessor of a win is lost when all its moves lead to wins.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "endgames/parallel.hpp"
#include "endgames/slice.hpp"

namespace ludus::endgames {

using Byte = std::uint8_t;
constexpr Byte undecided = 0, forced_draw = 254, no_position = 255;
constexpr int longest = 252;  // plies; more do not fit the byte

constexpr bool is_decided(Byte b) { return b != undecided && b < forced_draw; }
constexpr bool is_win(Byte b) { return is_decided(b) && b % 2 == 0; }
constexpr bool is_loss(Byte b) { return is_decided(b) && b % 2 == 1; }

// The bytes of the slices that are done.
class Store {
public:
    struct Entry {
        SliceIndex index;
        std::vector<Byte> bytes;
    };

    bool has(Slice slice) const { return entries_.contains(slice); }
    void add(Slice slice, std::vector<Byte> bytes) { entries_[slice] = {SliceIndex(slice), std::move(bytes)}; }
    void drop(Slice slice) { entries_.erase(slice); }
    const Entry& entry(Slice slice) const {
        const auto found = entries_.find(slice);
        if (found == entries_.end()) throw std::invalid_argument("a slice is needed that was not built");
        return found->second;
    }

    // The byte of a position; a side without pieces has lost.
    Byte operator()(Position p) const {
        if (!p.own) return 1;
        const Entry& found = entry(slice_of(p));
        return found.bytes[found.index.index(p)];
    }

private:
    std::map<Slice, Entry> entries_;
};

constexpr bool crowns(Position p, draughts::Move move) {
    return !(p.kings >> move.from & 1) && (draughts::crown_row >> move.to & 1);
}

// What captures and crownings, whose slices are done, say of a position: its byte if they decide it or if one of them is
// compulsory, else undecided. `captures` says whether it must capture.
inline Byte from_moves_out(const Store& done, Position p, bool captures) {
    int fastest = 0, slowest = 1;  // a win and a loss, as bytes; without moves it is lost at once
    bool all_lose = true;
    draughts::for_each_move(p, [&](draughts::Move move) {
        if (!captures && !crowns(p, move)) {
            all_lose = false;  // not known yet
            return;
        }
        const Byte b = done(draughts::play(p, move));
        if (is_loss(b)) fastest = fastest ? std::min(fastest, b + 1) : b + 1;
        if (is_win(b)) slowest = std::max(slowest, b + 1);
        else all_lose = false;
    });
    const int decided = fastest ? fastest : all_lose ? slowest : 0;
    if (decided > 1 + longest) throw std::length_error("a win is longer than the table can say");
    return decided ? static_cast<Byte>(decided) : captures ? forced_draw : undecided;
}

// Builds the pair of a slice and its mirror on so many threads.
class PairBuilder {
public:
    PairBuilder(Slice slice, const Store& done, unsigned threads)
        : done_(done), threads_(std::max(1U, threads)), symmetric_(slice == slice.mirrored()) {
        halves_[0].index = SliceIndex(slice);
        halves_[1].index = SliceIndex(slice.mirrored());
        for (Half& half : halves_) {
            if (&half == &halves_[1] && symmetric_) break;
            half.bytes.assign(half.index.size(), undecided);
        }
    }

    // `progress(distance)` is asked before the results of each distance are passed on, -1 before the first, and ten times a
    // second. It says whether to go on; false leaves the pair unfinished. True when it is done.
    bool build(const std::function<bool(int)>& progress) {
        const int count = symmetric_ ? 1 : 2;
        for (int distance = -1; distance + 1 <= most_.load(); ++distance) {
            if (!progress(distance)) return false;
            for (int side = 0; side < count; ++side) {
                if (!pass(side, distance, progress)) return false;
            }
        }
        for (int side = 0; side < count; ++side) {
            for (Byte& b : halves_[static_cast<std::size_t>(side)].bytes) b = b == forced_draw ? undecided : b;
        }
        return true;
    }

    std::vector<Byte> take(int side) { return std::move(halves_[side].bytes); }

private:
    struct Half {
        SliceIndex index;
        std::vector<Byte> bytes;
    };

    // The half in which the opponent of side `side` is to move.
    Half& opposite(int side) { return symmetric_ ? halves_[0] : halves_[1 - side]; }

    // One pass over a half: the first one asks the moves that leave the pair, the others pass on a distance.
    bool pass(int side, int distance, const std::function<bool(int)>& progress) {
        using Clock = std::chrono::steady_clock;
        auto asked = Clock::now();
        const auto go_on = [&] {
            if (Clock::now() - asked < std::chrono::milliseconds(100)) return true;
            const bool answer = progress(distance);
            asked = Clock::now();
            return answer;
        };
        const auto work = [&](std::uint64_t from, std::uint64_t to, unsigned) {
            if (distance < 0) begin(side, from, to);
            else pass_on(side, distance, from, to);
        };
        return in_chunks(halves_[static_cast<std::size_t>(side)].bytes.size(), 1 << 16, threads_, work, go_on);
    }

    static Byte read(Byte& b) { return std::atomic_ref(b).load(std::memory_order_relaxed); }
    void write(Byte& b, int value) {
        if (value > 1 + longest) throw std::length_error("a win is longer than the table can say");
        std::atomic_ref(b).store(static_cast<Byte>(value), std::memory_order_relaxed);
        int most = most_.load(std::memory_order_relaxed);
        while (most < value && !most_.compare_exchange_weak(most, value)) {}
    }

    // What moves out of the pair say of each position.
    void begin(int side, std::uint64_t from, std::uint64_t to) {
        Half& half = halves_[static_cast<std::size_t>(side)];
        for (std::uint64_t i = from; i < to; ++i) {
            const auto p = half.index.position(i);
            const Byte b = p ? from_moves_out(done_, *p, draughts::must_capture(*p)) : no_position;
            if (is_decided(b)) write(half.bytes[i], b);
            else half.bytes[i] = b;
        }
    }

    // Passes the results of this distance on to the positions before them.
    void pass_on(int side, int distance, std::uint64_t from, std::uint64_t to) {
        Half& half = halves_[side];
        const Byte wanted = static_cast<Byte>(distance + 1);
        for (std::uint64_t i = from; i < to; ++i) {
            if (read(half.bytes[i]) != wanted) continue;
            for_each_predecessor(*half.index.position(i), [&](Position before) { update(opposite(side), half, before, distance); });
        }
    }

    // A position of `half` has a move to one that is decided at this distance.
    void update(Half& half, Half& after, Position p, int distance) {
        Byte& b = half.bytes[half.index.index(p)];
        const Byte now = read(b);
        if (distance % 2 == 0) {
            if (now == undecided || (is_win(now) && now > distance + 2)) write(b, distance + 2);
            return;
        }
        if (now != undecided) return;
        int slowest = 0;
        bool lost = true;
        draughts::for_each_move(p, [&](draughts::Move move) {
            if (!lost) return;
            const Position next = draughts::play(p, move);
            const bool leaves = crowns(p, move);
            const Byte value = leaves ? done_(next) : read(after.bytes[after.index.index(next)]);
            lost = is_win(value) && (leaves || value <= distance + 1);
            slowest = std::max<int>(slowest, value);
        });
        if (lost) write(b, slowest + 1);
    }

    // The positions from which a quiet move inside the pair leads here, and in which no capture is compulsory.
    template <class Visit>
    static void for_each_predecessor(Position p, Visit visit) {
        using namespace draughts;
        detail::for_each_bit(p.other, [&](unsigned s) {
            const Board at = bit(s), king = p.kings & at;
            Board from = up_right(at) | up_left(at);  // a man of the opponent comes from above
            if (king) from |= down_left(at) | down_right(at);
            detail::for_each_bit(from & p.empty(), [&](unsigned t) {
                const Board other = (p.other ^ at) | bit(t), kings = king ? (p.kings ^ at) | bit(t) : p.kings;
                const Position before{.own = turned(other), .other = turned(p.own), .kings = turned(kings), .turn = !p.turn};
                if (!must_capture(before)) visit(before);
            });
        });
    }

    const Store& done_;
    unsigned threads_;
    bool symmetric_;
    std::array<Half, 2> halves_;
    std::atomic<int> most_ = 0;  // the largest byte of a decided position
};

}  // namespace ludus::endgames
