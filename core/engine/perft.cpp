// Perft, compiled apart: in company the compiler runs out of inlining budget and a third of the speed is lost.
#include "engine/counting.hpp"

namespace ludus {

template <class Game>
std::uint64_t perft(typename Game::Position p, int depth, bool plain) {
    return plain ? Game::template perft<true>(p, depth) : Game::template perft<false>(p, depth);
}

template std::uint64_t perft<draughts::Game>(draughts::Position, int, bool);
template std::uint64_t perft<tictactoe3d::Game>(tictactoe3d::Position, int, bool);

}  // namespace ludus
