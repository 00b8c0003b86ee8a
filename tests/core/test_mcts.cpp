// UCT and MCTS-EPT: known answers, the contract of a search, and that it plays.
#include "search/mcts.hpp"

#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "games/draughts_notation.hpp"
#include "evaluation/draughts_evaluators.hpp"
#include "evaluation/tictactoe3d_evaluators.hpp"
#include "games/playing.hpp"
#include "games/tictactoe3d_notation.hpp"
#include "check.hpp"

using namespace ludus;

namespace {

using Draughts = draughts::Game;
using TicTacToe = tictactoe3d::Game;

auto parsed(std::string_view text, Draughts) { return draughts::parse_position(text); }
auto parsed(std::string_view text, TicTacToe) { return tictactoe3d::parse_position(text); }

template <class Game>
bool wins_within(int plies, typename Game::Position p, typename Game::Move move);

// Does the side to move win in `plies` plies at most, whatever the other side does?
template <class Game>
bool wins_within(int plies, typename Game::Position p) {
    const auto moves = Game::generate(p);
    return std::ranges::any_of(moves, [&](auto move) { return wins_within<Game>(plies, p, move); });
}

template <class Game>
bool wins_within(int plies, typename Game::Position p, typename Game::Move move) {
    const auto after = Game::play(p, move);
    if (const auto outcome = Game::outcome(after)) return outcome->winner.has_value();
    if (plies < 3) return false;
    const auto replies = Game::generate(after);
    return std::ranges::all_of(replies, [&](auto reply) {
        const auto next = Game::play(after, reply);
        return !Game::outcome(next) && wins_within<Game>(plies - 2, next);
    });
}

template <class Game>
auto uct(typename Game::Position p, std::uint64_t playouts, MctsOptions options = {}, std::span<const std::uint64_t> history = {}) {
    Rng rng(1, 0);
    return Uct<Game>(options).search(p, history, {.nodes = playouts}, rng);
}

// The position has one move that wins within `plies`, and the searches choose it and know that it wins.
template <class Game, class Evaluator>
void finds_the_win(std::string_view position, std::string_view winning, int plies, std::uint64_t playouts) {
    const auto p = parsed(position, Game{});
    int winners = 0;
    for (const auto move : Game::generate(p)) {
        const bool wins = wins_within<Game>(plies, p, move);
        winners += wins;
        CHECK(wins == (text(move) == winning));
    }
    CHECK(winners == 1);
    const auto found = uct<Game>(p, playouts);
    CHECK(text(found.move) == winning && found.value > 0.8);
    CHECK(found.variation.front() == found.move);
    Rng rng(1, 0);
    const Evaluator evaluator;
    const auto found_early = Mcts<Game, Evaluator>(evaluator).search(p, {}, {.nodes = playouts}, rng);
    CHECK(text(found_early.move) == winning);
}

void wins_are_found() {
    // One king shuts in five pieces.
    finds_the_win<Draughts, draughts::Material>("W:WK26:B20,24,27,K28,K32", "26-31", 1, 1'000);
    finds_the_win<Draughts, draughts::Material>("W:WK18:BK21", "18-22", 3, 2'000);
    finds_the_win<Draughts, draughts::Material>("W:WK15:BK17", "15-18", 5, 20'000);
    finds_the_win<TicTacToe, tictactoe3d::Material>("w,w,w,-/-,-,-,-/-,-,-,b/b,b,-,-", "d1", 1, 1'000);
    // c1 makes a threat at d1 and another at c4.
    finds_the_win<TicTacToe, tictactoe3d::Material>("w,w,-,-/-,-,w,b/b,-,w,-/b,b,-,-", "c1", 3, 30'000);
}

// All moves but one lose to the very next move.
template <class Game>
void averts_the_loss(std::string_view position, std::string_view saving) {
    const auto p = parsed(position, Game{});
    for (const auto move : Game::generate(p)) CHECK(wins_within<Game>(1, Game::play(p, move)) == (text(move) != saving));
    CHECK(text(uct<Game>(p, 2'000).move) == saving);
}

void losses_are_averted() {
    averts_the_loss<Draughts>("B:WK4,K19:BK11", "11-7");
    averts_the_loss<TicTacToe>("w,w,w,-/-,-,-,-/-,-,-,-/b,b,-,-", "d1");
}

void a_free_piece_is_taken() {
    // 23x14 is answered by 10x17; nothing answers 23x16.
    const auto p = draughts::parse_position("W:W23,30,31:B7,10,18,19");
    CHECK(text(uct<Draughts>(p, 1'000).move) == "23x16");
    Rng rng(1, 0);
    const draughts::Material material;
    for (const int plies : {0, 1, 6}) {
        Mcts<Draughts, draughts::Material> search(material, {.playout_plies = plies});
        CHECK(text(search.search(p, {}, {.nodes = 1'000}, rng).move) == "23x16");
    }
}

void a_draw_is_better_than_a_loss() {
    // d3 fills the board without a line of Black's; after the other move White has one.
    const auto p = tictactoe3d::parse_position("wbww,wwbw,bwbb,bbww/wwbw,bwbw,bbw,wwbb/bbwb,wbww,wwbb,wbb/wwbb,bbwb,bbbw,wwbw");
    const auto result = uct<TicTacToe>(p, 200);
    CHECK(text(result.move) == "d3" && result.value == 0);
    CHECK(result.choices.size() == 2 && result.choices[1].value < -0.9);
    CHECK(result.nodes == 5);  // the root, both moves and their only replies: the ends of the game have no children
}

void a_repetition_is_a_draw() {
    // One king against three would take the draw if 1-5 brought a position of the game back.
    const auto weak = draughts::parse_position("B:WK18,K19,K23:BK1");
    const auto before = draughts::play(weak, draughts::parse_move(weak, "1-5"));
    const std::array history{draughts::Zobrist::of(before), draughts::Zobrist::of(weak)};
    const auto result = uct<Draughts>(weak, 2'000, {}, history);
    CHECK(text(result.move) == "1-5" && result.value == 0 && result.variation.size() == 1);
    CHECK(result.choices[1].value < 0);
    CHECK(uct<Draughts>(weak, 2'000).value < 0);
    // The other side would not, whichever of its moves that is.
    const auto strong = draughts::parse_position("W:WK18,K19,K23:BK1");
    for (const auto move : draughts::generate(strong)) {
        const std::array seen{draughts::Zobrist::of(draughts::play(strong, move))};
        const auto avoiding = uct<Draughts>(strong, 2'000, {}, seen);
        CHECK(avoiding.move != move && avoiding.value > 0);
        for (const auto& choice : avoiding.choices) CHECK((choice.move == move) == (choice.value == 0));
    }
}

// Remembers the whole line, so that it can tell when it is asked about what it should not be asked about.
class Witness {
public:
    using Game = Draughts;
    using Position = draughts::Position;
    struct State {
        std::vector<Position> line;
    };

    void begin(State& state, Position p) const { state.line = {p}; }
    void follow(State& after, const State& before, Position p, draughts::Move move) const {
        follows = follows && before.line.back() == p;
        after.line = before.line;
        after.line.push_back(draughts::play(p, move));
    }
    float value(const State& state, Position afterstate) const {
        follows = follows && state.line.back() == afterstate;
        repeats = repeats || std::ranges::count(state.line, afterstate) > 1;
        longest = std::max(longest, state.line.size());
        ++asked;
        return 0;
    }

    mutable bool follows = true, repeats = false;
    mutable std::size_t longest = 0;
    mutable std::uint64_t asked = 0;
};

void the_evaluator_follows_the_line_and_sees_no_repetition() {
    const Witness witness;
    Rng rng(1, 0);
    const auto p = draughts::parse_position("W:WK1:BK4");
    Mcts<Draughts, Witness>(witness, {.playout_plies = 0}).search(p, {}, {.nodes = 5'000}, rng);
    CHECK(witness.follows && !witness.repeats);
    CHECK(witness.longest > 5 && witness.asked < 5'000);  // some lines were long enough to repeat, and did
    const Witness other;
    Mcts<Draughts, Witness>(other, {.playout_plies = 6}).search(draughts::start, {}, {.nodes = 1'000}, rng);
    CHECK(other.follows && other.asked == 1'000);
}

template <class Result>
bool same(const Result& a, const Result& b) {
    const auto equal = [](const auto& x, const auto& y) { return x.move == y.move && x.visits == y.visits && x.value == y.value; };
    return a.move == b.move && a.value == b.value && a.playouts == b.playouts && a.nodes == b.nodes && a.variation == b.variation &&
           std::ranges::equal(a.choices, b.choices, equal);
}

template <class Game>
void keeps_its_contract() {
    using Search = Uct<Game>;
    const auto first = uct<Game>(Game::start, 1'000);
    CHECK(first.playouts == 1'000);
    std::uint64_t visits = 0;
    for (const auto& choice : first.choices) {
        visits += choice.visits;
        CHECK(choice.visits <= first.choices.front().visits && std::abs(choice.value) <= 1);
    }
    CHECK(visits == 1'000 && first.choices.size() == Game::generate(Game::start).size());
    CHECK(first.move == first.choices.front().move && first.value == first.choices.front().value);

    // The seed decides, not what a search did before.
    Search search;
    Rng rng(2, 0), again(1, 0);
    CHECK(!same(search.search(Game::start, {}, {.nodes = 1'000}, rng), first));
    CHECK(same(search.search(Game::start, {}, {.nodes = 1'000}, again), first));

    // Without room the tree is what fits, and the play-outs go on.
    for (const std::size_t most : {0U, 1U, 50U, 51U, 400U}) {
        const auto small = uct<Game>(Game::start, 2'000, {.most_nodes = most});
        CHECK(small.nodes <= std::max(most, 1 + small.choices.size()) && small.playouts == 2'000);
    }
    CHECK(uct<Game>(Game::start, 1).playouts == 1);

    std::vector<std::uint64_t> reported;
    const auto stopped = search.search(Game::start, {}, {}, rng, nullptr, 100, [&](const auto& result) {
        reported.push_back(result.playouts);
        return reported.size() < 3;
    });
    CHECK((reported == std::vector<std::uint64_t>{100, 200, 300}) && stopped.playouts == 300);
    const std::atomic<bool> stop = true;
    CHECK(search.search(Game::start, {}, {.nodes = 1'000'000}, rng, &stop).playouts < 1'024);
    CHECK(search.search(Game::start, {}, {.seconds = 1e-9}, rng).playouts < 1'024);
}

template <class Call>
bool refuses(Call call) {
    try {
        call();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

void nonsense_is_refused() {
    Rng rng(1, 0);
    Uct<Draughts> search;
    CHECK(refuses([&] { search.search(draughts::start, {}, {}, rng); }));
    CHECK(refuses([&] { search.search(draughts::start, {}, {.depth = 4}, rng); }));
    CHECK(refuses([&] { search.search(draughts::parse_position("B:W21:B"), {}, {.nodes = 10}, rng); }));
    CHECK(refuses([&] { Uct<Draughts>({.exploration = -1}); }));
    CHECK(refuses([&] { Uct<Draughts>({.exploration = std::nan("")}); }));
    CHECK(refuses([&] { Uct<Draughts>({.quiet_plies = 0}); }));
}

// Pearson's statistic of the choices of random_move against equal chances, less what it should be, in standard deviations.
template <class Game>
double unevenness(typename Game::Position p) {
    const auto moves = Game::generate(p);
    std::vector<double> count(moves.size());
    Rng rng(3, 0);
    const int draws = 100'000;
    typename Game::Move move;
    for (int i = 0; i < draws && Game::random_move(p, rng, move); ++i) {
        ++count[static_cast<std::size_t>(std::ranges::find(moves, move) - moves.begin())];
    }
    const double expected = draws / static_cast<double>(moves.size()), freedom = static_cast<double>(moves.size()) - 1;
    double statistic = 0;
    for (const double n : count) statistic += (n - expected) * (n - expected) / expected;
    return (statistic - freedom) / std::sqrt(2 * freedom);
}

// Three standard deviations: with these numbers of moves a fair choice stays below that 98 times in 100 or more.
void random_moves_are_uniform() {
    CHECK(unevenness<Draughts>(draughts::start) < 3);
    CHECK(unevenness<Draughts>(draughts::parse_position("W:WK15,K18,22,30:B1,2,K29")) < 3);      // forwards and backwards
    CHECK(unevenness<Draughts>(draughts::parse_position("W:WK14,K23,27:B10,K17,18,K19")) < 3);   // single captures
    CHECK(unevenness<Draughts>(draughts::parse_position("W:WK31:B10,11,18,19,26,27,K25")) < 3);  // captures that go on
    CHECK(unevenness<TicTacToe>(tictactoe3d::start) < 3);
}

template <class Game>
void random_games_are_an_index_into_each_list_until_the_first_end() {
    int repetitions = 0;
    for (std::uint64_t game = 0; game < 1'000; ++game) {
        Rng rng(4, game), other(4, game);
        History<Game> history(Game::start);
        const Outcome outcome = random_game<Game>(Game::start, rng, {}, [&](auto p, auto move) {
            CHECK(!history.outcome() && history.position() == p && std::ranges::count(history.keys(), history.keys().back()) < 3);
            const auto moves = Game::generate(p);
            CHECK(move == moves[other.below(static_cast<std::uint32_t>(moves.size()))]);
            history.play(move);
        });
        CHECK(history.outcome() == outcome);
        CHECK(rng.next() == other.next());  // nothing is drawn for the end
        if (outcome.reason == Reason::repetition) {
            ++repetitions;
            CHECK(std::ranges::count(history.keys(), history.keys().back()) == 3);
        }
    }
    CHECK((repetitions > 0) == (std::is_same_v<Game, Draughts>));
}

// Games of `a` against `b` from the start, its colour changing: wins and draws of `a`.
struct Tally {
    int wins = 0, draws = 0;
};

template <class A, class B>
Tally match(int games, A a, B b) {
    Tally tally;
    for (int game = 0; game < games; ++game) {
        Rng rng(5, static_cast<std::uint64_t>(game));
        History<Draughts> history(draughts::start);
        const Color color = game % 2 ? Color::white : Color::black;
        while (!history.outcome()) history.play(history.position().turn == color ? a(history, rng) : b(history, rng));
        const auto winner = history.outcome()->winner;
        tally.wins += winner == color;
        tally.draws += !winner;
    }
    return tally;
}

void it_plays() {
    const auto player = [](auto& search) {
        return [&](const History<Draughts>& history, Rng& rng) {
            return search.search(history.position(), history.keys(), {.nodes = 200}, rng).move;
        };
    };
    const auto random = [](const History<Draughts>& history, Rng& rng) {
        draughts::Move move;
        draughts::random_move(history.position(), rng, move);
        return move;
    };
    Uct<Draughts> playing_out;
    const draughts::Material material;
    Mcts<Draughts, draughts::Material> cutting_short(material, {.exploration = 0.1});
    CHECK(match(100, player(playing_out), random).wins >= 95);
    // Measured over 300 games from varied openings: 223 won, 52 drawn, a score of 83%.
    const Tally tally = match(100, player(cutting_short), player(playing_out));
    CHECK(2 * tally.wins + tally.draws >= 140);
}

}  // namespace

int main() {
    wins_are_found();
    losses_are_averted();
    a_free_piece_is_taken();
    a_draw_is_better_than_a_loss();
    a_repetition_is_a_draw();
    the_evaluator_follows_the_line_and_sees_no_repetition();
    keeps_its_contract<Draughts>();
    keeps_its_contract<TicTacToe>();
    nonsense_is_refused();
    random_moves_are_uniform();
    random_games_are_an_index_into_each_list_until_the_first_end<Draughts>();
    random_games_are_an_index_into_each_list_until_the_first_end<TicTacToe>();
    it_plays();
    return failed();
}
