// Batches of games and of encoded positions for Python, on the caller's arrays.
#include "bindings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/batch_games.hpp"
#include "evaluation/encoders.hpp"
#include "evaluation/planes.hpp"
#include "games/draughts_notation.hpp"
#include "games/tictactoe3d_notation.hpp"

using namespace nb::literals;

namespace ludus {
namespace {

template <class Number>
using Buffer = nb::ndarray<Number, nb::c_contig, nb::device::cpu>;

// The numbers of a buffer that has to hold so many; null for none.
template <class Number>
Number* numbers(const Buffer<Number>& buffer, std::size_t wanted, const char* what) {
    if (buffer.size() != wanted) {
        throw std::invalid_argument(std::string(what) + " needs an array of " + std::to_string(wanted) + " numbers, not of " + std::to_string(buffer.size()));
    }
    return buffer.data();
}

template <class Number>
Number* numbers(const std::optional<Buffer<Number>>& buffer, std::size_t wanted, const char* what) {
    return buffer ? numbers(*buffer, wanted, what) : nullptr;
}

// What a batch writes beside observations and masks: arrays that live as long as it.
template <class Game>
struct Batch {
    BatchGames<Game> games;
    std::vector<float> rewards;
    std::vector<std::uint8_t> ended, sides;
    std::vector<std::int8_t> reasons;
    std::vector<std::int64_t> numbers;

    Batch(std::size_t slots, std::uint64_t seed, DrawRules rules, int opening_plies, unsigned threads)
        : games(slots, seed, rules, opening_plies, threads), rewards(slots), ended(slots), sides(slots), reasons(slots), numbers(slots) {}

