// Many games of one kind that move on together: an action for each in, observations, masks and rewards out.
//
// A game that ends is replaced at once by a new one. Slot i plays the games i, i + n, i + 2n and so on of a seed, n being the
// number of slots; the random numbers of a game come from the seed and its number. So nothing depends on the threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "games/draughts_actions.hpp"
#include "games/playing.hpp"
#include "games/tictactoe3d_actions.hpp"

namespace ludus {

// Where a step writes, an element or a row for each slot. The first three are about the move, the others about what comes next.
struct BatchOutput {
    float* rewards;           // of the side that moved: 1 it has won, -1 it has lost, 0 the game goes on or is a draw
    std::uint8_t* ended;      // whether the move ended the game
    std::int8_t* reasons;     // why, a number of Reason; -1 while the game goes on
    std::uint8_t* sides;      // the side to move: 0 the one that moved first in its game, 1 the other
    std::int64_t* numbers;    // of the games
    float* observations;      // the planes of the side to move
    bool* masks;              // which actions are legal
};

template <class Game>
class BatchGames {
public:
    using Position = typename Game::Position;

    // Each game begins with `opening_plies` random moves; one that ends in them begins again with others, and with fewer if
    // that goes on.
    BatchGames(std::size_t slots, std::uint64_t seed, DrawRules rules, int opening_plies, unsigned threads);

    std::size_t size() const { return slots_.size(); }
    Position position(std::size_t slot) const { return slots_[slot].position; }

    // Begins again with game number 0 of a seed.
    void reset(std::uint64_t seed, const BatchOutput& output);

    // The first slot whose action is not legal.
    std::optional<std::size_t> illegal(std::span<const std::int32_t> actions) const;

    // Plays a legal action in each slot.
    void step(std::span<const std::int32_t> actions, const BatchOutput& output);

    // A legal action for each slot, all of them equally likely.
    void random_actions(std::int32_t* actions);

    // The number of legal actions of all slots together.
    std::size_t legal_actions() const;

    // All legal actions, slot by slot, and the planes after each of them, seen by the side that made the move.
    void afterstates(std::int32_t* slots, std::int32_t* actions, float* observations) const;

private:
    struct Slot {
        Position position;
        DrawClock<Game> clock;
        Rng rng;
        std::uint64_t number;  // of the game
        std::array<std::uint16_t, Game::most_moves> legal;
        std::size_t moves = 0;

        Slot() : position(Game::start), clock(Game::start, {}), rng(0, 0), number(0) {}
    };

    void begin(Slot& slot, std::uint64_t number) const;
    void find_actions(Slot& slot) const;
    void write(const Slot& slot, std::size_t index, const BatchOutput& output) const;

    // Calls work(slot, index) for every slot, on all threads.
    template <class Work>
    void for_each_slot(Work work);

    std::vector<Slot> slots_;
    std::uint64_t seed_;
    DrawRules rules_;
    int opening_plies_;
    unsigned threads_;
};

}  // namespace ludus
