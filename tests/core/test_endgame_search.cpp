// Alpha-beta with endgame tables: won positions are won, lost ones held out, draws kept, and the rest is as without.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "built_tables.hpp"
#include "check.hpp"
#include "endgames/probe.hpp"
#include "engine/searcher.hpp"
#include "games/draughts_notation.hpp"
#include "games/playing.hpp"
#include "games/random.hpp"
#include "search/conversion.hpp"

using namespace ludus;
using namespace ludus::endgames;
using draughts::Game;

namespace {

using SearchPointer = std::unique_ptr<Searcher<Game>>;
using TablesPointer = std::shared_ptr<const Tables>;

SearchPointer material(TablesPointer tables) {
    const auto evaluator = make_evaluator<draughts::Material>().kind;
    return tables ? make_alphabeta(evaluator, {}, 1, std::move(tables)) : make_alphabeta<Game>(evaluator, {}, 1);
}

// Random positions of so many pieces with this result, as many of each slice.
std::vector<Position> sample(const Built& all, int pieces, Result wanted, int of_each) {
    Prober prober(all.tables, 8);
    std::vector<Position> positions;
    Rng rng(13, static_cast<std::uint64_t>(pieces));
    for (const Slice slice : slices(pieces)) {
        const SliceIndex index(slice);
        int found = 0;
        for (int tries = 0; found < of_each && tries < 200; ++tries) {
            const auto p = index.position(rng.below(static_cast<std::uint32_t>(index.size())));
            if (!p || Game::is_over(*p) || prober.result(*p) != wanted) continue;
            positions.push_back(*p);
            ++found;
        }
    }
    return positions;
}

struct Played {
    std::optional<Color> winner;
    Reason reason;
    int plies;
};

// Plays a position out by the official rules.
Played play_out(Position start, Searcher<Game>& first, Searcher<Game>& second, Budget budget) {
    History<Game> history(start);
    const Outcome outcome = ludus::play_out(history, [&](const History<Game>& now) {
        return (now.position().turn == start.turn ? first : second).choose(now, budget, 5);
    });
    return {outcome.winner, outcome.reason, history.plies()};
}

void wins_are_won_and_losses_held_out_for_their_distance(const Built& all) {
    const SearchPointer one = material(all.tables), other = material(all.tables), plain = material(nullptr);
    Prober prober(all.tables, 8);
    for (const int pieces : {3, 4}) {
        for (const Position p : sample(all, pieces, Result::win, 20)) {
            const Played game = play_out(p, *one, *other, {.depth = 2});
            CHECK(game.winner == p.turn);
            CHECK(game.plies == prober.distance(p));
        }
        for (const Position p : sample(all, pieces, Result::loss, 10)) {
            CHECK(play_out(p, *one, *other, {.depth = 2}).plies == prober.distance(p));
            const Played game = play_out(p, *one, *plain, {.depth = 4});  // which may let it escape
            CHECK(game.winner != !p.turn || game.plies >= prober.distance(p));
        }
    }
}

void the_root_says_the_distance_and_the_whole_line(const Built& all) {
    const SearchPointer search = material(all.tables);
    Prober prober(all.tables, 8);
    for (const Position p : sample(all, 4, Result::win, 3)) {
        const auto found = search->search(History<Game>(p), {.depth = 2}, 1);
        CHECK(found.score == win - *prober.distance(p));
        CHECK(static_cast<int>(found.variation.size()) == *prober.distance(p));
        CHECK(found.moves.size() == Game::generate(p).size());
        CHECK(to_value(found.score) == 1);
    }
}

constexpr auto first_position = "W:W20,K15:B12,K28";  // won in 81 plies
constexpr auto long_win = "B:W30,K2:BK26,K27";        // in 83, most of them before the first capture

Position read(const char* text) { return draughts::parse_position(text); }

void wins_are_won_by_results_alone(const Built& all) {
    const SearchPointer search = material(all.some(4, 3)), perfect = material(all.tables);
    Prober prober(all.tables, 8);
    auto positions = sample(all, 4, Result::win, 10);
    positions.push_back(read(first_position));
    CHECK(prober.distance(positions.back()) == 81);
    for (const Position p : positions) {
        const Played game = play_out(p, *search, *perfect, {.nodes = 20'000});
        CHECK(game.winner == p.turn);
    }
}

// Plies to the next capture or man's move that keeps the win, by hand.
void the_way_to_a_conversion_is_the_shortest(const Built& all) {
    Prober prober(all.some(4, 3), 8);
    ConversionSearch conversion;
    const auto plies = [&](const char* text, int most = 1'000'000) { return conversion.plies(read(text), prober, [&] { return most-- > 0; }); };
    CHECK(plies("W:WK18,K19:BK15") == 1);     // it must capture
    CHECK(!plies("W:WK1:BK32"));              // a draw
    CHECK(plies("W:WK10,11:BK32") == 1);      // the man moves
    CHECK(plies("B:WK10,11:BK32") == 2);      // after any move of Black's
    CHECK(plies(long_win) > 30);
    CHECK(!plies(long_win, 100));
    // It falls by one with each of the winner's moves, and with each of the loser's at least.
    History<Game> history(read(long_win));
    for (int left = *plies(long_win); left > 1;) {
        const Position p = history.position();
        const auto moves = Game::generate(p);
        const auto best = std::find_if(moves.begin(), moves.end(), [&](draughts::Move move) {
            return prober.result(draughts::play(p, move)) == Result::loss && conversion.is_shortest(move);
        });
        CHECK(best != moves.end());
        if (best == moves.end()) return;
        history.play(*best);
        const auto replies = Game::generate(history.position());
        history.play(replies[static_cast<std::size_t>(left) % replies.size()]);
        if (history.keys().size() == 1) return;  // the loser's man has moved
        const auto next = conversion.plies(history.position(), prober, [] { return true; });
        CHECK(next && *next <= left - 2);
        left = next.value_or(0);
    }
}

// With few quiet plies left the fastest win can come too late, though another is in time.
void the_rule_of_40_moves_is_seen(const Built& all) {
    const SearchPointer search = material(all.tables), perfect = material(all.tables);
    Prober prober(all.tables, 8);
    ConversionSearch conversion;
    int played = 0;
    for (const Position p : sample(all, 4, Result::win, 30)) {
        const auto plies = conversion.plies(p, prober, [] { return true; });
        CHECK(plies.has_value());
        if (*plies < 3 || *plies >= *prober.distance(p)) continue;
        History<Game> history(p, {.repetitions = 3, .quiet_plies = *plies});
        const auto choose = [&](const History<Game>& now) { return (now.position().turn == p.turn ? search : perfect)->choose(now, {.depth = 2}, 5); };
        while (!history.outcome() && history.keys().size() <= static_cast<std::size_t>(*plies)) {
            const Position before = history.position();
            const auto move = choose(history);
            history.play(move);
            if (draughts::irreversible(before, move)) break;
        }
        CHECK(history.keys().size() == 1 || (history.outcome() && history.outcome()->winner == p.turn));
        ++played;
    }
    CHECK(played > 20);
}

void draws_are_kept(const Built& all) {
    const SearchPointer search = material(all.tables), plain = material(nullptr);
    Prober prober(all.tables, 8);
    for (const Position p : sample(all, 4, Result::draw, 3)) {
        History<Game> history(p);
        const Outcome outcome = ludus::play_out(history, [&](const History<Game>& now) {
            const bool own = now.position().turn == p.turn;
            const auto found = (own ? search : plain)->search(now, {.depth = 3}, 7);
            CHECK(!own || found.moves.size() == Game::generate(now.position()).size());
            CHECK(!own || prober.result(draughts::play(now.position(), found.variation.front())) != Result::win);
            return found.variation.front();
        });
        CHECK(outcome.winner != !p.turn);
    }
}

// A search that begins outside the tables sees wins through them.
void a_win_is_found_through_the_tables(const Built& all) {
    const SearchPointer with = material(all.some(3, 3)), without = material(nullptr);
    int found_with = 0, found_without = 0;
    for (const Position p : sample(all, 4, Result::win, 5)) {
        const auto one = with->search(History<Game>(p), {.depth = 7}, 1), other = without->search(History<Game>(p), {.depth = 7}, 1);
        found_with += one.score >= table_win - most_plies;
        found_without += is_win(other.score);
        CHECK(one.score <= win);
    }
    CHECK(found_with > 2 * found_without);
    for (const Position p : sample(all, 4, Result::draw, 5)) {
        const auto found = with->search(History<Game>(p), {.depth = 7}, 1);
        CHECK(found.score < table_win - most_plies && found.score > most_plies - table_win);
    }
}

void far_from_the_tables_nothing_changes(const Built& all) {
    const SearchPointer with = material(all.tables), without = material(nullptr);
    const History<Game> start(Game::start);
    const auto one = with->search(start, {.depth = 9}, 3), other = without->search(start, {.depth = 9}, 3);
    CHECK(one.score == other.score && one.nodes == other.nodes && one.variation == other.variation);
}

void what_was_asked_before_does_not_matter(const Built& all) {
    const SearchPointer used = material(all.some(4, 3));
    for (const Position p : sample(all, 4, Result::win, 1)) {
        const SearchPointer fresh = material(all.some(4, 3));
        const auto one = used->search(History<Game>(p), {.nodes = 3000}, 3), other = fresh->search(History<Game>(p), {.nodes = 3000}, 3);
        CHECK(one.score == other.score && one.nodes == other.nodes && one.variation == other.variation);
    }
}

}  // namespace

int main() {
    const Built all = built(4, 2);
    wins_are_won_and_losses_held_out_for_their_distance(all);
    the_root_says_the_distance_and_the_whole_line(all);
    wins_are_won_by_results_alone(all);
    the_way_to_a_conversion_is_the_shortest(all);
    the_rule_of_40_moves_is_seen(all);
    draws_are_kept(all);
    a_win_is_found_through_the_tables(all);
    far_from_the_tables_nothing_changes(all);
    what_was_asked_before_does_not_matter(all);
    return failed();
}
