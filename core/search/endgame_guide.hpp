// What alpha-beta asks endgame tables: the score of a position in its tree, and which moves of the root it may choose.
//
// Below a root outside the tables every position that they cover is scored by its result. A root inside them is different: all
// positions below it have one of three scores, which shows no way to win. So
//
//     won or lost, with distances   the table chooses the move: the fastest win, the slowest loss. If the rule of 40 moves could
//                                   end the game before, the fastest after which a capture or a man's move can be forced in time
//     won, results only             the shortest way to a capture or a man's move that keeps the win (conversion.hpp). If it is
//                                   not found in half of the nodes or of the time, the search chooses among the moves that keep
//                                   the win; only positions after a capture or a man's move count as won by the table, so the
//                                   game moves on to one of them, and the lines that give the win away are cut
//     drawn, or lost,               the search chooses among the moves that keep the result, without the tables: it still prefers
//     results only                  what is difficult for the opponent
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
#include "search/conversion.hpp"
#include "search/search.hpp"

namespace ludus {

class EndgameGuide {
public:
    using Position = draughts::Position;
    using Move = draughts::Move;
    using Game = draughts::Game;

    explicit EndgameGuide(std::shared_ptr<const endgames::Tables> tables) : prober_(std::move(tables)) {}

    // Begins a search at `position`. `found.moves` are its moves in any order; those that the search may choose are put first,
    // and the others, which are worse, get their scores. Returns how many it may choose among; 0 when the choice is made:
    // `found` is then complete. `keys` are those of History::keys, `quiet_plies` the plies that the rule of 40 moves leaves.
    std::size_t begin(Position position, std::span<const std::uint64_t> keys, std::optional<int> quiet_plies, Meter& meter, Iteration<Move>& found) {
        most_ = prober_.tables().most_pieces();
        pieces_ = 0;
        held_ = 0;
        const auto result = prober_.result(position);
        if (!result) return found.moves.size();
        if (*result != endgames::Result::draw && choose(position, quiet_plies, meter, found)) return 0;
        const std::size_t kept = keep(position, *result, keys, found);
        if (*result != endgames::Result::win) {
            most_ = 0;
            return kept;
        }
        most_ = pieces_ = position.pieces();
        held_ = held_win;
        root_ = position;
        return convert(position, kept, meter, found) ? 0 : kept;
    }

    // Is a search from here guided by the tables at its root?
    bool covers(Position root) const { return prober_.covers(root); }

    // The score of a position at `ply` for the side to move; nothing when the search has to find it.
    std::optional<Score> score(Position position, int ply) {
        const int pieces = position.pieces();
        if (pieces > most_) return std::nullopt;
        const auto result = prober_.result(position);
        if (!result) return std::nullopt;
        if (*result == endgames::Result::draw) return 0;
        const bool wins = *result == endgames::Result::win;
        if (pieces == pieces_ && wins == (held(ply) > 0) && has_men_of_root(position)) return std::nullopt;
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

    // Does every man stand where it stood at the root?
    bool has_men_of_root(Position p) const {
        const draughts::Board own = p.own & ~p.kings, other = p.other & ~p.kings, root_own = root_.own & ~root_.kings, root_other = root_.other & ~root_.kings;
        if (p.turn == root_.turn) return own == root_own && other == root_other;
        return own == draughts::turned(root_other) && other == draughts::turned(root_own);
    }

    // Looks for the way to a conversion; all such questions of a root together spend at most half of what the search may.
    std::optional<int> plies_to_conversion(Position position, Meter& meter) {
        const Budget& budget = meter.budget();
        const double seconds = budget.usual_seconds > 0 ? budget.usual_seconds : budget.seconds;
        const std::uint64_t most = budget.nodes ? budget.nodes / 2 : most_nodes;
        return conversion_.plies(position, prober_, [&] {
            if (meter.nodes() >= most || !meter.spend()) return false;
            return seconds == 0 || meter.nodes() % 256 || meter.seconds() < seconds / 2;
        });
    }

    // Chooses a move of the shortest way to a conversion among the first `kept`; false if no way is found.
    bool convert(Position position, std::size_t kept, Meter& meter, Iteration<Move>& found) {
        const auto plies = plies_to_conversion(position, meter);
        if (!plies) return false;
        const auto end = found.moves.begin() + static_cast<std::ptrdiff_t>(kept);
        const auto first = std::find_if(found.moves.begin(), end, [&](const auto& root) { return conversion_.is_shortest(root.move); });
        if (first == end) return false;
        std::rotate(found.moves.begin(), first, first + 1);
        for (auto root = found.moves.begin(); root != end; ++root) root->score = table_win - *plies;
        found.moves.front().exact = true;
        found.depth = 1;
        found.score = found.moves.front().score;
        found.variation = {found.moves.front().move};
        return true;
    }

    // Puts first the fastest win after which a conversion can be forced before the rule of 40 moves ends the game, if the
    // fastest of all may come too late. `moves` are sorted by distance.
    void fit(Position position, int quiet_plies, Meter& meter, std::vector<RootMove<Move>>& moves) {
        if (win - moves.front().score <= quiet_plies) return;
        const auto in_time = [&](const RootMove<Move>& root) {
            if (!is_win(root.score)) return false;
            if (draughts::irreversible(position, root.move)) return true;
            const auto plies = plies_to_conversion(draughts::play(position, root.move), meter);
            return plies && *plies < quiet_plies;
        };
        const auto first = std::find_if(moves.begin(), moves.end(), in_time);
        if (first != moves.end()) std::rotate(moves.begin(), first, first + 1);
    }

    bool choose(Position position, std::optional<int> quiet_plies, Meter& meter, Iteration<Move>& found) {
        if (!score_by_distance(position, found.moves)) {
            for (RootMove<Move>& root : found.moves) root = {.move = root.move, .score = 0, .exact = false};
            return false;
        }
        for (std::size_t i = 0; i < found.moves.size(); ++i) meter.spend();
        if (quiet_plies && is_win(found.moves.front().score)) fit(position, *quiet_plies, meter, found.moves);
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

    static constexpr std::uint64_t most_nodes = 50'000;  // on the way to a conversion, where the budget is one of depth or time

    endgames::Prober prober_;
    ConversionSearch conversion_;
    Position root_{};
    int most_ = 0;    // pieces of the positions that the search asks about
    int pieces_ = 0;  // of a root that is decided without distances
    Score held_ = 0;  // of its leaves, for the side to move at the root
};

}  // namespace ludus
