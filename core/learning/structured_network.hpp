// Networks of Tic-Tac-Toe 3D with several structured layers, in training: four detectors on each of the 76 lines, and above them
// one or more layers of groups of nodes, each group joined only to some groups below it; the output node is joined to all.
//
// A group has at most eight nodes, one vector, and a pair of joined groups has a block of weights: a vector for each node of the
// lower group. So the weights that the structure leaves out do not exist. A move changes four to seven lines, and only what is
// joined to them is computed again.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "evaluation/patterns.hpp"
#include "games/tictactoe3d.hpp"
#include "learning/packed_weights.hpp"

namespace ludus::tictactoe3d {

class StructuredNetwork : public PackedWeights {
public:
    using Game = tictactoe3d::Game;
    using Prediction = Position;  // an afterstate, for the side that has just moved
    static constexpr bool always_remembers = false;

    StructuredNetwork(const Network& network, Derivative derivative) : output_(network.layers().back(), derivative) {
        const auto& layers = network.layers();
        if (layers.size() < 3) throw std::invalid_argument("a network of several structured layers has two hidden layers at least");
        std::size_t size = add_lines(layers.front(), derivative);
        for (std::size_t l = 1; l + 1 < layers.size(); ++l) size = add_groups(layers[l], derivative, size);
        out_ = size;
        const Layer& last = layers.back();
        for (std::size_t node = 0; node < last.inputs; ++node) add_place(out_ * lanes + place_of(levels_.back(), node));
        out_bias_ = out_ + levels_.back().groups;
        if (last.bias) add_place(out_bias_ * lanes);
        fill(network.theta(), out_bias_ + 1);
        for (Values* each : {&seen_nets_, &seen_, &nets_, &values_, &deltas_}) {
            for (const Level& level : levels_) each->emplace_back(level.groups);
        }
        for (const Level& level : levels_) changed_.emplace_back(level.groups);
        lists_.resize(levels_.size());
    }

    void look(Position p) { seen_net_ = forward(p.own, p.other, seen_nets_, seen_); }

    // Of the position looked at last.
    void nets(Position p, const Move* moves, std::size_t n, float* to) {
        for (std::size_t m = 0; m < n; ++m) to[m] = net_after(cell_of(p, moves[m]));
    }

    float value(float net) const { return output_.value(net); }

    float learn(Position afterstate, float gamma, float next, const TdStep<Vector>& step) {
        const float y = value(forward(afterstate.other, afterstate.own, nets_, values_)), error = gamma * next - y;
        const float size = factor(step, error) * output_.slope(y);
        // All derivatives before the first change: the list that changes may be that of the weights.
        backward(size);
        std::vector<Vector>& to = begin(step);
        for (std::size_t g = 0; g < levels_.back().groups; ++g) to[out_ + g] += size * values_.back()[g];
        if (output_.bias()) to[out_bias_][0] += size;
        for (std::size_t l = 1; l < levels_.size(); ++l) add_gradient(levels_[l], levels_[l - 1], values_[l - 1], deltas_[l], to);
        add_gradient_of_lines(afterstate, to);
        end(step, error);
        return error;
    }

private:
    using Values = std::vector<std::vector<Vector>>;  // by level and group
    static constexpr std::size_t on_a_line = 4;

    // The nodes of a layer in groups of the same size.
    struct Level {
        std::size_t groups = 0, width = 0;  // width: the nodes of a group
        std::size_t bias = 0, blocks = 0;   // places in the list of weights
        bool has_bias = false;
        float scale = 1, steepness = 1;
        // By the group below: where the list of its blocks begins, and the group of this level that each block leads to.
        std::vector<std::uint32_t> first{}, target{};
    };

    // Where a node lies among the floats of a level.
    static std::size_t place_of(const Level& level, std::size_t node) { return node / level.width * lanes + node % level.width; }

    std::size_t add_lines(const Layer& layer, Derivative derivative) {
        if (layer.inputs != cells || layer.outputs != lines.size() * on_a_line || layer.connections.empty()) {
            throw std::invalid_argument("the network does not have four nodes on each of the 76 lines");
        }
        Level level{.groups = lines.size(), .width = on_a_line, .bias = 0, .blocks = lines.size(), .has_bias = layer.bias,
                    .scale = detail::scale(layer.activation), .steepness = detail::steepness(layer.activation, derivative)};
        for (std::size_t node = 0; node < layer.outputs; ++node) {
            const std::size_t line = node / on_a_line;
            Board board = 0;
            for (const std::uint32_t cell : layer.connections[node]) board |= bit(cell);
            if (board != lines[line]) throw std::invalid_argument("the network does not have four nodes on each of the 76 lines");
            for (std::size_t place = 0; place < 4; ++place) add_place((level.blocks + 4 * line + place) * lanes + node % on_a_line);
            if (layer.bias) add_place(line * lanes + node % on_a_line);
        }
        levels_.push_back(level);
        return level.blocks + 4 * lines.size();
    }

