// The engine: every kind of search on every kind of evaluator, the team of MP-Draughts, and match games.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check.hpp"
#include "engine/counting.hpp"
#include "engine/evaluator.hpp"
#include "engine/match_game.hpp"
#include "engine/searcher.hpp"
#include "games/draughts_notation.hpp"
#include "games/tictactoe3d_notation.hpp"
#include "networks.hpp"

using namespace ludus;

namespace {

using Draughts = draughts::Game;
using TicTacToe = tictactoe3d::Game;

constexpr AlphaBetaOptions plain{.table = false, .deeper = false, .ordering = false, .quiescence = false, .reductions = false, .repetition = false};

draughts::FeatureNetwork member(std::uint64_t seed) {
    return {random_network({38, 20, 1}, seed), draughts::featuremap12, draughts::Coding::clean};
}

constexpr draughts::FeatureSet behind{1U << static_cast<unsigned>(draughts::Feature::piece_disadvantage)};

// The endgame has 7 pieces here, and the map is given by how much the side that has just moved is behind: its units are 2 and 5.
draughts::Team team(draughts::Dynamics dynamics) {
    return {{member(1), member(2), member(3)}, draughts::SpecialistMap({2, 5}, behind, draughts::Attributes::count), {1, 2}, 7, dynamics};
}

std::vector<Evaluator<Draughts>> evaluators(Draughts) {
    return {make_evaluator<draughts::Material>(),
            make_evaluator<draughts::BoardNetwork>(random_network({32, 40, 10, 1}, 1), 1.5F, true),
            make_evaluator<draughts::BoardNetwork>(random_network({91, 20, 1}, 2), 1.3F, false),
            make_evaluator<draughts::FeatureNetwork>(member(3)),
            make_evaluator<draughts::Polynomial>(random_network({30, 1}, 4), (1U << 30) - 1),
            make_evaluator<draughts::Team>(team(draughts::Dynamics::once)),
            make_evaluator<draughts::Team>(team(draughts::Dynamics::always))};
}

std::vector<Evaluator<TicTacToe>> evaluators(TicTacToe) {
    return {make_evaluator<tictactoe3d::Material>(),
            make_evaluator<tictactoe3d::CellNetwork>(random_network({64, 50, 1}, 1, Activation::logistic)),
            make_evaluator<tictactoe3d::PatternNetwork>(random_network({6156, 8, 1}, 2), false),
            make_evaluator<tictactoe3d::PatternNetwork>(random_network({tictactoe3d::pattern_table(true).inputs, 8, 1}, 3), true)};
}

// The searches that ask an evaluator, each with a budget.
template <class Game>
std::vector<std::pair<std::unique_ptr<Searcher<Game>>, Budget>> evaluating_searchers(const Evaluator<Game>& evaluator) {
    std::vector<std::pair<std::unique_ptr<Searcher<Game>>, Budget>> list;
    list.emplace_back(make_minimax<Game>(evaluator.kind, false), Budget{.depth = 2});
    list.emplace_back(make_minimax<Game>(evaluator.kind, true), Budget{.depth = 1});
    list.emplace_back(make_alphabeta<Game>(evaluator.kind, {}, 1), Budget{.depth = 3});
    list.emplace_back(make_alphabeta<Game>(evaluator.kind, {}, 1), Budget{.nodes = 500});
    list.emplace_back(make_mcts<Game>(evaluator.kind, {.exploration = 0.3, .playout_plies = 2}), Budget{.nodes = 200});
    return list;
}

template <class Game>
std::string first_move(Searcher<Game>& searcher, const History<Game>& history, Budget budget) {
    const auto found = searcher.search(history, budget, 5);
    CHECK(found.variation.front() == searcher.choose(history, budget, 5));  // the same seed, the same move
    return text(found.variation.front());
}

// The one move that wins at once is found by every search on every evaluator.
template <class Game>
void every_search_wins_at_once(typename Game::Position position, std::string_view winning) {
    const History<Game> history(position);
    for (const auto& evaluator : evaluators(Game{})) {
        for (const auto& [searcher, budget] : evaluating_searchers(evaluator)) CHECK(first_move(*searcher, history, budget) == winning);
    }
    CHECK(first_move(*make_mcts<Game>(nullptr, {}), history, {.nodes = 400}) == winning);
}

// At depth 1 a move is worth what its afterstate is worth; deeper, minimax and plain alpha-beta find the same.
template <class Game>
void searches_agree_with_their_evaluator() {
    Rng rng(1, 0);
    History<Game> history(Game::start);
    for (int ply = 0; ply < 6; ++ply) {
        for (const auto& evaluator : evaluators(Game{})) {
            const auto minimax = make_minimax<Game>(evaluator.kind, false), alphabeta = make_alphabeta<Game>(evaluator.kind, plain, 1);
            for (const auto& root : minimax->search(history, {.depth = 1}, 0).moves) {
                CHECK(root.score == to_score(evaluator.value(Game::play(history.position(), root.move))));
            }
            CHECK(minimax->search(history, {.depth = 2}, 0).score == alphabeta->search(history, {.depth = 2}, 0).score);
        }
        typename Game::Move move;
        Game::random_move(history.position(), rng, move);
        history.play(move);
    }
}

// White threatens to complete a line at d1; a network that knows nothing of it must still not let it happen.
void a_greedy_search_can_be_kept_from_losing_at_once() {
    const auto threatened = tictactoe3d::parse_position("w,w,w,-/b,b,-,-/-,-,-,-/-,-,-,-");
    int careless = 0;
    for (const auto& evaluator : evaluators(TicTacToe{})) {
        const History<TicTacToe> history(threatened);
        CHECK(first_move(*make_minimax<TicTacToe>(evaluator.kind, true), history, {.depth = 1}) == "d1");
        careless += first_move(*make_minimax<TicTacToe>(evaluator.kind, false), history, {.depth = 1}) != "d1";
    }
    CHECK(careless > 0);
}

// Black takes a man and the endgame begins: White has 6 in material (2 a man, 3 a king), Black has 8. Later Black takes
// another and has a king: White has 4 and Black has 9.
void a_team_chooses_its_member_by_the_game_so_far() {
    struct Turn {
        std::string_view move;
        int behind;               // of the side that has just moved, as the map is given it; -1 before the endgame
        std::size_t once, always;  // the member
    };
    const std::vector<Turn> turns{{"15x24", -1, 0, 0}, {"22-18", 0, 1, 1}, {"1-5", 2, 1, 1}, {"32-27", 0, 1, 1}, {"24x31", 2, 1, 1}, {"18-15", 0, 1, 1}, {"", 5, 1, 2}};
    const draughts::Team once = team(draughts::Dynamics::once), always = team(draughts::Dynamics::always);
    const auto shared_once = make_evaluator<draughts::Team>(once), shared_always = make_evaluator<draughts::Team>(always);
    const auto searcher_once = make_alphabeta<Draughts>(shared_once.kind, {}, 1), searcher_always = make_alphabeta<Draughts>(shared_always.kind, {}, 1);
    const auto start = draughts::parse_position("B:W19,22,29,32:B1,2,4,15");
    History<Draughts> history(start);
    std::vector<draughts::Position> asked(2, start);  // about which each side asks when the map is asked once
    for (const Turn& turn : turns) {
        const auto now = history.position();
        const auto found = always.choice(history.positions());
        CHECK(found.member == turn.always && always.member_index(history.positions()) == turn.always);
        CHECK(once.member_index(history.positions()) == turn.once);
        if (turn.behind < 0) {
            CHECK(!found.position && found.attributes.empty() && found.distances.empty());
        } else {
            const double by = turn.behind;
            CHECK(found.position == now);
            CHECK(found.attributes == std::vector<float>{static_cast<float>(by)});
            CHECK((found.distances == std::vector<double>{(by - 2) * (by - 2), (by - 5) * (by - 5)}));
            auto& first = asked[static_cast<std::size_t>(now.turn)];
            if (first == start) first = now;
            CHECK(once.choice(history.positions()).position == first);
        }
        // A search of the team is that of the member alone, and one searcher serves the whole game.
        const std::pair<Searcher<Draughts>*, std::size_t> searches[] = {{searcher_once.get(), turn.once}, {searcher_always.get(), turn.always}};
        for (const auto& [searcher, index] : searches) {
            const auto alone = make_evaluator<draughts::FeatureNetwork>(always.member(index));
            const auto wanted = make_alphabeta<Draughts>(alone.kind, {}, 1)->search(history, {.depth = 4}, 1), got = searcher->search(history, {.depth = 4}, 1);
            CHECK(got.score == wanted.score && got.variation == wanted.variation && got.nodes == wanted.nodes);
        }
        CHECK(shared_always.value(now) == make_evaluator<draughts::FeatureNetwork>(always.member(turn.always)).value(now));
        if (!turn.move.empty()) history.play(draughts::parse_move(now, turn.move));
    }
}

// A match game can be played again from its text, and says what that gives.
template <class Game>
void a_match_game_is_what_its_text_says(MatchSide<Game> first, MatchSide<Game> second, std::size_t opening_plies) {
    std::vector<typename Game::Move> opening;
    auto position = Game::start;
    for (std::size_t ply = 0; ply < opening_plies; ++ply, position = Game::play(position, opening.back())) opening.push_back(Game::generate(position)[ply]);
    const DrawRules rules{.plies = 40};
    const MatchGame<Game> game = play_game<Game>(first, second, Game::start, opening, rules);
    History<Game> history(Game::start, rules);
    std::istringstream words(game.moves);
    std::size_t plies = 0;
    for (std::string word; words >> word; ++plies) {
        CHECK(!history.outcome());
        const auto move = parse_move(history.position(), word);
        if (plies < opening_plies) CHECK(move == opening[plies]);
        history.play(move);
    }
    CHECK(history.outcome() == game.outcome && history.position() == game.last);
    CHECK(game.values.size() == plies - opening_plies && game.depths.size() == plies - opening_plies);
    CHECK(static_cast<std::size_t>(game.chosen[0] + game.chosen[1]) == plies - opening_plies);
    CHECK(game.chosen[0] - game.chosen[1] == 0 || game.chosen[0] - game.chosen[1] == (opening_plies % 2 ? -1 : 1));
    for (std::size_t side = 0; side < 2; ++side) {
        const std::uint64_t most = (side == 0 ? first : second).budget.nodes;
        if (most) CHECK(game.nodes[side] <= most * static_cast<std::uint64_t>(game.chosen[side]));
    }
    CHECK(std::ranges::all_of(game.values, [](double value) { return value >= -1 && value <= 1; }));
    CHECK(play_game<Game>(first, second, Game::start, opening, rules).moves == game.moves);
}

void match_games() {
    const auto networks = evaluators(Draughts{});
    const auto one = make_alphabeta<Draughts>(networks[1].kind, {}, 1), other = make_mcts<Draughts>(nullptr, {});
    a_match_game_is_what_its_text_says<Draughts>({one.get(), {.nodes = 300}}, {other.get(), {.nodes = 30}}, 3);
    const auto rules = make_rule_player(tictactoe3d::Order::move);
    const auto chance = make_random<TicTacToe>();
    a_match_game_is_what_its_text_says<TicTacToe>({rules.get(), {}}, {chance.get(), {}}, 2);
    a_match_game_is_what_its_text_says<TicTacToe>({chance.get(), {}}, {rules.get(), {}}, 0);
    // From a position all of whose moves are forced; Black, who is to move there, is the first side.
    const MatchGame<Draughts> forced = play_game<Draughts>({one.get(), {.depth = 1}}, {other.get(), {.nodes = 5}}, draughts::parse_position("B:W29:B21,25"), {}, {});
    CHECK(forced.moves == "25-30 29-25 30-26 25-22 26x17" && forced.outcome.winner == Color::black);
    CHECK(forced.chosen[0] == 3 && forced.chosen[1] == 2 && forced.nodes[1] == 10);
    // A side's play hangs on its own seed.
    const auto moves = [&](std::uint64_t seed) {
        return play_game<TicTacToe>({chance.get(), {}, seed}, {rules.get(), {}, 7}, tictactoe3d::start, {}, {}).moves;
    };
    CHECK(moves(1) == moves(1) && moves(1) != moves(2));
    bool refused = false;
    try {
        play_game<Draughts>({one.get(), {.depth = 1}}, {one.get(), {.depth = 1}}, draughts::start, {draughts::Move{}}, {});
    } catch (const IllegalMove&) {
        refused = true;
    }
    CHECK(refused);
}

// A second search of a searcher, from inside a report, is refused as long as the first is under way.
void a_searcher_does_one_search_at_a_time() {
    const auto searcher = make_alphabeta<Draughts>(make_evaluator<draughts::Material>().kind, {}, 1);
    const Busy busy(searcher->busy);
    bool refused = false;
    try {
        const Busy again(searcher->busy);
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused && searcher->busy);
    searcher->stop = true;
    CHECK(searcher->search(History<Draughts>(draughts::start), {.depth = 60}, 0).nodes <= 1024);
}

void counting() {
    CHECK(perft<Draughts>(draughts::start, 5, false) == 7361 && perft<Draughts>(draughts::start, 5, true) == 7361);
    CHECK(perft<TicTacToe>(tictactoe3d::start, 3, false) == 4096);
    Tally whole = random_games<Draughts>(3, 0, 50), parts = random_games<Draughts>(3, 0, 20);
    CHECK(whole.wins + whole.draws + whole.losses == 50);
    parts += random_games<Draughts>(3, 20, 30);
    CHECK(parts.wins == whole.wins && parts.draws == whole.draws && parts.plies == whole.plies);
}

}  // namespace

int main() {
    every_search_wins_at_once<TicTacToe>(tictactoe3d::parse_position("w,w,w,-/b,b,b,-/-,-,-,-/-,-,-,-"), "d1");
    every_search_wins_at_once<Draughts>(draughts::parse_position("B:W5:BK6"), "6-1");  // the man has no way past the king
    searches_agree_with_their_evaluator<Draughts>();
    searches_agree_with_their_evaluator<TicTacToe>();
    a_greedy_search_can_be_kept_from_losing_at_once();
    a_team_chooses_its_member_by_the_game_so_far();
    match_games();
    a_searcher_does_one_search_at_a_time();
    counting();
    return failed();
}
