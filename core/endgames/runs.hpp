// Results of positions, a win, a draw or a loss each, as runs of equal ones.
//
// A block is 4096 results. It is written as bytes, each a result and a length; a run that no byte can say takes several.
// Where the result does not matter, the run goes on: positions in which a capture is compulsory are answered by a search of
// the captures, and numbers that stand for no position are never asked for.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ludus::endgames {

enum class Result : std::uint8_t { loss, draw, win };

constexpr std::size_t block_size = 4096;  // positions

namespace detail {

constexpr std::size_t lengths = 85;  // of a run that is one byte; with three results 255 codes

// 1 to 48 one by one, then growing by an eighth to a whole block.
constexpr auto run_lengths = [] {
    std::array<std::uint16_t, lengths> table{};
    for (std::size_t i = 0; i < lengths; ++i) table[i] = static_cast<std::uint16_t>(i < 48 ? i + 1 : table[i - 1] + table[i - 1] / 8 + 1);
    table.back() = block_size;
    for (std::size_t i = lengths; i-- > 1;) table[i - 1] = std::min<std::uint16_t>(table[i - 1], static_cast<std::uint16_t>(table[i] - 1));
    return table;
}();
static_assert(run_lengths[0] == 1 && run_lengths[47] == 48 && run_lengths[84] == 4096);

}  // namespace detail

// The results of a block, two bits each.
struct Block {
    std::array<std::uint64_t, block_size / 32> words{};

    Result operator[](std::size_t i) const { return static_cast<Result>(words[i / 32] >> 2 * (i % 32) & 3); }
};

// Adds the bytes of a block of at most block_size results to `to`. `result(i)` gives the result of position i, or nothing
// where it does not matter.
template <class ResultOf>
void encode_runs(std::size_t size, ResultOf result, std::vector<std::uint8_t>& to) {
    const auto put = [&](Result value, std::size_t length) {
        while (length) {
            const auto fits = std::upper_bound(detail::run_lengths.begin(), detail::run_lengths.end(), length) - 1;
            to.push_back(static_cast<std::uint8_t>(static_cast<std::size_t>(value) * detail::lengths + static_cast<std::size_t>(fits - detail::run_lengths.begin())));
            length -= *fits;
        }
    };
    Result running = Result::draw;
    bool known = false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const auto value = result(i);
        if (!value || (known && *value == running)) continue;
        if (known) {
            put(running, i - begin);
            begin = i;
        }
        running = *value;
        known = true;
    }
    put(running, size - begin);
}

// Reads a block of `size` results; false if the bytes are not those of such a block.
inline bool decode_runs(std::span<const std::uint8_t> bytes, std::size_t size, Block& block) {
    block.words.fill(0);
    std::size_t at = 0;
    for (const std::uint8_t code : bytes) {
        const std::uint64_t value = code / detail::lengths;
        const std::size_t end = at + detail::run_lengths[code % detail::lengths];
        if (value > 2 || end > size) return false;
        const std::uint64_t pattern = value * 0x5555555555555555;
        while (at < end) {
            const std::size_t in_word = std::min(end - at, 32 - at % 32);
            const std::uint64_t mask = in_word == 32 ? ~std::uint64_t{0} : ((std::uint64_t{1} << 2 * in_word) - 1) << 2 * (at % 32);
            block.words[at / 32] |= pattern & mask;
            at += in_word;
        }
    }
    return at == size;
}

}  // namespace ludus::endgames
