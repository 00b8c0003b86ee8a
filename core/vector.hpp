// Eight floats at a time, in the vector type of GCC and Clang: the same code on AVX, NEON or none of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ludus {

using Vector = float __attribute__((vector_size(32)));
using Integers = std::int32_t __attribute__((vector_size(32)));
constexpr std::size_t lanes = 8;

// The number of vectors that hold n floats.
constexpr std::size_t vectors(std::size_t n) { return (n + lanes - 1) / lanes; }

inline float sum(Vector v) { return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7])); }

// tanh as an odd rational function, fitted to an error below 7e-7 everywhere (tests/core/test_network.cpp measures it).
// Beyond the clamp tanh is 1 within the same error.
template <class T>  // float or Vector
constexpr T tanh_of(T x) {
    const T most = T{} + 8.6F, one = T{} + 1.0F;
    x = x > most ? most : x;
    x = x < -most ? -most : x;
    const T u = x * x;
    const T top = ((((-5.343564e-09F * u + 6.6863813e-06F) * u + 2.6295064e-03F) * u + 1.264474e-01F) * u + 9.9999833e-01F) * x;
    const T bottom = ((1.8835661e-04F * u + 2.256048e-02F) * u + 4.5977488e-01F) * u + one;
    const T y = top / bottom;
    const T capped = y > one ? one : y;
    return capped < -one ? -one : capped;
}

}  // namespace ludus
