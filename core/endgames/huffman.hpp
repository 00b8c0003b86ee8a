// A canonical Huffman code of 256 symbols, for the distances of a table.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace ludus::endgames {

constexpr int longest_code = 15;  // bits
using CodeLengths = std::array<std::uint8_t, 256>;

// The lengths of the best code for symbols that occur so often, none longer than longest_code; 0 for those that never do.
inline CodeLengths code_lengths(std::array<std::uint64_t, 256> counts) {
    for (;;) {
        struct Node {
            std::uint64_t count;
            int left, right;
        };
        std::vector<Node> nodes;
        using Entry = std::pair<std::uint64_t, int>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
        for (int symbol = 0; symbol < 256; ++symbol) {
            nodes.push_back({counts[static_cast<std::size_t>(symbol)], -1, -1});
            if (nodes.back().count) queue.emplace(nodes.back().count, symbol);
        }
        CodeLengths lengths{};
        if (queue.size() == 1) lengths[static_cast<std::size_t>(queue.top().second)] = 1;
        while (queue.size() > 1) {
            const auto [few, left] = queue.top();
            queue.pop();
            const auto [more, right] = queue.top();
            queue.pop();
            nodes.push_back({few + more, left, right});
            queue.emplace(few + more, static_cast<int>(nodes.size()) - 1);
        }
        std::vector<std::uint8_t> depth(nodes.size());
        int most = 0;
        for (std::size_t i = nodes.size(); i-- > 256;) {
            for (const int child : {nodes[i].left, nodes[i].right}) {
                depth[static_cast<std::size_t>(child)] = static_cast<std::uint8_t>(depth[i] + 1);
                if (child < 256) lengths[static_cast<std::size_t>(child)] = depth[static_cast<std::size_t>(child)];
                most = std::max<int>(most, depth[i] + 1);
            }
        }
        if (most <= longest_code) return lengths;
        for (std::uint64_t& count : counts) count = count ? count / 2 + 1 : 0;  // flatter counts have shorter codes
    }
}

// Codes in the order of their lengths, then of their symbols, so that the lengths say everything.
class HuffmanCode {
public:
    // Lengths that are those of no code give a code that reads some symbols as 0.
    explicit HuffmanCode(const CodeLengths& lengths) : lengths_(lengths), symbols_(std::size_t{1} << longest_code) {
        std::uint32_t code = 0;
        for (int length = 1; length <= longest_code; ++length, code <<= 1) {
            for (std::size_t symbol = 0; symbol < 256; ++symbol) {
                if (lengths[symbol] != length) continue;
                codes_[symbol] = static_cast<std::uint16_t>(code);
                const std::size_t first = std::size_t{code} << (longest_code - length), count = std::size_t{1} << (longest_code - length);
                for (std::size_t i = first; i < std::min(first + count, symbols_.size()); ++i) symbols_[i] = static_cast<std::uint8_t>(symbol);
                ++code;
            }
        }
    }

    // Adds the codes of symbols to `to`, from a new byte on, the highest bit first.
    void encode(std::span<const std::uint8_t> symbols, std::vector<std::uint8_t>& to) const {
        std::uint32_t bits = 0;
        int count = 0;
        for (const std::uint8_t symbol : symbols) {
            bits = bits << lengths_[symbol] | codes_[symbol];
            for (count += lengths_[symbol]; count >= 8; count -= 8) to.push_back(static_cast<std::uint8_t>(bits >> (count - 8)));
        }
        if (count) to.push_back(static_cast<std::uint8_t>(bits << (8 - count)));
    }

    // Reads as many symbols as there is room for; false if the bytes end before that.
    bool decode(std::span<const std::uint8_t> bytes, std::span<std::uint8_t> symbols) const {
        std::uint32_t bits = 0;
        int count = 0;
        std::size_t at = 0;
        for (std::uint8_t& symbol : symbols) {
            for (; count < longest_code; count += 8) bits = bits << 8 | (at < bytes.size() ? bytes[at] : 0U), ++at;
            symbol = symbols_[bits >> (count - longest_code) & ((1U << longest_code) - 1)];
            count -= std::max<int>(1, lengths_[symbol]);
        }
        return at - static_cast<std::size_t>(count / 8) <= bytes.size();
    }

private:
    CodeLengths lengths_;
    std::array<std::uint16_t, 256> codes_{};
    std::vector<std::uint8_t> symbols_;  // of every longest_code bits that begin with its code
};

}  // namespace ludus::endgames
