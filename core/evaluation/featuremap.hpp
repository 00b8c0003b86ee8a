// NET-FEATUREMAP: the 28 features of an afterstate as network inputs of 0 and 1, and as attributes of a Kohonen map.
//
// A feature takes 1 to 4 inputs, its value's bits with the least significant first. The first 12 features make the
// 38 inputs of NeuroDraughts and VisionDraughts, all 28 make 83, and LS-Draughts picks any set of them: the inputs of
// a set are those of its features, one after another in the table's order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "evaluation/features.hpp"

namespace ludus::draughts {

enum class Feature : unsigned {
    piece_advantage,
    piece_disadvantage,
    piece_threat,
    piece_take,
    advancement,
    double_diagonal,
    back_row_bridge,
    centre_control,
    x_centre_control,
    total_mobility,
    exposure,
    king_centre_control,
    diagonal_moment,
    apex,
    cramp,
    denial_of_occupancy,
    dyke,
    exchange,
    fork,
    gap,
    back_row_control,
    hole,
    undenied_mobility,
    node,
    triangle_of_oreo,
    pole,
    threat,
    taken,
};

// How a value becomes bits. `clean` cuts it to what its bits can hold; `faithful` does what the lineage's programs do.
enum class Coding { clean, faithful };

// A row of the table; the last three columns are the peculiarities of the faithful coding.
struct FeatureCode {
    std::string_view name;
    unsigned bits;
    int shift = 0;                                     // added to the value first
    int bit0_above = std::numeric_limits<int>::max();  // above this the lowest bit is on
    bool bit0_for_1_only = false;                      // the lowest bit is on for 1 and for nothing else
};

constexpr std::array<FeatureCode, 28> feature_codes{{
    {.name = "PieceAdvantage", .bits = 4},
    {.name = "PieceDisadvantage", .bits = 4, .bit0_for_1_only = true},
    {.name = "PieceThreat", .bits = 3, .bit0_above = 7},
    {.name = "PieceTake", .bits = 3, .bit0_above = 7},
    {.name = "Advancement", .bits = 3, .shift = 8, .bit0_for_1_only = true},
    {.name = "DoubleDiagonal", .bits = 4},
    {.name = "BackRowBridge", .bits = 1},
    {.name = "CentreControl", .bits = 3, .shift = -1},
    {.name = "XCentreControl", .bits = 3, .shift = -1},
    {.name = "TotalMobility", .bits = 4, .bit0_above = 15},
    {.name = "Exposure", .bits = 3, .bit0_above = 7},
    {.name = "KingCentreControl", .bits = 3, .shift = -1},
    {.name = "DiagonalMoment", .bits = 4},
    {.name = "Apex", .bits = 1},
    {.name = "Cramp", .bits = 2},
    {.name = "DenialOfOccupancy", .bits = 4, .bit0_above = 15},
    {.name = "Dyke", .bits = 3, .bit0_above = 7},
    {.name = "Exchange", .bits = 4},
    {.name = "Fork", .bits = 3},
    {.name = "Gap", .bits = 4, .bit0_above = 7},
    {.name = "BackRowControl", .bits = 1},
    {.name = "Hole", .bits = 3, .bit0_above = 7},
    {.name = "UndeniedMobility", .bits = 3, .bit0_above = 15},
    {.name = "Node", .bits = 3, .bit0_above = 7},
    {.name = "TriangleOfOreo", .bits = 1},
    {.name = "Pole", .bits = 3, .bit0_above = 7},
    {.name = "Threat", .bits = 3, .bit0_above = 7},
    {.name = "Taken", .bits = 3, .bit0_above = 7},
}};

constexpr const FeatureCode& code(Feature feature) { return feature_codes[static_cast<std::size_t>(feature)]; }

// The bits of a value. When faithful, a value of 0 or less turns all bits off and a large one loses its high bits.
constexpr unsigned coded(const FeatureCode& feature, int value, Coding coding) {
    const unsigned most = (1U << feature.bits) - 1;
    if (coding == Coding::clean) return static_cast<unsigned>(std::clamp(value, 0, static_cast<int>(most)));
    const int shifted = value + feature.shift;
    if (shifted <= 0) return 0;
    unsigned bits = static_cast<unsigned>(shifted) & most;
    if (feature.bit0_for_1_only) bits = (bits & ~1U) | (shifted == 1);
    if (shifted > feature.bit0_above) bits |= 1;
    return bits;
}

// A choice from the table: feature i is in it if bit i of the mask is on.
struct FeatureSet {
    std::uint32_t mask;

