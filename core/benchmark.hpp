// The benchmark player of Tic-Tac-Toe 3D: rules, no search and no learning.
//
// It looks at its moves in a random order. It wins at once if it can; else it takes the cell where the opponent would win at
// once; else it makes the first move that does not let the opponent win on top of it; else the first move.
#pragma once

#include "random.hpp"
#include "tictactoe3d.hpp"

namespace ludus::tictactoe3d {

// The game is not over.
inline Move benchmark_move(Position p, Rng& rng) {
    Moves moves = generate(p);
    shuffle(moves, rng);

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
