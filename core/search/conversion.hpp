// The way from a won position to the next move that cannot be taken back (a capture or a man's move) and keeps the win.
//
// A table of results says which moves keep a win, not which of them come nearer to it. But a win comes nearer for good with every
// move that cannot be taken back, and between two of them only kings move, in a graph of few positions: those that the winner
// allows. This search looks at them in the order of their distance from the root and then works backwards from the conversions.
// The number of plies that it finds falls with every move of the winner that follows it, whatever the loser does: a smaller
// search from the next position sees the same lines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "endgames/probe.hpp"
#include "games/draughts.hpp"

namespace ludus {

class ConversionSearch {
public:
    using Position = draughts::Position;
    using Move = draughts::Move;

    // The plies to a conversion, the winner going the shortest way and the loser the longest; nothing if it was not found in
    // the nodes there were. `root` is won for the side to move, or lost, and the result is in the tables. `spend()` pays for
    // one node; false when there may be no more.
    template <class Spend>
    std::optional<int> plies(Position root, endgames::Prober& prober, Spend spend) {
        const auto result = prober.result(root);
        if (!result || *result == endgames::Result::draw) return std::nullopt;
        clear();
        winner_ = *result == endgames::Result::win ? root.turn : !root.turn;
        add(root);
        std::size_t next = 0;
        std::optional<int> found;
        // `level` is the distance from the root of the positions that are looked at: conversions up to one ply further are seen.
        for (int level = 0; level <= most_levels; ++level) {
            const std::size_t end = nodes_.size();
            if (next == end) break;
            for (; next < end; ++next) {
                if (!spend()) return found;
                if (!expand(static_cast<Index>(next), prober)) return std::nullopt;
            }
            if (nodes_.front().proved) found = distance_of_root();
            if (found && *found <= level + 1) break;  // a shorter way would have been seen
        }
        return found;
    }

    // Is a move from the root, one that keeps the win, the first of a shortest way that was found?
    bool is_shortest(Move move) const {
        const Node& root = nodes_.front();
        if (draughts::irreversible(root.position, move)) return root.distance == 1;
        const Index child = places_[place(draughts::play(root.position, move))];
        return child != none && nodes_[child].distance >= 0 && nodes_[child].distance == root.distance - 1;
    }

private:
    using Index = std::uint32_t;
    static constexpr Index none = std::numeric_limits<Index>::max();
    static constexpr int most_levels = 200;

    struct Node {
        Position position;
        Index edges = none;   // to the positions it can come from
        int open = 0;         // of a loser's: moves to positions that are not proved
        int replies = 0;      // moves to other positions
        int distance = -1;    // to a conversion, once it is known
        bool ends = false;    // its distance needs no other position
        bool proved = false;  // a conversion can be forced
    };
    struct Edge {
        Index parent;
        Index next;
    };

    void clear() {
        nodes_.clear();
        edges_.clear();
        places_.assign(1024, none);
    }

    static std::uint64_t hash(Position p) {
        std::uint64_t h = (std::uint64_t{p.own} << 32 | p.other) ^ (p.turn == Color::white ? 0x9E3779B97F4A7C15 : 0);
        h = (h ^ h >> 32) * 0xD6E8FEB86659FD93;
        return h ^ h >> 32;
    }

    // The place of a position, or where it is to go. Men do not move here, so two positions with the same squares are the same.
    std::size_t place(Position p) const {
        std::size_t at = hash(p) & (places_.size() - 1);
        while (places_[at] != none && nodes_[places_[at]].position != p) at = (at + 1) & (places_.size() - 1);
        return at;
    }

    Index add(Position p) {
        if (2 * nodes_.size() >= places_.size()) {
            places_.assign(2 * places_.size(), none);
            for (std::size_t i = 0; i < nodes_.size(); ++i) places_[place(nodes_[i].position)] = static_cast<Index>(i);
        }
        const std::size_t at = place(p);
        if (places_[at] == none) {
            places_[at] = static_cast<Index>(nodes_.size());
            nodes_.push_back({.position = p});
        }
        return places_[at];
    }

    // Adds the positions after a node's moves; false if a result is missing.
    bool expand(Index at, endgames::Prober& prober) {
        const Position p = nodes_[at].position;
        const bool wins = p.turn == winner_;
        const auto moves = draughts::generate(p);
        kept_.clear();
        bool converts = false;
        for (const Move move : moves) {
            const Position there = draughts::play(p, move);
            if (wins) {
                const auto result = prober.result(there);
                if (!result) return false;
                if (*result != endgames::Result::loss) continue;
            }
            if (draughts::irreversible(p, move)) converts = true;
            else kept_.push_back(there);
        }
        // The winner takes a conversion at once. The loser, who has no other move, must.
        if (wins ? converts : kept_.empty()) {
            nodes_[at].ends = true;
            nodes_[at].distance = moves.empty() ? 0 : 1;
            prove(at);
            return true;
        }
        int open = 0;
        for (const Position there : kept_) {
            const Index child = add(there);
            edges_.push_back({.parent = at, .next = nodes_[child].edges});
            nodes_[child].edges = static_cast<Index>(edges_.size() - 1);
            open += !nodes_[child].proved;
        }
        nodes_[at].open = open;
        nodes_[at].replies = static_cast<int>(kept_.size());
        if (wins ? open < static_cast<int>(kept_.size()) : open == 0) prove(at);
        return true;
    }

    // Marks a node, and all that follows from it.
    void prove(Index first) {
        nodes_[first].proved = true;
        queue_.assign(1, first);
        while (!queue_.empty()) {
            const Index at = queue_.back();
            queue_.pop_back();
            for (Index e = nodes_[at].edges; e != none; e = edges_[e].next) {
                Node& parent = nodes_[edges_[e].parent];
                if (parent.proved) continue;
                if (parent.position.turn != winner_ && --parent.open > 0) continue;
                parent.proved = true;
                queue_.push_back(edges_[e].parent);
            }
        }
    }

    // Works backwards from the ends, the nearest first: the first way that reaches a winner's position is the shortest, the last
    // that reaches a loser's the longest.
    int distance_of_root() {
        std::vector<int> waiting(nodes_.size());
        std::vector<Index> now, next;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            waiting[i] = nodes_[i].replies;
            if (!nodes_[i].ends) nodes_[i].distance = -1;
            else if (nodes_[i].distance == 0) now.push_back(static_cast<Index>(i));
            else next.push_back(static_cast<Index>(i));
        }
        for (int distance = 1; !now.empty() || !next.empty(); ++distance) {
            for (const Index at : now) {
                for (Index e = nodes_[at].edges; e != none; e = edges_[e].next) {
                    const Index above = edges_[e].parent;
                    Node& parent = nodes_[above];
                    if (parent.distance >= 0 || (parent.position.turn != winner_ && --waiting[above] > 0)) continue;
                    parent.distance = distance;
                    next.push_back(above);
                }
            }
            if (nodes_.front().distance >= 0) break;
            now.swap(next);
            next.clear();
        }
        return nodes_.front().distance;
    }

    Color winner_ = Color::black;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    std::vector<Index> places_;  // of the positions, by their hash
    std::vector<Position> kept_;
    std::vector<Index> queue_;
};

}  // namespace ludus
