// What a person sees on a draughts board, as numbers: the 28 features of NET-FEATUREMAP and Samuel's other terms.
//
// Features belong to an afterstate, the position just after a move, where the opponent of the mover is to play.
// Samuel calls the side that has just moved passive (P) and the side to move active (A). A `Position` is seen by the
// side to move, so every function below says by its argument's name which side looks: `active` is the afterstate
// itself (own is A), `passive` is the same board from the other side, as if P could move again (own is P, playing up
// from 1; the lists of squares are for this view unless turning the board leaves them as they are).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "games/draughts.hpp"

namespace ludus::draughts {

constexpr Position seen_by_other(Position p) {
    const std::uint64_t both = reversed(std::uint64_t{p.other} << 32 | p.own);
    return {.own = static_cast<Board>(both),
            .other = static_cast<Board>(both >> 32),
            .kings = p.kings ? turned(p.kings) : 0,
            .turn = !p.turn};
}

namespace detail {

constexpr Board inner = ~edge;
constexpr Board rows_3_4 = squares({9, 10, 11, 12, 13, 14, 15, 16});
constexpr Board rows_5_6 = squares({17, 18, 19, 20, 21, 22, 23, 24});
constexpr Board centre = squares({10, 11, 14, 15, 18, 19, 22, 23});
constexpr Board double_corner_files = squares({1, 6, 10, 15, 19, 24, 28, 5, 9, 14, 18, 23, 27, 32});
constexpr Board one_from_the_files = squares({2, 7, 11, 16, 20, 13, 17, 22, 26, 31});
constexpr Board two_from_the_files = squares({3, 8, 12, 21, 25, 30});
constexpr Board bridge = squares({1, 3});
constexpr Board oreo = squares({2, 3, 7});

constexpr bool holds(Board pieces, Board wanted) { return (pieces & wanted) == wanted; }
constexpr Board men(Position p) { return p.own & ~p.kings; }

// The neighbours in the set `b` of all inner squares at once, a board for each direction. An inner square has all
// four of them, so nothing is masked; on the edge the boards mean nothing.
struct Neighbours {
    Board up_right, up_left, down_left, down_right;

    explicit constexpr Neighbours(Board b)
        : up_right(std::rotr(b, 1)), up_left(std::rotr(b, 7)), down_left(std::rotl(b, 1)), down_right(std::rotl(b, 7)) {}

