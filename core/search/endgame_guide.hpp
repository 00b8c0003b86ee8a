// What alpha-beta asks endgame tables: the score of a position in its tree, and which moves of the root it may choose.
//
// Below a root outside the tables every position that they cover is scored by its result. A root inside them is different: all
// positions below it have one of three scores, which shows no way to win. So
//
//     won or lost, with distances   the table chooses the move: the fastest win, the slowest loss
//     won or lost, results only     the search chooses among the moves that keep the result; only positions with fewer pieces
//                                   than the root count as won by the table, so a won game moves on to one of them, and the
//                                   lines that give the win away are cut
//     drawn                         the search chooses among the moves that keep the draw, without the tables: it still prefers
//                                   what is difficult for the opponent
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "endgames/probe.hpp"
#include "games/draughts.hpp"
#include "search/search.hpp"

namespace ludus {

class EndgameGuide {
public:
    using Position = draughts::Position;
    using Move = draughts::Move;
    using Game = draughts::Game;

    explicit EndgameGuide(std::shared_ptr<const endgames::Tables> tables) : prober_(std::move(tables)) {}

    // Begins a search at `position`. `found.moves` are its moves in any order; those that the search may choose are put first,
    // and the others, which are worse, get their scores. Returns how many it may choose among; 0 when the table has chosen:
    // `found` is then complete. `keys` are those of History::keys.
    std::size_t begin(Position position, std::span<const std::uint64_t> keys, Iteration<Move>& found) {
        most_ = prober_.tables().most_pieces();
        pieces_ = 0;
        held_ = 0;
        const auto result = prober_.result(position);
        if (!result) return found.moves.size();
        if (*result == endgames::Result::draw) {
            most_ = 0;
        } else {
            if (choose(position, found)) return 0;
            most_ = pieces_ = position.pieces();
            held_ = *result == endgames::Result::win ? held_win : -held_win;
        }
        return keep(position, *result, keys, found);
    }

    // The score of a position at `ply` for the side to move; nothing when the search has to find it.
    std::optional<Score> score(Position position, int ply) {
        const int pieces = position.pieces();
        if (pieces > most_) return std::nullopt;
        const auto result = prober_.result(position);
        if (!result) return std::nullopt;
        if (*result == endgames::Result::draw) return 0;
        const bool wins = *result == endgames::Result::win;
        if (pieces == pieces_ && wins == (held(ply) > 0)) return std::nullopt;
        if (wins) return table_win - ply;
        return Game::is_over(position) ? ended<Game>(position, ply) : ply - table_win;
    }

    // What the value of a leaf at `ply` is to be raised by: below a root that is won, all leaves are.
    Score held(int ply) const { return ply % 2 ? -held_ : held_; }

private:
    // The score of a move that leads to a position with this distance.
    static Score after(endgames::Result there, int distance) {
        if (there == endgames::Result::draw) return 0;
        return there == endgames::Result::loss ? win - distance - 1 : distance + 1 - win;
    }

    static void sort(std::vector<RootMove<Move>>& moves) {
        std::stable_sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
    }

    // Gives every move its score by distance, the best first; false if a distance is missing.
    bool score_by_distance(Position position, std::vector<RootMove<Move>>& moves) {
        for (RootMove<Move>& root : moves) {
            const Position there = draughts::play(position, root.move);
            const auto result = prober_.result(there);
            const auto distance = result == endgames::Result::draw ? std::optional(0) : prober_.distance(there);
            if (!result || !distance) return false;
            root.score = after(*result, *distance);
            root.exact = true;
        }
        sort(moves);
        return true;
    }

    bool choose(Position position, Iteration<Move>& found) {
        if (!score_by_distance(position, found.moves)) {
            for (RootMove<Move>& root : found.moves) root = {.move = root.move, .score = 0, .exact = false};
            return false;
        }
        found.depth = 1;
        found.score = found.moves.front().score;
        found.variation = {found.moves.front().move};
        for (Position p = draughts::play(position, found.variation.back()); !Game::is_over(p);) {
            std::vector<RootMove<Move>> moves;
            for (const Move move : draughts::generate(p)) moves.push_back({.move = move, .score = 0, .exact = false});
            if (!score_by_distance(p, moves)) break;
            found.variation.push_back(moves.front().move);
            p = draughts::play(p, moves.front().move);
        }
        return true;
    }

    // Puts the moves that keep the result first, for a win those that do not repeat a position of the game, if there are any.
    std::size_t keep(Position position, endgames::Result result, std::span<const std::uint64_t> keys, Iteration<Move>& found) {
        const auto wanted = result == endgames::Result::win ? endgames::Result::loss : result == endgames::Result::draw ? result : endgames::Result::win;
        const auto keeps = [&](RootMove<Move>& root) {
            const auto there = prober_.result(draughts::play(position, root.move));
            if (there == wanted) return true;
            root.score = there == endgames::Result::win ? 1 - table_win : 0;
            root.exact = there.has_value();
            return false;
        };
        auto end = std::stable_partition(found.moves.begin(), found.moves.end(), keeps);
        if (result == endgames::Result::win) {
            const auto is_new = [&](const RootMove<Move>& root) {
                return std::ranges::find(keys, Game::Zobrist::after(keys.back(), position, root.move)) == keys.end();
            };
            const auto fresh = std::stable_partition(found.moves.begin(), end, is_new);
            if (fresh != found.moves.begin()) end = fresh;
        }
        return static_cast<std::size_t>(end - found.moves.begin());
    }

    endgames::Prober prober_;
    int most_ = 0;    // pieces of the positions that the search asks about
    int pieces_ = 0;  // of a root that is decided without distances
    Score held_ = 0;  // of its leaves, for the side to move at the root
};

}  // namespace ludus
