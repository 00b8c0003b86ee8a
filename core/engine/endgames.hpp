// Endgame tables as a caller holds them: a builder that keeps what later slices need, and the checks of a whole slice.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "endgames/tables.hpp"
#include "endgames/verify.hpp"

namespace ludus::endgames {

// Throws std::invalid_argument unless both sides have pieces, and both together no more than tables can have.
Slice checked(Slice slice);

// Builds slices. One thread at a time may build or load; several may take sections.
class Builder {
public:
    // Builds a slice and its mirror on so many threads; see PairBuilder for `progress`. True when it is done. Throws
    // std::invalid_argument if a slice is needed that is not there.
    bool build(Slice slice, unsigned threads, const std::function<bool(int)>& progress);

    // The compressed sections of a slice that is there.
    Bytes results(Slice slice) const;
    Bytes distances(Slice slice) const;

    // Puts a slice back from its sections; see unpacked().
    void load(Slice slice, std::span<const std::uint8_t> results, std::optional<std::span<const std::uint8_t>> distances, unsigned threads);
    void drop(Slice slice) { store_.drop(slice); }
    bool has(Slice slice) const { return store_.has(slice); }

private:
    Store store_;
};

// verify() of verify.hpp, compiled once.
Verification verify_slice(const std::shared_ptr<const Tables>& tables, Slice slice, bool distances, unsigned threads, const std::function<bool()>& go_on);

// Nanoseconds a probe of the results of these positions takes, asked again and again in this order.
double probe_nanoseconds(Prober& prober, std::span<const Position> positions, std::uint64_t probes);

}  // namespace ludus::endgames
