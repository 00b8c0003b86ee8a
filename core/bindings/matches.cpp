// A game between two searches, played in one call.
#include "bindings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "../draughts_notation.hpp"
#include "../tictactoe3d_notation.hpp"
#include "minds.hpp"

using namespace nb::literals;

namespace ludus {
namespace {

// What the two sides did; index 0 is the side that moves first at the start of the game.
template <class Game>
struct Played {
    std::string moves;            // the whole game, opening included, one move after another
    std::vector<double> values;   // of each move after the opening, for its mover
    std::vector<int> depths;
    std::array<std::uint64_t, 2> nodes{};
    std::array<double, 2> seconds{};
    std::array<int, 2> chosen{};  // how many moves each side chose
    std::optional<Outcome> outcome;
    typename Game::Position last{};
};

template <class Game>
Played<Game> play_game(Searcher<Game>& first, Searcher<Game>& second, Budget budget_first, Budget budget_second,
                       const std::vector<typename Game::Move>& opening, DrawRules rules, std::uint64_t seed) {
    Played<Game> played;
    History<Game> history(Game::start, rules);
    const auto make = [&](typename Game::Move move) {
        played.moves += (played.moves.empty() ? "" : " ");
        played.moves += short_text(history.position(), move);
        history.play(move);
    };
    for (const auto move : opening) {
        if (!Game::generate(history.position()).contains(move)) throw IllegalMove("the opening's " + text(move) + " is not legal");
        make(move);
    }
    while (!(played.outcome = history.outcome())) {
        const std::size_t side = Game::turn(history.position()) == Game::turn(Game::start) ? 0 : 1;
        Searcher<Game>& searcher = side == 0 ? first : second;
        const auto found = searcher.search(history, side == 0 ? budget_first : budget_second, mix(seed) + side, [](const auto&) { return true; });
        played.values.push_back(to_value(found.score));
        played.depths.push_back(found.depth);
        played.nodes[side] += found.nodes;
        played.seconds[side] += found.seconds;
        ++played.chosen[side];
        make(found.variation.front());
    }
    played.last = history.position();
    return played;
}

Budget budget(const std::tuple<int, std::uint64_t, double>& limits) {
    return {.depth = std::get<0>(limits), .nodes = std::get<1>(limits), .seconds = std::get<2>(limits)};
}

template <class Game>
void bind_play_game(nb::module_ module) {
    using Limits = std::tuple<int, std::uint64_t, double>;
    module.def("play_game", [](Searcher<Game>& first, Searcher<Game>& second, const Limits& limits_first, const Limits& limits_second,
                               const std::vector<typename Game::Move>& opening, const DrawRules& rules, std::uint64_t seed) {
        Played<Game> played;
        {
            const nb::gil_scoped_release release;
            played = play_game<Game>(first, second, budget(limits_first), budget(limits_second), opening, rules, seed);
        }
        return nb::make_tuple(played.moves, played.values, played.depths, nb::make_tuple(played.nodes[0], played.nodes[1]),
                              nb::make_tuple(played.seconds[0], played.seconds[1]), nb::make_tuple(played.chosen[0], played.chosen[1]),
                              *played.outcome, played.last);
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
