// The training loops of draughts, compiled apart from the others and from the bindings.
#include "engine/pupils.hpp"

namespace ludus {

std::unique_ptr<Pupil<draughts::Game>> make_board_pupil(const Network& network, float king, bool difference, Derivative derivative) {
    using draughts::BoardInputs;
    return std::make_unique<PupilOf<RowPupil<BoardInputs>>>(network, BoardInputs(network.inputs() == 91, king, difference), derivative);
}

std::unique_ptr<Pupil<draughts::Game>> make_feature_pupil(const Network& network, draughts::FeatureSet set, draughts::Coding coding, Derivative derivative) {
    using draughts::FeatureInputs;
    return std::make_unique<PupilOf<RowPupil<FeatureInputs>>>(network, FeatureInputs(set, coding), derivative);
}

}  // namespace ludus
