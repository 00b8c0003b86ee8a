#include "engine/match_game.hpp"

#include <utility>

#include "endgames/probe.hpp"
#include "games/draughts_notation.hpp"
#include "games/tictactoe3d_notation.hpp"

namespace ludus {

Adjudicator<draughts::Game> table_adjudicator(std::shared_ptr<const endgames::Tables> tables) {
    const auto prober = std::make_shared<endgames::Prober>(std::move(tables), 1);
    return [prober](draughts::Position position) -> std::optional<Outcome> {
        if (!prober->covers(position) || draughts::must_capture(position)) return std::nullopt;
        const auto result = prober->result(position);
        if (!result) return std::nullopt;
        if (*result == endgames::Result::draw) return Outcome{.winner = std::nullopt, .reason = Reason::adjudication};
        return Outcome{.winner = *result == endgames::Result::win ? position.turn : !position.turn, .reason = Reason::adjudication};
    };
}

template <class Game>
MatchGame<Game> play_game(const MatchSide<Game>& first, const MatchSide<Game>& second, typename Game::Position start,
                          const std::vector<typename Game::Move>& opening, DrawRules rules,
                          const Adjudicator<Game>& adjudicator) {
    MatchGame<Game> game;
    History<Game> history(start, rules);
    for (const MatchSide<Game>* side : {&first, &second}) side->searcher->new_game();
    const auto write = [&](typename Game::Move move) {
        if (!game.moves.empty()) game.moves += ' ';
        game.moves += short_text(history.position(), move);
    };
    for (const auto move : opening) {
        if (!Game::generate(history.position()).contains(move)) throw IllegalMove("the opening's " + text(move) + " is not legal");
        write(move);
        history.play(move);
    }
    std::optional<Outcome> outcome;
    while (!(outcome = history.outcome()) && !(adjudicator && (outcome = adjudicator(history.position())))) {
        const std::size_t index = Game::turn(history.position()) == Game::turn(start) ? 0 : 1;
        const MatchSide<Game>& side = index == 0 ? first : second;
        const auto found = side.searcher->search(history, side.budget, side.seed);
        game.values.push_back(to_value(found.score));
        game.depths.push_back(found.depth);
        game.nodes[index] += found.nodes;
        game.seconds[index] += found.seconds;
        ++game.chosen[index];
        write(found.variation.front());
        history.play(found.variation.front());
    }
    game.outcome = *outcome;
    game.last = history.position();
    return game;
}

template MatchGame<draughts::Game> play_game(const MatchSide<draughts::Game>&, const MatchSide<draughts::Game>&, draughts::Position,
                                             const std::vector<draughts::Move>&, DrawRules, const Adjudicator<draughts::Game>&);
template MatchGame<tictactoe3d::Game> play_game(const MatchSide<tictactoe3d::Game>&, const MatchSide<tictactoe3d::Game>&, tictactoe3d::Position,
                                                const std::vector<tictactoe3d::Move>&, DrawRules, const Adjudicator<tictactoe3d::Game>&);

}  // namespace ludus
