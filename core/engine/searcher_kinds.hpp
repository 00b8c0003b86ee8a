// The kinds of search behind searcher.hpp, to be compiled once a game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>

#include "engine/picking_searcher.hpp"
#include "engine/searcher.hpp"
#include "search/minimax.hpp"

namespace ludus {

// A search that asks an evaluator, and keeps it.
template <class Kind>
class EvaluatingSearcher : public Searcher<typename Kind::Game> {
public:
    EvaluatingSearcher(SharedEvaluator<typename Kind::Game> owner, const Kind& kind) : owner_(std::move(owner)), active_{kind} {}

protected:
    using Active = typename ActiveEvaluator<Kind>::Evaluator;

    SharedEvaluator<typename Kind::Game> owner_;
    ActiveEvaluator<Kind> active_;
};

template <class Kind>
class MinimaxSearcher final : public EvaluatingSearcher<Kind> {
public:
    using Base = EvaluatingSearcher<Kind>;
    using typename Base::Found, typename Base::Game, typename Base::Report;

    MinimaxSearcher(SharedEvaluator<Game> owner, const Kind& kind, bool avoid_loss, bool pruned)
        : Base(std::move(owner), kind), search_(this->active_.evaluator), avoid_loss_(avoid_loss), pruned_(pruned) {}

    Found search(const History<Game>& history, Budget budget, std::uint64_t, const Report& report) override {
        if (budget.depth < 1 || budget.depth > most_plies) throw std::invalid_argument("minimax looks at everything to a depth: its budget must name one, 1 to 200");
        this->active_.update(history);
        search_.blocked_draws = history.rules().blocked;
        Found found = pruned_ ? search_.search_pruned(history.position(), budget, &this->stop) : search_.search(history.position(), budget, &this->stop);
        if (avoid_loss_) avoid_loss(history.position(), found);
        report(found);
        return found;
    }

private:
    // Takes back a choice after which the opponent wins at once, if there is a move without that.
    static void avoid_loss(typename Game::Position p, Found& found) {
        const auto safe = safe_moves<Game>(p, Game::generate(p));
        if (safe.contains(found.variation.front())) return;
        const RootMove<typename Game::Move>* best = nullptr;
        for (const auto& root : found.moves) {
            if (safe.contains(root.move) && (!best || root.score > best->score)) best = &root;
        }
        found.score = best->score;
        found.variation = {best->move};
    }

    Minimax<typename Base::Active> search_;
    bool avoid_loss_, pruned_;
};

template <class Kind, class Endgames = NoEndgames>
class AlphaBetaSearcher final : public EvaluatingSearcher<Kind> {
public:
    using Base = EvaluatingSearcher<Kind>;
    using typename Base::Found, typename Base::Game, typename Base::Report;

    AlphaBetaSearcher(SharedEvaluator<Game> owner, const Kind& kind, AlphaBetaOptions options, std::size_t megabytes, Endgames endgames = {})
        : Base(std::move(owner), kind), table_(megabytes), search_(this->active_.evaluator, options, table_, std::move(endgames)) {}

    Found search(const History<Game>& history, Budget budget, std::uint64_t seed, const Report& report) override {
        Rng rng(seed, static_cast<std::uint64_t>(history.plies()));
        this->active_.update(history);
        search_.blocked_draws = history.rules().blocked;
        return search_.search(history.position(), history.keys(), budget, &this->stop, report, &rng, history.quiet_plies_left());
    }

private:
    TranspositionTable table_;
    AlphaBeta<typename Base::Active, Endgames> search_;
};

template <class Game, class Kind = NoEvaluator>
class MctsSearcher final : public Searcher<Game> {
public:
    using typename Searcher<Game>::Found;
    using typename Searcher<Game>::Report;
    using Move = typename Game::Move;

    explicit MctsSearcher(MctsOptions options) : active_{none}, search_(options) {}
    MctsSearcher(SharedEvaluator<Game> owner, const Kind& kind, MctsOptions options)
        : owner_(std::move(owner)), active_{kind}, search_(active_.evaluator, options) {}

    Found search(const History<Game>& history, Budget budget, std::uint64_t seed, const Report& report) override {
        Rng rng(seed, static_cast<std::uint64_t>(history.plies()));
        active_.update(history);
        search_.blocked_draws = history.rules().blocked;
        const auto report_result = [&](const MctsResult<Move>& result) { return report(found(result)); };
        return found(search_.search(history.position(), history.keys(), budget, rng, &this->stop, report_every, report_result));
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
    ActiveEvaluator<Kind> active_;
    Mcts<Game, typename ActiveEvaluator<Kind>::Evaluator> search_;
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
std::unique_ptr<Searcher<Game>> make_minimax(SharedEvaluator<Game> evaluator, bool avoid_loss, bool pruned) {
    if (avoid_loss && pruned) throw std::invalid_argument("a pruned minimax has no values to avoid a loss by");
    return std::visit([&]<class Kind>(const Kind& kind) -> std::unique_ptr<Searcher<Game>> {
        return std::make_unique<MinimaxSearcher<Kind>>(evaluator, kind, avoid_loss, pruned);
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
