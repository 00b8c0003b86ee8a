// Pupils whose kind is chosen at run time; the loops of each game are compiled in a file of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "learning/line_pupil.hpp"
#include "learning/td.hpp"
#include "engine/searcher.hpp"

namespace ludus {

// Which side the learner has: the one that moves first, the other, or each in turn.
enum class Seat : std::uint8_t { first, second, both };

// A fixed opponent and what it may spend on a move; none is self-play.
template <class Game>
struct Opponent {
    Searcher<Game>* searcher = nullptr;
    Budget budget{};
};

// What a number of games came to.
struct Lessons {
    std::uint64_t plies = 0;
    std::uint64_t steps = 0;
    double squared_error = 0;
};

struct Results {
    int wins = 0, draws = 0, losses = 0;
};

template <class Game>
class alignas(Vector) Pupil {
public:
    virtual ~Pupil() = default;
    // Games number `first` and on; the rate of game n is rate + n * change.
    virtual Lessons train(std::uint64_t first, std::uint64_t games, std::uint64_t seed, const TdOptions& options, double rate, double change,
                          DrawRules rules, Seat seat, Opponent<Game> opponent) = 0;
    virtual Results test(std::uint64_t games, std::uint64_t seed, const TdOptions& options, DrawRules rules, Seat seat, Opponent<Game> opponent) = 0;
    virtual std::vector<float> theta() = 0;
    // The value of each legal move, as it is found in play.
    virtual std::vector<float> values(typename Game::Position p) = 0;
    virtual float learn(typename Game::Position afterstate, float target, float rate) = 0;
};

template <class Kind>
class PupilOf final : public Pupil<typename Kind::Game> {
public:
    using Game = typename Kind::Game;

    template <class... Args>
    explicit PupilOf(Args&&... args) : pupil_(std::forward<Args>(args)...) {}

    Lessons train(std::uint64_t first, std::uint64_t games, std::uint64_t seed, const TdOptions& options, double rate, double change,
                  DrawRules rules, Seat seat, Opponent<Game> opponent) override {
        Lessons lessons;
        for (std::uint64_t game = first; game < first + games; ++game) {
            Rng rng(seed, game);
            std::optional<Color> learner;
            if (opponent.searcher) learner = color(seat, game);
            const TdResult result = td_game(pupil_, options, static_cast<float>(rate + static_cast<double>(game) * change), rules, rng, learner, reply(opponent, seed, game));
            lessons.plies += static_cast<std::uint64_t>(result.plies);
            lessons.steps += static_cast<std::uint64_t>(result.steps);
            lessons.squared_error += result.squared_error;
        }
        return lessons;
    }

    Results test(std::uint64_t games, std::uint64_t seed, const TdOptions& options, DrawRules rules, Seat seat, Opponent<Game> opponent) override {
        Results results;
        for (std::uint64_t game = 0; game < games; ++game) {
            const Color own = color(seat, game);
            const std::optional<Color> winner = test_game(pupil_, options, rules, own, reply(opponent, seed, game));
            ++(!winner ? results.draws : *winner == own ? results.wins : results.losses);
        }
        return results;
    }

    std::vector<float> theta() override { return pupil_.theta(); }

    std::vector<float> values(typename Game::Position p) override {
        pupil_.see(p);
        const auto moves = Game::generate(p);
        std::vector<float> values(moves.size());
        pupil_.nets(p, moves.begin(), moves.size(), values.data());
        for (float& value : values) value = pupil_.value(value);
        return values;
    }

    float learn(typename Game::Position afterstate, float target, float rate) override { return pupil_.learn(afterstate, target, {.rate = rate}); }

private:
    static Color color(Seat seat, std::uint64_t game) {
        const Color first = Game::turn(Game::start);
        return seat == Seat::first || (seat == Seat::both && game % 2 == 0) ? first : !first;
    }

    static auto reply(Opponent<Game> opponent, std::uint64_t seed, std::uint64_t game) {
        return [opponent, own = mix(mix(seed) + game)](const History<Game>& history) { return opponent.searcher->choose(history, opponent.budget, own); };
    }

    Kind pupil_;
};

std::unique_ptr<Pupil<tictactoe3d::Game>> make_cell_pupil(const Network& network, Derivative derivative);
std::unique_ptr<Pupil<tictactoe3d::Game>> make_pattern_pupil(const Network& network, bool symmetric, Derivative derivative);
std::unique_ptr<Pupil<draughts::Game>> make_board_pupil(const Network& network, float king, bool difference, Derivative derivative);
std::unique_ptr<Pupil<draughts::Game>> make_feature_pupil(const Network& network, draughts::FeatureSet set, draughts::Coding coding, Derivative derivative);

}  // namespace ludus
