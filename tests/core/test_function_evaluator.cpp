// The evaluator that asks a function: it has the function's values, asks about all moves of a position at once, and asks once.
#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "evaluation/draughts_evaluators.hpp"
#include "evaluation/function_evaluator.hpp"
#include "evaluation/tictactoe3d_evaluators.hpp"
#include "search/minimax.hpp"

using namespace ludus;

namespace {

template <class Material>
void a_function_is_searched_like_the_evaluator_it_asks() {
    using Game = typename Material::Game;
    const Material material;
    std::vector<std::size_t> batches;
    const FunctionEvaluator<Game> function([&](std::span<const typename Game::Position> positions, std::span<float> values) {
        batches.push_back(positions.size());
        typename Material::State state;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            material.begin(state, positions[i]);
            values[i] = material.value(state, positions[i]);
        }
    });
    Minimax<FunctionEvaluator<Game>> ours(function);
    Minimax<Material> theirs(material);
    const auto found = ours.search(Game::start, {.depth = 1}, nullptr), expected = theirs.search(Game::start, {.depth = 1}, nullptr);
    CHECK(found.score == expected.score && found.variation == expected.variation);
    CHECK(batches == std::vector<std::size_t>{Game::generate(Game::start).size()});
    const auto deep = ours.search(Game::start, {.depth = 3}, nullptr);
    CHECK(deep.score == theirs.search(Game::start, {.depth = 3}, nullptr).score);
    std::size_t asked = 0;
    for (std::size_t i = 1; i < batches.size(); ++i) asked += batches[i];
    CHECK(asked < deep.nodes);  // positions that come again are asked once
}

void an_error_of_the_function_comes_out_of_the_search() {
    const FunctionEvaluator<draughts::Game> function([](auto, auto) { throw std::runtime_error("no value"); });
    Minimax<FunctionEvaluator<draughts::Game>> search(function);
    bool thrown = false;
    try {
        search.search(draughts::Game::start, {.depth = 2}, nullptr);
    } catch (const std::runtime_error&) {
        thrown = true;
    }
    CHECK(thrown);
}

}  // namespace

int main() {
    a_function_is_searched_like_the_evaluator_it_asks<draughts::Material>();
    a_function_is_searched_like_the_evaluator_it_asks<tictactoe3d::Material>();
    an_error_of_the_function_comes_out_of_the_search();
    return failed();
}
