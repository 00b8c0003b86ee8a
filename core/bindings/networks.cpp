// Networks and encoders for Python.
#include "bindings.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "evaluation/encoders.hpp"
#include "evaluation/features.hpp"
#include "evaluation/network.hpp"
#include "evaluation/vector.hpp"

using namespace nb::literals;

namespace ludus {
namespace {

using Batch = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void check_inputs(const Network& network, std::size_t given) {
    if (given != network.inputs()) {
        throw std::invalid_argument("this network has " + std::to_string(network.inputs()) + " inputs, not " + std::to_string(given));
    }
}

// A NumPy array with a row of numbers for each position; `encode(position, row)` fills it.
template <std::size_t width, class Position, class Encode>
nb::ndarray<nb::numpy, float, nb::ndim<2>> rows_of(const std::vector<Position>& positions, Encode encode) {
    auto* numbers = new std::vector<float>(positions.size() * width);
    const nb::capsule owner(numbers, [](void* p) noexcept { delete static_cast<std::vector<float>*>(p); });
    for (std::size_t i = 0; i < positions.size(); ++i) encode(positions[i], std::span<float, width>(numbers->data() + i * width, width));
    return {numbers->data(), {positions.size(), width}, owner};
}

}  // namespace

void bind_networks(nb::module_& core) {
    core.attr("INSTRUCTION_SET") = instruction_set.data();
    nb::enum_<Activation>(core, "Activation", "What a node makes of its net input.")
        .value("TANH", Activation::tanh)
        .value("LOGISTIC", Activation::logistic, "The logistic function scaled to [-1, 1]: tanh(x / 2).")
        .value("LINEAR", Activation::linear);

    nb::class_<Layer>(core, "Layer", "The nodes of one layer and where their inputs come from.")
        .def("__init__", [](Layer* self, std::size_t inputs, std::size_t outputs, Activation activation, bool bias,
                            std::vector<std::vector<std::uint32_t>> connections) {
            Layer layer{.inputs = inputs, .outputs = outputs, .activation = activation, .bias = bias, .connections = std::move(connections)};
            layer.check();
            new (self) Layer(std::move(layer));
        }, "inputs"_a, "outputs"_a, "activation"_a = Activation::tanh, "bias"_a = true, "connections"_a = std::vector<std::vector<std::uint32_t>>{},
             "`connections` lists the inputs of each node of a structured layer; without it every node has all inputs.")
        .def_ro("inputs", &Layer::inputs)
        .def_ro("outputs", &Layer::outputs)
        .def_ro("activation", &Layer::activation)
        .def_ro("bias", &Layer::bias)
        .def_ro("connections", &Layer::connections)
        .def_prop_ro("weights", &Layer::weights, "The number of its weights and biases.");

    nb::class_<Network>(core, "Network", "Layers and one flat vector theta of their weights, node by node, each node's bias last.")
        .def("__init__", [](Network* self, std::vector<Layer> layers, const Input& theta) {
            new (self) Network(std::move(layers), std::vector<float>(theta.data(), theta.data() + theta.size()));
        }, "layers"_a, "theta"_a)
        .def_prop_ro("layers", &Network::layers)
        .def_prop_ro("theta", [](const Network& network) { return array(network.theta()); }, nb::rv_policy::reference, "A copy of the weights.")  // its owner comes with it
        .def("value", [](const Network& network, const Input& inputs, float direct) {
            check_inputs(network, inputs.size());
            return network.value({inputs.data(), inputs.size()}, direct);
        }, "inputs"_a, "direct"_a = 0.0F, "The output; `direct` is added to the output node as it is.")
        .def("values", [](const Network& network, const Batch& inputs) {
            check_inputs(network, inputs.shape(1));
            std::vector<float> values(inputs.shape(0));
            {
                const nb::gil_scoped_release release;
                for (std::size_t i = 0; i < values.size(); ++i) values[i] = network.value({inputs.data() + i * inputs.shape(1), inputs.shape(1)});
            }
            return array(std::move(values));
        }, "inputs"_a, "The outputs for each row of inputs.")
        .def("gradient", [](const Network& network, const Input& inputs, float direct) {
            check_inputs(network, inputs.size());
            std::vector<float> gradient(network.theta().size());
            const float value = network.gradient({inputs.data(), inputs.size()}, gradient, direct);
            return std::pair{value, array(std::move(gradient))};
        }, "inputs"_a, "direct"_a = 0.0F, "The output, and its derivative by each weight of theta.");

    nb::module_ draughts_module = nb::cast<nb::module_>(core.attr("draughts"));
    draughts_module.def("encode_squares", [](draughts::Position afterstate, float king) {
        std::vector<float> inputs(32);
        draughts::encode_squares(afterstate, king, std::span<float>(inputs).subspan<0, 32>());
        return array(std::move(inputs));
    }, "afterstate"_a, "king"_a, "squares32: own man 1, own king `king`, the opponent's negative, for the side that has just moved.");
    draughts_module.def("encode_subsquares", [](draughts::Position afterstate, float king) {
        std::vector<float> inputs(91);
        draughts::encode_subsquares(afterstate, king, std::span<float>(inputs).subspan<0, 91>());
        return array(std::move(inputs));
    }, "afterstate"_a, "king"_a, "subsquares91: the sums of squares32 over the 91 sub-squares, 3x3 first.");
    draughts_module.def("squares", [](const std::vector<draughts::Position>& positions, float king) {
        return rows_of<32>(positions, [&](draughts::Position p, std::span<float, 32> row) { draughts::encode_squares(draughts::seen_by_other(p), king, row); });
    }, "positions"_a, "king"_a = 1.5F,
       "A row of 32 numbers for each position: own man 1, own king `king`, the opponent's negative. Seen by the side to move, whose men start on the first squares.");
    draughts_module.def("piece_difference", &draughts::piece_difference, "afterstate"_a, "king"_a,
                        "The worth of the pieces of the side that has just moved, less the opponent's.");
    draughts_module.def("subsquares", [] { return draughts::subsquares(); }, "The squares, 0 to 31, of each of the 91 sub-squares.");
    nb::module_ tictactoe3d_module = nb::cast<nb::module_>(core.attr("tictactoe3d"));
    tictactoe3d_module.def("encode_cells", [](tictactoe3d::Position afterstate) {
        std::vector<float> inputs(64);
        tictactoe3d::encode_cells(afterstate, std::span<float>(inputs).subspan<0, 64>());
        return array(std::move(inputs));
    }, "afterstate"_a, "cells64: own stone 1, the opponent's -1, for the side that has just moved.");
    tictactoe3d_module.def("cells", [](const std::vector<tictactoe3d::Position>& positions) {
        return rows_of<64>(positions, [](tictactoe3d::Position p, std::span<float, 64> row) {
            tictactoe3d::encode_cells({.own = p.other, .other = p.own}, row);
        });
    }, "positions"_a, "A row of 64 numbers for each position: own stone 1, the opponent's -1. Seen by the side to move.");
    tictactoe3d_module.def("encode_patterns", [](tictactoe3d::Position afterstate, bool symmetric) {
        return array(tictactoe3d::encode_patterns(afterstate, symmetric));
    }, "afterstate"_a, "symmetric"_a, "How often each pattern of the lines is there, for the side that has just moved.");
    tictactoe3d_module.def("pattern_inputs", [](bool symmetric) { return tictactoe3d::pattern_table(symmetric).inputs; }, "symmetric"_a,
                           "The number of different patterns of the lines, or of their classes under the board's symmetries.");
}

}  // namespace ludus
