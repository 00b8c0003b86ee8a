// An evaluator of any kind of a game, as a caller holds it.
#pragma once

#include <memory>
#include <utility>
#include <variant>

#include "evaluation/draughts_evaluators.hpp"
#include "evaluation/function_evaluator.hpp"
#include "evaluation/multiphase.hpp"
#include "evaluation/phase_network.hpp"
#include "evaluation/tictactoe3d_evaluators.hpp"
#include "games/playing.hpp"

namespace ludus {

template <class Game>
struct EvaluatorKinds;
template <>
struct EvaluatorKinds<draughts::Game> {
    using Variant = std::variant<draughts::Material, draughts::BoardNetwork, draughts::FeatureNetwork, draughts::Polynomial, draughts::Team, draughts::PhaseNetwork,
                                 FunctionEvaluator<draughts::Game>>;
    using Phases = draughts::PhaseNetwork;
};
template <>
struct EvaluatorKinds<tictactoe3d::Game> {
    using Variant = std::variant<tictactoe3d::Material, tictactoe3d::CellNetwork, tictactoe3d::PatternNetwork, tictactoe3d::PhaseNetwork,
                                 FunctionEvaluator<tictactoe3d::Game>>;
    using Phases = tictactoe3d::PhaseNetwork;
};

template <class Game>
using AnyEvaluator = typename EvaluatorKinds<Game>::Variant;

// Shared, because a search keeps the evaluator it was made with.
template <class Game>
using SharedEvaluator = std::shared_ptr<const AnyEvaluator<Game>>;

// What a search evaluates with: the evaluator itself or, of a team, the member for the game so far.
template <class Kind>
struct ActiveEvaluator {
    using Evaluator = Kind;
    const Evaluator& evaluator;

    template <class Game>
    void update(const History<Game>&) {}
};
template <>
struct ActiveEvaluator<draughts::Team> {
    using Evaluator = draughts::TeamMember;
    const draughts::Team& team;
    Evaluator evaluator{};

    void update(const History<draughts::Game>& history) { evaluator.member = &team.member(team.member_index(history.positions())); }
};

// A caller's hold on an evaluator. Only a training game changes it.
template <class Game>
struct Evaluator {
    std::shared_ptr<AnyEvaluator<Game>> kind;

    // The value of a position for the side that has just moved. A team evaluates as if the game began here.
    float value(typename Game::Position afterstate) const {
        return std::visit([&]<class Kind>(const Kind& evaluator) {
            ActiveEvaluator<Kind> active{evaluator};
            active.update(History<Game>(afterstate));
            // On the heap: the state of a wide network is large.
            const auto state = std::make_unique<typename ActiveEvaluator<Kind>::Evaluator::State>();
            active.evaluator.begin(*state, afterstate);
            return active.evaluator.value(*state, afterstate);
        }, *kind);
    }
};

template <class Kind, class... Args>
auto make_evaluator(Args&&... args) {
    using Game = typename Kind::Game;
    return Evaluator<Game>{std::make_shared<AnyEvaluator<Game>>(std::in_place_type<Kind>, std::forward<Args>(args)...)};
}

}  // namespace ludus
