// Asking endgame tables: the result of a position, and the plies to the end of the game. One thread at a time may use a prober.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "endgames/tables.hpp"

namespace ludus::endgames {

// Blocks that were read, by their number among those of all sections. Each has one place, and a new one takes it over:
// tables with no more blocks than there are places are read once.
template <class Block>
class BlockCache {
public:
    explicit BlockCache(std::size_t megabytes) : slots_(std::bit_floor(std::max<std::size_t>(1, (megabytes << 20) / sizeof(Slot)))) {}

    // `read(block)` fills a block that is not there; false if it is broken.
    template <class Read>
    const Block& find(std::size_t number, Read read) {
        Slot& slot = slots_[number & (slots_.size() - 1)];
        if (slot.number != number) {
            slot.number = nothing;  // reading may fail
            if (!read(slot.block)) throw std::invalid_argument("the endgame table is broken: ludus endgame verify names the file");
            slot.number = number;
        }
        return slot.block;
    }

private:
    static constexpr std::size_t nothing = ~std::size_t{0};
    struct Slot {
        std::size_t number = nothing;
        Block block;
    };

    std::vector<Slot> slots_;
};

class Prober {
public:
    // Keeps so many megabytes of results that were read, and as many of distances.
    explicit Prober(std::shared_ptr<const Tables> tables, std::size_t megabytes = 8)
        : tables_(std::move(tables)), results_(megabytes), distances_(megabytes) {}

    const Tables& tables() const { return *tables_; }

    // Can the tables answer for so many pieces? They may still lack the slice.
    bool covers(Position p) const { return p.pieces() <= tables_->most_pieces(); }

    // The result for the side to move, both sides playing their best; nothing if the tables do not have it.
    std::optional<Result> result(Position p) {
        if (!p.own) return Result::loss;
        if (!covers(p)) return std::nullopt;
        if (draughts::must_capture(p)) return by_captures(p);
        const Slice slice = slice_of(p);
        const Section* section = tables_->results(slice);
        if (!section) return std::nullopt;
        const std::uint64_t index = section->index().index(p);
        const std::size_t number = index / block_size;
        return results_.find(section->first() + number, [&](Block& block) {
            return decode_runs(section->block(number), section->size_of_block(number), block);
        })[index % block_size];
    }

    // The plies to the end of the game when the winner wins as soon and the loser loses as late as possible; nothing for a draw,
    // or if the tables do not have it.
    std::optional<int> distance(Position p) {
        if (!p.own) return 0;
        const auto value = result(p);
        if (!value || *value == Result::draw) return std::nullopt;
        if (!draughts::must_capture(p)) return stored_distance(p, *value);
        std::optional<int> best;
        bool known = true;
        draughts::for_each_move(p, [&](draughts::Move move) {
            const Position after = draughts::play(p, move);
            if (*value == Result::win && result(after) != Result::loss) return;
            const auto there = distance(after);
            if (!there) known = false;
            else if (!best) best = *there + 1;
            else best = *value == Result::win ? std::min(*best, *there + 1) : std::max(*best, *there + 1);
        });
        return known ? best : std::nullopt;
    }

private:
    using Halves = std::array<std::uint8_t, block_size>;  // of distances

    std::optional<Result> by_captures(Position p) {
        Result best = Result::loss;
        bool known = true;
        draughts::for_each_move(p, [&](draughts::Move move) {
            if (best == Result::win) return;
            const auto there = result(draughts::play(p, move));
            if (!there) known = false;
            else if (*there == Result::loss) best = Result::win;
            else if (*there == Result::draw) best = Result::draw;
        });
        if (best == Result::win || known) return best;
        return std::nullopt;
    }

    std::optional<int> stored_distance(Position p, Result value) {
        const Slice slice = slice_of(p);
        const Section* section = tables_->distances(slice);
        if (!section) return std::nullopt;
        const std::uint64_t index = section->index().index(p);
        const std::size_t number = index / block_size;
        const Halves& halves = distances_.find(section->first() + number, [&](Halves& block) {
            return decode_halves(tables_->code(slice), section->block(number), std::span(block.data(), section->size_of_block(number)));
        });
        return 2 * halves[index % block_size] + (value == Result::win ? 1 : 0);
    }

    std::shared_ptr<const Tables> tables_;
    BlockCache<Block> results_;
    BlockCache<Halves> distances_;
};

}  // namespace ludus::endgames
