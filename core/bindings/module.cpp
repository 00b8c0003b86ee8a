// The extension module ludus._core.
#include "bindings.hpp"

NB_MODULE(_core, core) {
    core.doc() = "The C++ core of Ludus. Use it through ludus.games and its neighbours.";
    ludus::bind_games(core);
    ludus::bind_networks(core);
    ludus::bind_searches(core);
    ludus::bind_features(core);
    ludus::bind_matches(core);
}
