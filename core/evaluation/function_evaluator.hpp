// An evaluator that asks a function outside the core, which takes long to call: it is asked about many positions at once.
//
// The first move of a position that is valued has all moves of that position valued with it, for a search soon wants the others.
// What a search has asked is kept until the next search begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ludus {

template <class G>
class FunctionEvaluator {
public:
    using Game = G;
    using Position = typename Game::Position;
    using Move = typename Game::Move;
    // Writes the value of each position, in [-1, 1], for the side that has just moved. Threads may call it at the same time.
    using Function = std::function<void(std::span<const Position>, std::span<float>)>;

    struct State {
        Position before{};        // the position whose move led here
        bool has_before = false;
    };

    explicit FunctionEvaluator(Function function) : shared_(std::make_shared<Shared>(std::move(function))) {}

    void begin(State& state, Position) const {
        state.has_before = false;
        const std::scoped_lock lock(shared_->mutex);
        shared_->known.clear();
    }
    void follow(State& after, const State&, Position before, Move) const { after = {.before = before, .has_before = true}; }

    float value(const State& state, Position afterstate) const {
        std::vector<Position> asked;
        {
            const std::scoped_lock lock(shared_->mutex);
            auto& known = shared_->known;
            if (const auto found = known.find(afterstate); found != known.end()) return found->second;
            if (known.size() > most_known) known.clear();
            asked.push_back(afterstate);
            if (state.has_before) {
                for (const Move move : Game::generate(state.before)) {
                    const Position other = Game::play(state.before, move);
                    if (!(other == afterstate) && !Game::is_over(other) && !known.contains(other)) asked.push_back(other);
                }
            }
        }
        std::vector<float> values(asked.size());
        shared_->function(asked, values);  // not under the lock: the function may wait for a thread that waits for the lock
        const std::scoped_lock lock(shared_->mutex);
        for (std::size_t i = 0; i < asked.size(); ++i) shared_->known.emplace(asked[i], values[i]);
        return values.front();
    }

private:
    static constexpr std::size_t most_known = 1 << 20;

    struct Hash {
        std::size_t operator()(const Position& p) const { return Game::Zobrist::of(p); }
    };
    struct Shared {
        explicit Shared(Function given) : function(std::move(given)) {}

        Function function;
        std::mutex mutex;
        std::unordered_map<Position, float, Hash> known;
    };

    std::shared_ptr<Shared> shared_;
};

}  // namespace ludus
