// A game between two searches, played in one call.
#include "bindings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <tuple>
#include <vector>

#include "engine/match_game.hpp"

using namespace nb::literals;

namespace ludus {
namespace {

Budget budget(const std::tuple<int, std::uint64_t, double>& limits) {
    return {.depth = std::get<0>(limits), .nodes = std::get<1>(limits), .seconds = std::get<2>(limits)};
}

template <class Game>
void bind_play_game(nb::module_ module) {
    using Limits = std::tuple<int, std::uint64_t, double>;
    module.def("play_game", [](Searcher<Game>& first, Searcher<Game>& second, const Limits& limits_first, const Limits& limits_second,
                               const std::vector<typename Game::Move>& opening, const DrawRules& rules, std::uint64_t seed) {
        MatchGame<Game> played;
        {
            const nb::gil_scoped_release release;
            played = play_game<Game>({&first, budget(limits_first)}, {&second, budget(limits_second)}, opening, rules, seed);
        }
        return nb::make_tuple(played.moves, played.values, played.depths, nb::make_tuple(played.nodes[0], played.nodes[1]),
                              nb::make_tuple(played.seconds[0], played.seconds[1]), nb::make_tuple(played.chosen[0], played.chosen[1]),
                              played.outcome, played.last);
    }, "first"_a, "second"_a, "limits_first"_a, "limits_second"_a, "opening"_a, "rules"_a, "seed"_a,
               "Plays a game from the start, `opening` first, between two searches. A side's limits are its depth, nodes and seconds a move, "
               "0 for none. Gives the moves as text; the values and depths of the moves after the opening; the nodes, seconds and number of "
               "moves of each side; the outcome; and the last position.",
               nb::sig("def play_game(first: Search, second: Search, limits_first: tuple[int, int, float], "
                       "limits_second: tuple[int, int, float], opening: list[Move], rules: ludus._core.DrawRules, seed: int) -> "
                       "tuple[str, list[float], list[int], tuple[int, int], tuple[float, float], tuple[int, int], ludus._core.Outcome, Position]"));
}

}  // namespace

void bind_matches(nb::module_& core) {
    bind_play_game<draughts::Game>(nb::cast<nb::module_>(core.attr("draughts")));
    bind_play_game<tictactoe3d::Game>(nb::cast<nb::module_>(core.attr("tictactoe3d")));
}

}  // namespace ludus
