// UCT and MCTS-EPT: the tree's books, its limits, and positions worked by hand.
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "draughts_notation.hpp"
#include "evaluators.hpp"
#include "mcts.hpp"
#include "networks.hpp"
#include "playing.hpp"
#include "tictactoe3d_notation.hpp"

using namespace ludus;

namespace {

// Every play-out began with a move of the root, and every line is legal.
template <class Search>
void the_books_agree(Search& search, std::uint64_t playouts) {
    using Game = typename Search::Game;
    for (std::uint64_t index = 0; index < 5; ++index) {
        Rng games(17, index);
        History<Game> history(Game::start);
        random_game<Game>(Game::start, games, {}, [&](typename Game::Position, typename Game::Move move) {
            if (history.plies() % 9 == 4) {
                Rng one(1, index), two(1, index);
                const auto found = search.search(history.position(), history.keys(), {.nodes = playouts}, one);
                std::uint64_t visits = 0;
                for (const auto& choice : found.choices) {
                    visits += choice.visits;
                    CHECK(choice.value >= -1 && choice.value <= 1);
                }
                CHECK(found.playouts == playouts && visits == playouts);
                CHECK(found.choices.size() == Game::generate(history.position()).size());
                auto position = history.position();
                for (const auto each : found.variation) {
                    CHECK(Game::generate(position).contains(each));
                    position = Game::play(position, each);
                }
                const auto again = search.search(history.position(), history.keys(), {.nodes = playouts}, two);
                CHECK(again.move == found.move && again.value == found.value && again.nodes == found.nodes);
            }
            history.play(move);
        });
    }
}

void every_kind_keeps_its_books() {
    const auto board = random_network({32, 40, 10, 1}, 1);
    const auto cells = random_network({64, 95, 51, 1}, 2);
    const draughts::BoardNetwork on_board(board, 1.5F, true);
    const tictactoe3d::CellNetwork on_cells(cells);
    Uct<draughts::Game> uct;
    Uct<tictactoe3d::Game> uct3d;
    Uct<draughts::Game> cramped({.most_nodes = 20});
    Mcts<draughts::Game, draughts::BoardNetwork> ept(on_board);
    Mcts<tictactoe3d::Game, tictactoe3d::CellNetwork> ept3d(on_cells, {.playout_plies = 0});
    the_books_agree(uct, 500);
    the_books_agree(uct3d, 500);
    the_books_agree(cramped, 200);
    the_books_agree(ept, 300);
    the_books_agree(ept3d, 300);
}

void the_tree_stops_growing() {
    Rng rng(3, 0);
    Uct<draughts::Game> search({.most_nodes = 50});
    CHECK(search.search(draughts::start, {}, {.nodes = 2000}, rng).nodes <= 50);
    Uct<draughts::Game> root_only({.most_nodes = 1});
    CHECK(root_only.search(draughts::start, {}, {.nodes = 100}, rng).nodes == 8);  // the root and its seven moves
}

void the_best_move_is_found() {
    Rng rng(4, 0);
    // White completes a line at d1, which every play-out that begins there sees.
    Uct<tictactoe3d::Game> uct;
    const auto line = uct.search(tictactoe3d::parse_position("w,w,w,-/b,b,b,-/-,-,-,-/-,-,-,-"), {}, {.nodes = 1000}, rng);
    CHECK(tictactoe3d::text(line.move) == "d1" && line.value == 1);
    // Black is taken wherever it goes, by the last ply of a play-out: the result counts, not the evaluator, which knows nothing.
    const Network nothing({{.inputs = 32, .outputs = 1}}, std::vector<float>(33));
    const draughts::BoardNetwork evaluator(nothing, 1.5F, false);
    Mcts<draughts::Game, draughts::BoardNetwork> ept(evaluator, {.playout_plies = 1});
    CHECK(ept.search(draughts::parse_position("B:W22,25:B14"), {}, {.nodes = 50}, rng).value == -1);
}

void it_ends_when_it_is_told_to() {
    Rng rng(5, 0);
    const std::atomic<bool> stop = true;
    Uct<draughts::Game> search;
    CHECK(search.search(draughts::start, {}, {}, rng, &stop).playouts <= 16);
    const auto reported = search.search(draughts::start, {}, {}, rng, nullptr, 10, [](const auto& found) { return found.playouts < 30; });
    CHECK(reported.playouts == 30);
    const auto refused = [&](Budget budget, draughts::Position root) {
        try {
            search.search(root, {}, budget, rng);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(refused({}, draughts::start));  // nothing would end it
    CHECK(refused({.depth = 3}, draughts::start));
    CHECK(refused({.nodes = 10}, draughts::parse_position("W:W29:B22,25")));  // over
}

}  // namespace

int main() {
    every_kind_keeps_its_books();
    the_tree_stops_growing();
    the_best_move_is_found();
    it_ends_when_it_is_told_to();
    return failed();
}
