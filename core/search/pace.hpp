// How a search uses the time of a clock: what a move usually takes, less when the choice is clear, more when it is not.
//
// A clock saves what a move does not use, so an iteration that could not be finished is not begun. A budget of so many seconds a
// move saves nothing: it is used to its end, and has no Pace.
#pragma once

#include <algorithm>
#include <limits>

#include "search/search.hpp"

namespace ludus {

class Pace {
public:
    // `usual` and `most` are the seconds of a usual move, and those that no move may exceed; 0 sets no such limit.
    Pace(double usual, double most) : usual_(usual), most_(most > 0 ? most : std::numeric_limits<double>::infinity()) {}

    // An iteration has ended, `seconds` after the search began. `changed` says that its best move is a new one, `fall` is how much
    // the score fell. Returns whether to begin the next iteration.
    bool goes_on(double seconds, bool changed, Score fall) {
        const double last = std::max(seconds - ended_, 0.0);
        const double growth = last_ > 0 ? std::clamp(last / last_, 1.2, 3.0) : 2.0;
        ended_ = seconds;
        last_ = last;
        doubt_ = doubt_ / 2 + (changed ? 1.0 : 0.0) + std::clamp(static_cast<double>(fall) / (unit / 20), 0.0, 1.0);
        // Half of the next iteration has to fit in: its best move so far is played if it is not finished.
        return seconds + last * growth / 2 <= wanted();
    }

    // When the iteration under way has to end, in seconds after the search began. The best move of the iteration before may have
    // been `refuted`: then the search looks for another one as long as it can.
    double deadline(bool refuted) const { return std::min(most_, refuted ? 3 * wanted() : 1.5 * wanted()); }

private:
    double wanted() const { return std::min(most_, usual_ * (0.8 + 0.6 * std::min(doubt_, 2.0))); }

    double usual_, most_;
    double ended_ = 0, last_ = 0;  // when the last iteration ended, and how long it took
    double doubt_ = 0;             // how often the choice has changed of late
};

}  // namespace ludus
