// The features of NET-FEATUREMAP for Python, in the submodule of draughts.
#include "bindings.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "evaluation/featuremap.hpp"

using namespace nb::literals;

namespace ludus {
namespace {

using namespace draughts;

template <class Value>
nb::dict by_name(Value value) {
    nb::dict dict;
    for (std::size_t i = 0; i < feature_codes.size(); ++i) dict[nb::str(feature_codes[i].name.data())] = value(i);
    return dict;
}

std::vector<float> encode_features(Position afterstate, std::uint32_t chosen, bool faithful) {
    const FeatureSet set = feature_set(chosen);
    std::vector<float> inputs(set.inputs());
    encode(afterstate, set, coding(faithful), inputs);
    return inputs;
}

}  // namespace

void bind_features(nb::module_& core) {
    nb::module_ module = nb::cast<nb::module_>(core.attr("draughts"));
    module.attr("FEATUREMAP12") = featuremap12.mask;
    module.attr("FEATUREMAP28") = featuremap28.mask;
    module.def("feature_bits", [] { return by_name([](std::size_t i) { return feature_codes[i].bits; }); },
               "The features of NET-FEATUREMAP by name, in order, with the inputs that each takes.",
               nb::sig("def feature_bits() -> dict[str, int]"));
    module.def("features", [](Position afterstate) {
        const FeatureValues values = raw_features(afterstate);
        return by_name([&](std::size_t i) { return values[i]; });
    }, "afterstate"_a, "The raw values of the 28 features, for the side that has just moved: pass the position after its move.",
               nb::sig("def features(afterstate: Position) -> dict[str, int]"));
    module.def("encode_features", &encode_features, "afterstate"_a, "chosen"_a = featuremap28.mask, nb::kw_only(),
               "faithful"_a = false,
               "The network inputs, 0 or 1, of the features whose bits are on in the mask `chosen`, feature 1 lowest. "
               "`faithful` codes large and negative values as the lineage's programs do instead of cutting them off.");
    nb::enum_<Attributes>(module, "Attributes", "What a Kohonen map is given of each feature.")
        .value("BINARY", Attributes::binary, "Whether its value is above 0.")
        .value("COUNT", Attributes::count, "Its value.")
        .value("SCALED", Attributes::scaled, "Its value as a share of the largest that its bits can hold.");
    module.def("attributes", &attributes, "afterstate"_a, "kind"_a = Attributes::binary,
               "The 28 attributes that a Kohonen map is given of the side that has just moved.");
    module.def("corner_credit", &corner_credit, "afterstate"_a, "Samuel's CORN, for the side that has just moved.");
    module.def("the_move", [](Position afterstate) { return the_move(seen_by_other(afterstate)); }, "afterstate"_a,
               "Samuel's MOVE, for the side that has just moved.");
}

}  // namespace ludus
