#include "engine/match_game.hpp"

#include <cstddef>
#include <optional>

#include "games/draughts_notation.hpp"
#include "games/tictactoe3d_notation.hpp"

namespace ludus {

template <class Game>
MatchGame<Game> play_game(Side<Game> first, Side<Game> second, const std::vector<typename Game::Move>& opening, DrawRules rules, std::uint64_t seed) {
    MatchGame<Game> game;
    History<Game> history(Game::start, rules);
    const auto play = [&](typename Game::Move move) {
        if (!game.moves.empty()) game.moves += ' ';
        game.moves += short_text(history.position(), move);
        history.play(move);
    };
    for (const auto move : opening) {
        if (!Game::generate(history.position()).contains(move)) throw IllegalMove("the opening's " + text(move) + " is not legal");
        play(move);
    }
    std::optional<Outcome> outcome;
    while (!(outcome = history.outcome())) {
        const std::size_t side = Game::turn(history.position()) == Game::turn(Game::start) ? 0 : 1;
        const auto [searcher, budget] = side == 0 ? first : second;
        const auto found = searcher->search(history, budget, mix(seed) + side);
        game.values.push_back(to_value(found.score));
        game.depths.push_back(found.depth);
        game.nodes[side] += found.nodes;
        game.seconds[side] += found.seconds;
        ++game.chosen[side];
        play(found.variation.front());
    }
    game.outcome = *outcome;
    game.last = history.position();
    return game;
}

template MatchGame<draughts::Game> play_game(Side<draughts::Game>, Side<draughts::Game>, const std::vector<draughts::Move>&, DrawRules, std::uint64_t);
template MatchGame<tictactoe3d::Game> play_game(Side<tictactoe3d::Game>, Side<tictactoe3d::Game>, const std::vector<tictactoe3d::Move>&, DrawRules, std::uint64_t);

}  // namespace ludus
