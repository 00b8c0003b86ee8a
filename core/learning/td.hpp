// Temporal differences over a game: a pupil plays, and each of its afterstates learns from the one that follows.
//
// The target of a side's last afterstate is the value of its present one, a move of each side later, or the final reward:
// 1, 0 or -1. Values are those of the weights of the moment: every step is made before the next choice.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "games/playing.hpp"
#include "learning/pupils.hpp"

namespace ludus {

struct TdOptions {
    float gamma = 1;
    float lambda = 0;
    float epsilon = 0.1F;
    bool rule_win = true;        // a move that wins at once is worth 1, whatever the network says
    bool train_terminal = true;  // the last afterstate of a game learns the reward itself, not only the one before it
    bool avoid_loss = false;     // no move after which the opponent wins at once, if there is another
};

template <class Game>
struct Choice {
    typename Game::Move move{};
    float value = 0;
};

// The pupil's choice in a game that is not over; `explore` says whether chance chooses.
template <class Pupil>
Choice<typename Pupil::Game> choose(Pupil& pupil, typename Pupil::Game::Position p, const TdOptions& options, bool explore, Rng& rng) {
    using Game = typename Pupil::Game;
    pupil.see(p);
    auto moves = Game::generate(p);
    if (options.avoid_loss) moves = safe_moves<Game>(p, moves);
    std::array<float, Game::most_moves> nets;
    if (explore) {
        const auto move = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
        if (options.rule_win && Game::wins(p, move)) return {move, 1};
        pupil.nets(p, &move, 1, nets.data());
        return {move, pupil.value(nets[0])};
    }
    if (options.rule_win) {
        for (const auto move : moves) {
            if (Game::wins(p, move)) return {move, 1};
        }
    }
    // The output's activation is monotone: it is taken of the best move only.
    pupil.nets(p, moves.begin(), moves.size(), nets.data());
    const auto best = static_cast<std::size_t>(std::max_element(nets.begin(), nets.begin() + moves.size()) - nets.begin());
    return {moves[best], pupil.value(nets[best])};
}

// What came of a game.
struct TdResult {
    int plies = 0;
    int steps = 0;
    double squared_error = 0;  // summed over the steps
    std::optional<Color> winner;
};

// A game of training. `learner` is the side that learns and `reply(history)` the other's moves; without one the pupil plays
// both sides and learns from both.
template <class Pupil, class Reply>
TdResult td_game(Pupil& pupil, const TdOptions& options, float rate, DrawRules rules, Rng& rng, std::optional<Color> learner, Reply reply) {
    using Game = typename Pupil::Game;
    using Position = typename Game::Position;
    struct Side {
        std::optional<Position> afterstate;  // its last one
        std::vector<Vector> trace;
    };
    std::array<Side, 2> sides;
    if (options.lambda > 0) {
        for (Side& side : sides) side.trace = pupil.no_trace();
    }
    TdResult result;
    const auto learn = [&](Side& side, Position afterstate, float target) {
        Step step{.rate = rate, .decay = options.gamma * options.lambda, .trace = options.lambda > 0 ? &side.trace : nullptr};
        const float error = pupil.learn(afterstate, target, step);
        ++result.steps;
        result.squared_error += static_cast<double>(error) * error;
    };

    History<Game> history(Game::start, rules);
    std::optional<Outcome> ended = history.outcome();
    while (!ended) {
        const Position p = history.position();
        const Color color = Game::turn(p);
        Side& side = sides[static_cast<std::size_t>(color)];
        const bool learns = !learner || *learner == color;
        Choice<Game> choice;
        if (learns) {
            choice = choose(pupil, p, options, options.epsilon > 0 && rng.uniform() < options.epsilon, rng);
        } else {
            choice.move = reply(history);
        }
        history.play(choice.move);
        ended = history.outcome();
        const Position afterstate = history.position();
        const auto reward = [&](Color of) -> float { return !ended->winner ? 0 : *ended->winner == of ? 1 : -1; };
        if (learns) {
            const bool by_reward = ended && !options.train_terminal;
            if (side.afterstate) learn(side, *side.afterstate, by_reward ? reward(color) : options.gamma * choice.value);
            if (ended && options.train_terminal) learn(side, afterstate, reward(color));
            side.afterstate = afterstate;
        }
        if (ended) {
            Side& other = sides[1 - static_cast<std::size_t>(color)];
            if (other.afterstate) learn(other, *other.afterstate, reward(!color));
        }
    }
    result.plies = history.plies();
    result.winner = ended->winner;
    return result;
}

// A game without learning or exploration; who won.
template <class Pupil, class Reply>
std::optional<Color> test_game(Pupil& pupil, const TdOptions& options, DrawRules rules, Color color, Reply reply) {
    using Game = typename Pupil::Game;
    Rng unused(0, 0);
    History<Game> history(Game::start, rules);
    std::optional<Outcome> ended;
    while (!(ended = history.outcome())) {
        const bool own = Game::turn(history.position()) == color;
        history.play(own ? choose(pupil, history.position(), options, false, unused).move : reply(history));
    }
    return ended->winner;
}

}  // namespace ludus
