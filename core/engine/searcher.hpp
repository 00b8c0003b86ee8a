// A search of any kind of a game, as a caller holds it; each kind is compiled once a game, in draughts_searchers.cpp and
// tictactoe3d_searchers.cpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>

#include "endgames/tables.hpp"
#include "engine/evaluator.hpp"
#include "search/alphabeta.hpp"
#include "search/mcts.hpp"
#include "search/pvs.hpp"
#include "search/rule_player.hpp"
#include "search/search.hpp"

namespace ludus {

// Aligned for any evaluator's state: Python frees the memory of a search by the alignment of this class.
template <class G>
class alignas(Vector) Searcher {
public:
    using Game = G;
    using Move = typename Game::Move;
    using Found = Iteration<Move>;
    // Sees what is found so far; the search ends when it answers false.
    using Report = std::function<bool(const Found&)>;

    virtual ~Searcher() = default;
    // A new game begins: a search that remembers earlier moves forgets them.
    virtual void new_game() {}
    // The game in `history` is not over.
    virtual Found search(const History<Game>& history, Budget budget, std::uint64_t seed, const Report& report) = 0;
    Found search(const History<Game>& history, Budget budget, std::uint64_t seed) {
        return search(history, budget, seed, [](const Found&) { return true; });
    }
    // Its move and nothing else.
    virtual Move choose(const History<Game>& history, Budget budget, std::uint64_t seed) { return search(history, budget, seed).variation.front(); }

    std::atomic<bool> stop = false;
    std::atomic<bool> busy = false;
};

// Marks a search as under way. It has one line of play and one tree: a second search of the same object, by another thread or
// from inside a report, would ruin the first.
class Busy {
public:
    explicit Busy(std::atomic<bool>& flag) : flag_(flag) {
        if (flag_.exchange(true)) throw std::invalid_argument("this search is under way: make one for each thread");
    }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    ~Busy() { flag_ = false; }

private:
    std::atomic<bool>& flag_;
};

template <class Game>
std::unique_ptr<Searcher<Game>> make_random();
std::unique_ptr<Searcher<tictactoe3d::Game>> make_rule_player(tictactoe3d::Order order);
template <class Game>
std::unique_ptr<Searcher<Game>> make_minimax(SharedEvaluator<Game> evaluator, bool avoid_loss, bool pruned = false);
template <class Game>
std::unique_ptr<Searcher<Game>> make_alphabeta(SharedEvaluator<Game> evaluator, AlphaBetaOptions options, std::size_t megabytes);
// The same with endgame tables, which must outlive it in memory.
std::unique_ptr<Searcher<draughts::Game>> make_alphabeta(SharedEvaluator<draughts::Game> evaluator, AlphaBetaOptions options, std::size_t megabytes,
                                                         std::shared_ptr<const endgames::Tables> tables);
// Principal variation search on `threads` threads that share a table. Draughts may have endgame tables; null is none.
template <class Game>
std::unique_ptr<Searcher<Game>> make_pvs(SharedEvaluator<Game> evaluator, PvsOptions options, std::size_t megabytes, int threads,
                                         std::shared_ptr<const endgames::Tables> tables);
// No evaluator: UCT, random play-outs to the end. With one: MCTS-EPT.
template <class Game>
std::unique_ptr<Searcher<Game>> make_mcts(SharedEvaluator<Game> evaluator, MctsOptions options);

}  // namespace ludus
