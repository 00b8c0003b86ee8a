// Endgame tables: numbers that are known, a table built, compressed and checked, and broken ones that do no harm.
#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <vector>

#include "built_tables.hpp"
#include "check.hpp"
#include "endgames/verify.hpp"
#include "games/draughts_notation.hpp"
#include "games/random.hpp"

using namespace ludus;
using namespace ludus::endgames;

namespace {

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
    a_broken_section_does_no_harm(all);
    return failed();
}
