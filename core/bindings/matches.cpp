// Match games for Python: a game between two searches in one call.
#include "bindings.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/match_game.hpp"

using namespace nb::literals;

namespace ludus {
namespace {

template <class Value>
nb::tuple pair(const std::array<Value, 2>& values) { return nb::make_tuple(values[0], values[1]); }

template <class Game>
void bind_match_game(nb::module_ module) {
    using Side = MatchSide<Game>;
    using Played = MatchGame<Game>;
    nb::class_<Side>(module, "MatchSide", "One side of a game: a search, what it may spend on a move, and the seed of its searches.")
        .def("__init__", [](Side* self, Searcher<Game>& search, const Budget& budget, std::uint64_t seed) {
            new (self) Side{.searcher = &search, .budget = budget, .seed = seed};
        }, "search"_a, "budget"_a = Budget{}, nb::kw_only(), "seed"_a = 0, nb::keep_alive<1, 2>(),
           nb::sig("def __init__(self, search: Search, budget: ludus._core.Budget = ..., *, seed: int = 0) -> None"));
    nb::class_<Played>(module, "MatchGame", "A game that was played. In pairs the side that moved first comes first.")
        .def_ro("moves", &Played::moves, "The whole game as text, its opening included.")
        .def_ro("values", &Played::values, "Of the moves after the opening, for their mover.")
        .def_ro("depths", &Played::depths, "Of the moves after the opening.")
        .def_prop_ro("nodes", [](const Played& game) { return pair(game.nodes); }, nb::sig("def nodes(self) -> tuple[int, int]"))
        .def_prop_ro("seconds", [](const Played& game) { return pair(game.seconds); }, nb::sig("def seconds(self) -> tuple[float, float]"))
        .def_prop_ro("chosen", [](const Played& game) { return pair(game.chosen); }, "How many moves each side chose.",
                     nb::sig("def chosen(self) -> tuple[int, int]"))
        .def_ro("outcome", &Played::outcome)
        .def_ro("last", &Played::last, "The position at the end.");
    module.def("play_game", [](const Side& first, const Side& second, typename Game::Position start, const std::vector<typename Game::Move>& opening,
                               const DrawRules& rules, std::shared_ptr<endgames::Tables> adjudicate) {
        Adjudicator<Game> adjudicator;
        if (adjudicate) {
            if constexpr (!std::is_same_v<Game, draughts::Game>) throw std::invalid_argument("only draughts has endgame tables");
            else adjudicator = table_adjudicator(std::move(adjudicate));
        }
        const nb::gil_scoped_release release;
        return play_game<Game>(first, second, start, opening, rules, adjudicator);
    }, "first"_a, "second"_a, nb::kw_only(), "start"_a = Game::start, "opening"_a = std::vector<typename Game::Move>{}, "rules"_a = DrawRules{},
               "adjudicate"_a = nb::none(),
               "Plays a game from `start`, the moves of `opening` first; `first` has the side that is to move at the start. The endgame tables "
               "`adjudicate`, if there are any, end the game when they have a position without a compulsory capture. Raises IllegalMove if a move of the opening is "
               "not legal.");
}

}  // namespace

void bind_matches(nb::module_& core) {
    core.def("side_seed", &side_seed, "seed"_a, "side"_a, "The seed of a side's searches in a game with this seed.");
    bind_match_game<draughts::Game>(nb::cast<nb::module_>(core.attr("draughts")));
    bind_match_game<tictactoe3d::Game>(nb::cast<nb::module_>(core.attr("tictactoe3d")));
}

}  // namespace ludus
