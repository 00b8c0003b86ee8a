// What both games share: the colours, how a finished game ended, and the errors of notation.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace ludus {

enum class Color : std::uint8_t { black, white };

constexpr Color operator!(Color color) { return color == Color::black ? Color::white : Color::black; }

enum class Reason : std::uint8_t {
    no_moves,       // the side to move has none: it loses, or draws if the draw rules say so
    four_in_line,   // Tic-Tac-Toe 3D
    full_board,     // Tic-Tac-Toe 3D: a draw
    repetition,     // a position came back as often as the draw rules allow: a draw
    quiet_moves,    // the limit of moves without a capture or a man's move: a draw
    length,         // the limit of plies a match allows: a draw
    resignation,
    agreement,
    forfeit,        // a crash, a time-out or an illegal move
    adjudication,   // the record only says who won
};

struct Outcome {
    std::optional<Color> winner;  // none: a draw
    Reason reason;

    friend constexpr bool operator==(const Outcome&, const Outcome&) = default;
};

inline std::string name(Color color) { return color == Color::black ? "Black" : "White"; }

// The outcome as a sentence.
inline std::string describe(const Outcome& outcome) {
    const std::string loser = outcome.winner ? name(!*outcome.winner) : "the side to move";
    const auto why = [&]() -> std::string {
        switch (outcome.reason) {
            case Reason::no_moves: return loser + " cannot move";
            case Reason::four_in_line: return "four in a line";
            case Reason::full_board: return "the board is full";
            case Reason::repetition: return "the position was repeated";
            case Reason::quiet_moves: return "too long without a capture or a man's move";
            case Reason::length: return "the game reached its limit";
            case Reason::resignation: return loser + " resigned";
            case Reason::agreement: return "by agreement";
            case Reason::forfeit: return loser + " forfeited";
            case Reason::adjudication: return "by adjudication";
        }
        return {};
    };
    return (outcome.winner ? name(*outcome.winner) + " wins: " : "Draw: ") + why();
}

// The three ways text or a move can be wrong; each carries a sentence for the person who wrote it.
struct BadPosition : std::invalid_argument { using std::invalid_argument::invalid_argument; };
struct IllegalMove : std::invalid_argument { using std::invalid_argument::invalid_argument; };
struct AmbiguousMove : std::invalid_argument { using std::invalid_argument::invalid_argument; };

}  // namespace ludus