    constexpr Board rising() const { return inner & up_right & down_left; }   // both on the one diagonal
    constexpr Board falling() const { return inner & up_left & down_right; }  // both on the other
    constexpr Board all() const { return rising() & falling(); }
    constexpr Board three() const { return (rising() & (up_left | down_right)) | (falling() & (up_right | down_left)); }
};

}  // namespace detail

// The squares from which a piece of the side to move, if it stood there, could jump in each of the four directions.
constexpr Reach openings(Position p) {
    const Board empty = p.empty();
    return {{down_left(p.other & down_left(empty)), down_right(p.other & down_right(empty)),
             up_right(p.other & up_right(empty)), up_left(p.other & up_left(empty))}};
}

// #1 and #2 are its positive and negative part: 2 a man and 3 a king.
constexpr int material(Board pieces, Board kings) { return 2 * std::popcount(pieces) + std::popcount(pieces & kings); }
constexpr int material_difference(Position p) { return material(p.own, p.kings) - material(p.other, p.kings); }

// #3 PieceThreat (of A) and #4 PieceTake (of P). A piece that can jump counts 1, in two directions or more 2 in all.
constexpr int jumpers(Position p, const Reach& open) {
    const Board kings = p.own & p.kings;
    const Board up0 = p.own & open.to[0], up1 = p.own & open.to[1], down0 = kings & open.to[2], down1 = kings & open.to[3];
    const Board up = up0 | up1, down = down0 | down1;
    return std::popcount(up | down) + std::popcount((up0 & up1) | (down0 & down1) | (up & down));
}

// #5
constexpr int advancement(Position passive) {
    const Board men = detail::men(passive);
    return std::popcount(men & detail::rows_5_6) - std::popcount(men & detail::rows_3_4);
}

// #6
constexpr int double_diagonal(Position passive) { return std::popcount(passive.own & detail::double_corner_files); }

// #7
constexpr bool back_row_bridge(Position passive) {
    return !(passive.other & passive.kings) && detail::holds(detail::men(passive), detail::bridge);
}

// #8
constexpr int centre_control(Position passive) { return std::popcount(detail::men(passive) & detail::centre); }

// #9; a king of A counts by the squares it can step to, not by the one it stands on.
constexpr int x_centre_control(Position active, Board mobility) {
    return std::popcount((detail::men(active) | mobility) & detail::centre);
}

// #10 TotalMobility is the number of squares of steps(active).any().

// #11
constexpr int exposure(Position passive) {
    const detail::Neighbours empty(passive.empty());
    return std::popcount(passive.own & (empty.rising() | empty.falling()));
}

// #12
constexpr int king_centre_control(Position passive) {
    return std::popcount(passive.own & passive.kings & detail::centre);
}

// #13
constexpr int diagonal_moment(Position passive) {
    return 3 * std::popcount(passive.own & detail::double_corner_files) +
           2 * std::popcount(passive.own & detail::one_from_the_files) +
           std::popcount(passive.own & detail::two_from_the_files);
}

// #14
constexpr bool apex(Position passive) {
    constexpr Board apexes = squares({7, 26});
    return passive.kings || !(passive.other & apexes) || passive.own & apexes;
}

// #15
constexpr int cramp(Position passive) {
    const bool cramps = detail::holds(passive.own, squares({13})) && passive.own & squares({9, 14});
    return cramps && detail::holds(passive.other, squares({17, 21, 22, 25})) ? 2 : 0;
}

// What becomes of A's pieces that step next to P's, as sets of squares stepped to.
//
// Reading: the piece that has stepped can be taken if a piece of P can jump over it now; the square it came from is
// free to land on. The taker is retaken if a piece of A can jump over it where this first jump ends. Jumps that go on,
// and captures elsewhere on the board, are not looked at. A square counts once, however many pieces may step to it.
struct Offers {
    Board denied = 0;     // #16 DenialOfOccupancy: some taker cannot be retaken
    Board exchanged = 0;  // #18 Exchange: the piece can be taken, and every taker can be retaken
};

constexpr Offers offers(Position active, const Reach& reach) {
    const Board empty = active.empty();
    const Board own_kings = active.own & active.kings, other_kings = active.other & active.kings;
    const std::array<Board, 4> movers{active.own, active.own, own_kings, own_kings};
    const std::array<Board, 4> takers{other_kings, other_kings, active.other, active.other};
    std::array<Board, 4> taken{}, free{};  // by the direction of A's step

    for (unsigned way = other_kings ? 0 : 2; way < 4; ++way) {  // of the taker; men take only down
        const unsigned back = (way + 2) % 4, left = (way + 1) % 4, right = (way + 3) % 4;
        const Board before = step(takers[way], way);
        // Where a taker that came this way is retaken: from ahead, to the square of the piece it took, or from a side.
        // Neither A's step nor P's jump has touched the other squares of these, so the board before both will do.
        const Board retaken = step(movers[back], back) | (step(movers[left], left) & step(empty, right)) |
                              (step(movers[right], right) & step(empty, left));
        const Board safe = step(~retaken, back), landing = step(empty, back);
        for (unsigned from = 0; from < 4; ++from) {
            const Board can_be_taken = reach.to[from] & before & (from == back ? ~Board{0} : landing);
            taken[from] |= can_be_taken;
            free[from] |= can_be_taken & safe;
        }
    }
    Offers result;
    for (unsigned from = 0; from < 4; ++from) {
        result.denied |= free[from];
        result.exchanged |= taken[from] & ~free[from];
    }
    return result;
}

// #17. Reading: every three adjacent pieces count, so four in a string are two dykes.
constexpr int dykes(Position passive) {
    const detail::Neighbours own(passive.own);
    return std::popcount(passive.own & own.rising()) + std::popcount(passive.own & own.falling());
}

// #19. Reading: the three empty squares are the one in front of both pieces and the one behind each on its diagonal
// from there; whether A can reach the first at once is not asked. If A has a king, also the same from behind the two.
// A pair counts once.
constexpr int forks(Position active, const Reach& open) {
    const Board front = active.empty() & open.to[0] & open.to[1];
    const Board behind = active.own & active.kings ? active.empty() & open.to[2] & open.to[3] : 0;
    return std::popcount(up_left(front) | down_left(behind));  // the pair's left piece stands for the pair
}

// #20. Reading: single empty squares. Along a diagonal an edge square has the board's edge on one side, so there one
// piece of P is enough; an inner square needs one on both sides. A square counts once.
constexpr int gaps(Position passive) {
    const Board own = passive.own;
    const detail::Neighbours neighbours(own);
    const Board beside = up_right(own) | up_left(own) | down_left(own) | down_right(own);
    return std::popcount(passive.empty() & (neighbours.rising() | neighbours.falling() | (edge & beside)));
}

// #21; kings may hold the bridge or the oreo here.
constexpr bool back_row_control(Position passive) {
    return !(passive.other & passive.kings) &&
           (detail::holds(passive.own, detail::bridge) || detail::holds(passive.own, detail::oreo));
}

// #22
constexpr int holes(Position passive) { return std::popcount(passive.empty() & detail::Neighbours(passive.own).three()); }

// #24
constexpr int nodes(Position passive) { return std::popcount(passive.own & detail::Neighbours(passive.empty()).three()); }

// #25
constexpr bool triangle_of_oreo(Position passive) {
    return !(passive.own & passive.kings) && detail::holds(passive.own, detail::oreo);
}

// #26
constexpr int poles(Position passive) {
    return std::popcount(detail::men(passive) & detail::Neighbours(passive.empty()).all());
}

// #27 Threat (of A) and #28 Taken (of P). Reading: squares from which the piece that has stepped there could itself
// jump if it were to move again at once; a man that is crowned by the step jumps as a king.
constexpr int threats(Position p, const Reach& reach, const Reach& open) {
    const Board kings = p.own & p.kings, all = reach.any();
    const Board by_kings = ((up_right(kings) | up_left(kings)) & p.empty()) | reach.to[2] | reach.to[3] | (all & crown_row);
    return std::popcount((all & (open.to[0] | open.to[1])) | (by_kings & (open.to[2] | open.to[3])));
}

// Samuel's CORN, the double-corner credit; A "can move" there as in TotalMobility, by a step.
constexpr bool corner_credit(Position active) {
    constexpr Board double_corners = squares({1, 5, 28, 32});
    return material(active.own, active.kings) <= 6 && material_difference(active) < 0 &&
           steps(active).any() & double_corners;
}

// Samuel's MOVE, the opposition. (His RECAP is EXCH again: Offers::exchanged.)
constexpr bool the_move(Position passive) {
    constexpr Board files = squares({1, 2, 3, 4, 9, 10, 11, 12, 17, 18, 19, 20, 25, 26, 27, 28});
    const Board pieces = passive.own | passive.other;
    return material_difference(passive) == 0 && material(pieces, passive.kings) < 24 && std::popcount(pieces & files) % 2 == 1;
}

}  // namespace ludus::draughts
