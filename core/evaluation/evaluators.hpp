// Evaluators: the value in [-1, 1] of an afterstate for the side that has just moved.
//
// An evaluator keeps a State along the line of play, so that a search pays only for what a move changes:
//     begin(state, position)                  the state of any position
//     follow(after, before, position, move)   the state after a legal move, from the state before it
//     value(state, afterstate)                the value
// An evaluator may say `is_costly`: its values depend on nothing but the position and never change, and a search may remember them.
// An evaluator whose network can be trained also has
//     encode(afterstate, inputs)              the network's inputs; returns what is added to its output node directly
//     with(network)                           the same evaluator with another network of the same shape
#pragma once

namespace ludus {

// The part of an evaluator that keeps nothing along the line of play.
template <class G>
struct Stateless {
    using Game = G;
    struct State {};

    void begin(State&, typename Game::Position) const {}
    void follow(State&, const State&, typename Game::Position, typename Game::Move) const {}
};

}  // namespace ludus
