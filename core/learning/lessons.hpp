// A lesson: one game of a learner against an opponent that does not learn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/playing.hpp"
#include "search/search.hpp"
#include "learning/traces.hpp"

namespace ludus {

template <class Game>
struct Lesson {
    typename Game::Position start = Game::start;
    Color side = Game::turn(Game::start);  // the learner's
    int opening_plies = 0;                 // random moves of both sides first
    float epsilon = 0;                     // how often the learner plays a random move instead of its own
    bool leaf = false;                     // learn from the end of the principal variation, not from the move's own afterstate
    DrawRules rules{};
    std::uint64_t seed = 0;
};

struct Lived {
    float reward = 0;  // the learner's: 1, 0 or -1
    int plies = 0;
};

// Plays the game; `traces` learns from it.
//     choose(history, mine)          what the learner's search, or the opponent's, finds in the present position
//     encode(afterstate, inputs)     the inputs of the learner's network; returns what goes straight into its output node
//     learned()                      the network has changed
template <class Game, class Choose, class Encode, class Learned>
Lived live(const Lesson<Game>& lesson, Traces& traces, Choose choose, Encode encode, Learned learned) {
    using Move = typename Game::Move;

    Rng rng(mix(lesson.seed), static_cast<std::uint64_t>(lesson.side));
    Rng opening(lesson.seed, 0);  // the same for both colours
    History<Game> history(lesson.start, lesson.rules);
    for (int ply = 0; ply < lesson.opening_plies && !history.outcome(); ++ply) {
        Move move;
        Game::random_move(history.position(), opening, move);
        history.play(move);
    }

    std::vector<float> inputs(traces.network().inputs());
    const auto seen = [&](const std::vector<Move>& line) -> View {
        History<Game> ahead = history;
        for (const Move move : line) ahead.play(move);
        if (lesson.leaf) {
            if (const auto ended = Game::outcome(ahead.position())) {
                return {.known = !ended->winner ? 0.0F : *ended->winner == lesson.side ? 1.0F : -1.0F};
            }
            const auto& keys = ahead.keys();
            // The search takes a position that comes back for a draw.
            if (line.size() > 1 && std::find(keys.begin(), keys.end() - 1, keys.back()) != keys.end() - 1) return {.known = 0.0F};
        }
        const float direct = encode(ahead.position(), inputs);
        return {.inputs = inputs, .direct = direct, .sign = Game::turn(ahead.position()) == lesson.side ? -1.0F : 1.0F};
    };

    bool begun = false;
    std::optional<Outcome> outcome;
    while (!(outcome = history.outcome())) {
        const bool mine = Game::turn(history.position()) == lesson.side;
        if (!mine) {
            history.play(choose(history, false).variation.front());
            continue;
        }
        const bool exploring = lesson.epsilon > 0 && rng.uniform() < lesson.epsilon;
        std::vector<Move> line(1);
        if (exploring) Game::random_move(history.position(), rng, line.front());
        else line = choose(history, true).variation;
        if (!lesson.leaf) line.resize(1);
        const View view = seen(line);
        // What a random move leads to says nothing about the move before it.
        if (begun && !exploring) {
            traces.step(view);
            learned();
        } else {
            traces.begin(view);
        }
        begun = true;
        history.play(line.front());
    }
    const float reward = !outcome->winner ? 0.0F : *outcome->winner == lesson.side ? 1.0F : -1.0F;
    if (begun) {
        traces.end(reward);
        learned();
    }
    return {.reward = reward, .plies = history.plies()};
}

}  // namespace ludus