    std::size_t add_groups(const Layer& layer, Derivative derivative, std::size_t size) {
        const Level& below = levels_.back();
        const auto fail = [] { throw std::invalid_argument("a structured layer above the lines has groups of at most 8 nodes, joined to whole groups below"); };
        if (layer.connections.empty()) fail();
        Level level{.has_bias = layer.bias, .scale = detail::scale(layer.activation), .steepness = detail::steepness(layer.activation, derivative)};
        while (level.width < layer.outputs && layer.connections[level.width] == layer.connections[0]) ++level.width;
        if (level.width > lanes || layer.outputs % level.width) fail();
        level.groups = layer.outputs / level.width;
        level.bias = size;
        level.blocks = size + level.groups;
        std::vector<std::vector<std::uint32_t>> targets(below.groups);
        for (std::size_t g = 0; g < level.groups; ++g) {
            const auto& sources = layer.connections[g * level.width];
            for (std::size_t k = 0; k < level.width; ++k) {
                if (layer.connections[g * level.width + k] != sources) fail();
            }
            if (sources.size() % below.width) fail();
            for (std::size_t k = 0; k < sources.size(); ++k) {
                if (sources[k] != sources[k - k % below.width] + k % below.width || sources[k - k % below.width] % below.width) fail();
                if (k % below.width == 0) targets[sources[k] / below.width].push_back(static_cast<std::uint32_t>(g));
            }
        }
        for (const auto& list : targets) {
            level.first.push_back(static_cast<std::uint32_t>(level.target.size()));
            level.target.insert(level.target.end(), list.begin(), list.end());
        }
        level.first.push_back(static_cast<std::uint32_t>(level.target.size()));
        for (std::size_t node = 0; node < layer.outputs; ++node) {
            const auto g = static_cast<std::uint32_t>(node / level.width);
            for (const std::uint32_t source : layer.connections[node]) {
                const std::size_t from = source / below.width;
                const auto begin = level.target.begin() + level.first[from], end = level.target.begin() + level.first[from + 1];
                const auto block = static_cast<std::size_t>(std::find(begin, end, g) - level.target.begin());
                add_place((level.blocks + block * below.width + source % below.width) * lanes + node % level.width);
            }
            if (layer.bias) add_place((level.bias + g) * lanes + node % level.width);
        }
        const std::size_t end = level.blocks + level.target.size() * below.width;
        levels_.push_back(std::move(level));
        return end;
    }

    // Adds what a group below gives, or the change of it, to the net inputs of the groups that it is joined to.
    void spread(const Level& level, std::size_t width, std::size_t from, Vector given, std::vector<Vector>& to) const {
        for (std::size_t b = level.first[from]; b < level.first[from + 1]; ++b) {
            const Vector* block = &weights_[level.blocks + b * width];
            Vector total = given[0] * block[0];
            for (std::size_t k = 1; k < width; ++k) total += given[k] * block[k];
            to[level.target[b]] += total;
        }
    }

    // The output node's net input for the side with the stones `mine`; leaves the nodes in the lists.
    float forward(Board mine, Board theirs, Values& nets, Values& values) const {
        for (std::size_t l = 0; l < levels_.size(); ++l) {
            const Level& level = levels_[l];
            std::copy_n(weights_.begin() + static_cast<std::ptrdiff_t>(level.bias), level.groups, nets[l].begin());
            if (l == 0) {
                add_stones(mine, 1, nets[0]);
                add_stones(theirs, -1, nets[0]);
            } else {
                for (std::size_t g = 0; g < levels_[l - 1].groups; ++g) spread(level, levels_[l - 1].width, g, values[l - 1][g], nets[l]);
            }
            for (std::size_t g = 0; g < level.groups; ++g) values[l][g] = tanh_of(level.scale * nets[l][g]);
        }
        Vector total{};
        for (std::size_t g = 0; g < levels_.back().groups; ++g) total += values.back()[g] * weights_[out_ + g];
        return sum(total) + weights_[out_bias_][0];
    }

