// Monte-Carlo tree search: UCT (Kocsis and Szepesvari 2006) and MCTS-EPT, early play-out termination (Lorentz 2008).
//
// A simulation descends from the root by UCB1 to a move it has not tried, adds what it found there to the tree, and credits
// the result to every move on its way. UCT finds the result by random play to the end of the game; EPT plays `playout_plies`
// random plies and asks an evaluator.
//
// Results are in [-1, 1] and belong to the side that made the move, as an evaluator's values do.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <span>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "games/playing.hpp"
#include "games/random.hpp"
#include "search/search.hpp"

namespace ludus {

struct MctsOptions {
    // UCB1's constant for results in [-1, 1]: a move is worth its mean + exploration * sqrt(ln(parent's visits) / visits).
    // Sqrt(2) suits results that are wins and losses. Values of an evaluator that differ less ask for less: draughts::Material,
    // where a man is 0.06, scores 83% against UCT with 0.1 and 66% with sqrt(2) (200 play-outs a move, 300 games each).
    double exploration = std::numbers::sqrt2;
    int playout_plies = 6;  // EPT: random plies before the evaluator is asked; 0 asks it about the leaf itself
    // A play-out is a draw after this many plies without a capture or a man's move, for kings that move at random seldom meet.
    // Of the random games from the start 96% end before that. The official 80 makes play-outs of king endings a fifth longer
    // and scores 45% against 40 (300 play-outs a move, 300 games).
    int quiet_plies = 40;
    // A random move of a play-out after which the opponent can capture is drawn once more. It makes careless moves rarer, and no
    // move impossible.
    bool skewed = false;
    bool by_value = false;  // choose the move with the best mean result, not the one with the most visits
    std::size_t most_nodes = 4'000'000;  // of 32 bytes; then the tree stops growing and play-outs go on from its leaves
};

// What a search has found so far.
template <class Move>
struct MctsResult {
    struct Choice {
        Move move;
        std::uint64_t visits;  // play-outs that began with it
        double value;          // their mean result for the side to move at the root; 0 without any
    };

    Move move{};                  // most visits, then the better value; with `by_value` the other way round; then the order of `generate`
    double value = 0;             // its mean result
    std::vector<Choice> choices;  // all moves of the root, in the order of that rule
    std::vector<Move> variation;  // the most visited line
    std::uint64_t playouts = 0;
    std::size_t nodes = 0;  // of the tree, its root included
    double seconds = 0;
};

// Stands for the evaluator of a search that needs none.
struct NoEvaluator {
    struct State {};
};

template <class G, class Evaluator = NoEvaluator>
class Mcts {
public:
    using Game = G;
    using Position = typename Game::Position;
    using Move = typename Game::Move;
    using Result = MctsResult<Move>;
    // Sees the result so far; the search ends when it answers false.
    using Report = std::function<bool(const Result&)>;

    static constexpr bool evaluated = !std::is_same_v<Evaluator, NoEvaluator>;

    explicit Mcts(MctsOptions options = {}) requires(!evaluated) : Mcts(nullptr, options) {}
    // The evaluator must outlive the search.
    explicit Mcts(const Evaluator& evaluator, MctsOptions options = {}) requires(evaluated) : Mcts(&evaluator, options) {}

    bool blocked_draws = false;  // a side that has pieces and no move draws (DrawRules)

    // Searches from `root`, where the game is not over. `history` holds the keys of the positions of the game that can still
    // come again (History::keys): to bring one of them back, or one of the line in the tree, counts as a draw.
    // `report` is called after every `report_every` play-outs.
    // The same root, history, rng and number of play-outs give the same result to the bit.
    Result search(Position root, std::span<const std::uint64_t> history, Budget budget, Rng& rng, const std::atomic<bool>* stop = nullptr,
                  std::uint64_t report_every = 0, const Report& report = nullptr) {
        const bool reports = report_every && report;
        if (budget.depth) throw std::invalid_argument("MCTS has no depth: limit its play-outs or its seconds");
        if (!budget.nodes && budget.seconds <= 0 && !stop && !reports) {
            throw std::invalid_argument("nothing would end this search: limit its play-outs or its seconds");
        }
        if (Game::outcome(root)) throw std::invalid_argument("the game is over: there is nothing to search");

        Meter meter(budget, stop);
        history_ = history;
        nodes_.assign(1, Node{});
        positions_[0] = root;
        if constexpr (evaluated) evaluator_->begin(states_[0], root);
        expand(nodes_[0], root);

        std::uint64_t playouts = 0;
        // A play-out is as long as hundreds of nodes: the meter's own look at the clock would come too late.
        while (meter.spend() && (playouts == 0 || playouts % 16 || !meter.is_time_up())) {
            simulate(rng);
            ++playouts;
            if (reports && playouts % report_every == 0 && !report(result(meter, playouts))) break;
        }
        return result(meter, playouts);
    }

private:
    enum class Ended : std::uint8_t { no, won, drawn };  // for the side that moved here, which cannot lose by its own move

