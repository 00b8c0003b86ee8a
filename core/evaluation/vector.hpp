// Eight floats at a time, in the vector type of GCC and Clang: the same code on AVX, NEON or none of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#ifdef __AVX__
#include <immintrin.h>
#endif

namespace ludus {

using Vector = float __attribute__((vector_size(32)));
using Integers = std::int32_t __attribute__((vector_size(32)));
constexpr std::size_t lanes = 8;

// The instructions that this build was compiled for. Builds for others add floats in other orders, and give other bits.
constexpr std::string_view instruction_set =
#if defined(__AVX512F__)
    "x86-64 avx512";
#elif defined(__AVX2__)
    "x86-64 avx2";
#elif defined(__AVX__)
    "x86-64 avx";
#elif defined(__x86_64__)
    "x86-64";
#elif defined(__ARM_FEATURE_SVE)
    "arm64 sve";
#elif defined(__aarch64__)
    "arm64 neon";
#else
    "other";
#endif

// The number of vectors that hold n floats.
constexpr std::size_t vectors(std::size_t n) { return (n + lanes - 1) / lanes; }

// Calls work(first, n) for a list of vectors cut into pieces of n, a constant of at most 8: what registers hold.
template <class Work>
void for_pieces(std::size_t width, Work work) {
    std::size_t first = 0;
    for (; first + 8 <= width; first += 8) work(first, std::integral_constant<std::size_t, 8>());
    [&]<std::size_t... n>(std::index_sequence<n...>) {
        (void)((width - first == n + 1 && (work(first, std::integral_constant<std::size_t, n + 1>()), true)) || ...);
    }(std::make_index_sequence<7>());
}

inline float sum(Vector v) { return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7])); }

// x, or the limit it passes. GCC sees the instruction for it only when it is named.
constexpr float at_most(float x, float limit) { return x > limit ? limit : x; }
constexpr float at_least(float x, float limit) { return x < limit ? limit : x; }
#ifdef __AVX__
inline Vector at_most(Vector x, Vector limit) { return _mm256_min_ps(limit, x); }
inline Vector at_least(Vector x, Vector limit) { return _mm256_max_ps(limit, x); }
#else
inline Vector at_most(Vector x, Vector limit) { return x > limit ? limit : x; }
inline Vector at_least(Vector x, Vector limit) { return x < limit ? limit : x; }
#endif

// tanh as an odd rational function, fitted to an error below 7e-7 everywhere (tests/core/test_network.cpp measures it).
// Beyond the clamp tanh is 1 within the same error.
template <class T>  // float or Vector
[[gnu::always_inline]] constexpr T tanh_of(T x) {
    const T most = T{} + 8.6F, one = T{} + 1.0F;
    x = at_least(at_most(x, most), -most);
    const T u = x * x;
    const T top = ((((-5.343564e-09F * u + 6.6863813e-06F) * u + 2.6295064e-03F) * u + 1.264474e-01F) * u + 9.9999833e-01F) * x;
    const T bottom = ((1.8835661e-04F * u + 2.256048e-02F) * u + 4.5977488e-01F) * u + one;
    return at_least(at_most(top / bottom, one), -one);
}

}  // namespace ludus
