// Evaluators and searches whose kind is chosen at run time; each kind is compiled in a file of its own game.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <variant>

#include "../alphabeta.hpp"
#include "../benchmark.hpp"
#include "../evaluators.hpp"
#include "../mcts.hpp"
#include "../minimax.hpp"
#include "../playing.hpp"

namespace ludus {

template <class Game>
struct Kinds;
template <>
struct Kinds<draughts::Game> {
    using Evaluator = std::variant<draughts::Material, draughts::BoardNetwork, draughts::FeatureNetwork, draughts::Polynomial>;
};
template <>
struct Kinds<tictactoe3d::Game> {
    using Evaluator = std::variant<tictactoe3d::Material, tictactoe3d::CellNetwork, tictactoe3d::PatternNetwork>;
};

// Shared, because a search keeps the evaluator it was made with.
template <class Game>
using SharedEvaluator = std::shared_ptr<const typename Kinds<Game>::Evaluator>;

// Python's hold on an evaluator of any kind. Only a lesson changes it.
template <class Game>
struct Evaluator {
    std::shared_ptr<typename Kinds<Game>::Evaluator> kind;

    float value(typename Game::Position afterstate) const {
        return std::visit([&]<class Kind>(const Kind& evaluator) {
            // On the heap: the state of a wide network is large.
            const auto state = std::make_unique<typename Kind::State>();
            evaluator.begin(*state, afterstate);
            return evaluator.value(*state, afterstate);
        }, *kind);
    }
};

// Aligned for any evaluator's state: Python frees the memory of a search by the alignment of this class.
template <class Game>
class alignas(Vector) Searcher {
public:
    using Found = Iteration<typename Game::Move>;
    using Report = std::function<bool(const Found&)>;

    virtual ~Searcher() = default;
    // The game in `history` is not over.
    virtual Found search(const History<Game>& history, Budget budget, std::uint64_t seed, const Report& report) = 0;
    // Its move and nothing else.
    virtual typename Game::Move choose(const History<Game>& history, Budget budget, std::uint64_t seed) {
        return search(history, budget, seed, [](const Found&) { return true; }).variation.front();
    }

    std::atomic<bool> stop = false;
    std::atomic<bool> busy = false;
};

template <class Game>
std::unique_ptr<Searcher<Game>> make_random();
std::unique_ptr<Searcher<tictactoe3d::Game>> make_benchmark(tictactoe3d::Order order);
template <class Game>
std::unique_ptr<Searcher<Game>> make_minimax(SharedEvaluator<Game> evaluator, bool avoid_loss);
template <class Game>
std::unique_ptr<Searcher<Game>> make_alphabeta(SharedEvaluator<Game> evaluator, AlphaBetaOptions options, std::size_t megabytes);
// No evaluator: UCT, random play-outs to the end. With one: MCTS-EPT.
template <class Game>
std::unique_ptr<Searcher<Game>> make_mcts(SharedEvaluator<Game> evaluator, MctsOptions options);

}  // namespace ludus
