// Evaluators and searches for Python.
#include "bindings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/searcher.hpp"

using namespace nb::literals;

namespace ludus {
namespace {

// How many plies to a forced end, negative when it is a loss; nothing when none is in sight.
std::optional<int> end_in(Score score) {
    if (is_win(score)) return win - score;
    if (is_loss(score)) return -(win + score);
    return std::nullopt;
}

Budget checked_budget(int depth, std::uint64_t nodes, double seconds, double usual_seconds = 0) {
    if (depth < 0 || !(seconds >= 0) || !(usual_seconds >= 0)) throw std::invalid_argument("a budget is 0 or more");
    return {.depth = depth, .nodes = nodes, .seconds = seconds, .usual_seconds = usual_seconds};
}

draughts::MemberChoice member_choice(const Evaluator<draughts::Game>& evaluator, const History<draughts::Game>& history) {
    const auto* team = std::get_if<draughts::Team>(evaluator.kind.get());
    if (!team) throw std::invalid_argument("only a team has members to choose from");
    return team->choice(history.positions());
}

// A function of Python as one of the core: it is called with a list of positions, and returns their values for the side to move.
template <class Game>
typename FunctionEvaluator<Game>::Function function_of_python(nb::callable function) {
    using Position = typename Game::Position;
    // Python's objects may be freed only by a thread that holds its lock.
    const std::shared_ptr<nb::callable> held(new nb::callable(std::move(function)), [](nb::callable* each) {
        const nb::gil_scoped_acquire acquire;
        delete each;
    });
    return [held](std::span<const Position> positions, std::span<float> values) {
        const nb::gil_scoped_acquire acquire;
        nb::list list;
        for (const Position& position : positions) list.append(nb::cast(position));
        const auto answer = nb::cast<Input>((*held)(list));
        if (answer.size() != values.size()) throw std::invalid_argument("the function returns another number of values than of positions");
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = -answer.data()[i];
    };
}

template <class Game>
auto bind_game_searches(nb::module_& module) {
    using Move = typename Game::Move;
    using Found = Iteration<Move>;

    nb::class_<RootMove<Move>>(module, "RootMove", "What a search thinks of one of the moves.")
        .def_ro("move", &RootMove<Move>::move)
        .def_prop_ro("value", [](const RootMove<Move>& root) { return to_value(root.score); }, "For the side to move, in [-1, 1].")
        .def_prop_ro("end_in", [](const RootMove<Move>& root) { return end_in(root.score); },
                     "Plies to a forced win, negative to a forced loss; None when neither is seen.")
        .def_ro("exact", &RootMove<Move>::exact, "Else the move is worth at most its value, or there was no time for it and nothing is known.")
        .def_ro("visits", &RootMove<Move>::visits, "MCTS: the play-outs that began with it.");
    nb::class_<Found>(module, "Analysis", "What a search found.")
        .def_ro("depth", &Found::depth, "Plies looked ahead.")
        .def_prop_ro("value", [](const Found& found) { return to_value(found.score); }, "For the side to move, in [-1, 1].")
        .def_prop_ro("end_in", [](const Found& found) { return end_in(found.score); },
                     "Plies to a forced win, negative to a forced loss; None when neither is seen.")
        .def_ro("nodes", &Found::nodes, "Positions, or play-outs, so far.")
        .def_ro("seconds", &Found::seconds)
        .def_ro("variation", &Found::variation, "The moves that both sides would play, as far as they are known.")
        .def_ro("moves", &Found::moves, "All moves, the best first.");

    auto evaluator = nb::class_<Evaluator<Game>>(module, "Evaluator", "Values afterstates in [-1, 1].");
    using Phases = typename EvaluatorKinds<Game>::Phases;
    evaluator.def_static("phases", [](const Input& theta, std::size_t width) { return make_evaluator<Phases>(std::span(theta.data(), theta.size()), width); },
                         "theta"_a, nb::kw_only(), "width"_a,
                         "A network with a sparse first layer of `width` nodes, in whole numbers, whose upper layers depend on the phase of the game.");
    evaluator.def_static("function", [](nb::callable function) { return make_evaluator<FunctionEvaluator<Game>>(function_of_python<Game>(std::move(function))); },
                         "function"_a, "Asks a function: it is given a list of positions, and returns an array of their values for the side to move.",
                         nb::sig("def function(function: collections.abc.Callable[[list[Position]], numpy.typing.NDArray[numpy.float32]]) -> Evaluator"));
    evaluator.def("value", &Evaluator<Game>::value, "afterstate"_a, "The value of a position for the side that has just moved. A team evaluates as if the game began here.");

    auto search = nb::class_<Searcher<Game>>(module, "Search", "Chooses a move under a budget. One thread at a time may use it.");
    search.def_static("random", &make_random<Game>, "Any legal move; it needs no budget.")
        .def_static("minimax", [](const Evaluator<Game>& e, bool avoid_loss, bool pruned) { return make_minimax<Game>(e.kind, avoid_loss, pruned); },
                    "evaluator"_a, nb::kw_only(), "avoid_loss"_a = false, "pruned"_a = false,
                    "Every line to a fixed depth; the budget must name a depth. At depth 1 it is the greedy choice, which `avoid_loss` keeps from "
                    "moves after which the opponent wins at once. If `pruned` it finds the same move and value sooner, and only bounds for the others.")
        .def_static("alphabeta", [](const Evaluator<Game>& e, bool table, bool deeper, bool ordering, bool quiescence, bool reductions,
                                    bool repetition, bool exact_root, std::size_t megabytes, std::shared_ptr<endgames::Tables> tables) {
            if (megabytes < 1 || megabytes > 65536) throw std::invalid_argument("a table has 1 to 65536 megabytes");
            const AlphaBetaOptions options{.table = table, .deeper = deeper, .ordering = ordering, .quiescence = quiescence,
                                           .reductions = reductions, .repetition = repetition, .exact_root = exact_root};
            if (!tables) return make_alphabeta<Game>(e.kind, options, megabytes);
            if constexpr (std::is_same_v<Game, draughts::Game>) return make_alphabeta(e.kind, options, megabytes, std::move(tables));
            throw std::invalid_argument("only draughts has endgame tables");
        }, "evaluator"_a, nb::kw_only(), "table"_a = true, "deeper"_a = true, "ordering"_a = true, "quiescence"_a = true,
           "reductions"_a = true, "repetition"_a = true, "exact_root"_a = false, "megabytes"_a = 16, "tables"_a = nb::none(),
           "Iterative deepening with a transposition table; see core/search/alphabeta.hpp for what each switch does. With endgame `tables`, which "
           "only draughts has, it plays as they say in the positions that they cover, and looks for a way to them from the others.")
        .def_static("pvs", [](const Evaluator<Game>& e, bool keep_table, bool unfinished, bool aspiration, bool killers, bool reductions, bool probcut,
                              bool futility, bool razoring, bool internal, bool extensions, bool singular, bool draw_rule, bool exact_root, std::size_t megabytes, int threads,
                              std::shared_ptr<endgames::Tables> tables) {
            if (megabytes < 1 || megabytes > 65536) throw std::invalid_argument("a table has 1 to 65536 megabytes");
            if (threads < 1 || threads > 256) throw std::invalid_argument("a search has 1 to 256 threads");
            if (threads > 1 && std::holds_alternative<FunctionEvaluator<Game>>(*e.kind)) throw std::invalid_argument("a search that asks a function has one thread");
            const PvsOptions options{.keep_table = keep_table, .unfinished = unfinished, .aspiration = aspiration, .killers = killers,
                                     .reductions = reductions, .probcut = probcut, .futility = futility, .razoring = razoring, .internal = internal,
                                     .extensions = extensions, .singular = singular, .draw_rule = draw_rule, .exact_root = exact_root};
            return make_pvs<Game>(e.kind, options, megabytes, threads, std::move(tables));
        }, "evaluator"_a, nb::kw_only(), "keep_table"_a = true, "unfinished"_a = true, "aspiration"_a = true, "killers"_a = true, "reductions"_a = true,
           "probcut"_a = true, "futility"_a = true, "razoring"_a = true, "internal"_a = true, "extensions"_a = true, "singular"_a = true, "draw_rule"_a = true, "exact_root"_a = false,
           "megabytes"_a = 16, "threads"_a = 1, "tables"_a = nb::none(),
           "Principal variation search; see core/search/pvs.hpp for what each switch does. What it finds depends on the game so far unless "
           "`keep_table` is off, and on the machine's timing with several `threads`.")
        .def_static("uct", [](double exploration, bool skewed, bool by_value) {
            return make_mcts<Game>(nullptr, {.exploration = exploration, .skewed = skewed, .by_value = by_value});
        }, nb::kw_only(), "exploration"_a = MctsOptions{}.exploration, "skewed"_a = false, "by_value"_a = false,
           "Monte-Carlo tree search with random play-outs; `skewed` ones avoid some moves that let the opponent capture. It chooses the move with "
           "the most visits, or, `by_value`, with the best mean result.")
        .def_static("ept", [](const Evaluator<Game>& e, int plies, double exploration, bool skewed, bool by_value) {
            if (plies < 0) throw std::invalid_argument("a play-out has 0 or more plies");
            return make_mcts<Game>(e.kind, {.exploration = exploration, .playout_plies = plies, .skewed = skewed, .by_value = by_value});
        }, "evaluator"_a, nb::kw_only(), "plies"_a = MctsOptions{}.playout_plies, "exploration"_a = MctsOptions{}.exploration,
           "skewed"_a = false, "by_value"_a = false, "Monte-Carlo tree search whose play-outs end after `plies` plies and are scored by the evaluator.")
        // The history by value: its owner may play on while the search is under way.
        .def("search", [](Searcher<Game>& searcher, History<Game> history, int depth, std::uint64_t nodes, double seconds,
                          double usual_seconds, std::uint64_t seed, const std::optional<nb::typed<nb::callable, bool(Found)>>& report) {
            if (history.outcome()) throw std::invalid_argument("the game is over: there is nothing to search");
            const Budget budget = checked_budget(depth, nodes, seconds, usual_seconds);
            const Busy busy(searcher.busy);
            searcher.stop = false;
            const nb::gil_scoped_release release;
            return searcher.search(history, budget, seed, [&](const Found& found) {
                const nb::gil_scoped_acquire acquire;
                if (PyErr_CheckSignals() != 0) throw nb::python_error();
                if (!report) return true;
                const nb::object answer = (*report)(found);
                if (!PyBool_Check(answer.ptr())) throw nb::type_error("a report says whether to go on: it returns True or False");
                return answer.ptr() == Py_True;
            });
        }, "history"_a, nb::kw_only(), "depth"_a = 0, "nodes"_a = 0, "seconds"_a = 0.0, "usual_seconds"_a = 0.0, "seed"_a = 0, "report"_a = nb::none(),
           "Searches the present position of a game under way. `nodes` counts play-outs for MCTS. Under a clock `usual_seconds` are those of "
           "a usual move and `seconds` the most; only principal variation search knows the difference. `report` sees every iteration, "
           "or every 10,000 play-outs, and says whether to go on.")
        .def("new_game", &Searcher<Game>::new_game, "Forgets what it remembers of the game before.")
        .def("stop", [](Searcher<Game>& searcher) { searcher.stop = true; }, "Ends a search that runs in another thread.");
    return std::pair{evaluator, search};
}

}  // namespace

void bind_searches(nb::module_& core) {
    nb::class_<Budget>(core, "Budget", "How much a search may spend on a move; 0 sets no limit.")
        .def("__init__", [](Budget* self, int depth, std::uint64_t nodes, double seconds) {
            new (self) Budget(checked_budget(depth, nodes, seconds));
        }, nb::kw_only(), "depth"_a = 0, "nodes"_a = 0, "seconds"_a = 0.0)
        .def_ro("depth", &Budget::depth, "Plies looked ahead.")
        .def_ro("nodes", &Budget::nodes, "Positions; play-outs for MCTS.")
        .def_ro("seconds", &Budget::seconds)
        .def("__repr__", [](const Budget& b) { return nb::str("Budget(depth={}, nodes={}, seconds={})").format(b.depth, b.nodes, b.seconds); });
    {
        using Game = draughts::Game;
        nb::module_ module = nb::cast<nb::module_>(core.attr("draughts"));
        nb::class_<draughts::MemberChoice>(module, "MemberChoice", "Which member of a team evaluates, and why.")
            .def_ro("member", &draughts::MemberChoice::member, "0 is the generalist, the specialist of unit i is i + 1.")
            .def_ro("position", &draughts::MemberChoice::position, "The position about which the map was asked; None before the endgame.")
            .def_ro("attributes", &draughts::MemberChoice::attributes, "The attributes of that position, as the map was given them.")
            .def_ro("distances", &draughts::MemberChoice::distances, "The squared distances of the map's units.");
        bind_game_searches<Game>(module).first
            .def_static("material", [] { return make_evaluator<draughts::Material>(); }, "Counts pieces, 2 a man and 3 a king.")
            .def_static("board", [](const Network& network, float king, bool difference) {
                return make_evaluator<draughts::BoardNetwork>(network, king, difference);
            }, "network"_a, nb::kw_only(), "king"_a, "difference"_a = false,
               "A network on 32 squares or 91 sub-squares; `difference` adds the piece difference to its output node.")
            .def_static("features", [](const Network& network, std::uint32_t chosen, bool faithful) {
                return make_evaluator<draughts::FeatureNetwork>(network, draughts::feature_set(chosen), draughts::coding(faithful));
            }, "network"_a, nb::kw_only(), "chosen"_a, "faithful"_a = false, "A network on the bits of a set of NET-FEATUREMAP's features.")
            .def_static("polynomial", [](const Network& network, std::uint32_t terms) { return make_evaluator<draughts::Polynomial>(network, terms); },
                        "network"_a, nb::kw_only(), "terms"_a,
                        "The values of a set of terms, NET-FEATUREMAP's features and Samuel's CORN and MOVE, each times its coefficient.")
            .def_static("multiphase", [](const std::vector<Network>& networks, std::uint32_t chosen, std::uint32_t specialists_chosen, bool faithful,
                                         const std::vector<float>& units, const std::vector<std::size_t>& speakers, std::uint32_t attributes,
                                         draughts::Attributes kind, int pieces, bool once) {
                std::vector<draughts::FeatureNetwork> members;
                for (const Network& network : networks) {
                    members.emplace_back(network, draughts::feature_set(members.empty() ? chosen : specialists_chosen), draughts::coding(faithful));
                }
                return make_evaluator<draughts::Team>(std::move(members), draughts::SpecialistMap(units, draughts::feature_set(attributes), kind), speakers,
                                                      pieces, once ? draughts::Dynamics::once : draughts::Dynamics::always);
            }, "networks"_a, nb::kw_only(), "chosen"_a, "specialists_chosen"_a, "faithful"_a, "units"_a, "speakers"_a, "attributes"_a, "kind"_a, "pieces"_a,
               "once"_a,
               "A generalist on the features `chosen` and, for positions of at most `pieces` pieces, specialists on `specialists_chosen`. `units` holds "
               "the units of a Kohonen map one after another, and `speakers` the index of the network that speaks for each. The map is asked `once`, at "
               "the first own turn of the endgame, or at every own turn.")
            .def("member_choice", &member_choice, "history"_a, "The member of a team that evaluates for the side to move, and why.");
    }
    {
        using Game = tictactoe3d::Game;
        nb::module_ module = nb::cast<nb::module_>(core.attr("tictactoe3d"));
        auto [evaluator, search] = bind_game_searches<Game>(module);
        nb::enum_<tictactoe3d::Order>(module, "Order", "How the rule player draws the order in which it looks at its moves.")
            .value("MOVE", tictactoe3d::Order::move, "All orders alike, at every move.")
            .value("GAME", tictactoe3d::Order::game, "Once for the whole game.")
            .value("BIASED", tictactoe3d::Order::biased, "At every move, by sorting with a coin for a comparator.");
        search.def_static("rule_player", &make_rule_player, "order"_a = tictactoe3d::Order::move,
                          "The rule player of the literature: wins, blocks, and gives nothing away; it needs no budget.");
        evaluator.def_static("material", [] { return make_evaluator<tictactoe3d::Material>(); }, "Counts stones on lines that are still open.")
            .def_static("cells", [](const Network& network) { return make_evaluator<tictactoe3d::CellNetwork>(network); }, "network"_a,
                        "A network on the 64 cells.")
            .def_static("patterns", [](const Network& network, bool symmetric) {
                return make_evaluator<tictactoe3d::PatternNetwork>(network, symmetric);
            }, "network"_a, nb::kw_only(), "symmetric"_a, "A network on the patterns of the 76 lines.");
    }
}

}  // namespace ludus
