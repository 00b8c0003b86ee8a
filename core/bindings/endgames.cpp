// Endgame tables of draughts for Python.
#include "bindings.hpp"

#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/endgames.hpp"

using namespace nb::literals;

namespace ludus {
namespace {

using namespace endgames;

using Counts = std::tuple<int, int, int, int>;
using Buffer = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Slice slice_from(const Counts& counts) {
    const auto [own_men, own_kings, other_men, other_kings] = counts;
    return checked({own_men, own_kings, other_men, other_kings});
}

std::span<const std::uint8_t> bytes_of(const Buffer& buffer) { return {buffer.data(), buffer.size()}; }

nb::bytes to_python(const Bytes& bytes) { return nb::bytes(bytes.data(), bytes.size()); }

unsigned checked_threads(int threads) {
    if (threads < 1 || threads > 1024) throw std::invalid_argument("there are 1 to 1024 threads");
    return static_cast<unsigned>(threads);
}

nb::bytes section(const Builder& builder, const Counts& counts, Bytes (Builder::*encode)(Slice) const) {
    const Slice slice = slice_from(counts);
    if (!builder.has(slice)) throw std::invalid_argument("this slice is not in memory");
    Bytes bytes;
    {
        const nb::gil_scoped_release release;
        bytes = (builder.*encode)(slice);
    }
    return to_python(bytes);
}

}  // namespace

void bind_endgames(nb::module_& core) {
    nb::module_ module = nb::cast<nb::module_>(core.attr("draughts"));
    nb::enum_<Result>(module, "Result", "What a position is worth to the side to move when both sides play their best.")
        .value("LOSS", Result::loss)
        .value("DRAW", Result::draw)
        .value("WIN", Result::win);

    module.def("endgame_slices", [](int pieces) {
        if (pieces < 2 || pieces > most_pieces) throw std::invalid_argument("endgame tables have 2 to 8 pieces");
        std::vector<Counts> all;
        for (const Slice slice : slices(pieces)) all.emplace_back(slice.own_men, slice.own_kings, slice.other_men, slice.other_kings);
        return all;
    }, "pieces"_a, "All slices of so many pieces: own men, own kings, other men, other kings. A slice comes after those to which its crownings lead.");
    module.def("endgame_positions", [](const Counts& slice) { return count_positions(slice_from(slice)); }, "slice"_a,
               "How many positions a slice has, by formula.");
    module.def("endgame_size", [](const Counts& slice) { return SliceIndex(slice_from(slice)).size(); }, "slice"_a,
               "How many bytes a slice takes while it is in a builder.");

    nb::class_<Builder>(module, "EndgameBuilder", "Builds the slices of endgame tables and keeps them in memory. One thread at a time may use it; several may take sections.")
        .def(nb::init<>())
        .def("build", [](Builder& builder, const Counts& counts, int threads, const nb::typed<nb::callable, bool(int)>& progress) {
            const Slice slice = slice_from(counts);
            const unsigned count = checked_threads(threads);
            const nb::gil_scoped_release release;
            return builder.build(slice, count, [&](int distance) {
                const nb::gil_scoped_acquire acquire;
                if (PyErr_CheckSignals() != 0) throw nb::python_error();
                return nb::cast<bool>(progress(distance));
            });
        }, "slice"_a, "threads"_a, "progress"_a,
           "Builds a slice and its mirror from the slices to which their captures and crownings lead. `progress` is called with the distance that "
           "is worked on, several times a second, and says whether to go on. True when the pair is done.")
        .def("results", [](const Builder& builder, const Counts& slice) { return section(builder, slice, &Builder::results); }, "slice"_a,
             "The compressed results of a slice.")
        .def("distances", [](const Builder& builder, const Counts& slice) { return section(builder, slice, &Builder::distances); }, "slice"_a,
             "The compressed distances of a slice.")
        .def("load", [](Builder& builder, const Counts& counts, const Buffer& results, const std::optional<Buffer>& distances, int threads) {
            const Slice slice = slice_from(counts);
            const unsigned count = checked_threads(threads);
            std::optional<std::span<const std::uint8_t>> second;
            if (distances) second = bytes_of(*distances);
            const nb::gil_scoped_release release;
            builder.load(slice, bytes_of(results), second, count);
        }, "slice"_a, "results"_a, "distances"_a = nb::none(), "threads"_a = 1,
           nb::sig("def load(self, slice: tuple[int, int, int, int], results: bytes | memoryview, distances: bytes | memoryview | None = None, "
                   "threads: int = 1) -> None"),
           "Puts a finished slice back in memory. The slices to which its captures lead are there. Without distances, those of slices built upon it "
           "are not right; their results are. Raises ValueError if a section is broken.")
        .def("drop", [](Builder& builder, const Counts& slice) { builder.drop(slice_from(slice)); }, "slice"_a, "Frees the memory of a slice.")
        .def("has", [](const Builder& builder, const Counts& slice) { return builder.has(slice_from(slice)); }, "slice"_a, "Is the slice in memory?");

    const auto add = [](void (Tables::*to)(Slice, std::span<const std::uint8_t>)) {
        return [to](Tables& tables, const Counts& slice, const Buffer& buffer) { (tables.*to)(slice_from(slice), bytes_of(buffer)); };
    };
    nb::class_<Tables>(module, "EndgameTables", "Sections of results and distances that can be asked. It does not change once a prober or a search has it.")
        .def(nb::init<>())
        .def("add_results", add(&Tables::add_results), "slice"_a, "buffer"_a, nb::keep_alive<1, 3>(),
             nb::sig("def add_results(self, slice: tuple[int, int, int, int], buffer: bytes | memoryview) -> None"),
             "Adds the results of a slice, and keeps the buffer. Raises ValueError if the section is broken.")
        .def("add_distances", add(&Tables::add_distances), "slice"_a, "buffer"_a, nb::keep_alive<1, 3>(),
             nb::sig("def add_distances(self, slice: tuple[int, int, int, int], buffer: bytes | memoryview) -> None"),
             "Adds the distances of a slice, and keeps the buffer. Raises ValueError if the section is broken.")
        .def_prop_ro("most_pieces", &Tables::most_pieces, "The most pieces of a slice that has results; 0 without any.");

    nb::class_<Prober>(module, "EndgameProber", "Asks endgame tables. One thread at a time may use it.")
        .def("__init__", [](Prober* self, std::shared_ptr<Tables> tables, int megabytes) {
            if (megabytes < 1 || megabytes > 65536) throw std::invalid_argument("a cache has 1 to 65536 megabytes");
            new (self) Prober(std::move(tables), static_cast<std::size_t>(megabytes));
        }, "tables"_a, "megabytes"_a = 8)
        .def("result", &Prober::result, "position"_a, "The result for the side to move; None if the tables do not have it. Raises ValueError if they are broken.")
        .def("distance", &Prober::distance, "position"_a,
             "Plies to the end of the game when the winner wins as soon and the loser loses as late as possible; None for a draw, or if the tables "
             "do not have it. Raises ValueError if they are broken.")
        .def("nanoseconds", [](Prober& prober, const std::vector<draughts::Position>& positions, std::uint64_t probes) {
            const nb::gil_scoped_release release;
            return probe_nanoseconds(prober, positions, probes);
        }, "positions"_a, "probes"_a, "The time that the core needs for the result of one of these positions, asked in turns.");

    nb::class_<Verification>(module, "Verification", "What the check of a slice found.")
        .def_ro("positions", &Verification::positions, "How many positions were checked.")
        .def_ro("errors", &Verification::errors, "How many of them do not agree with the positions after their moves.")
        .def_ro("first_error", &Verification::first_error, "One of them; None if there is none.");
    module.def("verify_endgames", [](std::shared_ptr<Tables> tables, const Counts& counts, bool distances, int threads) {
        const Slice slice = slice_from(counts);
        const unsigned count = checked_threads(threads);
        const nb::gil_scoped_release release;
        auto asked = std::chrono::steady_clock::now();
        return verify_slice(tables, slice, distances, count, [&] {
            if (std::chrono::steady_clock::now() - asked < std::chrono::milliseconds(100)) return true;
            asked = std::chrono::steady_clock::now();
            const nb::gil_scoped_acquire acquire;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            return true;
        });
    }, "tables"_a, "slice"_a, nb::kw_only(), "distances"_a, "threads"_a,
               "Checks every position of a slice against the positions after its moves. Raises ValueError if a section is broken.");
}

}  // namespace ludus
