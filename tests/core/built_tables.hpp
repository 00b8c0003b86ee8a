// Endgame tables for tests, built in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "check.hpp"
#include "endgames/build.hpp"
#include "endgames/tables.hpp"

namespace ludus::endgames {

// Tables, with the memory they lie in.
struct Built {
    std::vector<Slice> slices;
    std::vector<Bytes> results, distances;
    std::shared_ptr<Tables> tables{};

    // Those of at most `pieces` pieces, with distances up to `with_distances`.
    std::shared_ptr<Tables> some(int pieces, int with_distances) const {
        auto few = std::make_shared<Tables>();
        for (std::size_t i = 0; i < slices.size(); ++i) {
            if (slices[i].pieces() <= pieces) few->add_results(slices[i], results[i]);
            if (slices[i].pieces() <= std::min(pieces, with_distances)) few->add_distances(slices[i], distances[i]);
        }
        return few;
    }
};

// Tables of up to so many pieces.
inline Built built(int pieces, unsigned threads) {
    Store store;
    Built all;
    for (int n = 2; n <= pieces; ++n) {
        for (const Slice slice : slices(n)) {
            if (!store.has(slice)) {
                PairBuilder pair(slice, store, threads);
                CHECK(pair.build([](int) { return true; }));
                store.add(slice, pair.take(0));
                if (slice != slice.mirrored()) store.add(slice.mirrored(), pair.take(1));
            }
            const auto& entry = store.entry(slice);
            all.slices.push_back(slice);
            all.results.push_back(encode_results(entry.index, entry.bytes));
            all.distances.push_back(encode_distances(entry.index, entry.bytes));
        }
    }
    all.tables = all.some(pieces, pieces);
    return all;
}

}  // namespace ludus::endgames
