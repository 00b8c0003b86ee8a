// Training for Python: networks that play thousands of games in one call, and training games whose moves a search chooses.
#include "bindings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <vector>

#include "endgames/tables.hpp"
#include "engine/training.hpp"

using namespace nb::literals;

namespace ludus {
namespace {

template <class Game>
auto bind_trainable_network(nb::module_& module) {
    using Trainable = TrainableNetwork<Game>;
    return nb::class_<Trainable>(module, "TrainableNetwork", "A network in training that chooses its own moves. One thread at a time may use it.")
        .def("train", [](Trainable& network, std::uint64_t first, std::uint64_t games, std::uint64_t seed, const TrainingOptions& options, double rate,
                         double rate_change, LearnerSide side, const MatchSide<Game>* opponent) {
            const nb::gil_scoped_release release;
            return network.train(first, games, seed, options, rate, rate_change, side, opponent);
        }, "first"_a, "games"_a, nb::kw_only(), "seed"_a, "options"_a, "rate"_a, "rate_change"_a = 0.0, "side"_a = LearnerSide::both,
           "opponent"_a = nb::none(),
           "Plays games number `first` and on, and learns from each move. The rate of game n is rate + n * rate_change. Without an opponent it "
           "plays itself; with one it has `side` and learns from its own moves. The opponent's seed in game n is made from its own and n.")
        .def("test", [](Trainable& network, std::uint64_t games, const MatchSide<Game>& opponent, const TrainingOptions& options, LearnerSide side) {
            const nb::gil_scoped_release release;
            return network.test(games, options, side, opponent);
        }, "games"_a, "opponent"_a, nb::kw_only(), "options"_a, "side"_a = LearnerSide::both,
           "Plays games by the best value alone, without learning. The opponent's seed in game n is made from its own and n.")
        .def("values", &Trainable::values, "position"_a, "The value of each legal move for the side to move, as it is found in play.")
        .def("learn", &Trainable::learn, "afterstate"_a, "target"_a, "rate"_a, "One step towards a target; returns the error before it.")
        .def_prop_ro("theta", [](Trainable& network) { return array(network.theta()); }, nb::rv_policy::reference, "A copy of the weights so far.");
}

void bind_options(nb::module_& core) {
    nb::enum_<Derivative>(core, "Derivative", "Which derivative of the scaled logistic backpropagation uses.")
        .value("EXACT", Derivative::exact)
        .value("DOUBLED", Derivative::doubled, "1 - y * y, twice the exact one.");
    nb::enum_<LearnerSide>(core, "LearnerSide", "Which side a learner has.")
        .value("FIRST", LearnerSide::first, "The side that moves first.")
        .value("SECOND", LearnerSide::second)
        .value("BOTH", LearnerSide::both, "Each in turn.");
    constexpr TrainingOptions usual{};
    nb::class_<TrainingOptions>(core, "TrainingOptions", "How a training game is played and learned from.")
        .def("__init__", [](TrainingOptions* self, float gamma, float trace_decay, float momentum, float epsilon, bool learn_from_random, bool rule_win,
                            bool train_terminal, bool avoid_loss, bool leaf, int opening_plies, const DrawRules& rules) {
            new (self) TrainingOptions{.gamma = gamma, .trace_decay = trace_decay, .momentum = momentum, .epsilon = epsilon,
                                       .learn_from_random = learn_from_random, .rule_win = rule_win, .train_terminal = train_terminal,
                                       .avoid_loss = avoid_loss, .leaf = leaf, .opening_plies = opening_plies, .rules = rules};
        }, nb::kw_only(), "gamma"_a = usual.gamma, "trace_decay"_a = usual.trace_decay, "momentum"_a = usual.momentum, "epsilon"_a = usual.epsilon,
           "learn_from_random"_a = usual.learn_from_random, "rule_win"_a = usual.rule_win, "train_terminal"_a = usual.train_terminal,
           "avoid_loss"_a = usual.avoid_loss, "leaf"_a = usual.leaf, "opening_plies"_a = usual.opening_plies, "rules"_a = DrawRules{})
        .def_ro("gamma", &TrainingOptions::gamma, "What the next prediction counts.")
        .def_ro("trace_decay", &TrainingOptions::trace_decay, "The factor by which a trace fades at each step; 0 is one-step TD.")
        .def_ro("momentum", &TrainingOptions::momentum, "The share of a weight's last change that is added to the next if both go the same way.")
        .def_ro("epsilon", &TrainingOptions::epsilon, "How often chance chooses the move.")
        .def_ro("learn_from_random", &TrainingOptions::learn_from_random,
                "A random move corrects the prediction before it; else it begins a new trace.")
        .def_ro("rule_win", &TrainingOptions::rule_win, "A move that wins at once is worth 1, whatever the network says.")
        .def_ro("train_terminal", &TrainingOptions::train_terminal, "The last prediction of a game learns the reward itself.")
        .def_ro("avoid_loss", &TrainingOptions::avoid_loss, "No move after which the opponent wins at once, if there is another.")
        .def_ro("leaf", &TrainingOptions::leaf, "With a search: predict by the end of its principal variation.")
        .def_ro("opening_plies", &TrainingOptions::opening_plies, "Random moves of both sides first.")
        .def_ro("rules", &TrainingOptions::rules);
    nb::class_<TrainingResult>(core, "TrainingResult", "What training games came to, summed up.")
        .def_ro("plies", &TrainingResult::plies)
        .def_ro("steps", &TrainingResult::steps, "The updates of the weights.")
        .def_ro("squared_error", &TrainingResult::squared_error, "Summed over the steps.")
        .def_ro("winner", &TrainingResult::winner, "Of the last game.");
    nb::class_<TestResult>(core, "TestResult", "The learner's games without learning.")
        .def_ro("wins", &TestResult::wins)
        .def_ro("draws", &TestResult::draws)
        .def_ro("losses", &TestResult::losses);
    nb::class_<TrainedGame>(core, "TrainedGame", "A training game that was played, and what was learned from it.")
        .def_ro("result", &TrainedGame::result)
        .def_prop_ro("theta", [](const TrainedGame& game) { return array(game.theta); }, nb::rv_policy::reference, "The weights at the end.");
}

template <class Game>
void bind_training_game(nb::module_ module) {
    nb::class_<TrainingGame<Game>>(module, "TrainingGame", "A training game of an evaluator that learns from the moves of one side, or of both.")
        .def("__init__", [](TrainingGame<Game>* self, typename Game::Position start, std::optional<Color> learner, const Input& rates,
                            const TrainingOptions& options, std::uint64_t seed, std::shared_ptr<endgames::Tables> adjudicate,
                            std::shared_ptr<endgames::Tables> targets) {
            new (self) TrainingGame<Game>{.start = start, .learner = learner, .rates = {rates.data(), rates.data() + rates.size()}, .options = options,
                                          .seed = seed, .judge = adjudicate ? table_adjudicator(std::move(adjudicate)) : Adjudicator<Game>{},
                                          .known = targets ? table_values(std::move(targets), options.gamma) : KnownValue<Game>{}};
        }, nb::kw_only(), "start"_a = Game::start, "learner"_a, "rates"_a, "options"_a, "seed"_a, "adjudicate"_a = nb::none(), "targets"_a = nb::none(),
             "`learner` is None if it plays both sides; `rates` has the learning rate of each weight; `seed` is that of the opening and of random moves. "
             "Tables to `adjudicate` by end the game with their result. Tables for `targets` do not end it: the value of a move into them is theirs.",
             nb::sig("def __init__(self, *, start: Position = ..., learner: ludus._core.Color | None, rates: numpy.typing.NDArray[numpy.float32], "
                     "options: ludus._core.TrainingOptions, seed: int, adjudicate: EndgameTables | None = None, targets: EndgameTables | None = None) -> None"));
    module.def("play_training_game", [](Evaluator<Game>& evaluator, const Network& network, const MatchSide<Game>& learner, const MatchSide<Game>& opponent,
                                        const TrainingGame<Game>& game) {
        const nb::gil_scoped_release release;
        return play_training_game(evaluator, network, learner, opponent, game);
    }, "evaluator"_a, "network"_a, "learner"_a, "opponent"_a, "game"_a,
               "A game of a learner against an opponent that does not learn, or against itself. The learner's search was made with `evaluator`, which has no other "
               "user: it is given `network` and each change of it.");
}

}  // namespace

void bind_training(nb::module_& core) {
    bind_options(core);
    nb::module_ tictactoe3d_module = nb::cast<nb::module_>(core.attr("tictactoe3d"));
    bind_trainable_network<tictactoe3d::Game>(tictactoe3d_module)
        .def_static("cells", &make_trainable_cells, "network"_a, nb::kw_only(), "derivative"_a = Derivative::exact, "A network on the 64 cells.")
        .def_static("patterns", &make_trainable_patterns, "network"_a, nb::kw_only(), "symmetric"_a, "derivative"_a = Derivative::exact,
                    "A network on the patterns of the 76 lines.");
    nb::module_ draughts_module = nb::cast<nb::module_>(core.attr("draughts"));
    bind_trainable_network<draughts::Game>(draughts_module)
        .def_static("board", &make_trainable_board, "network"_a, nb::kw_only(), "king"_a, "difference"_a = false, "derivative"_a = Derivative::exact,
                    "A network on 32 squares or 91 sub-squares.")
        .def_static("features", [](const Network& network, std::uint32_t chosen, bool faithful, Derivative derivative) {
            return make_trainable_features(network, draughts::feature_set(chosen), draughts::coding(faithful), derivative);
        }, "network"_a, nb::kw_only(), "chosen"_a, "faithful"_a = false, "derivative"_a = Derivative::exact,
           "A network on the bits of a set of NET-FEATUREMAP's features.");
    bind_training_game<draughts::Game>(draughts_module);
}

}  // namespace ludus