    constexpr bool has(Feature feature) const { return mask >> static_cast<unsigned>(feature) & 1; }
    constexpr std::size_t inputs() const {
        std::size_t sum = 0;
        for (std::size_t i = 0; i < feature_codes.size(); ++i) sum += mask >> i & 1 ? feature_codes[i].bits : 0;
        return sum;
    }

    friend constexpr bool operator==(FeatureSet, FeatureSet) = default;
};

constexpr FeatureSet featuremap12{(1U << 12) - 1};
constexpr FeatureSet featuremap28{(1U << 28) - 1};
static_assert(featuremap12.inputs() == 38 && featuremap28.inputs() == 83);

// The set of a mask that comes from outside. Throws std::invalid_argument.
inline FeatureSet feature_set(std::uint32_t mask) {
    if (mask == 0 || mask > featuremap28.mask) {
        throw std::invalid_argument("a set of features is a mask of 28 bits and not empty, feature 1 lowest; got " + std::to_string(mask));
    }
    return {mask};
}

constexpr Coding coding(bool faithful) { return faithful ? Coding::faithful : Coding::clean; }

// Calls `visit(feature, value)` for the features of `set`, in the table's order, and computes no others.
// Always inlined, so that a set known to the compiler costs no questions.
template <class Visit>
[[gnu::always_inline]] constexpr void for_each_feature(Position afterstate, FeatureSet set, Visit&& visit) {
    const Position active = afterstate, passive = seen_by_other(afterstate);
    const Reach reach = steps(active);
    const Board mobility = reach.any();
    const Reach active_open = openings(active), passive_open = openings(passive);
    const int ahead = material_difference(passive);
    const bool offering =
        set.has(Feature::denial_of_occupancy) || set.has(Feature::exchange) || set.has(Feature::undenied_mobility);
    const Offers offer = offering ? offers(active, reach) : Offers{};

    const auto give = [&](Feature feature, auto value) __attribute__((always_inline)) {
        if (set.has(feature)) visit(feature, static_cast<int>(value()));
    };
    give(Feature::piece_advantage, [&] { return std::max(0, ahead); });
    give(Feature::piece_disadvantage, [&] { return std::max(0, -ahead); });
    give(Feature::piece_threat, [&] { return jumpers(active, active_open); });
    give(Feature::piece_take, [&] { return jumpers(passive, passive_open); });
    give(Feature::advancement, [&] { return advancement(passive); });
    give(Feature::double_diagonal, [&] { return double_diagonal(passive); });
    give(Feature::back_row_bridge, [&] { return back_row_bridge(passive); });
    give(Feature::centre_control, [&] { return centre_control(passive); });
    give(Feature::x_centre_control, [&] { return x_centre_control(active, mobility); });
    give(Feature::total_mobility, [&] { return std::popcount(mobility); });
    give(Feature::exposure, [&] { return exposure(passive); });
    give(Feature::king_centre_control, [&] { return king_centre_control(passive); });
    give(Feature::diagonal_moment, [&] { return diagonal_moment(passive); });
    give(Feature::apex, [&] { return apex(passive); });
    give(Feature::cramp, [&] { return cramp(passive); });
    give(Feature::denial_of_occupancy, [&] { return std::popcount(offer.denied); });
    give(Feature::dyke, [&] { return dykes(passive); });
    give(Feature::exchange, [&] { return std::popcount(offer.exchanged); });
    give(Feature::fork, [&] { return forks(active, active_open); });
    give(Feature::gap, [&] { return gaps(passive); });
    give(Feature::back_row_control, [&] { return back_row_control(passive); });
    give(Feature::hole, [&] { return holes(passive); });
    give(Feature::undenied_mobility, [&] { return std::popcount(mobility & ~offer.denied); });
    give(Feature::node, [&] { return nodes(passive); });
    give(Feature::triangle_of_oreo, [&] { return triangle_of_oreo(passive); });
    give(Feature::pole, [&] { return poles(passive); });
    give(Feature::threat, [&] { return threats(active, reach, active_open); });
    give(Feature::taken, [&] { return threats(passive, steps(passive), passive_open); });
}

using FeatureValues = std::array<int, 28>;

constexpr FeatureValues raw_features(Position afterstate) {
    FeatureValues values{};
    for_each_feature(afterstate, featuremap28,
                     [&](Feature feature, int value) { values[static_cast<std::size_t>(feature)] = value; });
    return values;
}

// Inputs of 0 and 1, a bit each: a first layer is the sum of the weight rows of the inputs that are on.
class PackedInputs {
public:
    constexpr void append(unsigned bits, unsigned count) {
        const unsigned at = size_ % 64;
        words_[size_ / 64] |= std::uint64_t{bits} << at;
        if (at + count > 64) words_[1] |= std::uint64_t{bits} >> (64 - at);
        size_ += count;
    }

