// Randomness as a value: xoshiro256++ (Blackman and Vigna), one stream for each (seed, index).
//
// A stream belongs to a game, never to a worker, so results do not depend on which worker plays which game.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ludus {

// The finaliser of SplitMix64: a bijection that leaves no visible trace of its argument.
constexpr std::uint64_t mix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

class Rng {
public:
    constexpr Rng(std::uint64_t seed, std::uint64_t stream) {
        std::uint64_t word = mix(mix(seed) ^ stream);
        for (std::uint64_t& s : state_) s = word = mix(word);
    }

    constexpr std::uint64_t next() {
        const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t carried = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= carried;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    // A whole number in [0, n), n > 0. The bias is below n / 2^32, far under what any game can show.
    constexpr std::uint32_t below(std::uint32_t n) {
        return static_cast<std::uint32_t>((next() >> 32) * n >> 32);
    }

    // A number in [0, 1) with 24 random bits: every value is exact in float32.
    constexpr float uniform() { return static_cast<float>(next() >> 40) * 0x1p-24F; }

private:
    std::array<std::uint64_t, 4> state_{};
};

// Puts a list in a random order, all of them equally likely.
template <class List>
constexpr void shuffle(List& list, Rng& rng) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[rng.below(static_cast<std::uint32_t>(i))]);
}

}  // namespace ludus
