// The few words about text that both games' notations share.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace ludus {

constexpr std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    const auto first = text.find_first_not_of(blank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

// Takes the text up to `separator`, or all of it, off the front.
constexpr std::string_view take_until(std::string_view& text, char separator) {
    const auto at = text.find(separator);
    const std::string_view head = text.substr(0, at);
    text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
    return head;
}

// A whole number of at most three digits that takes up all of `text`.
inline std::optional<unsigned> whole_number(std::string_view text) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.size() > 3 || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// What a person wrote, for an error message: in quotes, cut when it is long, and with '?' for what cannot be shown.
inline std::string quoted(std::string_view text) {
    constexpr std::size_t longest = 80;
    std::string shown = "'";
    for (const char c : text.substr(0, longest)) shown += c >= ' ' && c <= '~' ? c : '?';
    return shown + (text.size() > longest ? "...'" : "'");
}

}  // namespace ludus
