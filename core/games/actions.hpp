// Action ids: a small whole number for each move that a game can ever have, for programs that choose among numbers.
//
// `Actions<Game>` has `count`, `id(move)`, which is below `count`, and `move(id, position)`, the move of this id by the side to
// move. Whether the move is legal is the position's business. The ids of a game never change: learned networks depend on them.
#pragma once

namespace ludus {

template <class Game>
struct Actions;

}  // namespace ludus
