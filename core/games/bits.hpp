// Members of a set of bits, found without visiting the others.
#pragma once

#include <bit>
#include <cstdint>

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace ludus {

// The index of the bit of `set` that has exactly `n` bits of the set below it; the set has more than n bits.
inline unsigned nth_bit(std::uint64_t set, unsigned n) {
#ifdef __BMI2__
    return static_cast<unsigned>(std::countr_zero(_pdep_u64(std::uint64_t{1} << n, set)));
#else
    for (; n; --n) set &= set - 1;
    return static_cast<unsigned>(std::countr_zero(set));
#endif
}

// The bits of `word` at the places of `mask`, next to each other.
inline std::uint64_t gathered(std::uint64_t word, std::uint64_t mask) {
#ifdef __BMI2__
    return _pext_u64(word, mask);
#else
    std::uint64_t bits = 0;
    for (unsigned n = 0; mask; mask &= mask - 1, ++n) bits |= (word >> std::countr_zero(mask) & 1) << n;
    return bits;
#endif
}

}  // namespace ludus
