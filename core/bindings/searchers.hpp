// The searches behind minds.hpp, to be compiled once a game.
#pragma once

#include <stdexcept>
#include <utility>
#include <variant>

#include "minds.hpp"

namespace ludus {

// A search that only picks a move: by chance, or by the rules of the benchmark player. `pick(history, seed)` is a move.
template <class Game, class Pick>
class PickingSearcher final : public Searcher<Game> {
public:
    using typename Searcher<Game>::Found;
    using typename Searcher<Game>::Report;

    explicit PickingSearcher(Pick pick) : pick_(std::move(pick)) {}

    Found search(const History<Game>& history, Budget, std::uint64_t seed, const Report& report) override {
        Found found{.variation = {pick_(history, seed)}};
        found.moves.push_back({.move = found.variation.front(), .score = 0, .exact = false});
        report(found);
        return found;
    }

    typename Game::Move choose(const History<Game>& history, Budget, std::uint64_t seed) override { return pick_(history, seed); }

private:
    Pick pick_;
};

template <class Evaluator>
class MinimaxSearcher final : public Searcher<typename Evaluator::Game> {
public:
    using Game = typename Evaluator::Game;
    using typename Searcher<Game>::Found;
    using typename Searcher<Game>::Report;

    MinimaxSearcher(SharedEvaluator<Game> owner, const Evaluator& evaluator, bool avoid_loss)
        : owner_(std::move(owner)), search_(evaluator), avoid_loss_(avoid_loss) {}

    Found search(const History<Game>& history, Budget budget, std::uint64_t, const Report& report) override {
        if (budget.depth < 1 || budget.depth > most_plies) throw std::invalid_argument("minimax looks at everything to a depth: its budget must name one, 1 to 200");
        Found found = search_.search(history.position(), budget, &this->stop);
        if (avoid_loss_) avoid_loss(history.position(), found);
        report(found);
        return found;
    }

private:
    // Takes back a choice after which the opponent wins at once, if there is a move without that.
    static void avoid_loss(typename Game::Position p, Found& found) {
        const auto loses = [&](auto move) { return can_win<Game>(Game::play(p, move)); };
        if (found.moves.empty() || !loses(found.variation.front())) return;
        const RootMove<typename Game::Move>* best = nullptr;
        for (const auto& root : found.moves) {
            if (!loses(root.move) && (!best || root.score > best->score)) best = &root;
        }
        if (!best) return;
        found.score = best->score;
        found.variation = {best->move};
    }

    SharedEvaluator<Game> owner_;
    Minimax<Evaluator> search_;
    bool avoid_loss_;
};

template <class Evaluator>
class AlphaBetaSearcher final : public Searcher<typename Evaluator::Game> {
public:
    using Game = typename Evaluator::Game;
    using typename Searcher<Game>::Found;
    using typename Searcher<Game>::Report;

    AlphaBetaSearcher(SharedEvaluator<Game> owner, const Evaluator& evaluator, AlphaBetaOptions options, std::size_t megabytes)
        : owner_(std::move(owner)), table_(megabytes), search_(evaluator, options, table_) {}

    Found search(const History<Game>& history, Budget budget, std::uint64_t seed, const Report& report) override {
        Rng rng(seed, static_cast<std::uint64_t>(history.plies()));
        return search_.search(history.position(), history.keys(), budget, &this->stop, report, &rng);
    }

private:
    SharedEvaluator<Game> owner_;
    Table table_;
    AlphaBeta<Evaluator> search_;
};

template <class Game, class Evaluator = NoEvaluator>
class MctsSearcher final : public Searcher<Game> {
public:
    using typename Searcher<Game>::Found;
    using typename Searcher<Game>::Report;
    using Move = typename Game::Move;

    template <class... Args>
    explicit MctsSearcher(SharedEvaluator<Game> owner, Args&&... args) : owner_(std::move(owner)), search_(std::forward<Args>(args)...) {}

    Found search(const History<Game>& history, Budget budget, std::uint64_t seed, const Report& report) override {
        Rng rng(seed, static_cast<std::uint64_t>(history.plies()));
        const auto told = [&](const MctsResult<Move>& result) { return report(found(result)); };
        return found(search_.search(history.position(), history.keys(), budget, rng, &this->stop, report_every, told));
    }

private:
    static constexpr std::uint64_t report_every = 10'000;

    static Found found(const MctsResult<Move>& result) {
        Found found{.depth = static_cast<int>(result.variation.size()),
                    .score = to_score(static_cast<float>(result.value)),
                    .nodes = result.playouts,
                    .seconds = result.seconds,
                    .variation = result.variation};
        for (const auto& choice : result.choices) {
            found.moves.push_back({.move = choice.move, .score = to_score(static_cast<float>(choice.value)), .exact = true, .visits = choice.visits});
        }
        return found;
    }

    SharedEvaluator<Game> owner_;
    Mcts<Game, Evaluator> search_;
};

template <class Game>
std::unique_ptr<Searcher<Game>> make_random() {
    const auto pick = [](const History<Game>& history, std::uint64_t seed) {
        Rng rng(seed, static_cast<std::uint64_t>(history.plies()));
        typename Game::Move move;
        Game::random_move(history.position(), rng, move);
        return move;
    };
    return std::make_unique<PickingSearcher<Game, decltype(pick)>>(pick);
}

template <class Game>
std::unique_ptr<Searcher<Game>> make_minimax(SharedEvaluator<Game> evaluator, bool avoid_loss) {
    return std::visit([&]<class Kind>(const Kind& kind) -> std::unique_ptr<Searcher<Game>> {
        return std::make_unique<MinimaxSearcher<Kind>>(evaluator, kind, avoid_loss);
    }, *evaluator);
}

template <class Game>
std::unique_ptr<Searcher<Game>> make_alphabeta(SharedEvaluator<Game> evaluator, AlphaBetaOptions options, std::size_t megabytes) {
    return std::visit([&]<class Kind>(const Kind& kind) -> std::unique_ptr<Searcher<Game>> {
        return std::make_unique<AlphaBetaSearcher<Kind>>(evaluator, kind, options, megabytes);
    }, *evaluator);
}

template <class Game>
std::unique_ptr<Searcher<Game>> make_mcts(SharedEvaluator<Game> evaluator, MctsOptions options) {
    if (!evaluator) return std::make_unique<MctsSearcher<Game>>(evaluator, options);
    return std::visit([&]<class Kind>(const Kind& kind) -> std::unique_ptr<Searcher<Game>> {
        return std::make_unique<MctsSearcher<Game, Kind>>(evaluator, kind, options);
    }, *evaluator);
}

}  // namespace ludus
