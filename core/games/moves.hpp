// A list of moves on the stack: no allocation in the hot loops.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace ludus {

template <class Move, std::size_t capacity>
class MoveList {
public:
    constexpr void add(Move move) { moves_[size_++] = move; }

    constexpr std::size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr bool contains(Move move) const { return std::find(begin(), end(), move) != end(); }

    constexpr Move& operator[](std::size_t i) { return moves_[i]; }
    constexpr const Move& operator[](std::size_t i) const { return moves_[i]; }
    constexpr Move* begin() { return moves_.data(); }
    constexpr Move* end() { return moves_.data() + size_; }
    constexpr const Move* begin() const { return moves_.data(); }
    constexpr const Move* end() const { return moves_.data() + size_; }

private:
    std::size_t size_ = 0;
    std::array<Move, capacity> moves_;
};

}  // namespace ludus
