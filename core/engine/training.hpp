// Training, as a caller asks for it: thousands of games of a network that chooses its own moves, or one game of an evaluator whose
// moves a search chooses. Compiled once a game, in draughts_training.cpp and tictactoe3d_training.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/evaluator.hpp"
#include "engine/match_game.hpp"
#include "learning/packed_weights.hpp"
#include "learning/training_game.hpp"

namespace ludus {

// Which side the learner has: the one that moves first, the other, or each in turn.
enum class LearnerSide : std::uint8_t { first, second, both };

// Games that were played without learning, for the learner.
struct TestResult {
    int wins = 0, draws = 0, losses = 0;
};

// A network in training that chooses its own moves. One thread at a time may use it.
template <class Game>
class alignas(Vector) TrainableNetwork {
public:
    virtual ~TrainableNetwork() = default;
    // Plays games number `first` and on, and learns from each move. The rate of game n is rate + n * rate_change. Without an
    // opponent it plays itself; with one it learns from its own moves. The opponent's seed in a game is made from its seed and n.
    virtual TrainingResult train(std::uint64_t first, std::uint64_t games, std::uint64_t seed, const TrainingOptions& options, double rate,
                                 double rate_change, LearnerSide side, const MatchSide<Game>* opponent) = 0;
    // Plays games by the best value alone, without learning.
    virtual TestResult test(std::uint64_t games, const TrainingOptions& options, LearnerSide side, const MatchSide<Game>& opponent) = 0;
    virtual std::vector<float> theta() = 0;
    // The value of each legal move, as it is found in play.
    virtual std::vector<float> values(typename Game::Position p) = 0;
    // One step towards a target; the error before it.
    virtual float learn(typename Game::Position afterstate, float target, float rate) = 0;
};

std::unique_ptr<TrainableNetwork<tictactoe3d::Game>> make_trainable_cells(const Network& network, Derivative derivative);
std::unique_ptr<TrainableNetwork<tictactoe3d::Game>> make_trainable_patterns(const Network& network, bool symmetric, Derivative derivative);
std::unique_ptr<TrainableNetwork<draughts::Game>> make_trainable_board(const Network& network, float king, bool difference, Derivative derivative);
std::unique_ptr<TrainableNetwork<draughts::Game>> make_trainable_features(const Network& network, draughts::FeatureSet set, draughts::Coding coding,
                                                                         Derivative derivative);

// The value of a position for the side to move where it is known without the network.
template <class Game>
using KnownValue = std::function<std::optional<float>(typename Game::Position)>;

// Values by endgame tables: 0 for a draw; 1 for a win and -1 for a loss, times gamma for each own move to the end of the game.
KnownValue<draughts::Game> table_values(std::shared_ptr<const endgames::Tables> tables, float gamma);

// A training game of an evaluator that learns from the moves of one side, or of both.
template <class Game>
struct TrainingGame {
    typename Game::Position start = Game::start;
    std::optional<Color> learner = Game::turn(Game::start);  // none: it plays both sides
    std::vector<float> rates{};  // of each weight
    TrainingOptions options{};
    std::uint64_t seed = 0;      // of the opening and of random moves
    Adjudicator<Game> judge{};   // ends the game where it knows the outcome, and is asked for that of principal variations; may be empty
    KnownValue<Game> known{};    // does not end it, but gives the value of a move where it knows it; may be empty
};

// What came of it.
struct TrainedGame {
    TrainingResult result;
    std::vector<float> theta;  // the weights at the end
};

// `learner` has a search that was made with `evaluator`, which has no other user: it is given `network` and each change of it.
// Throws std::invalid_argument if the evaluator has no network to train.
template <class Game>
TrainedGame play_training_game(Evaluator<Game>& evaluator, const Network& network, const MatchSide<Game>& learner, const MatchSide<Game>& opponent,
                               const TrainingGame<Game>& game);

}  // namespace ludus
