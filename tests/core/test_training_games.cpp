// Training games: what is learned from games worked by hand, and that both ways of choosing moves learn the same.
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "engine/searcher.hpp"
#include "engine/training.hpp"
#include "games/draughts_notation.hpp"
#include "learning/trainable_evaluator.hpp"
#include "networks.hpp"

using namespace ludus;

namespace {

using Draughts = draughts::Game;
using TicTacToe = tictactoe3d::Game;

// A training game of an evaluator by a search, against itself as it was.
template <class Kind, class... Args>
TrainedGame trained(const TrainingGame<Draughts>& game, const Network& network, Budget budget, Args... args) {
    auto evaluator = make_evaluator<Kind>(network, args...);
    const auto frozen = make_evaluator<Kind>(network, args...);
    const auto own = make_alphabeta<Draughts>(evaluator.kind, {}, 1), opponents = make_alphabeta<Draughts>(frozen.kind, {}, 1);
    return play_training_game<Draughts>(evaluator, network, {own.get(), budget, 5}, {opponents.get(), budget, 4}, game);
}

// Every move of this game is forced: 25-30 29-25 30-26 25-22 26x17, and White cannot move. Black moves three times.
const draughts::Position forced = draughts::parse_position("B:W29:B21,25");

std::vector<draughts::Position> afterstates(Color color) {
    std::vector<draughts::Position> found;
    History<Draughts> history(forced);
    play_out(history, [&](const History<Draughts>& now) {
        const auto moves = Draughts::generate(now.position());
        CHECK(moves.size() == 1);
        if (now.position().turn == color) found.push_back(Draughts::play(now.position(), moves[0]));
        return moves[0];
    });
    return found;
}

// TD(lambda) as it stands in the books, over the afterstates of one side.
std::vector<float> by_hand(Network network, const std::vector<draughts::Position>& line, float final_reward, const TrainingOptions& options,
                           const std::vector<float>& rates) {
    std::vector<float> inputs(network.inputs()), trace(network.theta().size()), last(trace.size()), gradient(trace.size());
    const auto encode = [&](draughts::Position p) { draughts::encode(p, draughts::featuremap12, draughts::Coding::clean, inputs); };
    for (std::size_t turn = 0; turn < line.size(); ++turn) {
        float target = final_reward;
        if (turn + 1 < line.size()) {
            encode(line[turn + 1]);
            target = options.gamma * network.value(inputs);
        }
        encode(line[turn]);
        const float error = target - network.gradient(inputs, gradient);
        auto theta = network.theta();
        for (std::size_t i = 0; i < theta.size(); ++i) {
            trace[i] = options.trace_decay * trace[i] + gradient[i];
            float change = rates[i] * error * trace[i];
            if (change * last[i] > 0) change += options.momentum * last[i];
            theta[i] += last[i] = change;
        }
        network = Network(network.layers(), theta);
    }
    return network.theta();
}

void a_game_of_forced_moves_changes_the_weights_as_by_hand() {
    const Network network = random_network({38, 5, 1}, 5);
    std::vector<float> rates(network.theta().size(), 0.05F);
    rates[3] = 0;
    for (const Color side : {Color::black, Color::white}) {
        for (const float momentum : {0.0F, 0.9F}) {
            const TrainingGame<Draughts> game{.start = forced, .learner = side, .rates = rates,
                                              .options = {.gamma = 0.98F, .trace_decay = 0.7F, .momentum = momentum, .epsilon = 0, .rule_win = false}, .seed = 1};
            const auto found = trained<draughts::FeatureNetwork>(game, network, {.depth = 2}, draughts::featuremap12, draughts::Coding::clean);
            const auto line = afterstates(side);
            CHECK(found.result.winner == Color::black && found.result.plies == 5 && found.result.steps == line.size());
            CHECK(furthest(found.theta, by_hand(network, line, side == Color::black ? 1 : -1, game.options, rates)) < 1e-6F);
            CHECK(found.theta[3] == network.theta()[3]);
            CHECK(furthest(found.theta, network.theta()) > 1e-3F);
        }
    }
}

// Five plies ahead the win is seen at every move: each prediction is known to be 1, and so is the reward.
void the_end_of_the_line_teaches_nothing_when_it_is_the_end_of_the_game() {
    const Network network = random_network({38, 5, 1}, 6);
    TrainingGame<Draughts> game{.start = forced, .rates = std::vector<float>(network.theta().size(), 0.1F), .options = {.trace_decay = 0.5F, .epsilon = 0, .rule_win = false, .leaf = true}};
    CHECK(trained<draughts::FeatureNetwork>(game, network, {.depth = 5}, draughts::featuremap12, draughts::Coding::clean).theta == network.theta());
    game.options.leaf = false;
    CHECK(trained<draughts::FeatureNetwork>(game, network, {.depth = 5}, draughts::featuremap12, draughts::Coding::clean).theta != network.theta());
}

// The search takes a position that comes back for a draw: so does the learner, also if its own move brings it back.
void a_repetition_is_worth_0() {
    using Trainable = TrainableEvaluator<draughts::FeatureNetwork>;
    History<Draughts> history(draughts::parse_position("B:WK32:BK1"));
    const auto move = [&](const char* text) { return draughts::parse_move(history.position(), text); };
    for (const char* text : {"1-6", "32-27", "6-1"}) history.play(move(text));
    const auto back = move("27-32");
    for (const Color learner : {Color::black, Color::white}) {
        const auto repeated = Trainable::predict(history, {back}, learner, true);
        CHECK(repeated.known == 0.0F);
        CHECK(!Trainable::predict(history, {move("27-31")}, learner, true).known);
        CHECK(!Trainable::predict(history, {back}, learner, false).known);
    }
}

// Equal games give equal weights, no rate gives no change; for all evaluators that can learn, with openings and random moves.
template <class Kind, class... Args>
void learns_by_search(const Network& network, Args... args) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        TrainingGame<Draughts> game{.learner = seed % 2 ? Color::white : Color::black, .rates = std::vector<float>(network.theta().size(), 0.01F),
                                    .options = {.gamma = 0.98F, .trace_decay = 0.7F, .momentum = 0.9F, .learn_from_random = false, .rule_win = false, .leaf = seed >= 2, .opening_plies = 4},
                                    .seed = seed};
        const auto found = trained<Kind>(game, network, {.depth = 3}, args...);
        CHECK(found.theta != network.theta());
        CHECK(found.theta == trained<Kind>(game, network, {.depth = 3}, args...).theta);
        game.rates.assign(network.theta().size(), 0);
        CHECK(trained<Kind>(game, network, {.depth = 3}, args...).theta == network.theta());
    }
}

