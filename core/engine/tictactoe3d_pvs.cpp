// Principal variation search of Tic-Tac-Toe 3D, compiled apart from the other searches.
#include <stdexcept>

#include "engine/pvs_searcher.hpp"

namespace ludus {

template <>
std::unique_ptr<Searcher<tictactoe3d::Game>> make_pvs(SharedEvaluator<tictactoe3d::Game> evaluator, PvsOptions options, std::size_t megabytes, int threads,
                                                      std::shared_ptr<const endgames::Tables> tables) {
    if (tables) throw std::invalid_argument("only draughts has endgame tables");
    return std::visit([&]<class Kind>(const Kind& kind) -> std::unique_ptr<Searcher<tictactoe3d::Game>> {
        return std::make_unique<PvsSearcher<Kind, NoEndgames>>(evaluator, kind, options, megabytes, threads, NoEndgames{});
    }, *evaluator);
}

}  // namespace ludus
