// Endgame tables: the results and distances of slices, compressed, and how they are asked.
//
// A section is the results or the distances of one slice, as it lies in a file: for distances the 256 lengths of a Huffman
// code; then for each block where its bytes begin, and where the last one ends; then the bytes. A distance is written as half
// of it, for the result says whether it is even, and less the one before it in its block.
//
// Only positions without a compulsory capture are in the sections. The others are answered by playing the captures.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "endgames/build.hpp"
#include "endgames/huffman.hpp"
#include "endgames/runs.hpp"
#include "endgames/slice.hpp"

namespace ludus::endgames {

using Bytes = std::vector<std::uint8_t>;

namespace detail {

inline std::size_t block_count(const SliceIndex& index) { return (index.size() + block_size - 1) / block_size; }
inline std::size_t size_of_block(const SliceIndex& index, std::size_t block) { return std::min<std::size_t>(block_size, index.size() - block * block_size); }

inline Bytes joined(std::span<const std::uint8_t> head, const std::vector<std::uint32_t>& offsets, const Bytes& body) {
    const std::size_t table = offsets.size() * sizeof(std::uint32_t);
    Bytes section(head.size() + table + body.size());
    std::copy(head.begin(), head.end(), section.begin());
    std::memcpy(section.data() + head.size(), offsets.data(), table);
    std::copy(body.begin(), body.end(), section.begin() + static_cast<std::ptrdiff_t>(head.size() + table));
    return section;
}

inline bool matters(const SliceIndex& index, std::uint64_t i) {
    const auto p = index.position(i);
    return p && !draughts::must_capture(*p);
}

}  // namespace detail

// The section of results of a slice that was built.
inline Bytes encode_results(const SliceIndex& index, std::span<const Byte> built) {
    std::vector<std::uint32_t> offsets;
    Bytes body;
    for (std::size_t block = 0; block < detail::block_count(index); ++block) {
        offsets.push_back(static_cast<std::uint32_t>(body.size()));
        const std::uint64_t first = block * block_size;
        encode_runs(detail::size_of_block(index, block), [&](std::size_t i) -> std::optional<Result> {
            if (!detail::matters(index, first + i)) return std::nullopt;
            const Byte b = built[first + i];
            return is_win(b) ? Result::win : is_loss(b) ? Result::loss : Result::draw;
        }, body);
    }
    offsets.push_back(static_cast<std::uint32_t>(body.size()));
    return detail::joined({}, offsets, body);
}

// The section of distances.
inline Bytes encode_distances(const SliceIndex& index, std::span<const Byte> built) {
    const auto differences = [&](std::size_t block, std::span<std::uint8_t> to) {
        int last = 0;
        for (std::size_t i = 0; i < to.size(); ++i) {
            const std::uint64_t at = block * block_size + i;
            int half = last;
            if (is_decided(built[at]) && detail::matters(index, at)) half = (built[at] - 1) / 2;
            to[i] = static_cast<std::uint8_t>(half - last);
            last = half;
        }
    };
    std::array<std::uint8_t, block_size> room;
    std::array<std::uint64_t, 256> counts{};
    for (std::size_t block = 0; block < detail::block_count(index); ++block) {
        const std::span symbols(room.data(), detail::size_of_block(index, block));
        differences(block, symbols);
        for (const std::uint8_t symbol : symbols) ++counts[symbol];
    }
    const CodeLengths lengths = code_lengths(counts);
    const HuffmanCode code(lengths);
    std::vector<std::uint32_t> offsets;
    Bytes body;
    for (std::size_t block = 0; block < detail::block_count(index); ++block) {
        const std::span symbols(room.data(), detail::size_of_block(index, block));
        differences(block, symbols);
        offsets.push_back(static_cast<std::uint32_t>(body.size()));
        code.encode(symbols, body);
    }
    offsets.push_back(static_cast<std::uint32_t>(body.size()));
    return detail::joined(lengths, offsets, body);
}

// A section as it lies in memory; it is checked so far that whatever it holds, reading it stays inside it.
class Section {
public:
    // `first` is the number of its first block among those of all sections.
    Section(const SliceIndex& index, std::span<const std::uint8_t> bytes, std::size_t head, std::size_t first)
        : index_(index), first_(first), head_(bytes.first(std::min(head, bytes.size()))) {
        const std::size_t table = (detail::block_count(index) + 1) * sizeof(std::uint32_t);
        if (bytes.size() < head + table) throw std::invalid_argument("a section of the endgame table is cut short");
        offsets_ = bytes.subspan(head, table);
        body_ = bytes.subspan(head + table);
        for (std::size_t block = 0; block < detail::block_count(index); ++block) {
            if (offset(block) > offset(block + 1)) throw std::invalid_argument("a section of the endgame table is broken: its blocks are out of order");
        }
        if (offset(0) != 0 || offset(detail::block_count(index)) != body_.size()) throw std::invalid_argument("a section of the endgame table is broken: it has another length");
    }

