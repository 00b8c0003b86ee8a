// Alpha-beta with endgame tables: won positions are won, lost ones held out, draws kept, and the rest is as without.
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

// Without distances the search has to find its way to fewer pieces.
void wins_are_won_by_results_alone(const Built& all) {
    const SearchPointer search = material(all.some(4, 3)), perfect = material(all.tables);
    Prober prober(all.tables, 8);
    for (const Position p : sample(all, 4, Result::win, 20)) {
        const Played game = play_out(p, *search, *perfect, {.depth = 12});
        // The longest wins are beyond a search of this depth; they end by the rule of 40 moves, not by repetition.
        CHECK(game.winner == p.turn || (game.reason == Reason::quiet_moves && *prober.distance(p) > 80));
    }
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
    draws_are_kept(all);
    a_win_is_found_through_the_tables(all);
    far_from_the_tables_nothing_changes(all);
    what_was_asked_before_does_not_matter(all);
    return failed();
}
