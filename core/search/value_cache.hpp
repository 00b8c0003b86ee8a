// The values of positions that a search has evaluated lately. A search reaches many positions by several lines, and looking up a
// value is quicker than asking a network again. The cache is small enough to stay near the processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/search.hpp"

namespace ludus {

class ValueCache {
public:
    // The score of the position with this key; `evaluate()` gives it if it is not here.
    template <class Evaluate>
    Score find(std::uint64_t key, Evaluate evaluate) {
        std::uint64_t& word = words_[key % size];
        if (((word ^ key) & ~score_mask) != 0 || (word & score_mask) == 0) word = (key & ~score_mask) | static_cast<std::uint64_t>(evaluate() + 2 * unit);
        return static_cast<Score>(word & score_mask) - 2 * unit;
    }

    void clear() { words_.assign(size, 0); }

private:
    static constexpr std::size_t size = std::size_t{1} << 15;
    // A word has the upper bits of the key, and below them the score, between -unit and unit, plus 2 * unit: never 0.
    static constexpr std::uint64_t score_mask = 4 * static_cast<std::uint64_t>(unit) - 1;

    std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(size);
};

// For evaluators that take no longer than a look into the cache.
struct NoValueCache {
    template <class Evaluate>
    Score find(std::uint64_t, Evaluate evaluate) {
        return evaluate();
    }

    void clear() {}
};

}  // namespace ludus