    struct Node {
        double mean = 0;          // of the results for the side that moved here
        Move move{};              // that led here
        std::uint32_t visits = 0;
        float width = 0;          // 1 / sqrt(visits): what UCB1 needs of them
        std::uint32_t first = 0;  // child; the others follow it
        std::uint8_t children = 0;
        std::uint8_t tried = 0;   // children, which are the first ones
        Ended ended = Ended::no;
    };
    static_assert(sizeof(Node) <= 32, "two nodes a cache line");

    Mcts(const Evaluator* evaluator, MctsOptions options) : evaluator_(evaluator), options_(options) {
        if (!(options.exploration >= 0)) throw std::invalid_argument("the exploration constant is not negative");
        if (options.playout_plies < 0) throw std::invalid_argument("a play-out has no negative number of plies");
        if (options.quiet_plies < 1) throw std::invalid_argument("a play-out has room for one quiet ply at least");
        if (options.most_nodes > (std::size_t{1} << 31)) throw std::invalid_argument("a tree has at most 2^31 nodes");
    }

    // One play-out, added to the tree.
    void simulate(Rng& rng) {
        path_[0] = 0;
        std::size_t depth = 0;
        bool is_new = false;
        while (!is_new) {
            const std::uint32_t parent = path_[depth];
            // A leaf that is met again is expanded, unless it is the end or the tree has no room; one node a simulation.
            if (!nodes_[parent].children && !grow(depth)) break;
            is_new = nodes_[parent].tried < nodes_[parent].children;
            const std::uint32_t child = is_new ? try_another(nodes_[parent], rng) : best(nodes_[parent]);
            descend(depth++, child);
            if (is_new) nodes_[child].ended = ending(depth);
        }
        double result = leaf_result(depth, rng);
        for (;; result = -result) {
            Node& node = nodes_[path_[depth]];
            ++node.visits;
            node.mean += (result - node.mean) / node.visits;
            node.width = 1 / std::sqrt(static_cast<float>(node.visits));
            if (depth-- == 0) return;
        }
    }

    // Gives a leaf its children; false when it must stay a leaf.
    bool grow(std::size_t depth) {
        Node& leaf = nodes_[path_[depth]];
        const bool has_room = depth + 1 < path_.size() && nodes_.size() < options_.most_nodes;
        return leaf.ended == Ended::no && has_room && expand(leaf, positions_[depth]);
    }

    // The root is expanded whatever the limit, for a search must have moves to choose from.
    bool expand(Node& node, Position position) {
        const auto moves = Game::generate(position);
        const bool is_root = nodes_.size() == 1;
        if (!is_root && nodes_.size() + moves.size() > options_.most_nodes) return false;
        node.first = static_cast<std::uint32_t>(nodes_.size());
        node.children = static_cast<std::uint8_t>(moves.size());
        for (const Move move : moves) nodes_.push_back(Node{.move = move});  // `node` may have moved: not used from here on
        return true;
    }

    // The next child is one of those not tried yet, all equally likely; it changes places with the first of them.
    std::uint32_t try_another(Node& parent, Rng& rng) {
        const std::uint32_t next = parent.first + parent.tried;
        const std::uint32_t chosen = next + rng.below(static_cast<std::uint32_t>(parent.children - parent.tried));
        std::swap(nodes_[next].move, nodes_[chosen].move);
        ++parent.tried;
        return next;
    }

    // The child with the highest upper confidence bound; all have been tried.
    std::uint32_t best(const Node& parent) const {
        const double scale = options_.exploration * std::sqrt(std::log(static_cast<double>(parent.visits)));
        std::uint32_t best = parent.first;
        double highest = -std::numeric_limits<double>::infinity();
        for (std::uint32_t child = parent.first; child < parent.first + parent.children; ++child) {
            const double bound = nodes_[child].mean + scale * nodes_[child].width;
            if (bound > highest) {
                highest = bound;
                best = child;
            }
        }
        return best;
    }

    void descend(std::size_t depth, std::uint32_t child) {
        const Move move = nodes_[child].move;
        const Position& before = positions_[depth];
        if constexpr (evaluated) evaluator_->follow(states_[depth + 1], states_[depth], before, move);
        reversible_[depth + 1] = Game::irreversible(before, move) ? 0 : reversible_[depth] + 1;
        positions_[depth + 1] = Game::play(before, move);
        path_[depth + 1] = child;
    }

