// Learning from its own games for Python: games by the hundred in one call, and a network that is fitted to their positions.
#include "bindings.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/fitting.hpp"

using namespace nb::literals;

namespace ludus {
namespace {

using Buffer = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Game>
void bind_game_fitting(nb::module_ module) {
    using Played = SelfPlay<Game>;
    using Fit = PhaseFit<Game>;
    nb::class_<Played>(module, "SelfPlay", "Games of a player against itself, counted for the side that moved first, and their positions.")
        .def_prop_ro("positions", [](const Played& played) {
            return nb::bytes(played.positions.data(), played.positions.size() * sizeof(TrainingPosition<Game>));
        }, "One after another, as core/learning/training_position.hpp has them.")
        .def_ro("wins", &Played::wins)
        .def_ro("draws", &Played::draws)
        .def_ro("losses", &Played::losses)
        .def_ro("plies", &Played::plies)
        .def_ro("by_table", &Played::by_table, "Games that endgame tables ended.");
    module.attr("POSITION_BYTES") = sizeof(TrainingPosition<Game>);
    module.def("self_play", [](Searcher<Game>* search, const Budget& budget, std::uint64_t first, std::uint64_t games, std::uint64_t seed, int opening_least,
                               int opening_most, float later, float even, const DrawRules& rules, std::shared_ptr<endgames::Tables> tables) {
        if (opening_least < 0 || opening_most < opening_least || opening_most > 1000) throw std::invalid_argument("an opening has 0 to 1000 random plies, the least number first");
        const SelfPlayOptions options{.opening_least = opening_least, .opening_most = opening_most, .later = later, .even = even, .rules = rules};
        Adjudicator<Game> adjudicator;
        if (tables) {
            if constexpr (!std::is_same_v<Game, draughts::Game>) throw std::invalid_argument("only draughts has endgame tables");
            else adjudicator = table_adjudicator(std::move(tables));
        }
        const nb::gil_scoped_release release;
        return self_play<Game>(search, budget, first, games, seed, options, adjudicator);
    }, "search"_a.none(), "budget"_a, nb::kw_only(), "first"_a, "games"_a, "seed"_a, "opening_least"_a = SelfPlayOptions{}.opening_least,
               "opening_most"_a = SelfPlayOptions{}.opening_most, "later"_a = SelfPlayOptions{}.later, "even"_a = SelfPlayOptions{}.even, "rules"_a = DrawRules{}, "tables"_a = nb::none(),
               "Plays games number `first` and on; each has random numbers of its own. Without a search all moves are random. A game begins with "
               "`opening_least` to `opening_most` random plies; a share `later` of the games has one more random move later. An opening whose "
               "value is beyond `even`, for either side, is drawn anew three times in four. Endgame `tables` end games.");
    module.def("phase_weights", [](std::size_t width) { return PhaseShape<typename EvaluatorKinds<Game>::Phases::Inputs>(width).weights(); }, "width"_a,
               "The number of weights of a network with this many nodes in its first layer.");
    module.def("phase_net", [](const Input& theta, std::size_t width, typename Game::Position p) {
        using Network = typename EvaluatorKinds<Game>::Phases;
        const Network network({theta.data(), theta.size()}, width);
        const auto state = std::make_unique<typename Network::State>();
        network.begin(*state, p);
        return network.net(*state, p);
    }, "theta"_a, "width"_a, "position"_a, "What a network adds up to for the side to move, in whole numbers: the logit of winning, of which 2^22 is 1.");
    module.def("initial_phase_theta", [](std::size_t width, std::uint64_t seed) { return array(initial_phase_theta<Game>(width, seed)); }, "width"_a, "seed"_a,
               "Random weights to begin a fit with.");
    nb::class_<Fit>(module, "PhaseFit", "A network that is fitted to positions. One thread at a time may use it; it has threads of its own.")
        .def_static("of", [](const Input& theta, std::size_t width, const std::vector<Buffer>& positions, int epochs, double rate, float result_share,
                             float ending_share, std::uint64_t seed) {
            if (epochs < 1 || epochs > 1000) throw std::invalid_argument("there are 1 to 1000 epochs");
            const nb::gil_scoped_release release;
            std::size_t bytes = 0;
            for (const Buffer& buffer : positions) bytes += buffer.size();
            std::vector<TrainingPosition<Game>> all;
            all.reserve(bytes / sizeof(TrainingPosition<Game>));
            for (const Buffer& buffer : positions) add_positions<Game>(all, {buffer.data(), buffer.size()});
            return make_phase_fit<Game>({theta.data(), theta.size()}, width, std::move(all), {.epochs = epochs, .rate = rate, .result_share = result_share, .ending_share = ending_share, .seed = seed});
        }, "theta"_a, nb::kw_only(), "width"_a, "positions"_a, "epochs"_a, "rate"_a, "result_share"_a, "ending_share"_a = FitOptions{}.ending_share, "seed"_a,
           nb::sig("def of(theta: numpy.typing.NDArray[numpy.float32], *, width: int, positions: Sequence[bytes | memoryview], epochs: int, rate: float, "
                   "result_share: float, ending_share: float = 1.0, seed: int) -> PhaseFit"),
           "Begins with these weights. The target of a position is `result_share` of its game's result and the rest of the search's value. "
           "Of the positions of endings it learns from a share: in draughts those of up to 10 pieces, in Tic-Tac-Toe 3D those of more than 36 stones. "
           "Raises ValueError for positions that cannot be.")
        .def("step", [](Fit& fit, std::uint64_t batches, int threads) {
            if (threads < 1 || threads > 1024) throw std::invalid_argument("there are 1 to 1024 threads");
            const nb::gil_scoped_release release;
            return fit.step(batches, static_cast<unsigned>(threads));
        }, "batches"_a, "threads"_a, "Learns from so many batches of 512 positions more, fewer at the end; returns the mean loss. The weights do not depend on `threads`.")
        .def_prop_ro("theta", [](const Fit& fit) { return array(fit.theta()); }, nb::rv_policy::reference, "A copy of the weights so far.")
        .def_prop_ro("done", &Fit::done, "Batches so far.")
        .def_prop_ro("total", &Fit::total, "Batches in all.");
}

}  // namespace

void bind_fitting(nb::module_& core) {
    bind_game_fitting<draughts::Game>(nb::cast<nb::module_>(core.attr("draughts")));
    bind_game_fitting<tictactoe3d::Game>(nb::cast<nb::module_>(core.attr("tictactoe3d")));
}

}  // namespace ludus
