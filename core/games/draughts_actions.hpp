// The action ids of draughts: one for each way that a piece can ever go, on the board as its mover sees it.
//
// First the 98 steps, by the number of the square they leave and then by direction. Then the 1,328 captures: those of one jump by
// square and direction, those of two, and so on to nine. A way of jumps never crosses a square twice, because it would have
// to capture the same piece again; and a board with victims on its way and nowhere else makes it legal. So the list has
// every move of every position and nothing else, and two routes to one square have two ids.
//
// All captures that go on from a capture stand together, so the list is also a tree: `next` leads from a way to each way with
// one jump more.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "games/actions.hpp"
#include "games/draughts.hpp"

namespace ludus {

namespace draughts {

constexpr std::size_t step_actions = 98, jump_actions = 1328;

struct ActionTable {
    using Ids = std::array<std::uint16_t, 4>;                      // by direction
    std::array<Move, step_actions + jump_actions> moves{};        // by id, of Black
    std::array<Ids, 32> steps{};                                   // by the ring's index of the square it leaves
    std::array<Ids, 32> jumps{};
    std::array<Ids, jump_actions> next{};                          // by id - step_actions
    std::size_t size = 0;

    constexpr std::uint16_t add(Move move) {
        moves.at(size) = move;
        return static_cast<std::uint16_t>(size++);
    }

    // The way `move` with one jump more, from where it ended, if there is one.
    constexpr void extend(Move move, unsigned direction, Ids& ids) {
        const Board over = step(bit(move.to), direction), to = step(over, direction);
        if (!to || move.captured & over) return;
        move.path = (move.path | direction << 2 * move.jumps()) & 0x3FFFF;
        move.captured |= over;
        move.to = std::countr_zero(to) & 31;
        ids[direction] = add(move);
    }

    constexpr ActionTable() {
        const auto for_each_square = [](auto visit) {
            for (unsigned square = 1; square <= 32; ++square) {
                for (unsigned direction = 0; direction < 4; ++direction) visit(ring(square), direction);
            }
        };
        for_each_square([&](unsigned from, unsigned direction) {
            const Board to = step(bit(from), direction);
            if (to) steps[from][direction] = add(Move{.from = from & 31, .to = std::countr_zero(to) & 31U});
        });
        for_each_square([&](unsigned from, unsigned direction) {
            extend(Move{.from = from & 31, .to = from & 31}, direction, jumps[from]);
        });
        for (std::size_t id = step_actions; id < size; ++id) {
            for (unsigned direction = 0; direction < 4; ++direction) extend(moves[id], direction, next[id - step_actions]);
        }
    }
};

inline constexpr ActionTable action_table;
static_assert(action_table.size == step_actions + jump_actions);

}  // namespace draughts

template <>
struct Actions<draughts::Game> {
    using Position = draughts::Position;
    using Move = draughts::Move;

    static constexpr std::size_t count = draughts::step_actions + draughts::jump_actions;

    static constexpr std::uint16_t id(Move move) {
        constexpr const auto& table = draughts::action_table;
        if (!move.captured) return table.steps[move.from][direction(move)];
        std::uint16_t id = table.jumps[move.from][move.direction(0)];
        for (int jump = 1; jump < move.jumps(); ++jump) id = table.next[id - draughts::step_actions][move.direction(jump)];
        return id;
    }

    static constexpr Move move(std::size_t id, Position p) {
        Move move = draughts::action_table.moves[id];
        move.turn = p.turn;
        return move;
    }

private:
    // Of a step: the ring turns by 1, 7, -1 or -7.
    static constexpr unsigned direction(Move move) {
        switch ((move.to - move.from) & 31) {
            case 1: return 0;
            case 7: return 1;
            case 31: return 2;
            default: return 3;
        }
    }
};

}  // namespace ludus
