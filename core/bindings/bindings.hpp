// What the files of this folder, the only ones that know Python, say to each other.
#pragma once

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace ludus {

void bind_games(nb::module_& core);
void bind_networks(nb::module_& core);
void bind_searches(nb::module_& core);
void bind_matches(nb::module_& core);   // after the searches
void bind_lessons(nb::module_& core);   // after the searches
void bind_features(nb::module_& core);  // after the games
void bind_td(nb::module_& core);        // after the searches

}  // namespace ludus
