// What the files of this folder, the only ones that know Python, share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <utility>
#include <vector>

namespace nb = nanobind;

namespace ludus {

using Input = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Array = nb::ndarray<nb::numpy, float, nb::ndim<1>>;

// A NumPy array that owns its numbers.
inline Array array(std::vector<float> numbers) {
    auto* owned = new std::vector<float>(std::move(numbers));
    const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<float>*>(p); });
    return Array(owned->data(), {owned->size()}, owner);
}

void bind_games(nb::module_& core);
void bind_networks(nb::module_& core);
void bind_searches(nb::module_& core);
void bind_endgames(nb::module_& core);  // after the games, before the searches
void bind_matches(nb::module_& core);   // after the searches
void bind_features(nb::module_& core);  // after the games
void bind_training(nb::module_& core);  // after the matches
void bind_fitting(nb::module_& core);   // after the searches
void bind_batches(nb::module_& core);   // after the games

}  // namespace ludus
