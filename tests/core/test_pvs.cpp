// Principal variation search: against plain alpha-beta, on positions worked by hand, through a game, and on two threads.
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "check.hpp"
#include "engine/match_game.hpp"
#include "engine/searcher.hpp"
#include "evaluation/draughts_evaluators.hpp"
#include "evaluation/phase_network.hpp"
#include "evaluation/tictactoe3d_evaluators.hpp"
#include "games/draughts_notation.hpp"
#include "games/playing.hpp"
#include "games/tictactoe3d_notation.hpp"
#include "learning/phase_fit.hpp"
#include "networks.hpp"
#include "search/pvs.hpp"

using namespace ludus;

namespace {

// Everything that may change a value at a given depth is off.
constexpr PvsOptions exact{.reductions = false, .probcut = false, .futility = false, .razoring = false, .internal = false, .extensions = false, .singular = false, .draw_rule = false, .forced = false};

template <class Kind, class... Args>
std::unique_ptr<Searcher<typename Kind::Game>> pvs(PvsOptions options, int threads, Args&&... args) {
    return make_pvs<typename Kind::Game>(make_evaluator<Kind>(std::forward<Args>(args)...).kind, options, 4, threads, nullptr);
}

// A network that a search asks again whenever it comes back to a position.
struct AskedAgain : draughts::PhaseNetwork {
    static constexpr bool is_costly = false;
    using draughts::PhaseNetwork::PhaseNetwork;
};

// Positions of random games in which only men have moved: there no position is reached by lines of different lengths, so the
// table cannot answer from a deeper search than was asked for.
std::vector<draughts::Position> positions_of_men(std::size_t count) {
    std::vector<draughts::Position> positions;
    for (std::uint64_t index = 0; positions.size() < count; ++index) {
        Rng rng(5, index);
        const auto history = random_opening<draughts::Game>(draughts::Game::start, {}, 4 + static_cast<int>(index % 14), rng);
        if (!history.position().kings && !history.outcome()) positions.push_back(history.position());
    }
    return positions;
}

void same_value_as_alpha_beta() {
    const auto evaluator = make_evaluator<draughts::BoardNetwork>(random_network({32, 40, 10, 1}, 3), 1.5F, false);
    const auto plain = make_alphabeta<draughts::Game>(evaluator.kind, {.table = false, .ordering = false, .reductions = false, .repetition = false}, 1);
    PvsOptions every_move = exact;
    every_move.exact_root = true;
    const auto best_only = make_pvs<draughts::Game>(evaluator.kind, exact, 4, 1, nullptr);
    const auto all = make_pvs<draughts::Game>(evaluator.kind, every_move, 4, 1, nullptr);
    for (const auto position : positions_of_men(40)) {
        const History<draughts::Game> history(position);
        for (int depth = 1; depth <= 6; ++depth) {
            const auto wanted = plain->search(history, {.depth = depth}, 1);
            CHECK(best_only->search(history, {.depth = depth}, 1).score == wanted.score);
            CHECK(all->search(history, {.depth = depth}, 1).score == wanted.score);
        }
    }
}

// Remembered values are those that the network gives: the searches are the same, node by node.
void remembers_values() {
    const auto theta = initial_theta<draughts::PieceInputs>(16, 1);
    const draughts::PhaseNetwork remembered(theta, 16);
    const AskedAgain asked(theta, 16);
    SharedTable one(1), other(1);
    Pvs with(remembered, {}, one);
    Pvs without(asked, {}, other);
    for (const auto position : positions_of_men(20)) {
        const History<draughts::Game> history(position);
        const auto search = [&](auto& pvs) {
            Rng rng(1, 1);
            return pvs.search(SearchRoot(history), {.nodes = 20'000}, nullptr, [](const auto&) { return true; }, rng);
        };
        const auto found = search(with), wanted = search(without);
        CHECK(found.score == wanted.score && found.depth == wanted.depth && found.nodes == wanted.nodes);
        CHECK(found.variation == wanted.variation);
    }
}

void finds_what_is_there() {
    const auto material = pvs<draughts::Material>({}, 1);
    // Black gives a man and takes two, whichever way White takes: 14-18, then 22x15 11x18x27 or 23x14 9x18x25.
    const History<draughts::Game> shot(draughts::parse_position("B:W22,23:B5,8,9,11,14"));
    CHECK(draughts::text(material->search(shot, {.depth = 6}, 0).variation.front()) == "14-18");
    // One legal move is played at once, whatever the budget.
    const History<draughts::Game> forced(draughts::parse_position("W:W18,30:B15,1"));
    CHECK(draughts::generate(forced.position()).size() == 1);
    CHECK(material->search(forced, {.nodes = 1'000'000}, 0).nodes < 10);
    // A quiet budget that ends in the middle of an iteration still gives a legal move.
    const History<draughts::Game> start(draughts::Game::start);
    for (std::uint64_t nodes = 1; nodes < 300; nodes += 7) {
        const auto found = material->search(start, {.nodes = nodes}, 0);
        CHECK(found.nodes <= nodes);
        CHECK(draughts::generate(start.position()).contains(found.variation.front()));
        CHECK(found.variation.front() == found.moves.front().move);
    }
}

// Two kings each, far apart: with two quiet plies left before the limit nothing can be won, and the search says so.
void knows_the_limit_of_quiet_moves() {
    const auto position = draughts::parse_position("B:WK32,K31:BK1,K2,K3");
    PvsOptions without;
    without.draw_rule = false;
    const History<draughts::Game> near(position, {.repetitions = 3, .quiet_plies = 2, .plies = 0});
    CHECK(pvs<draughts::Material>({}, 1)->search(near, {.depth = 6}, 0).score == 0);
    CHECK(pvs<draughts::Material>(without, 1)->search(near, {.depth = 6}, 0).score > 0);
}

// A game replays to the bit, whatever the search did before it, with the table kept through it and without.
void replays_a_game() {
    for (const bool keep : {true, false}) {
        PvsOptions options;
        options.keep_table = keep;
        const auto evaluator = make_evaluator<draughts::BoardNetwork>(random_network({32, 40, 10, 1}, 3), 1.5F, false);
        const auto play = [&](Searcher<draughts::Game>& one, Searcher<draughts::Game>& other) {
            return play_game<draughts::Game>({.searcher = &one, .budget = {.nodes = 400}, .seed = 1}, {.searcher = &other, .budget = {.nodes = 400}, .seed = 2},
                                             draughts::Game::start, {}, {}).moves;
        };
        const auto one = make_pvs<draughts::Game>(evaluator.kind, options, 1, 1, nullptr), other = make_pvs<draughts::Game>(evaluator.kind, options, 1, 1, nullptr);
        const auto first = play(*one, *other);
        play(*other, *one);
        CHECK(play(*one, *other) == first);
    }
}

// A second search of the same game finds more with the same nodes: it begins where the first left off.
void keeps_its_table() {
    const auto depth_of_second = [](bool keep) {
        PvsOptions options;
        options.keep_table = keep;
        const auto search = pvs<draughts::Material>(options, 1);
        History<draughts::Game> history(draughts::Game::start);
        const auto found = search->search(history, {.nodes = 50'000}, 0);
        history.play(found.variation[0]);
        history.play(found.variation[1]);
        return search->search(history, {.nodes = 2'000}, 0).depth;
    };
    CHECK(depth_of_second(true) > depth_of_second(false));
}

// The same where a protocol sends only the position, and not where another game begins.
void keeps_its_table_without_the_past() {
    const auto depth_of_second = [](bool new_game) {
        const auto search = pvs<draughts::Material>({}, 1);
        const auto found = search->search(History<draughts::Game>(draughts::Game::start), {.nodes = 50'000}, 0);
        if (new_game) search->new_game();
        const auto later = draughts::play(draughts::play(draughts::Game::start, found.variation[0]), found.variation[1]);
        return search->search(History<draughts::Game>(later), {.nodes = 2'000}, 0).depth;
    };
    CHECK(depth_of_second(false) > depth_of_second(true));
}

// The time of a clock, by a clock of our own: iterations of 1, 2, 4, ... seconds.
double seconds_used(Pace pace, int changes, Score fall) {
    double seconds = 0;
    for (int depth = 1;; ++depth) {
        const double deadline = pace.deadline(false);
        seconds += std::ldexp(1.0, depth - 1);
        if (seconds >= deadline) return deadline;
        if (!pace.goes_on(seconds, depth <= changes, fall)) return seconds;
    }
}

void paces_itself() {
    const double clear = seconds_used({100, 400}, 1, 0);
    CHECK(clear > 25 && clear <= 80);                        // it stops before an iteration that cannot be finished
    CHECK(seconds_used({100, 400}, 30, 0) > clear);          // more when the best move changes
    CHECK(seconds_used({100, 400}, 1, unit / 10) > clear);   // and when the score falls
    CHECK(seconds_used({100, 100}, 30, unit) <= 100);        // never more than the most
    CHECK(seconds_used({100, 400}, 30, unit) <= 400);
    Pace pace(100, 400);
    CHECK(pace.deadline(false) <= 150 && pace.deadline(true) > pace.deadline(false));
    CHECK(Pace(100, 120).deadline(true) == 120 && Pace(100, 5).deadline(false) == 5);
    CHECK(Pace(100, 0).deadline(true) > 100);
}

// Under a clock a search ends long before the most that it may take; the limits are far enough apart for any machine.
void ends_under_a_clock() {
    const auto material = pvs<draughts::Material>({}, 1);
    const History<draughts::Game> start(draughts::Game::start);
    CHECK(material->search(start, {.seconds = 300, .usual_seconds = 0.02}, 0).seconds < 100);
    CHECK(material->search(start, {.seconds = 0.02, .usual_seconds = 300}, 0).seconds < 100);
    const History<draughts::Game> forced(draughts::parse_position("W:W18,30:B15,1"));
    CHECK(material->search(forced, {.seconds = 300, .usual_seconds = 300}, 0).nodes < 10);
}

void searches_on_threads() {
    const auto material = pvs<draughts::Material>({}, 4);
    const History<draughts::Game> shot(draughts::parse_position("B:W22,23:B5,8,9,11,14"));
    for (int i = 0; i < 10; ++i) CHECK(draughts::text(material->search(shot, {.depth = 8}, 0).variation.front()) == "14-18");
    const auto cells = pvs<tictactoe3d::Material>({}, 2);
    const History<tictactoe3d::Game> start(tictactoe3d::Game::start);
    CHECK(tictactoe3d::Game::generate(start.position()).contains(cells->search(start, {.nodes = 5'000}, 0).variation.front()));
}

}  // namespace

int main() {
    same_value_as_alpha_beta();
    remembers_values();
    finds_what_is_there();
    knows_the_limit_of_quiet_moves();
    replays_a_game();
    keeps_its_table();
    keeps_its_table_without_the_past();
    paces_itself();
    ends_under_a_clock();
    searches_on_threads();
    return failed();
}