    constexpr std::size_t size() const { return size_; }
    constexpr bool operator[](std::size_t i) const { return words_[i / 64] >> i % 64 & 1; }
    constexpr const std::array<std::uint64_t, 2>& words() const { return words_; }

    // Calls `visit(i)` for every input that is on, in ascending order.
    template <class Visit>
    constexpr void for_each_on(Visit&& visit) const {
        for (std::size_t w = 0; w < 2; ++w) {
            for (std::uint64_t word = words_[w]; word; word &= word - 1) {
                visit(64 * w + static_cast<std::size_t>(std::countr_zero(word)));
            }
        }
    }

    friend constexpr bool operator==(const PackedInputs&, const PackedInputs&) = default;

private:
    std::array<std::uint64_t, 2> words_{};
    unsigned size_ = 0;
};

// The inputs of a set of features; with a set that the compiler knows, pack(p, featuremap12, ...), only its own work.
[[gnu::always_inline]] constexpr PackedInputs pack(Position afterstate, FeatureSet set, Coding coding) {
    PackedInputs inputs;
    for_each_feature(afterstate, set, [&](Feature feature, int value) __attribute__((always_inline)) {
        inputs.append(coded(code(feature), value, coding), code(feature).bits);
    });
    return inputs;
}

// The same as numbers; `inputs` holds set.inputs() of them.
constexpr void encode(Position afterstate, FeatureSet set, Coding coding, std::span<float> inputs) {
    const PackedInputs packed = pack(afterstate, set, coding);
    for (std::size_t i = 0; i < packed.size(); ++i) inputs[i] = packed[i];
}

// What a Kohonen map is given of each feature: whether its value is above 0 (the paper), the value (a later paper), or the
// value as a share of the largest that its bits can hold, so that no feature outweighs the others by its unit.
enum class Attributes { binary, count, scaled };

constexpr std::array<float, 28> attributes(Position afterstate, Attributes kind) {
    const FeatureValues values = raw_features(afterstate);
    std::array<float, 28> result{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        result[i] = static_cast<float>(kind == Attributes::binary ? values[i] > 0 : values[i]);
        if (kind == Attributes::scaled) result[i] /= static_cast<float>((1U << feature_codes[i].bits) - 1);
    }
    return result;
}

}  // namespace ludus::draughts
