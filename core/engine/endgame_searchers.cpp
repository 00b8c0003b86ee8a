// Alpha-beta with endgame tables, compiled apart from alpha-beta without them.
#include "engine/searcher_kinds.hpp"
#include "search/endgame_guide.hpp"

namespace ludus {

std::unique_ptr<Searcher<draughts::Game>> make_alphabeta(SharedEvaluator<draughts::Game> evaluator, AlphaBetaOptions options, std::size_t megabytes,
                                                         std::shared_ptr<const endgames::Tables> tables) {
    return std::visit([&]<class Kind>(const Kind& kind) -> std::unique_ptr<Searcher<draughts::Game>> {
        return std::make_unique<AlphaBetaSearcher<Kind, EndgameGuide>>(evaluator, kind, options, megabytes, EndgameGuide(std::move(tables)));
    }, *evaluator);
}

}  // namespace ludus