void only_networks_learn_by_search() {
    auto material = make_evaluator<draughts::Material>();
    const auto search = make_minimax<Draughts>(material.kind, false);
    const Network network = random_network({38, 1}, 1);
    bool refused = false;
    try {
        play_training_game<Draughts>(material, network, {search.get(), {.depth = 1}}, {search.get(), {.depth = 1}}, {});
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}

// The greedy choice of a network in training is a search of depth 1 with its evaluator: both learn the same from the same games.
void both_ways_of_choosing_learn_the_same() {
    const Network network = random_network({38, 20, 1}, 7);
    const float rate = 0.02F;
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
        const TrainingOptions options{.gamma = 0.9F, .trace_decay = seed == 1 ? 0 : 0.5F, .momentum = seed == 3 ? 0.5F : 0, .epsilon = 0, .rule_win = false, .rules = {.plies = 60}};
        const auto chance = make_random<Draughts>();
        const auto greedy = make_trainable_features(network, draughts::featuremap12, draughts::Coding::clean, Derivative::exact);
        const MatchSide<Draughts> opponent{.searcher = chance.get(), .seed = seed};
        const TrainingResult result = greedy->train(0, 1, 0, options, rate, 0, LearnerSide::first, &opponent);

        auto evaluator = make_evaluator<draughts::FeatureNetwork>(network, draughts::featuremap12, draughts::Coding::clean);
        const auto search = make_minimax<Draughts>(evaluator.kind, false);
        const auto found = play_training_game<Draughts>(evaluator, network, {search.get(), {.depth = 1}}, {chance.get(), {}, mix(side_seed(seed, 0))},
                                                        {.rates = std::vector<float>(network.theta().size(), rate), .options = options});
        CHECK(found.result.plies == result.plies && found.result.steps == result.steps && found.result.winner == result.winner);
        CHECK(std::fabs(found.result.squared_error - result.squared_error) < 1e-3);
        CHECK(furthest(found.theta, greedy->theta()) < 1e-4F);
        CHECK(furthest(found.theta, network.theta()) > 1e-2F);
    }
}

