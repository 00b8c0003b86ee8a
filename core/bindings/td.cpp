// Temporal differences for Python: a pupil, and training and testing it by thousands of games in one call.
#include "bindings.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/pupils.hpp"

using namespace nb::literals;

namespace ludus {
namespace {

using Limits = std::tuple<int, std::uint64_t, double>;

template <class Game>
Opponent<Game> opponent(Searcher<Game>* searcher, const Limits& limits) {
    return {.searcher = searcher, .budget = {.depth = std::get<0>(limits), .nodes = std::get<1>(limits), .seconds = std::get<2>(limits)}};
}

template <class Game>
auto bind_pupil(nb::module_& module) {
    using Position = typename Game::Position;
    return nb::class_<Pupil<Game>>(module, "Pupil", "A network in training. It may be used by one thread at a time.")
        .def("train", [](Pupil<Game>& pupil, std::uint64_t first, std::uint64_t games, std::uint64_t seed, const TdOptions& options, double rate,
                         double change, const DrawRules& rules, Seat seat, Searcher<Game>* searcher, const Limits& limits) {
            const nb::gil_scoped_release release;
            const Lessons lessons = pupil.train(first, games, seed, options, rate, change, rules, seat, opponent(searcher, limits));
            return std::tuple{lessons.plies, lessons.steps, lessons.squared_error};
        }, "first"_a, "games"_a, nb::kw_only(), "seed"_a, "options"_a, "rate"_a, "change"_a = 0.0, "rules"_a = DrawRules{}, "seat"_a = Seat::both,
           "opponent"_a = nb::none(), "limits"_a = Limits{},
           "Plays games number `first` and on, and learns from each move. The rate of game n is rate + n * change. Without an opponent it plays "
           "itself; with one it learns from its own moves, in its `seat`. Gives the plies, the steps and the sum of their squared errors.")
        .def("test", [](Pupil<Game>& pupil, std::uint64_t games, Searcher<Game>& searcher, std::uint64_t seed, const TdOptions& options,
                        const DrawRules& rules, Seat seat, const Limits& limits) {
            const nb::gil_scoped_release release;
            const Results results = pupil.test(games, seed, options, rules, seat, opponent(&searcher, limits));
            return std::tuple{results.wins, results.draws, results.losses};
        }, "games"_a, "opponent"_a, nb::kw_only(), "seed"_a, "options"_a, "rules"_a = DrawRules{}, "seat"_a = Seat::both, "limits"_a = Limits{},
           "Plays games by the best value alone, without learning; gives the wins, draws and losses.")
        .def("values", &Pupil<Game>::values, "position"_a, "The value of each legal move for the side to move, as it is found in play.")
        .def("learn", [](Pupil<Game>& pupil, Position afterstate, float target, float rate) { return pupil.learn(afterstate, target, rate); },
             "afterstate"_a, "target"_a, "rate"_a, "One step towards a target; gives the error before it.")
        .def_prop_ro("theta", [](Pupil<Game>& pupil) {
            auto* owned = new std::vector<float>(pupil.theta());
            const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<float>*>(p); });
            return nb::ndarray<nb::numpy, float, nb::ndim<1>>(owned->data(), {owned->size()}, owner);
        }, nb::rv_policy::reference, "A copy of the weights so far.");
}

}  // namespace

void bind_td(nb::module_& core) {
    nb::enum_<Derivative>(core, "Derivative", "Which derivative of the scaled logistic backpropagation uses.")
        .value("EXACT", Derivative::exact)
        .value("DOUBLED", Derivative::doubled, "1 - y * y, twice the exact one.");
    nb::enum_<Seat>(core, "Seat", "Which side a learner has.")
        .value("FIRST", Seat::first, "The side that moves first.")
        .value("SECOND", Seat::second)
        .value("BOTH", Seat::both, "Each in turn.");
    nb::class_<TdOptions>(core, "TdOptions", "How a game of training is played and learned from; see core/learning/td.hpp.")
        .def("__init__", [](TdOptions* self, float gamma, float lambda, float epsilon, bool rule_win, bool train_terminal, bool avoid_loss) {
            new (self) TdOptions{.gamma = gamma, .lambda = lambda, .epsilon = epsilon, .rule_win = rule_win, .train_terminal = train_terminal, .avoid_loss = avoid_loss};
        }, nb::kw_only(), "gamma"_a = 1.0F, "lambda_"_a = 0.0F, "epsilon"_a = 0.1F, "rule_win"_a = true, "train_terminal"_a = true, "avoid_loss"_a = false);

    nb::module_ tictactoe3d_module = nb::cast<nb::module_>(core.attr("tictactoe3d"));
    bind_pupil<tictactoe3d::Game>(tictactoe3d_module)
        .def_static("cells", &make_cell_pupil, "network"_a, nb::kw_only(), "derivative"_a = Derivative::exact, "A network on the 64 cells.")
        .def_static("patterns", &make_pattern_pupil, "network"_a, nb::kw_only(), "symmetric"_a, "derivative"_a = Derivative::exact,
                    "A network on the patterns of the 76 lines.");
    nb::module_ draughts_module = nb::cast<nb::module_>(core.attr("draughts"));
    bind_pupil<draughts::Game>(draughts_module)
        .def_static("board", &make_board_pupil, "network"_a, nb::kw_only(), "king"_a, "difference"_a = false, "derivative"_a = Derivative::exact,
                    "A network on 32 squares or 91 sub-squares.")
        .def_static("features", [](const Network& network, std::uint32_t chosen, bool faithful, Derivative derivative) {
            return make_feature_pupil(network, draughts::feature_set(chosen), draughts::coding(faithful), derivative);
        }, "network"_a, nb::kw_only(), "chosen"_a, "faithful"_a = false, "derivative"_a = Derivative::exact,
           "A network on the bits of a set of NET-FEATUREMAP's features.");
}

}  // namespace ludus
