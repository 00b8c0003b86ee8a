// Games of a player against itself, for the positions that another player learns from.
//
// A game begins with random moves; most openings that give one side a clear advantage are replaced. Some games have one more
// random move later; their positions before it are dropped, because the result does not follow from them. Only quiet positions
// are kept: a search values no others.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "games/playing.hpp"
#include "learning/training_position.hpp"
#include "search/search.hpp"

namespace ludus {

struct SelfPlayOptions {
    int opening_least = 3, opening_most = 12;  // random plies at the beginning
    float later = 0.3F;                        // share of games with another random move
    int later_plies = 40;                      // it comes at most so long after the opening
    float even = 1;                            // an opening whose value is beyond this is drawn anew, three times in four; 1 takes all
    DrawRules rules{};
};

// Games counted for the side that moved first, and their positions.
template <class Game>
struct SelfPlay {
    std::vector<TrainingPosition<Game>> positions;
    std::uint64_t wins = 0, draws = 0, losses = 0, plies = 0;
    std::uint64_t by_table = 0;  // games that endgame tables ended
};

// Plays game number `index` of a seed and adds it to `games`. `search(history, seed)` gives an Iteration, or nothing for a uniformly
// random move; `adjudicate(position)` gives the outcome of a game that need not be played on.
template <class Game, class Search, class Adjudicate>
void play_self(SelfPlay<Game>& games, std::uint64_t seed, std::uint64_t index, const SelfPlayOptions& options, Search search, Adjudicate adjudicate) {
    Rng rng(seed, index);
    const int opening = options.opening_least + static_cast<int>(rng.below(static_cast<std::uint32_t>(options.opening_most - options.opening_least + 1)));
    const bool has_later = rng.uniform() < options.later;
    const int later = has_later ? opening + 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(options.later_plies))) : -1;
    const std::uint64_t search_seed = rng.next();
    History<Game> history(Game::start, options.rules);
    const std::size_t first = games.positions.size();
    std::optional<Outcome> outcome;
    while (!(outcome = history.outcome())) {
        const auto position = history.position();
        if ((outcome = adjudicate(position))) {
            ++games.by_table;
            break;
        }
        typename Game::Move move;
        Label label = TrainingPosition<Game>::of(position).label;
        bool chosen = false;
        if (history.plies() >= opening && history.plies() != later) {
            if (const auto found = search(history, search_seed)) {
                const double value = to_value(found->score);
                if (history.plies() == opening && std::abs(value) > static_cast<double>(options.even) && rng.uniform() < 0.75F) {
                    history = History<Game>(Game::start, options.rules);
                    continue;
                }
                // A forced end is the result: it need not be played.
                if (is_win(found->score) || is_loss(found->score)) {
                    outcome = Outcome{.winner = is_win(found->score) ? Game::turn(position) : !Game::turn(position), .reason = Reason::adjudication};
                }
                label.value = static_cast<std::int16_t>(std::lrint(value * 32767));
                move = found->variation.front();
                chosen = true;
            }
        }
        if (!chosen) Game::random_move(position, rng, move);
        if (history.plies() == later) games.positions.resize(first);
        else if (history.plies() >= opening && Game::is_quiet(position)) {
            auto kept = TrainingPosition<Game>::of(position);
            kept.label = label;
            games.positions.push_back(kept);
        }
        if (outcome) break;
        history.play(move);
    }
    for (std::size_t i = first; i < games.positions.size(); ++i) {
        Label& label = games.positions[i].label;
        const Color turn = label.flags ? Color::white : Color::black;
        label.result = static_cast<std::int8_t>(!outcome->winner ? 0 : *outcome->winner == turn ? 1 : -1);
    }
    games.plies += static_cast<std::uint64_t>(history.plies());
    ++(!outcome->winner ? games.draws : *outcome->winner == Game::turn(Game::start) ? games.wins : games.losses);
}

}  // namespace ludus
