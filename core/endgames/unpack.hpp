// A slice from its sections back to the bytes it was built as, so that slices after it can be built.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "endgames/tables.hpp"

namespace ludus::endgames {

// The bytes of a slice. The slices to which its captures lead are in `done`. Without a section of distances a win is one ply
// and a loss none from the end: the results of slices that are built upon it are right, their distances are not.
// Throws std::invalid_argument if a section is broken.
inline std::vector<Byte> unpacked(Slice slice, const Store& done, std::span<const std::uint8_t> results,
                                  std::optional<std::span<const std::uint8_t>> distances, unsigned threads) {
    Tables tables;
    tables.add_results(slice, results);
    if (distances) tables.add_distances(slice, *distances);
    const Section& section = *tables.results(slice);
    std::vector<Byte> bytes(section.index().size());
    in_chunks(bytes.size(), block_size, threads, [&](std::uint64_t from, std::uint64_t to, unsigned) {
        const std::size_t number = from / block_size;
        Block block;
        std::array<std::uint8_t, block_size> halves{};
        const std::span used(halves.data(), to - from);
        if (!decode_runs(section.block(number), used.size(), block) ||
            (distances && !decode_halves(tables.code(slice), tables.distances(slice)->block(number), used))) {
            throw std::invalid_argument("a section of the endgame table is broken");
        }
        for (std::uint64_t i = from; i < to; ++i) {
            const auto p = section.index().position(i);
            if (!p) {
                bytes[i] = no_position;
            } else if (draughts::must_capture(*p)) {
                const Byte b = from_moves_out(done, *p, true);
                bytes[i] = b == forced_draw ? undecided : b;
            } else if (const Result result = block[i - from]; result != Result::draw) {
                bytes[i] = static_cast<Byte>(1 + 2 * halves[i - from] + (result == Result::win ? 1 : 0));
            }
        }
    }, [] { return true; });
    return bytes;
}

}  // namespace ludus::endgames
