#include "engine/batch_games.hpp"

#include <algorithm>

#include "endgames/parallel.hpp"
#include "evaluation/planes.hpp"

namespace ludus {

namespace {

constexpr std::uint64_t chunk = 256;  // slots that a thread takes at a time

}  // namespace

template <class Game>
BatchGames<Game>::BatchGames(std::size_t slots, std::uint64_t seed, DrawRules rules, int opening_plies, unsigned threads)
    : slots_(slots), seed_(seed), rules_(rules), opening_plies_(opening_plies), threads_(threads) {
    for (std::size_t i = 0; i < slots; ++i) begin(slots_[i], i);
}

template <class Game>
template <class Work>
void BatchGames<Game>::for_each_slot(Work work) {
    const auto threads = static_cast<unsigned>(std::min<std::uint64_t>(threads_, (slots_.size() + chunk - 1) / chunk));
    endgames::in_chunks(slots_.size(), chunk, threads, [&](std::uint64_t from, std::uint64_t to, unsigned) {
        for (std::size_t i = from; i < to; ++i) work(slots_[i], i);
    }, [] { return true; });
}

template <class Game>
void BatchGames<Game>::begin(Slot& slot, std::uint64_t number) const {
    slot.number = number;
    slot.rng = Rng(seed_, number);
    int plies = opening_plies_;
    for (int tries = 1;; ++tries) {
        slot.position = Game::start;
        slot.clock = DrawClock<Game>(Game::start, rules_);
        for (int ply = 0; ply < plies && !outcome(slot.position, slot.clock); ++ply) {
            typename Game::Move move;
            Game::random_move(slot.position, slot.rng, move);
            slot.clock.play(slot.position, move);
            slot.position = Game::play(slot.position, move);
        }
        if (!outcome(slot.position, slot.clock)) break;
        if (tries % 16 == 0) plies /= 2;
    }
    find_actions(slot);
}

template <class Game>
void BatchGames<Game>::find_actions(Slot& slot) const {
    slot.moves = 0;
    for_each_move(slot.position, [&](typename Game::Move move) { slot.legal[slot.moves++] = Actions<Game>::id(move); });
}

template <class Game>
void BatchGames<Game>::write(const Slot& slot, std::size_t index, const BatchOutput& output) const {
    output.sides[index] = Game::turn(slot.position) == Game::turn(Game::start) ? 0 : 1;
    output.numbers[index] = static_cast<std::int64_t>(slot.number);
    if (output.observations) Planes<Game>::write(slot.position, slot.clock, output.observations + index * Planes<Game>::size);
    if (output.masks) {
        bool* mask = output.masks + index * Actions<Game>::count;
        std::fill(mask, mask + Actions<Game>::count, false);
        for (std::size_t i = 0; i < slot.moves; ++i) mask[slot.legal[i]] = true;
    }
}

template <class Game>
void BatchGames<Game>::reset(std::uint64_t seed, const BatchOutput& output) {
    seed_ = seed;
    for_each_slot([&](Slot& slot, std::size_t i) {
        begin(slot, i);
        output.rewards[i] = 0;
        output.ended[i] = 0;
        output.reasons[i] = -1;
        write(slot, i, output);
    });
}

template <class Game>
std::optional<std::size_t> BatchGames<Game>::illegal(std::span<const std::int32_t> actions) const {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        const auto end = slots_[i].legal.begin() + static_cast<std::ptrdiff_t>(slots_[i].moves);
        if (std::find(slots_[i].legal.begin(), end, actions[i]) == end) return i;
    }
    return std::nullopt;
}

template <class Game>
void BatchGames<Game>::step(std::span<const std::int32_t> actions, const BatchOutput& output) {
    for_each_slot([&](Slot& slot, std::size_t i) {
        const Color mover = Game::turn(slot.position);
        const auto move = Actions<Game>::move(static_cast<std::size_t>(actions[i]), slot.position);
        slot.clock.play(slot.position, move);
        slot.position = Game::play(slot.position, move);
        find_actions(slot);
        const auto ended = outcome(slot.position, slot.clock);
        output.rewards[i] = !ended || !ended->winner ? 0.0F : *ended->winner == mover ? 1.0F : -1.0F;
        output.ended[i] = ended.has_value();
        output.reasons[i] = ended ? static_cast<std::int8_t>(ended->reason) : std::int8_t{-1};
        if (ended) begin(slot, slot.number + slots_.size());
        write(slot, i, output);
    });
}

template <class Game>
void BatchGames<Game>::random_actions(std::int32_t* actions) {
    for (Slot& slot : slots_) *actions++ = slot.legal[slot.rng.below(static_cast<std::uint32_t>(slot.moves))];  // too little for threads
}

template <class Game>
std::size_t BatchGames<Game>::legal_actions() const {
    std::size_t sum = 0;
    for (const Slot& slot : slots_) sum += slot.moves;
    return sum;
}

template <class Game>
void BatchGames<Game>::afterstates(std::int32_t* slots, std::int32_t* actions, float* observations) const {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        const Slot& slot = slots_[i];
        for (std::size_t n = 0; n < slot.moves; ++n) {
            *slots++ = static_cast<std::int32_t>(i);
            *actions++ = slot.legal[n];
            const Position after = Game::play(slot.position, Actions<Game>::move(slot.legal[n], slot.position));
            Planes<Game>::write(Planes<Game>::other_view(after), observations);
            observations += Planes<Game>::size;
        }
    }
}

template class BatchGames<draughts::Game>;
template class BatchGames<tictactoe3d::Game>;

}  // namespace ludus
