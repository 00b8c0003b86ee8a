// The training loops of Tic-Tac-Toe 3D, compiled apart from the others and from the bindings.
#include "engine/pupils.hpp"

namespace ludus {

std::unique_ptr<Pupil<tictactoe3d::Game>> make_cell_pupil(const Network& network, Derivative derivative) {
    using namespace tictactoe3d;
    if (network.layers().front().connections.empty()) return std::make_unique<PupilOf<RowPupil<CellInputs>>>(network, CellInputs(), derivative);
    if (network.layers().size() == 2) return std::make_unique<PupilOf<LinePupil<false>>>(network, derivative);
    return std::make_unique<PupilOf<LinePupil<true>>>(network, derivative);
}

std::unique_ptr<Pupil<tictactoe3d::Game>> make_pattern_pupil(const Network& network, bool symmetric, Derivative derivative) {
    using tictactoe3d::PatternInputs;
    return std::make_unique<PupilOf<RowPupil<PatternInputs>>>(network, PatternInputs(symmetric), derivative);
}

}  // namespace ludus