    void add_stones(Board stones, float sign, std::vector<Vector>& nets) const {
        for (; stones; stones &= stones - 1) {
            for (const auto [line, place] : crossings[static_cast<std::size_t>(std::countr_zero(stones))]) {
                nets[line] += sign * weights_[levels_[0].blocks + 4U * line + place];
            }
        }
    }

    // The output node's net input when the side to move has put a stone on a cell of the position looked at.
    float net_after(unsigned cell) {
        for (auto& list : lists_) list.clear();
        for (const auto [line, place] : crossings[cell]) {
            nets_[0][line] = seen_nets_[0][line] + weights_[levels_[0].blocks + 4U * line + place];
            lists_[0].push_back(line);
        }
        Vector total{};
        for (std::size_t l = 0; l < levels_.size(); ++l) {
            const Level& level = levels_[l];
            const bool last = l + 1 == levels_.size();
            for (const std::uint32_t g : lists_[l]) {
                const Vector change = tanh_of(level.scale * nets_[l][g]) - seen_[l][g];
                changed_[l][g] = false;
                if (last) {
                    total += change * weights_[out_ + g];
                    continue;
                }
                const Level& above = levels_[l + 1];
                for (std::size_t b = above.first[g]; b < above.first[g + 1]; ++b) {
                    const std::uint32_t target = above.target[b];
                    if (changed_[l + 1][target]) continue;
                    changed_[l + 1][target] = true;
                    nets_[l + 1][target] = seen_nets_[l + 1][target];
                    lists_[l + 1].push_back(target);
                }
                spread(above, level.width, g, change, nets_[l + 1]);
            }
        }
        return seen_net_ + sum(total);
    }

    // The derivative of the output by each node's net input, times `size`, from the values of the last forward pass.
    void backward(float size) {
        for (std::size_t l = levels_.size(); l-- > 0;) {
            const Level& level = levels_[l];
            for (std::size_t g = 0; g < level.groups; ++g) {
                Vector delta{};
                if (l + 1 == levels_.size()) {
                    delta = size * weights_[out_ + g];
                } else {
                    const Level& above = levels_[l + 1];
                    std::array<Vector, lanes> products{};
                    for (std::size_t b = above.first[g]; b < above.first[g + 1]; ++b) {
                        const Vector* block = &weights_[above.blocks + b * level.width];
                        const Vector upper = deltas_[l + 1][above.target[b]];
                        for (std::size_t k = 0; k < level.width; ++k) products[k] += block[k] * upper;
                    }
                    for (std::size_t k = 0; k < level.width; ++k) delta[k] = sum(products[k]);
                }
                deltas_[l][g] = delta * detail::slope(level.steepness, values_[l][g]);
            }
        }
    }

    static void add_gradient(const Level& level, const Level& below, const std::vector<Vector>& values, const std::vector<Vector>& deltas, std::vector<Vector>& to) {
        if (level.has_bias) {
            for (std::size_t g = 0; g < level.groups; ++g) to[level.bias + g] += deltas[g];
        }
        for (std::size_t from = 0; from < below.groups; ++from) {
            const Vector given = values[from];
            for (std::size_t b = level.first[from]; b < level.first[from + 1]; ++b) {
                Vector* block = &to[level.blocks + b * below.width];
                const Vector delta = deltas[level.target[b]];
                for (std::size_t k = 0; k < below.width; ++k) block[k] += given[k] * delta;
            }
        }
    }

    void add_gradient_of_lines(Position afterstate, std::vector<Vector>& to) const {
        const Level& level = levels_[0];
        if (level.has_bias) {
            for (std::size_t g = 0; g < level.groups; ++g) to[level.bias + g] += deltas_[0][g];
        }
        for (Board left = afterstate.occupied(); left; left &= left - 1) {
            const auto cell = static_cast<unsigned>(std::countr_zero(left));
            const float sign = afterstate.other & bit(cell) ? 1.0F : -1.0F;
            for (const auto [line, place] : crossings[cell]) to[level.blocks + 4U * line + place] += sign * deltas_[0][line];
        }
    }

    detail::OutputNode output_;
    std::vector<Level> levels_;
    std::size_t out_ = 0, out_bias_ = 0;

    // The position looked at last.
    Values seen_nets_, seen_;
    float seen_net_ = 0;

    // What is being valued.
    Values nets_, values_, deltas_;
    std::vector<std::vector<std::uint8_t>> changed_;
    std::vector<std::vector<std::uint32_t>> lists_;  // of the groups that a move changes, by level
};

}  // namespace ludus::tictactoe3d
