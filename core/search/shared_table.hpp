// The transposition table of principal variation search: it lives through a game, and threads share it without locks.
//
// An entry is two words, the data and the key exclusive-or the data. A thread that reads the words of two different writers
// finds a key that is not its own, and takes the entry for empty.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "search/search.hpp"
#include "search/transposition_table.hpp"

namespace ludus {

class SharedTable {
public:
    static constexpr std::uint8_t no_move = TranspositionTable::no_move;

    struct Entry {
        Score score = 0;
        int depth = 0;
        Bound bound = Bound::exact;
        std::uint8_t move = no_move;  // the best move's place in generate()'s order
    };

    // `megabytes` is rounded down to a power of two.
    explicit SharedTable(std::size_t megabytes)
        : mask_(std::bit_floor(std::max<std::size_t>(megabytes, 1) * (1 << 20) / sizeof(Bucket)) - 1), buckets_(allocate(mask_ + 1)) {}

    // Forgets everything: a new game.
    void clear() {
        for (std::size_t i = 0; i <= mask_; ++i) {
            for (Slot& slot : buckets_[i].slots) slot.write(0, 0);
        }
        age_ = 0;
    }
    // A new move of the same game: what is there stays, and gives way first.
    void grow_old() { age_ = (age_ + 1) & age_mask; }

    std::optional<Entry> find(std::uint64_t key) const {
        for (const Slot& slot : buckets_[key & mask_].slots) {
            const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
            if (data && (slot.key.load(std::memory_order_relaxed) ^ data) == key) return unpack(data);
        }
        return std::nullopt;
    }

    void prefetch(std::uint64_t key) const { __builtin_prefetch(&buckets_[key & mask_]); }

    void store(std::uint64_t key, Entry entry) {
        Slot* chosen = nullptr;
        int least = 1 << 20;
        for (Slot& slot : buckets_[key & mask_].slots) {
            const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
            if (data && (slot.key.load(std::memory_order_relaxed) ^ data) == key) {
                if (entry.move == no_move) entry.move = unpack(data).move;
                chosen = &slot;
                break;
            }
            const int worth = data ? unpack(data).depth - 8 * static_cast<int>((age_ - age_of(data)) & age_mask) : -(1 << 20);
            if (worth < least) {
                least = worth;
                chosen = &slot;
            }
        }
        chosen->write(key, pack(entry));
    }

private:
    static constexpr std::uint64_t age_mask = 63;
    static constexpr int score_bits = 27;

    // From the lowest bit: the score, the depth, the bound, the move, the age, and a bit that says that there is an entry.
    std::uint64_t pack(const Entry& entry) const {
        const auto score = static_cast<std::uint64_t>(entry.score + infinite);
        const auto depth = static_cast<std::uint64_t>(std::clamp(entry.depth, 0, 255));
        return score | depth << score_bits | static_cast<std::uint64_t>(entry.bound) << 35 | static_cast<std::uint64_t>(entry.move) << 37 |
               age_ << 45 | std::uint64_t{1} << 63;
    }
    static Entry unpack(std::uint64_t data) {
        return {.score = static_cast<Score>(data & ((std::uint64_t{1} << score_bits) - 1)) - infinite,
                .depth = static_cast<int>(data >> score_bits & 255),
                .bound = static_cast<Bound>(data >> 35 & 3),
                .move = static_cast<std::uint8_t>(data >> 37 & 255)};
    }
    static std::uint64_t age_of(std::uint64_t data) { return data >> 45 & age_mask; }

    struct Slot {
        std::atomic<std::uint64_t> key{0}, data{0};

        void write(std::uint64_t position, std::uint64_t packed) {
            key.store(position ^ packed, std::memory_order_relaxed);
            data.store(packed, std::memory_order_relaxed);
        }
    };
    struct alignas(64) Bucket {
        std::array<Slot, 4> slots{};
    };

    static constexpr std::align_val_t alignment{std::size_t{1} << 21};  // of a large page
    struct Free {
        void operator()(Bucket* buckets) const { ::operator delete(buckets, alignment); }
    };

    // Asks for large pages: a search reads all over the table, and with small ones it would wait for their addresses as well.
    static std::unique_ptr<Bucket[], Free> allocate(std::size_t count) {
        void* memory = ::operator new(count * sizeof(Bucket), alignment);
#ifdef __linux__
        madvise(memory, count * sizeof(Bucket), MADV_HUGEPAGE);  // advice only: if it is refused, pages are small
#endif
        auto* buckets = static_cast<Bucket*>(memory);
        std::uninitialized_value_construct_n(buckets, count);
        return std::unique_ptr<Bucket[], Free>(buckets);
    }

    std::size_t mask_;
    std::unique_ptr<Bucket[], Free> buckets_;
    std::uint64_t age_ = 0;
};

}  // namespace ludus
