// A position to learn from, as it lies in a file: the boards as the side to move sees them, what a search found, and how the game
// ended. Little-endian, without gaps: 16 bytes for draughts, 20 for Tic-Tac-Toe 3D.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "games/draughts.hpp"
#include "games/tictactoe3d.hpp"

namespace ludus {

static_assert(std::endian::native == std::endian::little, "positions are written as they lie in memory");

// What is known of a position besides the boards, for the side to move.
struct Label {
    static constexpr std::int16_t no_value = -32768;
    std::int16_t value = no_value;  // of the search, 32767 is 1
    std::int8_t result = 0;         // of the game: 1 won, 0 drawn, -1 lost
    std::uint8_t flags = 0;         // 1: White is to move
};
static_assert(sizeof(Label) == 4);

template <class Game>
struct TrainingPosition;

template <>
struct TrainingPosition<draughts::Game> {
    std::uint32_t own = 0, other = 0, kings = 0;
    Label label{};

    static TrainingPosition of(draughts::Position p) { return {p.own, p.other, p.kings, {.flags = static_cast<std::uint8_t>(p.turn == Color::white)}}; }
    draughts::Position position() const { return {own, other, kings, label.flags ? Color::white : Color::black}; }
    bool is_sound() const { return !(own & other) && !(kings & ~(own | other)); }
};

template <>
struct TrainingPosition<tictactoe3d::Game> {
    std::uint32_t own[2] = {}, other[2] = {};  // the lower half first
    Label label{};

    static TrainingPosition of(tictactoe3d::Position p) {
        return {{static_cast<std::uint32_t>(p.own), static_cast<std::uint32_t>(p.own >> 32)},
                {static_cast<std::uint32_t>(p.other), static_cast<std::uint32_t>(p.other >> 32)},
                {.flags = static_cast<std::uint8_t>(p.turn() == Color::white)}};
    }
    tictactoe3d::Position position() const { return {std::uint64_t{own[1]} << 32 | own[0], std::uint64_t{other[1]} << 32 | other[0]}; }
    bool is_sound() const { return !(position().own & position().other); }
};

static_assert(sizeof(TrainingPosition<draughts::Game>) == 16 && sizeof(TrainingPosition<tictactoe3d::Game>) == 20);

// The positions in these bytes. Throws std::invalid_argument if they are none.
template <class Game>
void add_positions(std::vector<TrainingPosition<Game>>& to, std::span<const std::uint8_t> bytes) {
    using Record = TrainingPosition<Game>;
    if (bytes.size() % sizeof(Record)) throw std::invalid_argument("positions of this game have " + std::to_string(sizeof(Record)) + " bytes each");
    const std::size_t first = to.size();
    to.resize(first + bytes.size() / sizeof(Record));
    if (!bytes.empty()) std::memcpy(to.data() + first, bytes.data(), bytes.size());
    for (std::size_t i = first; i < to.size(); ++i) {
        const Label& label = to[i].label;
        if (!to[i].is_sound() || label.result < -1 || label.result > 1 || label.flags > 1) throw std::invalid_argument("there is a position that cannot be");
    }
}

}  // namespace ludus
