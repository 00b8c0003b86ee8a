// Batches of games under the sanitizers: actions that map back, rewards, new games, threads.
#include "engine/batch_games.hpp"

#include <vector>

#include "check.hpp"
#include "evaluation/planes.hpp"

using namespace ludus;

namespace {

struct Arrays {
    std::vector<float> rewards, observations;
    std::vector<std::uint8_t> ended, sides;
    std::vector<std::int8_t> reasons;
    std::vector<std::int64_t> numbers;
    std::vector<char> masks;
    std::vector<std::int32_t> actions;

    Arrays(std::size_t slots, std::size_t planes, std::size_t count)
        : rewards(slots), observations(slots * planes), ended(slots), sides(slots), reasons(slots), numbers(slots), masks(slots * count), actions(slots) {}

    BatchOutput output() {
        return {.rewards = rewards.data(), .ended = ended.data(), .reasons = reasons.data(), .sides = sides.data(), .numbers = numbers.data(),
                .observations = observations.data(), .masks = reinterpret_cast<bool*>(masks.data())};
    }
};

template <class Game>
void games_end_and_begin_again() {
    constexpr std::size_t slots = 700;
    BatchGames<Game> games(slots, 1, {}, 4, 3);
    Arrays arrays(slots, Planes<Game>::size, Actions<Game>::count);
    games.reset(2, arrays.output());
    std::size_t ended = 0;
    for (int step = 0; step < 200; ++step) {
        games.random_actions(arrays.actions.data());
        CHECK(!games.illegal(arrays.actions));
        for (std::size_t i = 0; i < slots; ++i) CHECK(arrays.masks[i * Actions<Game>::count + static_cast<std::size_t>(arrays.actions[i])]);
        games.step(arrays.actions, arrays.output());
        for (std::size_t i = 0; i < slots; ++i) {
            ended += arrays.ended[i];
            CHECK(arrays.rewards[i] == 0 || arrays.ended[i]);
            CHECK((arrays.reasons[i] >= 0) == (arrays.ended[i] != 0));
            CHECK(static_cast<std::size_t>(arrays.numbers[i]) % slots == i);
        }
    }
    CHECK(ended > slots);
    const std::size_t count = games.legal_actions();
    std::vector<std::int32_t> places(count), actions(count);
    std::vector<float> planes(count * Planes<Game>::size);
    games.afterstates(places.data(), actions.data(), planes.data());
    CHECK(places.back() == slots - 1);
    arrays.actions[slots - 1] = -1;
    CHECK(games.illegal(arrays.actions).has_value());
}

}  // namespace

int main() {
    games_end_and_begin_again<draughts::Game>();
    games_end_and_begin_again<tictactoe3d::Game>();
    return failed();
}
