// The searches of Tic-Tac-Toe 3D, compiled apart from the others and from the bindings.
#include "engine/searcher_kinds.hpp"

namespace ludus {

template std::unique_ptr<Searcher<tictactoe3d::Game>> make_random();
template std::unique_ptr<Searcher<tictactoe3d::Game>> make_minimax(SharedEvaluator<tictactoe3d::Game>, bool, bool);
template std::unique_ptr<Searcher<tictactoe3d::Game>> make_alphabeta(SharedEvaluator<tictactoe3d::Game>, AlphaBetaOptions, std::size_t);
template std::unique_ptr<Searcher<tictactoe3d::Game>> make_mcts(SharedEvaluator<tictactoe3d::Game>, MctsOptions);

std::unique_ptr<Searcher<tictactoe3d::Game>> make_rule_player(tictactoe3d::Order order) {
    const auto pick = [order](const History<tictactoe3d::Game>& history, std::uint64_t seed) {
        return tictactoe3d::rule_player_move(history.position(), order, seed);
    };
    return std::make_unique<PickingSearcher<tictactoe3d::Game, decltype(pick)>>(pick);
}

}  // namespace ludus