    const SliceIndex& index() const { return index_; }
    std::size_t first() const { return first_; }
    std::span<const std::uint8_t> head() const { return head_; }
    std::span<const std::uint8_t> block(std::size_t n) const { return body_.subspan(offset(n), offset(n + 1) - offset(n)); }
    std::size_t size_of_block(std::size_t n) const { return detail::size_of_block(index_, n); }

private:
    std::uint32_t offset(std::size_t n) const {
        std::uint32_t value;
        std::memcpy(&value, offsets_.data() + n * sizeof value, sizeof value);
        return value;
    }

    SliceIndex index_;
    std::size_t first_;
    std::span<const std::uint8_t> head_, offsets_, body_;
};

// The halves of the distances of a block; false if the bytes are not those of such a block.
inline bool decode_halves(const HuffmanCode& code, std::span<const std::uint8_t> bytes, std::span<std::uint8_t> halves) {
    if (!code.decode(bytes, halves)) return false;
    for (std::size_t i = 1; i < halves.size(); ++i) halves[i] = static_cast<std::uint8_t>(halves[i] + halves[i - 1]);
    return true;
}

// The sections that are there. It refers to memory of its caller's.
class Tables {
public:
    Tables() = default;
    Tables(const Tables&) = delete;
    Tables& operator=(const Tables&) = delete;

    void add_results(Slice slice, std::span<const std::uint8_t> bytes) {
        results_.at(place(slice)) = std::make_unique<Section>(SliceIndex(slice), bytes, 0, blocks_[0]);
        blocks_[0] += detail::block_count(SliceIndex(slice));
        most_ = std::max(most_, slice.pieces());
    }
    void add_distances(Slice slice, std::span<const std::uint8_t> bytes) {
        auto section = std::make_unique<Section>(SliceIndex(slice), bytes, 256, blocks_[1]);
        CodeLengths lengths;
        std::copy_n(section->head().begin(), 256, lengths.begin());
        for (const std::uint8_t length : lengths) {
            if (length > longest_code) throw std::invalid_argument("a section of the endgame table is broken: its code is none");
        }
        codes_.at(place(slice)) = std::make_unique<HuffmanCode>(lengths);
        distances_.at(place(slice)) = std::move(section);
        blocks_[1] += detail::block_count(SliceIndex(slice));
    }

    int most_pieces() const { return most_; }
    const Section* results(Slice slice) const { return results_[place(slice)].get(); }
    const Section* distances(Slice slice) const { return distances_[place(slice)].get(); }
    const HuffmanCode& code(Slice slice) const { return *codes_[place(slice)]; }
    // A small number of the slice.
    static std::size_t place(Slice slice) {
        return static_cast<std::size_t>(((slice.own_men * 9 + slice.own_kings) * 9 + slice.other_men) * 9 + slice.other_kings);
    }

private:
    static constexpr std::size_t places = 9 * 9 * 9 * 9;
    int most_ = 0;
    std::array<std::size_t, 2> blocks_{};  // of results and of distances
    std::vector<std::unique_ptr<Section>> results_{places}, distances_{places};
    std::vector<std::unique_ptr<HuffmanCode>> codes_{places};
};

}  // namespace ludus::endgames
