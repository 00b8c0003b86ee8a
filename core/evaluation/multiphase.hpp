// The team of MP-Draughts: a generalist for most of the game, and specialists for the endgame that a Kohonen map chooses from.
//
// The map has points, its units, in the space of NET-FEATUREMAP's attributes. The specialist of the nearest unit evaluates, or the
// generalist if that unit has no specialist. Which member evaluates depends on the game so far and on nothing else, and does not
// change within a search.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "evaluation/draughts_evaluators.hpp"

namespace ludus::draughts {

// When the map is asked: at the first own turn of the endgame (the paper), or at every own turn of it (later papers).
enum class Dynamics { once, always };

// A map as a player keeps it: the units that had boards in training, and no others.
class SpecialistMap {
public:
    // `weights` holds one unit after another, a number for each attribute of the set.
    SpecialistMap(std::vector<float> weights, FeatureSet set, Attributes kind)
        : weights_(std::move(weights)), set_(set), width_(static_cast<std::size_t>(std::popcount(set.mask))), kind_(kind) {
        if (weights_.empty() || weights_.size() % width_) throw std::invalid_argument("the map's units do not fit its attributes");
    }

    std::size_t units() const { return weights_.size() / width_; }

    // The attributes of a position that the map is given, in the order of the set.
    std::vector<float> attributes(Position position) const {
        const auto all = draughts::attributes(position, kind_);
        std::vector<float> chosen;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (set_.mask >> i & 1) chosen.push_back(all[i]);
        }
        return chosen;
    }

    // The squared Euclidean distances of the units.
    std::vector<double> distances(Position position) const {
        const std::vector<float> point = attributes(position);
        std::vector<double> sums(units(), 0.0);
        for (std::size_t unit = 0; unit < sums.size(); ++unit) {
            for (std::size_t i = 0; i < width_; ++i) {
                const double difference = static_cast<double>(point[i]) - static_cast<double>(weights_[unit * width_ + i]);
                sums[unit] += difference * difference;
            }
        }
        return sums;
    }

    // The first of the nearest.
    std::size_t nearest(Position position) const {
        const std::vector<double> far = distances(position);
        return static_cast<std::size_t>(std::min_element(far.begin(), far.end()) - far.begin());
    }

private:
    std::vector<float> weights_;  // [units][width]
    FeatureSet set_;
    std::size_t width_;
    Attributes kind_;
};

// Which member of a team evaluates, and why.
struct MemberChoice {
    std::size_t member = 0;            // 0 is the generalist, then the specialists in order
    std::optional<Position> position;  // that the map was asked about; none before the endgame
    std::vector<float> attributes;     // of that position, as the map was given them
    std::vector<double> distances;     // the squared distances of the map's units
};

class Team {
public:
    using Game = draughts::Game;

    // The generalist is the first member. `speakers` has the index of the member that evaluates for each unit of the map.
    Team(std::vector<FeatureNetwork> members, SpecialistMap map, std::vector<std::size_t> speakers, int pieces, Dynamics dynamics)
        : members_(std::move(members)), map_(std::move(map)), speakers_(std::move(speakers)), pieces_(pieces), dynamics_(dynamics) {
        if (speakers_.size() != map_.units()) throw std::invalid_argument("each unit of a map has one member of the team that speaks for it");
        if (std::ranges::any_of(speakers_, [&](std::size_t i) { return i >= members_.size(); })) throw std::invalid_argument("a unit's member is not in the team");
        if (pieces < 0 || pieces > 24) throw std::invalid_argument("an endgame has at most 0 to 24 pieces");
    }

    // The member that evaluates for the side to move in a game of these positions: 0 is the generalist.
    std::size_t member_index(std::span<const Position> game) const {
        const auto position = asked_position(game);
        return position ? speakers_[map_.nearest(*position)] : 0;
    }

    // The same with what led to it.
    MemberChoice choice(std::span<const Position> game) const {
        MemberChoice choice{.member = member_index(game), .position = asked_position(game), .attributes = {}, .distances = {}};
        if (choice.position) {
            choice.attributes = map_.attributes(*choice.position);
            choice.distances = map_.distances(*choice.position);
        }
        return choice;
    }

    const FeatureNetwork& member(std::size_t index) const { return members_[index]; }

private:
    // The position about which the side to move asks the map; none before the endgame.
    std::optional<Position> asked_position(std::span<const Position> game) const {
        const Position now = game.back();
        if (!is_endgame(now)) return std::nullopt;
        if (dynamics_ == Dynamics::always) return now;
        return *std::ranges::find_if(game, [&](Position p) { return p.turn == now.turn && is_endgame(p); });
    }

    bool is_endgame(Position p) const { return std::popcount(p.own | p.other) <= pieces_; }

    std::vector<FeatureNetwork> members_;
    SpecialistMap map_;
    std::vector<std::size_t> speakers_;  // the member of each unit
    int pieces_;  // an endgame has at most this many
    Dynamics dynamics_;
};

// One member of a team as an evaluator; which one can change from search to search.
struct TeamMember : Stateless<Game> {
    const FeatureNetwork* member = nullptr;

    float value(const State&, Position afterstate) const { return member->value({}, afterstate); }
};

}  // namespace ludus::draughts
