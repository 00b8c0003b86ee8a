// The searches of draughts, compiled apart from the others and from the bindings.
#include "engine/searcher_kinds.hpp"

namespace ludus {

template std::unique_ptr<Searcher<draughts::Game>> make_random();
template std::unique_ptr<Searcher<draughts::Game>> make_minimax(SharedEvaluator<draughts::Game>, bool, bool);
template std::unique_ptr<Searcher<draughts::Game>> make_alphabeta(SharedEvaluator<draughts::Game>, AlphaBetaOptions, std::size_t);
template std::unique_ptr<Searcher<draughts::Game>> make_mcts(SharedEvaluator<draughts::Game>, MctsOptions);

}  // namespace ludus
