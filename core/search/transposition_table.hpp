// The transposition table: what a search has already found out about a position.
//
// A bucket has two slots, one for the deepest entry and one for the newest. Clearing costs nothing: an entry of an older
// generation counts as empty, so a search on a used table gives, to the bit, what it gives on a new one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "search/search.hpp"

namespace ludus {

enum class Bound : std::uint8_t { exact, lower, upper };

class TranspositionTable {
public:
    static constexpr std::uint8_t no_move = 255;

    struct Entry {
        std::uint64_t key = 0;
        Score score = 0;
        std::int8_t depth = 0;
        Bound bound = Bound::exact;
        std::uint8_t move = no_move;  // the best move's place in generate()'s order
        std::uint8_t generation = 0;
    };

    // `megabytes` is rounded down to a power of two.
    explicit TranspositionTable(std::size_t megabytes) : buckets_(std::bit_floor(std::max<std::size_t>(megabytes, 1) * (1 << 20) / sizeof(Bucket))) {}

    void clear() {
        if (++generation_ != 0) return;
        std::fill(buckets_.begin(), buckets_.end(), Bucket{});
        generation_ = 1;
    }

    std::optional<Entry> find(std::uint64_t key) const {
        const Bucket& bucket = buckets_[key & (buckets_.size() - 1)];
        for (const Entry& entry : {bucket.deepest, bucket.newest}) {
            if (entry.key == key && entry.generation == generation_) return entry;
        }
        return std::nullopt;
    }

    void prefetch(std::uint64_t key) const { __builtin_prefetch(&buckets_[key & (buckets_.size() - 1)]); }

    void store(std::uint64_t key, Score score, int depth, Bound bound, std::uint8_t move) {
        Bucket& bucket = buckets_[key & (buckets_.size() - 1)];
        const Entry entry{.key = key, .score = score, .depth = static_cast<std::int8_t>(depth), .bound = bound, .move = move, .generation = generation_};
        Entry& deepest = bucket.deepest;
        if (deepest.generation != generation_ || deepest.key == key) {
            deepest = entry;
        } else if (depth >= deepest.depth) {
            bucket.newest = std::exchange(deepest, entry);
        } else {
            bucket.newest = entry;
        }
    }

private:
    struct alignas(32) Bucket {
        Entry deepest, newest;
    };

    std::vector<Bucket> buckets_;
    std::uint8_t generation_ = 1;
};

}  // namespace ludus
