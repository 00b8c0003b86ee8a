// The searches behind minds.hpp, to be compiled once a game.
#pragma once

#include <stdexcept>
#include <utility>
#include <variant>

#include "minds.hpp"

namespace ludus {

// A search that only picks a move: by chance, or by the rules of the benchmark player.
template <class Game, auto pick>
class PickingSearcher final : public Searcher<Game> {
public:
    using typename Searcher<Game>::Found;
    using typename Searcher<Game>::Report;

    Found search(const History<Game>& history, Budget, std::uint64_t seed, const Report& report) override {
        Rng rng(seed, static_cast<std::uint64_t>(history.plies()));
        Found found{.variation = {pick(history.position(), rng)}};
        found.moves.push_back({.move = found.variation.front(), .score = 0, .exact = false});
        report(found);
        return found;
    }
};

template <class Kind>
class MinimaxSearcher final : public Searcher<typename Kind::Game> {
public:
    using Game = typename Kind::Game;
    using typename Searcher<Game>::Found;
    using typename Searcher<Game>::Report;

    MinimaxSearcher(SharedEvaluator<Game> owner, const Kind& kind) : owner_(std::move(owner)), voice_{kind}, search_(voice_.evaluator) {}

    Found search(const History<Game>& history, Budget budget, std::uint64_t, const Report& report) override {
        if (budget.depth < 1 || budget.depth > most_plies) throw std::invalid_argument("minimax looks at everything to a depth: its budget must name one, 1 to 200");
        voice_.hear(history);
        Found found = search_.search(history.position(), budget, &this->stop);
        report(found);
        return found;
    }

private:
    SharedEvaluator<Game> owner_;
    Voice<Kind> voice_;
    Minimax<typename Voice<Kind>::Evaluator> search_;
};

template <class Kind>
class AlphaBetaSearcher final : public Searcher<typename Kind::Game> {
public:
    using Game = typename Kind::Game;
    using typename Searcher<Game>::Found;
    using typename Searcher<Game>::Report;

    AlphaBetaSearcher(SharedEvaluator<Game> owner, const Kind& kind, AlphaBetaOptions options, std::size_t megabytes)
        : owner_(std::move(owner)), voice_{kind}, table_(megabytes), search_(voice_.evaluator, options, table_) {}

    Found search(const History<Game>& history, Budget budget, std::uint64_t seed, const Report& report) override {
        Rng rng(seed, static_cast<std::uint64_t>(history.plies()));
        voice_.hear(history);
        return search_.search(history.position(), history.keys(), budget, &this->stop, report, &rng);
    }

private:
    SharedEvaluator<Game> owner_;
    Voice<Kind> voice_;
    Table table_;
    AlphaBeta<typename Voice<Kind>::Evaluator> search_;
};

template <class Game, class Kind = NoEvaluator>
class MctsSearcher final : public Searcher<Game> {
public:
    using typename Searcher<Game>::Found;
    using typename Searcher<Game>::Report;
    using Move = typename Game::Move;

    explicit MctsSearcher(MctsOptions options) : voice_{none}, search_(options) {}
    MctsSearcher(SharedEvaluator<Game> owner, const Kind& kind, MctsOptions options)
        : owner_(std::move(owner)), voice_{kind}, search_(voice_.evaluator, options) {}

    Found search(const History<Game>& history, Budget budget, std::uint64_t seed, const Report& report) override {
        Rng rng(seed, static_cast<std::uint64_t>(history.plies()));
        voice_.hear(history);
        const auto told = [&](const MctsResult<Move>& result) { return report(found(result)); };
        return found(search_.search(history.position(), history.keys(), budget, rng, &this->stop, report_every, told));
    }

private:
    static constexpr std::uint64_t report_every = 10'000;
    static constexpr NoEvaluator none{};

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
    Voice<Kind> voice_;
    Mcts<Game, typename Voice<Kind>::Evaluator> search_;
};

template <class Game>
std::unique_ptr<Searcher<Game>> make_random() {
    constexpr auto pick = [](typename Game::Position p, Rng& rng) {
        typename Game::Move move;
        Game::random_move(p, rng, move);
        return move;
    };
    return std::make_unique<PickingSearcher<Game, pick>>();
}

template <class Game>
std::unique_ptr<Searcher<Game>> make_minimax(SharedEvaluator<Game> evaluator) {
    return std::visit([&]<class Kind>(const Kind& kind) -> std::unique_ptr<Searcher<Game>> {
        return std::make_unique<MinimaxSearcher<Kind>>(evaluator, kind);
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
    if (!evaluator) return std::make_unique<MctsSearcher<Game>>(options);
    return std::visit([&]<class Kind>(const Kind& kind) -> std::unique_ptr<Searcher<Game>> {
        return std::make_unique<MctsSearcher<Game, Kind>>(evaluator, kind, options);
    }, *evaluator);
}

}  // namespace ludus