    BatchOutput output(float* observations, bool* masks) {
        return {.rewards = rewards.data(), .ended = ended.data(), .reasons = reasons.data(), .sides = sides.data(), .numbers = numbers.data(),
                .observations = observations, .masks = masks};
    }
};

template <class Game>
void refuse(const BatchGames<Game>& games, std::size_t slot, std::int32_t action) {
    const auto position = games.position(slot);
    std::string shown = "action " + std::to_string(action);
    if (action >= 0 && static_cast<std::size_t>(action) < Actions<Game>::count) {
        shown += " (" + text(Actions<Game>::move(static_cast<std::size_t>(action), position)) + ")";
    } else {
        shown += ", which is not one of 0 to " + std::to_string(Actions<Game>::count - 1) + ",";
    }
    throw IllegalMove("game " + std::to_string(slot) + ": " + shown + " is not legal in " + text(position) + "; " + legal_moves(position));
}

template <class Game>
void bind_batch_games(nb::module_& module) {
    using Bound = Batch<Game>;
    using Planes = Planes<Game>;
    using Observations = std::optional<Buffer<float>>;
    using Masks = std::optional<Buffer<bool>>;
    const auto view = [](nb::handle self, auto& numbers) {
        using Number = typename std::remove_reference_t<decltype(numbers)>::value_type;
        return nb::ndarray<nb::numpy, Number, nb::ndim<1>>(numbers.data(), {numbers.size()}, self);
    };
    nb::class_<Bound>(module, "BatchGames", "Many games that move on together; ludus.envs.BatchGames is its public face. One thread at a time may use it.")
        .def("__init__", [](Bound* self, std::size_t slots, std::uint64_t seed, DrawRules rules, int opening_plies, unsigned threads) {
            if (slots < 1 || slots > 10'000'000) throw std::invalid_argument("a batch has 1 to 10,000,000 games");
            if (opening_plies < 0 || opening_plies > 100) throw std::invalid_argument("an opening has 0 to 100 random plies");
            if (threads < 1 || threads > 256) throw std::invalid_argument("a batch has 1 to 256 threads");
            if (rules.repetitions == 1) throw std::invalid_argument("with 1 repetition every game is a draw before its first move");
            if (rules.plies != 0 && rules.plies <= opening_plies) throw std::invalid_argument("the limit of plies leaves no move after the opening");
            new (self) Bound(slots, seed, rules, opening_plies, threads);
        }, "slots"_a, nb::kw_only(), "seed"_a = 0, "rules"_a = DrawRules{}, "opening_plies"_a = 0, "threads"_a = 1)
        .def("reset", [](Bound& self, std::uint64_t seed, const Observations& observations, const Masks& masks) {
            const std::size_t slots = self.games.size();
            const auto output = self.output(numbers(observations, slots * Planes::size, "observations"), numbers(masks, slots * Actions<Game>::count, "masks"));
            const nb::gil_scoped_release release;
            self.games.reset(seed, output);
        }, "seed"_a, "observations"_a.noconvert().none(), "masks"_a.noconvert().none(), "Begins again with the first games of a seed.",
           nb::sig("def reset(self, seed: int, observations: numpy.typing.NDArray[numpy.float32] | None, masks: numpy.typing.NDArray[numpy.bool_] | None) -> None"))
        .def("step", [](Bound& self, const Buffer<const std::int32_t>& actions, const Observations& observations, const Masks& masks) {
            const std::size_t slots = self.games.size();
            const std::span given(numbers(actions, slots, "actions"), slots);
            const auto output = self.output(numbers(observations, slots * Planes::size, "observations"), numbers(masks, slots * Actions<Game>::count, "masks"));
            const nb::gil_scoped_release release;
            if (const auto slot = self.games.illegal(given)) refuse<Game>(self.games, *slot, given[*slot]);
            self.games.step(given, output);
        }, "actions"_a, "observations"_a.noconvert().none(), "masks"_a.noconvert().none(),
           "Plays an action in each game. Raises IllegalMove before anything has changed.",
           nb::sig("def step(self, actions: numpy.typing.NDArray[numpy.int32], observations: numpy.typing.NDArray[numpy.float32] | None, "
                   "masks: numpy.typing.NDArray[numpy.bool_] | None) -> None"))
        .def("random_actions", [](Bound& self, const Buffer<std::int32_t>& actions) {
            std::int32_t* found = numbers(actions, self.games.size(), "actions");
            const nb::gil_scoped_release release;
            self.games.random_actions(found);
        }, "actions"_a.noconvert(), "Writes a random legal action for each game.",
           nb::sig("def random_actions(self, actions: numpy.typing.NDArray[numpy.int32]) -> None"))
        .def("legal_actions", [](const Bound& self) { return self.games.legal_actions(); }, "The number of legal actions of all games together.")
        .def("afterstates", [](const Bound& self, const Buffer<std::int32_t>& slots, const Buffer<std::int32_t>& actions, const Buffer<float>& observations) {
            const std::size_t count = self.games.legal_actions();
            std::int32_t* const where = numbers(slots, count, "slots");
            std::int32_t* const what = numbers(actions, count, "actions");
            float* const seen = numbers(observations, count * Planes::size, "observations");
            const nb::gil_scoped_release release;
            self.games.afterstates(where, what, seen);
        }, "slots"_a.noconvert(), "actions"_a.noconvert(), "observations"_a.noconvert(),
           "Writes all legal actions, game by game, and the planes after each of them, seen by the side that made the move.",
           nb::sig("def afterstates(self, slots: numpy.typing.NDArray[numpy.int32], actions: numpy.typing.NDArray[numpy.int32], "
                   "observations: numpy.typing.NDArray[numpy.float32]) -> None"))
        .def("position", [](const Bound& self, std::size_t slot) {
            if (slot >= self.games.size()) throw nb::index_error(("there is no game " + std::to_string(slot)).c_str());
            return self.games.position(slot);
        }, "slot"_a, "The present position of a game.")
        .def_prop_ro("rewards", [view](nb::handle self) { return view(self, nb::cast<Bound&>(self).rewards); },
                     nb::sig("def rewards(self) -> numpy.typing.NDArray[numpy.float32]"))
        .def_prop_ro("ended", [view](nb::handle self) { return view(self, nb::cast<Bound&>(self).ended); },
                     nb::sig("def ended(self) -> numpy.typing.NDArray[numpy.uint8]"))
        .def_prop_ro("reasons", [view](nb::handle self) { return view(self, nb::cast<Bound&>(self).reasons); },
                     nb::sig("def reasons(self) -> numpy.typing.NDArray[numpy.int8]"))
        .def_prop_ro("sides", [view](nb::handle self) { return view(self, nb::cast<Bound&>(self).sides); },
                     nb::sig("def sides(self) -> numpy.typing.NDArray[numpy.uint8]"))
        .def_prop_ro("numbers", [view](nb::handle self) { return view(self, nb::cast<Bound&>(self).numbers); },
                     nb::sig("def numbers(self) -> numpy.typing.NDArray[numpy.int64]"));
}

// Encoded positions. An encoder of the core is given an afterstate, which the side that has just moved sees; for the side to move it
// is given the same board from the other side.
template <class Game, class Encode>
void encode_rows(const std::vector<typename Game::Position>& positions, bool afterstates, std::size_t width, float* rows, Encode encode) {
    const nb::gil_scoped_release release;
    for (const auto& position : positions) {
        encode(afterstates ? position : Planes<Game>::other_view(position), rows);
        rows += width;
    }
}

// The encoders of a game: `visit(name, shape, encode)` for each, where encode(afterstate, row).
template <class Game, class Visit>
void for_each_encoder(float king, Visit visit) {
    using Shape = std::vector<std::size_t>;
    using Position = typename Game::Position;
    visit("planes", Shape(Planes<Game>::shape.begin(), Planes<Game>::shape.end()),
          [](Position afterstate, float* row) { Planes<Game>::write(Planes<Game>::other_view(afterstate), row); });
    if constexpr (std::is_same_v<Game, draughts::Game>) {
        visit("squares32", Shape{32}, [king](Position p, float* row) { draughts::encode_squares(p, king, std::span<float, 32>(row, 32)); });
        visit("subsquares91", Shape{91}, [king](Position p, float* row) { draughts::encode_subsquares(p, king, std::span<float, 91>(row, 91)); });
        for (const auto& [name, set] : {std::pair{"featuremap12", draughts::featuremap12}, std::pair{"featuremap28", draughts::featuremap28}}) {
            visit(name, Shape{set.inputs()}, [set](Position p, float* row) {
                draughts::encode(p, set, draughts::Coding::clean, std::span<float>(row, set.inputs()));
            });
        }
    } else {
        visit("cells64", Shape{64}, [](Position p, float* row) { tictactoe3d::encode_cells(p, std::span<float, 64>(row, 64)); });
        for (const bool symmetric : {false, true}) {
            const std::size_t inputs = tictactoe3d::pattern_table(symmetric).inputs;
            visit(symmetric ? "symmetric-patterns" : "patterns", Shape{inputs}, [symmetric](Position p, float* row) {
                const auto numbers = tictactoe3d::encode_patterns(p, symmetric);
                std::copy(numbers.begin(), numbers.end(), row);
            });
        }
    }
}

template <class Game>
void bind_encoders(nb::module_& module) {
    module.def("encoders", [] {
        nb::dict shapes;
        for_each_encoder<Game>(1, [&](const char* name, const std::vector<std::size_t>& shape, auto) { shapes[name] = nb::tuple(nb::cast(shape)); });
        return shapes;
    }, "The encoders by name, with the shape of what they make of a position.", nb::sig("def encoders() -> dict[str, tuple[int, ...]]"));
    module.def("encode", [](const std::string& encoder, const std::vector<typename Game::Position>& positions, const Buffer<float>& out, bool afterstates,
                            float king) {
        bool known = false;
        for_each_encoder<Game>(king, [&](const std::string& name, const std::vector<std::size_t>& shape, auto encode) {
            if (name != encoder) return;
            known = true;
            std::size_t width = 1;
            for (const std::size_t n : shape) width *= n;
            encode_rows<Game>(positions, afterstates, width, numbers(out, positions.size() * width, "out"), encode);
        });
        if (!known) throw std::invalid_argument("there is no encoder " + encoder);
    }, "encoder"_a, "positions"_a, "out"_a.noconvert(), nb::kw_only(), "afterstates"_a, "king"_a,
               "Writes a row of inputs for each position, seen by the side to move, or by the side that has just moved.",
               nb::sig("def encode(encoder: str, positions: collections.abc.Sequence[Position], out: numpy.typing.NDArray[numpy.float32], *, afterstates: bool, "
                       "king: float) -> None"));
}

template <class Game>
void bind_observation(nb::module_& module) {
    module.def("observe", [](const History<Game>& history, const Buffer<float>& out, bool afterstate) {
        const auto position = history.position();
        Planes<Game>::write(afterstate ? Planes<Game>::other_view(position) : position, history.clock(), numbers(out, Planes<Game>::size, "out"));
    }, "history"_a, "out"_a.noconvert(), nb::kw_only(), "afterstate"_a,
               "Writes the planes of a game under way, what the draw rules count included, seen by the side to move or by the side that has just moved.",
               nb::sig("def observe(history: History, out: numpy.typing.NDArray[numpy.float32], *, afterstate: bool) -> None"));
}

template <class Game>
void bind_batches_of(nb::module_ module) {
    module.attr("ACTIONS") = Actions<Game>::count;
    bind_batch_games<Game>(module);
    bind_encoders<Game>(module);
    bind_observation<Game>(module);
}

}  // namespace

void bind_batches(nb::module_& core) {
    bind_batches_of<draughts::Game>(nb::cast<nb::module_>(core.attr("draughts")));
    bind_batches_of<tictactoe3d::Game>(nb::cast<nb::module_>(core.attr("tictactoe3d")));
}

}  // namespace ludus
