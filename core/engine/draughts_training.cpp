// The training of draughts.
#include <cmath>
#include <utility>

#include "endgames/probe.hpp"
#include "engine/training_kinds.hpp"
#include "learning/row_network.hpp"

namespace ludus {

KnownValue<draughts::Game> table_values(std::shared_ptr<const endgames::Tables> tables, float gamma) {
    const auto prober = std::make_shared<endgames::Prober>(std::move(tables), 1);
    return [prober, gamma](draughts::Position position) -> std::optional<float> {
        if (!prober->covers(position)) return std::nullopt;
        const auto result = prober->result(position);
        if (!result) return std::nullopt;
        if (*result == endgames::Result::draw) return 0.0F;
        const float size = std::pow(gamma, static_cast<float>(prober->distance(position).value_or(0)) / 2);
        return *result == endgames::Result::win ? size : -size;
    };
}

std::unique_ptr<TrainableNetwork<draughts::Game>> make_trainable_board(const Network& network, float king, bool difference, Derivative derivative) {
    using draughts::BoardInputs;
    return std::make_unique<TrainableNetworkOf<RowNetwork<BoardInputs>>>(network, BoardInputs(network.inputs() == 91, king, difference), derivative);
}

std::unique_ptr<TrainableNetwork<draughts::Game>> make_trainable_features(const Network& network, draughts::FeatureSet set, draughts::Coding coding,
                                                                         Derivative derivative) {
    using draughts::FeatureInputs;
    return std::make_unique<TrainableNetworkOf<RowNetwork<FeatureInputs>>>(network, FeatureInputs(set, coding), derivative);
}

template TrainedGame play_training_game(Evaluator<draughts::Game>&, const Network&, const MatchSide<draughts::Game>&, const MatchSide<draughts::Game>&,
                                        const TrainingGame<draughts::Game>&);

}  // namespace ludus
