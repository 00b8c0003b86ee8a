// The extension module ludus._core.
#include "bindings.hpp"

NB_MODULE(_core, core) {
#ifndef __SANITIZE_ADDRESS__
    // At exit nanobind reports what is still alive as a mistake of ours. It is not: pytest, hypothesis and notebooks keep
    // modules and the last traceback to the end, and people should not read about it. `make fuzz`, without them, still asks.
    nb::set_leak_warnings(false);
#endif
    core.doc() = "The C++ core of Ludus. Use it through ludus.games and its neighbours.";
    ludus::bind_games(core);
    ludus::bind_endgames(core);
    ludus::bind_networks(core);
    ludus::bind_searches(core);
    ludus::bind_features(core);
    ludus::bind_matches(core);
    ludus::bind_training(core);
    ludus::bind_fitting(core);
    ludus::bind_batches(core);
}
