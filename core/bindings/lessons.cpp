// Lessons for Python: a learner's game in one call.
#include "bindings.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <tuple>
#include <variant>
#include <vector>

#include "learning/lessons.hpp"
#include "engine/searcher.hpp"

using namespace nb::literals;

namespace ludus {
namespace {

using Limits = std::tuple<int, std::uint64_t, double>;
using Rates = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Budget budget(const Limits& limits) {
    return {.depth = std::get<0>(limits), .nodes = std::get<1>(limits), .seconds = std::get<2>(limits)};
}

// The evaluator follows the network in place, and with it the search that was made with it: the kind stays the same.
template <class Game>
Lived live(const Lesson<Game>& lesson, Traces& traces, Evaluator<Game>& evaluator, Searcher<Game>& search, Budget own,
           Searcher<Game>& opponent, Budget opponents) {
    return std::visit([&]<class Kind>(Kind& kind) -> Lived {
        if constexpr (requires { kind.with(traces.network()); }) {
            kind = kind.with(traces.network());
            const auto choose = [&](const History<Game>& history, bool mine) {
                return (mine ? search : opponent).search(history, mine ? own : opponents, mix(lesson.seed) + mine, [](const auto&) { return true; });
            };
            const auto encode = [&](typename Game::Position afterstate, std::span<float> inputs) { return kind.encode(afterstate, inputs); };
            return ludus::live(lesson, traces, choose, encode, [&] { kind = kind.with(traces.network()); });
        } else {
            throw std::invalid_argument("only an evaluator with a network can learn");
        }
    }, *evaluator.kind);
}

template <class Game>
void bind_live(nb::module_ module) {
    module.def("lesson", [](Evaluator<Game>& evaluator, const Network& network, Searcher<Game>& search, const Limits& limits,
                            Searcher<Game>& opponent, const Limits& limits_opponent, typename Game::Position start, Color side,
                            const Rates& rates, float gamma, float decay, float momentum, bool leaf, float epsilon, int opening_plies,
                            const DrawRules& rules, std::uint64_t seed) {
        Traces traces(network, {.gamma = gamma, .lambda = decay, .momentum = momentum, .rates = {rates.data(), rates.data() + rates.size()}});
        const Lesson<Game> lesson{.start = start, .side = side, .opening_plies = opening_plies, .epsilon = epsilon, .leaf = leaf, .rules = rules, .seed = seed};
        Lived lived;
        {
            const nb::gil_scoped_release release;
            lived = live<Game>(lesson, traces, evaluator, search, budget(limits), opponent, budget(limits_opponent));
        }
        return std::tuple{traces.network(), lived.reward, lived.plies};
    }, "evaluator"_a, "network"_a, "search"_a, "limits"_a, "opponent"_a, "limits_opponent"_a, "start"_a, "side"_a, nb::kw_only(), "rates"_a,
               "gamma"_a, "decay"_a, "momentum"_a, "leaf"_a, "epsilon"_a, "opening_plies"_a, "rules"_a, "seed"_a,
               "A game of a learner against an opponent that does not learn, TD(lambda) with `decay` for lambda. `search` was made with "
               "`evaluator`, which nobody else uses: it is given `network` and each change of it. Gives the network at the end, the learner's "
               "reward and the plies.",
               nb::sig("def lesson(evaluator: Evaluator, network: ludus._core.Network, search: Search, limits: tuple[int, int, float], "
                       "opponent: Search, limits_opponent: tuple[int, int, float], start: Position, side: ludus._core.Color, *, "
                       "rates: numpy.typing.NDArray[numpy.float32], gamma: float, decay: float, momentum: float, leaf: bool, epsilon: float, "
                       "opening_plies: int, rules: ludus._core.DrawRules, seed: int) -> tuple[ludus._core.Network, float, int]"));
}

}  // namespace

void bind_lessons(nb::module_& core) { bind_live<draughts::Game>(nb::cast<nb::module_>(core.attr("draughts"))); }

}  // namespace ludus
