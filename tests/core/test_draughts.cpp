// English draughts: what the headers claim and Python does not see, and the rules under the sanitizers.
#include "games/draughts.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "games/draughts_actions.hpp"
#include "games/draughts_notation.hpp"
#include "games/playing.hpp"
#include "check.hpp"
#include "hostile.hpp"

using namespace ludus;
using namespace ludus::draughts;

namespace {

// At most 12 pieces a side anywhere, kings among them; no man stands where it would have been crowned.
Position random_position(Rng& rng) {
    Position p{.turn = rng.below(2) ? Color::white : Color::black};
    const std::uint32_t kings_among_ten = rng.below(11);
    for (Board* side : {&p.own, &p.other}) {
        const Board its_crown_row = side == &p.own ? crown_row : home_row;
        for (std::uint32_t left = rng.below(13); left > 0; --left) {
            const Board square = bit(rng.below(32)) & p.empty();
            *side |= square;
            if (square & its_crown_row || rng.below(10) < kings_among_ten) p.kings |= square;
        }
    }
    return p;
}

void perft_from_the_start() {
    constexpr std::array<std::uint64_t, 8> leaves{7, 49, 302, 1469, 7361, 36768, 179740, 845931};
    for (int depth = 1; depth <= 8; ++depth) {
        CHECK(perft(start, depth) == leaves[static_cast<std::size_t>(depth - 1)]);
        CHECK(perft<true>(start, depth) == leaves[static_cast<std::size_t>(depth - 1)]);
    }
}

void counting_agrees_with_making() {
    Rng rng(1, 0);
    for (int i = 0; i < 100'000; ++i) {
        const Position p = random_position(rng);
        const Moves moves = generate(p);
        CHECK(count_moves(p) == moves.size());
        CHECK(can_move(p) == !moves.empty());
        for (const Move move : moves) {
            const Position after = play(p, move);
            CHECK((move.captured != 0) == must_capture(p));
            CHECK(count_replies<true>(p, move) == count_moves(after));
            CHECK(p.other & p.kings || count_replies<false>(p, move) == count_moves(after));
            CHECK(after.turn != p.turn);
            CHECK(!(after.own & after.other) && !(after.kings & after.empty()));
            CHECK(after.pieces() == p.pieces() - move.jumps());
            CHECK(Zobrist::after(Zobrist::of(p), p, move) == Zobrist::of(after));
            CHECK(parse_move(p, text(move)) == move);
            CHECK(move_of(text(move), p.turn) == move);
            CHECK(Actions<Game>::id(move) < Actions<Game>::count);
            CHECK(Actions<Game>::move(Actions<Game>::id(move), p) == move);
        }
    }
}

void keys_are_carried_along_games() {
    for (std::uint64_t index = 0; index < 500; ++index) {
        Rng rng(2, index);
        std::uint64_t key = Zobrist::of(start);
        random_game<Game>(start, rng, {}, [&](Position p, Move move) {
            CHECK(key == Zobrist::of(p));
            key = Zobrist::after(key, p, move);
        });
    }
}

void turning_twice_is_nothing() {
    Rng rng(3, 0);
    for (int i = 0; i < 10'000; ++i) {
        const auto board = static_cast<Board>(rng.next());
        CHECK(turned(turned(board)) == board);
        CHECK(turned(up_left(board)) == down_right(turned(board)));
        CHECK(turned(up_right(board)) == down_left(turned(board)));
        const Position p = random_position(rng);
        CHECK(with_sides_exchanged(with_sides_exchanged(p)) == p);
        CHECK(Zobrist::of(with_sides_exchanged(p)) != Zobrist::of(p));
    }
}

// The claim beside most_moves. A quarter is the squares a jumper can come to; a piece of the opponent there only takes
// a jumper's place, so it is enough to put a king or nothing on each of its 8 squares and a victim or nothing on each of 9.
void no_quarter_gives_more_than_17_captures() {
    std::uint64_t most = 0;
    int longest = 0;
    Board covered = 0;
    for (unsigned first = 0; first < 32; ++first) {
        if (covered & bit(first)) continue;
        Board quarter = bit(first);
        for (Board before = 0; before != quarter;) {
            before = quarter;
            for (unsigned direction = 0; direction < 4; ++direction) quarter |= step(step(quarter, direction), direction);
        }
        covered |= quarter;
        CHECK(std::popcount(quarter) == 8);
        Board over = 0;
        detail::for_each_bit(~quarter, [&](unsigned s) {
            for (unsigned direction = 0; direction < 4; ++direction) {
                if (step(bit(s), direction) & quarter && step(bit(s), direction ^ 2) & quarter) over |= bit(s);
            }
        });
        CHECK(std::popcount(over) == 9);
        // All subsets of a set, by counting in its bits only.
        Board kings = 0;
        do {
            Board victims = 0;
            do {
                const Position p{.own = kings, .other = victims, .kings = kings};
                if (must_capture(p)) {
                    most = std::max(most, count_moves(p));
                    for_each_move(p, [&](Move move) { longest = std::max(longest, move.jumps()); });
                }
                victims = (victims - over) & over;
            } while (victims);
            kings = (kings - quarter) & quarter;
        } while (kings);
    }
    CHECK(most == 17);
    CHECK(longest == 9);
    CHECK(most_moves == 4 * most);
}

void positions_read_back() {
    Rng rng(4, 0);
    for (int i = 0; i < 20'000; ++i) {
        const Position p = random_position(rng);
        CHECK(parse_position(text(p)) == p);
    }
}

// A man's move says whose it is; a king's backwards belongs to the other side unless it is told.
void moves_are_made_of_their_text() {
    CHECK(move_of("11-15").turn == Color::black && move_of("22x15x8").turn == Color::white);
    CHECK((text(move_of("15-11", Color::black)) == "15-11" && move_of("15-11", Color::black) != move_of("15-11")));
    CHECK((captured(move_of("22x15x8")) == std::vector<unsigned>{18, 11}));
    for (const std::string_view bad : {"11-18", "11x15", "11x16", "11-15-18", "11", "", "1x10x1", "0-4", "4-33", "22x15x8x"}) {
        bool refused = false;
        try {
            move_of(bad);
        } catch (const IllegalMove&) {
            refused = true;
        }
        CHECK(refused);
    }
}

// A parser answers with a value that it can write and read again, or with one of its own exceptions.
void hostile_text_is_refused_or_understood() {
    Rng rng(5, 0);
    int understood = 0, refused = 0;
    for (int i = 0; i < 100'000; ++i) {
        const Position p = random_position(rng);
        try {
            const Position read = parse_position(spoiled(text(p), rng, "BWKbwk:,-.0123456789 HF"));
            CHECK(parse_position(text(read)) == read);
            ++understood;
        } catch (const BadPosition&) {
            ++refused;
        }
        const Moves moves = generate(p);
        if (moves.empty()) continue;
        try {
            const Move move = parse_move(p, spoiled(text(moves[0]), rng, "0123456789-xX: "));
            CHECK(moves.contains(move));
            ++understood;
        } catch (const IllegalMove&) {
            ++refused;
        } catch (const AmbiguousMove&) {
            ++refused;
        }
    }
    CHECK(understood > 1000 && refused > 1000);
    const std::string endless(100'000, '1');
    for (const std::string& bad : {endless, "B:W" + endless, endless + "-" + endless, std::string(100'000, ':')}) {
        bool threw = false;
        try {
            parse_move(start, bad);
        } catch (const IllegalMove& error) {
            threw = std::string(error.what()).size() < 300;  // nobody reads a message as long as that
        }
        CHECK(threw);
    }
}

}  // namespace

int main() {
    perft_from_the_start();
    counting_agrees_with_making();
    keys_are_carried_along_games();
    turning_twice_is_nothing();
    no_quarter_gives_more_than_17_captures();
    positions_read_back();
    moves_are_made_of_their_text();
    hostile_text_is_refused_or_understood();
    return failed();
}