    // Has the game ended at this depth of the path, by the rules or by coming back to a position?
    Ended ending(std::size_t depth) const {
        const Position& position = positions_[depth];
        if (const auto outcome = ludus::outcome<Game>(position, blocked_draws)) return outcome->winner ? Ended::won : Ended::drawn;
        const std::size_t reversible = reversible_[depth];
        for (std::size_t back = 4; back <= reversible; back += 2) {
            if (positions_[depth - back] == position) return Ended::drawn;
        }
        // Every move since the root can be taken back, so the game may have been here before the root.
        if (reversible != depth || history_.empty()) return Ended::no;
        const std::uint64_t key = Game::Zobrist::of(position);
        return std::ranges::find(history_, key) == history_.end() ? Ended::no : Ended::drawn;
    }

    // The result for the side that moved to the last position of the path.
    double leaf_result(std::size_t depth, Rng& rng) {
        switch (nodes_[path_[depth]].ended) {
            case Ended::won: return 1;
            case Ended::drawn: return 0;
            case Ended::no: break;
        }
        return playout(positions_[depth], states_[depth], rng);
    }

    // Plays at random from `position`, and returns the result for the side that moved to it.
    double playout(Position position, const typename Evaluator::State& state, Rng& rng) {
        double side = 1;  // that has just moved
        const typename Evaluator::State* now = &state;
        for (int ply = 0, quiet = 0; quiet < options_.quiet_plies; ++ply, side = -side) {
            if constexpr (evaluated) {
                // A game that is over has a result and needs no opinion.
                if (ply == options_.playout_plies && !Game::is_over(position)) return side * static_cast<double>(evaluator_->value(*now, position));
            }
            Move move;
            if (!Game::random_move(position, rng, move)) return ludus::outcome<Game>(position, blocked_draws)->winner ? side : 0;
            if (options_.skewed && !Game::is_quiet(Game::play(position, move))) Game::random_move(position, rng, move);
            if constexpr (evaluated) {
                auto& next = playout_states_[static_cast<std::size_t>(ply % 2)];
                evaluator_->follow(next, *now, position, move);
                now = &next;
            }
            quiet = Game::irreversible(position, move) ? 0 : quiet + 1;
            position = Game::play(position, move);
        }
        return 0;
    }

    Result result(const Meter& meter, std::uint64_t playouts) const {
        Result result;
        result.playouts = playouts;
        result.nodes = nodes_.size();
        result.seconds = meter.seconds();
        for (const Move move : Game::generate(positions_[0])) {
            const Node& node = *std::ranges::find(children(nodes_[0]), move, &Node::move);
            result.choices.push_back({.move = move, .visits = node.visits, .value = node.mean});
        }
        if (options_.by_value) {
            // A move without a play-out has no value, and stands last.
            const auto merit = [](const auto& choice) { return std::tuple(choice.visits > 0, choice.value, choice.visits); };
            std::ranges::stable_sort(result.choices, std::greater<>(), merit);
        } else {
            const auto merit = [](const auto& choice) { return std::pair(choice.visits, choice.value); };
            std::ranges::stable_sort(result.choices, std::greater<>(), merit);
        }
        result.move = result.choices.front().move;
        result.value = result.choices.front().value;

        result.variation.push_back(result.move);
        const Node* node = &*std::ranges::find(children(nodes_[0]), result.move, &Node::move);
        while (node->tried) {
            node = &*std::ranges::max_element(children(*node), {}, [](const Node& child) { return std::pair(child.visits, child.mean); });
            result.variation.push_back(node->move);
        }
        return result;
    }

    std::span<const Node> children(const Node& node) const { return {nodes_.data() + node.first, node.children}; }

    const Evaluator* evaluator_;
    MctsOptions options_;
    std::span<const std::uint64_t> history_;
    std::vector<Node> nodes_;

    // The line of the simulation under way; [0] is the root. The tree is no deeper than this.
    std::array<std::uint32_t, most_plies + 1> path_{};        // nodes
    std::array<std::uint32_t, most_plies + 1> reversible_{};  // moves up to here that can be taken back
    std::array<Position, most_plies + 1> positions_{};
    std::vector<typename Evaluator::State> states_ = std::vector<typename Evaluator::State>(most_plies + 1);
    std::array<typename Evaluator::State, 2> playout_states_{};
};

template <class Game>
using Uct = Mcts<Game>;

}  // namespace ludus
