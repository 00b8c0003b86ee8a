#include "engine/match_game.hpp"

#include "games/draughts_notation.hpp"
#include "games/tictactoe3d_notation.hpp"

namespace ludus {

template <class Game>
MatchGame<Game> play_game(const MatchSide<Game>& first, const MatchSide<Game>& second, typename Game::Position start,
                          const std::vector<typename Game::Move>& opening, DrawRules rules) {
    MatchGame<Game> game;
    History<Game> history(start, rules);
    const auto write = [&](typename Game::Move move) {
        if (!game.moves.empty()) game.moves += ' ';
        game.moves += short_text(history.position(), move);
    };
    for (const auto move : opening) {
        if (!Game::generate(history.position()).contains(move)) throw IllegalMove("the opening's " + text(move) + " is not legal");
        write(move);
        history.play(move);
    }
    game.outcome = play_out(history, [&](const History<Game>&) {
        const std::size_t index = Game::turn(history.position()) == Game::turn(start) ? 0 : 1;
        const MatchSide<Game>& side = index == 0 ? first : second;
        const auto found = side.searcher->search(history, side.budget, side.seed);
        game.values.push_back(to_value(found.score));
        game.depths.push_back(found.depth);
        game.nodes[index] += found.nodes;
        game.seconds[index] += found.seconds;
        ++game.chosen[index];
        write(found.variation.front());
        return found.variation.front();
    });
    game.last = history.position();
    return game;
}

template MatchGame<draughts::Game> play_game(const MatchSide<draughts::Game>&, const MatchSide<draughts::Game>&, draughts::Position,
                                             const std::vector<draughts::Move>&, DrawRules);
template MatchGame<tictactoe3d::Game> play_game(const MatchSide<tictactoe3d::Game>&, const MatchSide<tictactoe3d::Game>&, tictactoe3d::Position,
                                                const std::vector<tictactoe3d::Move>&, DrawRules);

}  // namespace ludus
