// The rule player of Tic-Tac-Toe 3D, the benchmark of the literature: rules, no search and no learning.
//
// It looks at its moves in some random order. It wins at once if it can; else it takes the cell where the opponent would win at
// once; else it makes the first move that does not let the opponent win on top of it; else the first move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "games/random.hpp"
#include "games/tictactoe3d.hpp"

namespace ludus::tictactoe3d {

// How the order of the moves is drawn: all orders alike at every move; once for the whole game; or at every move by
// sorting them with a coin for a comparator, a common mistake that leaves them near where they were.
enum class Order : std::uint8_t { move, game, biased };

// Its move in a game that is not over. `seed` is the game's.
inline Move rule_player_move(Position p, Order order, std::uint64_t seed) {
    Moves moves = generate(p);
    if (order == Order::game) {
        Rng rng(seed, cells);
        MoveList<Move, columns> all;
        for (std::uint8_t column = 0; column < columns; ++column) all.add(Move{column});
        shuffle(all, rng);
        Moves ordered;
        for (const Move move : all) {
            if (moves.contains(move)) ordered.add(move);
        }
        moves = ordered;
    } else {
        Rng rng(seed, static_cast<std::uint64_t>(p.stones()));
        if (order == Order::move) {
            shuffle(moves, rng);
        } else {
            for (std::size_t i = 1; i < moves.size(); ++i) {
                for (std::size_t j = i; j > 0 && rng.below(2); --j) std::swap(moves[j], moves[j - 1]);
            }
        }
    }

    for (const Move move : moves) {
        if (wins(p, move)) return move;
    }
    const Position opponents{.own = p.other, .other = p.own};  // the same stones, were it the opponent's turn
    for (const Move move : moves) {
        if (wins(opponents, move)) return move;
    }
    for (const Move move : moves) {
        const Position after = play(p, move);
        // Only the cell on top of it is new to the opponent: the others were looked at above.
        const bool full = cell_of(p, move) >= cells - columns;
        if (full || !wins(after, move)) return move;
    }
    return moves[0];
}

}  // namespace ludus::tictactoe3d
