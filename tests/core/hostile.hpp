// Text that nobody meant to write, for the parsers.
#pragma once

#include <string>
#include <string_view>

#include "games/random.hpp"

namespace ludus {

// `text` with a few characters removed, repeated, or replaced, mostly by characters that mean something.
inline std::string spoiled(std::string text, Rng& rng, std::string_view alphabet) {
    for (std::uint32_t changes = 1 + rng.below(4); changes > 0; --changes) {
        const std::size_t at = rng.below(static_cast<std::uint32_t>(text.size() + 1));
        const char c = rng.below(8) ? alphabet[rng.below(static_cast<std::uint32_t>(alphabet.size()))] : static_cast<char>(rng.below(256));
        switch (rng.below(4)) {
            case 0: text = text.substr(0, at); break;
            case 1: text.insert(at, 1, c); break;
            case 2: text += text.substr(at); break;
            default:
                if (at < text.size()) text[at] = c;
        }
    }
    return text;
}

}  // namespace ludus
