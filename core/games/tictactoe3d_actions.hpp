// The action ids of Tic-Tac-Toe 3D: the columns.
#pragma once

#include <cstddef>
#include <cstdint>

#include "games/actions.hpp"
#include "games/tictactoe3d.hpp"

namespace ludus {

template <>
struct Actions<tictactoe3d::Game> {
    using Position = tictactoe3d::Position;
    using Move = tictactoe3d::Move;

    static constexpr std::size_t count = tictactoe3d::columns;
    static constexpr std::uint16_t id(Move move) { return move.column; }
    static constexpr Move move(std::size_t id, Position) { return {static_cast<std::uint8_t>(id)}; }
};

}  // namespace ludus
