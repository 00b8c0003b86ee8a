// Principal variation search of draughts, with endgame tables if there are any; compiled apart from the other searches.
#include "engine/pvs_searcher.hpp"
#include "search/endgame_guide.hpp"

namespace ludus {

template <>
std::unique_ptr<Searcher<draughts::Game>> make_pvs(SharedEvaluator<draughts::Game> evaluator, PvsOptions options, std::size_t megabytes, int threads,
                                                   std::shared_ptr<const endgames::Tables> tables) {
    return std::visit([&]<class Kind>(const Kind& kind) -> std::unique_ptr<Searcher<draughts::Game>> {
        if (!tables) return std::make_unique<PvsSearcher<Kind, NoEndgames>>(evaluator, kind, options, megabytes, threads, NoEndgames{});
        return std::make_unique<PvsSearcher<Kind, EndgameGuide>>(evaluator, kind, options, megabytes, threads, EndgameGuide(std::move(tables)));
    }, *evaluator);
}

}  // namespace ludus
