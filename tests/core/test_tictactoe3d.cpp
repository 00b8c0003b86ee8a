// Tic-Tac-Toe 3D: what the headers claim and Python does not see, and the rules under the sanitizers.
#include "games/tictactoe3d.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "games/playing.hpp"
#include "games/tictactoe3d_notation.hpp"
#include "check.hpp"
#include "hostile.hpp"

using namespace ludus;
using namespace ludus::tictactoe3d;

namespace {

// Calls `visit(position)` for every position of some random games, the finished ones too.
template <class Visit>
void for_each_position(int games, Visit visit) {
    for (int index = 0; index < games; ++index) {
        Rng rng(1, static_cast<std::uint64_t>(index));
        Position last = start;
        random_game<Game>(start, rng, {}, [&](Position p, Move move) {
            visit(p);
            last = play(p, move);
        });
        visit(last);
    }
}

void perft_from_the_start() {
    // Nobody can have a line before the seventh ply, so these are the 16^n orders of columns less those that put
    // a fifth stone into one of them: 16 of five plies, 16 * (6 * 15 + 1) of six.
    constexpr std::array<std::uint64_t, 6> leaves{16, 256, 4096, 65536, 1048560, 16775760};
    for (int depth = 1; depth <= 6; ++depth) CHECK(perft(start, depth) == leaves[static_cast<std::size_t>(depth - 1)]);
    for (int depth = 1; depth <= 5; ++depth) CHECK(perft<true>(start, depth) == leaves[static_cast<std::size_t>(depth - 1)]);
}

void there_are_76_lines() {
    CHECK((std::set<Board>(lines.begin(), lines.end()).size() == 76));
    for (const Board line : lines) CHECK(std::popcount(line) == 4 && has_line(line));
    for (unsigned cell = 0; cell < cells; ++cell) {
        const auto through = std::ranges::count_if(lines, [&](Board line) { return (line & bit(cell)) != 0; });
        CHECK(through == 4 || through == 7);
        const auto& listed = lines_through[cell];
        CHECK((static_cast<std::ptrdiff_t>(std::set<Board>(listed.begin(), listed.end()).size()) == through));
    }
}

// has_line shifts whole boards; a line must not wrap round an edge of the cube.
void has_line_is_holding_one_of_the_lines() {
    Rng rng(2, 0);
    for (int i = 0; i < 200'000; ++i) {
        Board board = rng.next();
        for (std::uint32_t thinner = rng.below(3); thinner > 0; --thinner) board &= rng.next();
        const bool held = std::ranges::any_of(lines, [&](Board line) { return (board & line) == line; });
        CHECK(has_line(board) == held);
    }
}

void moves_play_hash_and_win_as_they_say() {
    for_each_position(2000, [](Position p) {
        const Moves moves = generate(p);
        CHECK(moves.size() == perft(p, 1));
        CHECK(moves.empty() == is_over(p) && is_over(p) == outcome(p).has_value());
        for (const Move move : moves) {
            const Position after = play(p, move);
            CHECK(after.stones() == p.stones() + 1 && after.turn() != p.turn());
            CHECK(wins(p, move) == has_line(after.other));
            CHECK(Zobrist::after(Zobrist::of(p), p, move) == Zobrist::of(after));
            CHECK(parse_move(p, text(move)) == move && move_of(text(move)) == move);
        }
        CHECK(parse_position(text(p)) == p);
    });
}

void symmetries_form_a_group_that_keeps_lines() {
    for (int s = 0; s < symmetries; ++s) {
        for (const Board line : lines) CHECK(has_line(symmetric(line, s)));
        int inverses = 0;
        for (int t = 0; t < symmetries; ++t) {
            int products = 0;
            bool inverse = true;
            for (int u = 0; u < symmetries; ++u) {
                bool same = true;
                for (unsigned cell = 0; cell < cells; ++cell) {
                    same &= symmetric(symmetric(bit(cell), s), t) == symmetric(bit(cell), u);
                }
                products += same;
            }
            for (unsigned cell = 0; cell < cells; ++cell) inverse &= symmetric(symmetric(bit(cell), s), t) == bit(cell);
            CHECK(products == 1);
            inverses += inverse;
        }
        CHECK(inverses == 1);
    }
    for_each_position(200, [](Position p) {
        CHECK(symmetric(p, 0) == p);
        for (int s = 0; s < symmetries; ++s) {
            CHECK(symmetric(p, s).open() == symmetric(p.open(), s));
            CHECK(outcome(symmetric(p, s)) == outcome(p));
        }
    });
}

// A parser answers with a value that it can write and read again, or with one of its own exceptions.
void hostile_text_is_refused_or_understood() {
    Rng rng(3, 0);
    int understood = 0, refused = 0;
    for_each_position(1000, [&](Position p) {
        try {
            const Position read = parse_position(spoiled(text(p), rng, "wb-,/ "));
            CHECK(parse_position(text(read)) == read);
            ++understood;
        } catch (const BadPosition&) {
            ++refused;
        }
        try {
            CHECK(generate(p).contains(parse_move(p, spoiled("b2", rng, "abcdABCD1234 "))));
            ++understood;
        } catch (const IllegalMove&) {
            ++refused;
        }
    });
    CHECK(understood > 1000 && refused > 1000);
    for (const char letter : {'w', '-', '/', ' ', '\0'}) {
        bool threw = false;
        try {
            parse_position(std::string(100'000, letter));
        } catch (const BadPosition& error) {
            threw = std::string(error.what()).size() < 300;  // nobody reads a message as long as that
        }
        CHECK(threw);
    }
}

}  // namespace

int main() {
    perft_from_the_start();
    there_are_76_lines();
    has_line_is_holding_one_of_the_lines();
    moves_play_hash_and_win_as_they_say();
    symmetries_form_a_group_that_keeps_lines();
    hostile_text_is_refused_or_understood();
    return failed();
}
