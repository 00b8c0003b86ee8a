// The training of Tic-Tac-Toe 3D.
#include "engine/training_kinds.hpp"
#include "learning/line_network.hpp"
#include "learning/row_network.hpp"
#include "learning/structured_network.hpp"

namespace ludus {

std::unique_ptr<TrainableNetwork<tictactoe3d::Game>> make_trainable_cells(const Network& network, Derivative derivative) {
    using namespace tictactoe3d;
    if (network.layers().front().connections.empty()) return std::make_unique<TrainableNetworkOf<RowNetwork<CellInputs>>>(network, CellInputs(), derivative);
    if (network.layers().size() == 2) return std::make_unique<TrainableNetworkOf<LineNetwork<false>>>(network, derivative);
    if (!network.layers()[1].connections.empty()) return std::make_unique<TrainableNetworkOf<StructuredNetwork>>(network, derivative);
    return std::make_unique<TrainableNetworkOf<LineNetwork<true>>>(network, derivative);
}

std::unique_ptr<TrainableNetwork<tictactoe3d::Game>> make_trainable_patterns(const Network& network, bool symmetric, Derivative derivative) {
    using tictactoe3d::PatternInputs;
    return std::make_unique<TrainableNetworkOf<RowNetwork<PatternInputs>>>(network, PatternInputs(symmetric), derivative);
}

}  // namespace ludus
