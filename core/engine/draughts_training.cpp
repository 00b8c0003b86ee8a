// The training of draughts.
#include "engine/training_kinds.hpp"
#include "learning/row_network.hpp"

namespace ludus {

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
