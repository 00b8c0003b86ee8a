// Endgame tables: numbers that are known, a table built, compressed and checked, and broken ones that do no harm.
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

#include "built_tables.hpp"
#include "check.hpp"
#include "endgames/verify.hpp"
#include "engine/endgames.hpp"
#include "games/draughts_notation.hpp"
#include "games/random.hpp"

using namespace ludus;
using namespace ludus::endgames;

namespace {

template <class Work>
bool throws(Work work) {
    try {
        work();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

// The published numbers, one side to move.
void the_numbers_of_positions_are_the_known_ones() {
    const std::array<std::uint64_t, 8> known{0, 0, 3'488, 196'032, 6'209'316, 139'450'808, 2'426'085'676, 34'243'113'624};
    for (int n = 2; n <= 7; ++n) {
        std::uint64_t count = 0;
        for (const Slice slice : slices(n)) count += count_positions(slice);
        CHECK(count == known[static_cast<std::size_t>(n)]);
    }
    CHECK(count_positions({0, 1, 0, 1}) == 992);
    CHECK(count_positions({0, 2, 0, 1}) == 14'880);
    CHECK(count_positions({0, 3, 0, 3}) == 18'123'840);
}

void every_position_has_a_number_of_its_own() {
    for (const Slice slice : {Slice{1, 1, 1, 0}, Slice{2, 0, 1, 0}, Slice{0, 2, 0, 1}}) {
        const SliceIndex index(slice);
        std::uint64_t positions = 0;
        for (std::uint64_t i = 0; i < index.size(); ++i) {
            const auto p = index.position(i);
            if (!p) continue;
            ++positions;
            CHECK(index.index(*p) == i);
            CHECK(slice_of(*p) == slice);
        }
        CHECK(positions == count_positions(slice));
    }
}

void known_endings_have_their_results(const Built& all) {
    Prober prober(all.tables, 1);
    const auto result = [&](const char* fen) { return prober.result(draughts::parse_position(fen)); };
    CHECK(result("W:WK32,K31:BK1") == Result::win);     // two kings beat one
    CHECK(result("W:WK32,K14:BK29") == Result::win);    // in the double corner too
    CHECK(result("B:WK32,K14:BK1") == Result::loss);
    CHECK(result("W:WK32:BK1") == Result::draw);
    CHECK(result("B:W9,14:B5") == Result::loss);        // no move at all
    CHECK(prober.distance(draughts::parse_position("B:W9,14:B5")) == 0);
    CHECK(prober.distance(draughts::parse_position("W:W13,14:B5")) == 1);  // 13-9 leaves none
}

void a_table_agrees_with_its_moves_and_a_changed_one_does_not(Built& all) {
    for (const Slice slice : all.slices) {
        const Verification found = verify(all.tables, slice, true, 2);
        CHECK(found.positions == count_positions(slice));
        CHECK(found.errors == 0);
    }
}

// A slice that is read back is the slice that was built, and gives the same sections again.
void a_slice_can_be_put_back(const Built& all) {
    Builder builder;
    for (std::size_t i = 0; i < all.slices.size(); ++i) {
        builder.load(all.slices[i], all.results[i], all.distances[i], 2);
        CHECK(builder.results(all.slices[i]) == all.results[i]);
        CHECK(builder.distances(all.slices[i]) == all.distances[i]);
    }
    Builder empty;
    CHECK(throws([&] { empty.load({0, 2, 0, 1}, all.results.back(), std::nullopt, 2); }));  // another slice's section
}

// Work ends early when it is told to, and what a thread throws arrives at the caller.
void work_in_chunks_can_end_early() {
    std::atomic<int> done = 0;
    const auto count = [&](std::uint64_t, std::uint64_t, unsigned) { ++done; };
    CHECK(in_chunks(1000, 7, 3, count, [] { return true; }));
    CHECK(done == 143);
    CHECK(!in_chunks(1000, 1, 1, count, [] { return false; }));
    CHECK(done == 144);
    const auto fail = [](std::uint64_t from, std::uint64_t, unsigned) {
        if (from == 500) throw std::invalid_argument("500");
    };
    CHECK(throws([&] { in_chunks(1000, 1, 3, fail, [] { return true; }); }));
}

// Whatever bit is changed, reading stays inside the section and is refused or gives some result.
void a_broken_section_does_no_harm(const Built& all) {
    Rng rng(7, 0);
    for (int n = 0; n < 300; ++n) {
        const std::size_t which = rng.below(static_cast<std::uint32_t>(all.slices.size()));
        Bytes results = all.results[which], distances = all.distances[which];
        for (Bytes* bytes : {&results, &distances}) {
            const std::size_t at = rng.below(static_cast<std::uint32_t>(bytes->size()));
            (*bytes)[at] = static_cast<std::uint8_t>((*bytes)[at] ^ (1U << rng.below(8)));
        }
        try {
            auto tables = std::make_shared<Tables>();
            tables->add_results(all.slices[which], results);
            tables->add_distances(all.slices[which], distances);
            Prober prober(tables, 1);
            const SliceIndex index(all.slices[which]);
            for (int i = 0; i < 50; ++i) {
                const auto p = index.position(rng.below(static_cast<std::uint32_t>(index.size())));
                if (p) prober.distance(*p);
            }
        } catch (const std::invalid_argument&) {
        }
    }
}

}  // namespace

int main() {
    the_numbers_of_positions_are_the_known_ones();
    every_position_has_a_number_of_its_own();
    Built all = built(3, 2);
    known_endings_have_their_results(all);
    a_table_agrees_with_its_moves_and_a_changed_one_does_not(all);
    a_slice_can_be_put_back(all);
    work_in_chunks_can_end_early();
    a_broken_section_does_no_harm(all);
    return failed();
}