// Each prediction of a learner is corrected once; the one that ends the game only if it is trained.
template <class Game>
void every_prediction_learns_once(TrainableNetwork<Game>& network, Searcher<Game>& searcher) {
    const auto before = network.theta();
    for (std::uint64_t game = 0; game < 8; ++game) {
        const TrainingOptions options{.gamma = 0.9F, .trace_decay = game & 1 ? 0.5F : 0, .momentum = game == 7 ? 0.5F : 0, .rule_win = (game & 2) != 0,
                                      .train_terminal = (game & 4) != 0, .avoid_loss = game == 5, .rules = {.plies = 80}};
        const TrainingResult alone = network.train(game, 1, 3, options, 0.01, 0, LearnerSide::both, nullptr);
        CHECK(alone.steps == alone.plies - !options.train_terminal);
        CHECK(std::isfinite(alone.squared_error));
        for (const LearnerSide side : {LearnerSide::first, LearnerSide::second}) {
            const MatchSide<Game> opponent{.searcher = &searcher, .seed = game};
            const TrainingResult against = network.train(game, 1, 3, options, 0.01, 0, side, &opponent);
            const std::uint64_t own = (against.plies + (side == LearnerSide::first)) / 2;
            const bool ends = (against.plies % 2 == 1) == (side == LearnerSide::first);
            CHECK(against.steps == own - (ends && !options.train_terminal));
        }
    }
    CHECK(furthest(before, network.theta()) > 1e-3F);
    // A test changes nothing, and a random move of the opponent is no reason to lose count of the games.
    const auto after = network.theta();
    const TestResult test = network.test(10, {.rules = {.plies = 80}}, LearnerSide::both, {.searcher = &searcher, .seed = 1});
    CHECK(test.wins + test.draws + test.losses == 10 && network.theta() == after);
    network.train(0, 2, 3, {.rules = {.plies = 80}}, 0, 0, LearnerSide::both, nullptr);
    CHECK(network.theta() == after);
}

// A random move that is not learned from cuts the trace: with nothing but random moves only the last prediction learns.
void random_moves_need_not_be_learned_from() {
    const Network network = random_network({64, 20, 1}, 4, Activation::logistic);
    const auto learner = make_trainable_cells(network, Derivative::exact);
    const TrainingResult result = learner->train(0, 1, 1, {.trace_decay = 0.5F, .epsilon = 1, .learn_from_random = false}, 0.01, 0, LearnerSide::both, nullptr);
    CHECK(result.steps == 2);  // one for each side, by the reward
}

}  // namespace

int main() {
    a_game_of_forced_moves_changes_the_weights_as_by_hand();
    the_end_of_the_line_teaches_nothing_when_it_is_the_end_of_the_game();
    a_repetition_is_worth_0();
    const Network features = random_network({38, 20, 1}, 1), squares = random_network({91, 6, 1}, 2), terms = random_network({30, 1}, 3);
    learns_by_search<draughts::FeatureNetwork>(features, draughts::featuremap12, draughts::Coding::clean);
    learns_by_search<draughts::BoardNetwork>(squares, 1.5F, true);
    learns_by_search<draughts::Polynomial>(terms, (1U << 30) - 1);
    only_networks_learn_by_search();
    both_ways_of_choosing_learn_the_same();
    const auto rules = make_rule_player(tictactoe3d::Order::move);
    every_prediction_learns_once(*make_trainable_cells(lines_network({32, 1}, 2, true), Derivative::exact), *rules);
    every_prediction_learns_once(*make_trainable_cells(lines_network({1}, 2, false), Derivative::doubled), *rules);
    every_prediction_learns_once(*make_trainable_cells(random_network({64, 50, 1}, 4, Activation::logistic), Derivative::exact), *rules);
    every_prediction_learns_once(*make_trainable_patterns(random_network({tictactoe3d::pattern_table(true).inputs, 16, 1}, 5), true, Derivative::exact), *rules);
    const auto chance = make_random<Draughts>();
    every_prediction_learns_once(*make_trainable_features(features, draughts::featuremap12, draughts::Coding::clean, Derivative::exact), *chance);
    every_prediction_learns_once(*make_trainable_board(random_network({32, 10, 1}, 6), 1.5F, true, Derivative::exact), *chance);
    random_moves_need_not_be_learned_from();
    return failed();
}
