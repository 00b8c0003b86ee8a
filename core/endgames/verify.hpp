// Checking a table: every position against the positions after its moves, by the plain move generator.
//
// It shares nothing with the building of a table but the numbering of positions: positions are made by putting pieces on the
// board, not from their numbers, and results are asked as a search asks for them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "endgames/parallel.hpp"
#include "endgames/probe.hpp"

namespace ludus::endgames {

struct Verification {
    std::uint64_t positions = 0;
    std::uint64_t errors = 0;
    std::optional<Position> first_error{};
};

namespace detail {

// Calls visit(set) for every set of `size` of these squares.
template <class Visit>
void for_each_set(Board squares, int size, Visit visit, Board chosen = 0) {
    if (size == 0) return visit(chosen);
    for (; squares; squares &= squares - 1) {
        const Board lowest = squares & (~squares + 1);
        for_each_set(squares ^ lowest, size - 1, visit, chosen | lowest);
    }
}

// What the results after each move say of a position, and the distance if it is known.
struct Wanted {
    std::optional<Result> result = Result::loss;  // without moves
    std::optional<int> distance = 0;
};

inline Wanted from_moves(Prober& prober, Position p, bool distances) {
    Wanted wanted;
    int soonest = 0, latest = 0;
    bool wins = false, draws = false;
    for (const draughts::Move move : draughts::generate(p)) {
        const Position after = draughts::play(p, move);
        const auto result = prober.result(after);
        if (!result) return {std::nullopt, std::nullopt};
        const int distance = distances && *result != Result::draw ? prober.distance(after).value_or(-1) : 0;
        if (*result == Result::loss) {
            soonest = wins ? std::min(soonest, distance + 1) : distance + 1;
            wins = true;
        }
        draws |= *result == Result::draw;
        latest = std::max(latest, distance + 1);
    }
    wanted.result = wins ? Result::win : draws ? Result::draw : Result::loss;
    wanted.distance = wins ? std::optional(soonest) : draws ? std::nullopt : std::optional(latest);
    return wanted;
}

}  // namespace detail

// Checks a slice on so many threads; its own section and those after its moves are in the tables. `go_on` is asked often, by
// the calling thread; false ends the check early. Throws std::invalid_argument if a section is broken.
inline Verification verify(const std::shared_ptr<const Tables>& tables, Slice slice, bool distances, unsigned threads,
                           const std::function<bool()>& go_on = [] { return true; }) {
    struct Side {
        Board men, kings;
    };
    std::vector<Side> sides;
    detail::for_each_set(~draughts::crown_row, slice.own_men, [&](Board men) {
        detail::for_each_set(~men, slice.own_kings, [&](Board kings) { sides.push_back({men, kings}); });
    });
    Verification found;
    std::mutex lock;
    struct Worker {
        Prober prober;
        Verification found;
    };
    std::vector<Worker> workers;
    const auto megabytes = std::clamp<std::size_t>(SliceIndex(slice).size() >> 16, 4, 128);  // blocks of the slice and of others
    for (unsigned i = 0; i < std::max(1U, threads); ++i) workers.push_back({Prober(tables, megabytes), {}});
    in_chunks(sides.size(), 1, threads, [&](std::uint64_t i, std::uint64_t, unsigned thread) {
        auto& [prober, own] = workers[thread];
        const Side side = sides[i];
        const Board taken = side.men | side.kings;
        detail::for_each_set(~draughts::home_row & ~taken, slice.other_men, [&](Board men) {
            detail::for_each_set(~taken & ~men, slice.other_kings, [&](Board kings) {
                const Position p{.own = taken, .other = men | kings, .kings = side.kings | kings};
                ++own.positions;
                const auto wanted = detail::from_moves(prober, p, distances);
                if (prober.result(p) == wanted.result && wanted.result && (!distances || prober.distance(p) == wanted.distance)) return;
                ++own.errors;
                if (!own.first_error) own.first_error = p;
            });
        });
    }, go_on);
    for (const Worker& worker : workers) {
        found.positions += worker.found.positions;
        found.errors += worker.found.errors;
        if (!found.first_error) found.first_error = worker.found.first_error;
    }
    return found;
}

}  // namespace ludus::endgames
