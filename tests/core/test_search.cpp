// Searches against each other and against positions worked by hand.
#include <cstdint>
#include <vector>

#include "search/alphabeta.hpp"
#include "check.hpp"
#include "games/draughts_notation.hpp"
#include "evaluation/draughts_evaluators.hpp"
#include "evaluation/tictactoe3d_evaluators.hpp"
#include "search/minimax.hpp"
#include "networks.hpp"
#include "games/playing.hpp"
#include "games/tictactoe3d_notation.hpp"

using namespace ludus;

namespace {

template <class Game>
std::vector<typename Game::Position> positions_of_games(std::size_t count, std::uint64_t seed) {
    std::vector<typename Game::Position> positions;
    for (std::uint64_t index = 0; positions.size() < count; ++index) {
        Rng rng(seed, index);
        // Every seventh position: neighbours are too much alike.
        int ply = static_cast<int>(index % 7);
        random_game<Game>(Game::start, rng, {}, [&](typename Game::Position p, typename Game::Move) {
            if (ply++ % 7 == 0) positions.push_back(p);
        });
    }
    positions.resize(count);
    return positions;
}

template <class Evaluator>
Iteration<typename Evaluator::Game::Move> alphabeta(const Evaluator& evaluator, typename Evaluator::Game::Position p, Budget budget,
                                                    AlphaBetaOptions options, TranspositionTable& table) {
    AlphaBeta<Evaluator> search(evaluator, options, table);
    const std::uint64_t key = Evaluator::Game::Zobrist::of(p);
    return search.search(p, {&key, 1}, budget, nullptr, [](const auto&) { return true; });
}

constexpr AlphaBetaOptions plain{.table = false, .deeper = false, .ordering = false, .quiescence = false, .reductions = false, .repetition = false};

template <class Evaluator>
void same_value_as_minimax(const Evaluator& evaluator, std::size_t count, int deepest) {
    TranspositionTable table(1);
    for (const auto p : positions_of_games<typename Evaluator::Game>(count, 11)) {
        for (int depth = 1; depth <= deepest; ++depth) {
            const auto wanted = Minimax<Evaluator>(evaluator).search(p, {.depth = depth}, nullptr);
            const auto found = alphabeta(evaluator, p, {.depth = depth}, plain, table);
            CHECK(found.score == wanted.score);
        }
    }
}

// The value of each root move, in the order of generation.
template <class Evaluator>
std::vector<Score> root_values(const Evaluator& evaluator, typename Evaluator::Game::Position p, int depth, AlphaBetaOptions options, TranspositionTable& table) {
    options.exact_root = true;
    const auto found = alphabeta(evaluator, p, {.depth = depth}, options, table);
    std::vector<Score> values;
    for (const auto move : Evaluator::Game::generate(p)) {
        for (const auto& root : found.moves) {
            if (root.move == move && root.exact) values.push_back(root.score);
        }
    }
    return values;
}

template <class Evaluator>
void same_root_values_with_table_and_ordering(const Evaluator& evaluator, std::size_t count, int depth) {
    TranspositionTable table(4);
    for (const auto p : positions_of_games<typename Evaluator::Game>(count, 12)) {
        for (const bool quiescence : {false, true}) {
            AlphaBetaOptions off = plain, on = plain;
            off.quiescence = on.quiescence = quiescence;
            on.table = on.ordering = true;
            const auto wanted = root_values(evaluator, p, depth, off, table);
            CHECK(wanted.size() == Evaluator::Game::generate(p).size());
            CHECK(root_values(evaluator, p, depth, on, table) == wanted);
        }
    }
}

void finds_what_is_there() {
    TranspositionTable table(1);
    const draughts::Material material;
    // Black gives a man and takes two, whichever way White takes: 14-18, then 22x15 11x18x27 or 23x14 9x18x25.
    const auto shot = alphabeta(material, draughts::parse_position("B:W22,23:B5,8,9,11,14"), {.depth = 6}, {}, table);
    CHECK(draughts::text(shot.variation.front()) == "14-18");
    CHECK(shot.score == win - 3);
    // Two kings catch a man that has just set out.
    const auto won = draughts::parse_position("B:W32:BK27,K23");
    CHECK(is_win(alphabeta(material, won, {.depth = 9}, {}, table).score));
    // White completes a line at d1.
    const auto line = tictactoe3d::parse_position("w,w,w,-/b,b,b,-/-,-,-,-/-,-,-,-");
    const auto found = alphabeta(tictactoe3d::Material{}, line, {.depth = 3}, {}, table);
    CHECK(tictactoe3d::text(found.variation.front()) == "d1");
    CHECK(found.score == win - 1);
    CHECK(found.depth == 1);  // a forced end is final at the depth where it is found
    // Black completes its own line rather than stop White's.
    const auto race = alphabeta(tictactoe3d::Material{}, tictactoe3d::parse_position("w,w,w,-/b,b,b,-/-,-,-,w/-,-,-,-"), {.depth = 2}, {}, table);
    CHECK(tictactoe3d::text(race.variation.front()) == "d2");
    // With no line of its own to complete, it must stop White's.
    const auto stop = alphabeta(tictactoe3d::Material{}, tictactoe3d::parse_position("w,w,w,-/b,b,-,-/-,-,-,-/-,-,-,-"), {.depth = 2}, {}, table);
    CHECK(tictactoe3d::text(stop.variation.front()) == "d1");
}

void a_repeated_position_is_a_draw() {
    // Two kings to one in the double corner: without a way in, going back and forth is worth a draw to both.
    const auto p = draughts::parse_position("W:WK1:BK10,K15");
    const draughts::Material material;
    TranspositionTable table(1);
    AlphaBeta<draughts::Material> search(material, {}, table);
    std::vector<std::uint64_t> keys{draughts::Zobrist::of(p)};
    draughts::Position now = p;
    for (const char* move : {"1-5", "10-14", "5-1", "14-10"}) {
        const auto parsed = draughts::parse_move(now, move);
        keys.push_back(draughts::Zobrist::after(keys.back(), now, parsed));
        now = draughts::play(now, parsed);
    }
    CHECK(now == p);
    // White repeats at once by 1-5, and that line is worth exactly 0 to it: it is behind, so it takes the draw.
    const auto found = search.search(now, keys, {.depth = 1}, nullptr, [](const auto&) { return true; });
    CHECK(found.score == 0);
    CHECK(draughts::text(found.variation.front()) == "1-5");
}

void a_budget_is_kept_and_repeats() {
    const auto network = random_network({32, 40, 10, 1}, 3);
    const draughts::BoardNetwork evaluator(network, 1.5F, false);
    TranspositionTable fresh(1), used(1);
    for (const auto p : positions_of_games<draughts::Game>(20, 13)) {
        if (draughts::Game::is_over(p)) continue;
        (void)alphabeta(evaluator, draughts::start, {.nodes = 3000}, {}, used);
        const auto one = alphabeta(evaluator, p, {.nodes = 5000}, {}, fresh);
        const auto two = alphabeta(evaluator, p, {.nodes = 5000}, {}, used);
        CHECK(one.nodes <= 5000);
        CHECK(one.nodes == two.nodes && one.score == two.score && one.variation == two.variation && one.depth == two.depth);
    }
    const auto none = alphabeta(evaluator, draughts::start, {.nodes = 1}, {}, fresh);
    CHECK(none.depth == 0 && none.moves.size() == 7);  // no time for anything: still a legal move
    const std::atomic<bool> stop = true;
    AlphaBeta<draughts::BoardNetwork> search(evaluator, {}, fresh);
    const std::uint64_t key = draughts::Zobrist::of(draughts::start);
    const auto stopped = search.search(draughts::start, {&key, 1}, {.depth = 60}, &stop, [](const auto&) { return true; });
    CHECK(stopped.nodes <= 1024);
}

}  // namespace

int main() {
    same_value_as_minimax(draughts::Material{}, 2000, 5);
    same_value_as_minimax(draughts::BoardNetwork(random_network({32, 40, 10, 1}, 1), 1.5F, true), 200, 4);
    same_value_as_minimax(draughts::FeatureNetwork(random_network({38, 20, 1}, 2), draughts::featuremap12, draughts::Coding::clean), 200, 4);
    same_value_as_minimax(tictactoe3d::Material{}, 100, 3);
    same_root_values_with_table_and_ordering(draughts::Material{}, 200, 6);
    same_root_values_with_table_and_ordering(draughts::BoardNetwork(random_network({32, 40, 10, 1}, 1), 1.5F, true), 100, 6);
    same_root_values_with_table_and_ordering(tictactoe3d::Material{}, 30, 3);
    finds_what_is_there();
    a_repeated_position_is_a_draw();
    a_budget_is_kept_and_repeats();
    return failed();
}
