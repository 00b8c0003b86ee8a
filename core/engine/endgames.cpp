#include "engine/endgames.hpp"

#include <chrono>
#include <stdexcept>

#include "endgames/unpack.hpp"

namespace ludus::endgames {

Slice checked(Slice slice) {
    const auto [own_men, own_kings, other_men, other_kings] = slice;
    for (const int count : {own_men, own_kings, other_men, other_kings}) {
        if (count < 0 || count > most_pieces) throw std::invalid_argument("a slice has 0 to 8 men and kings of each side");
    }
    if (own_men + own_kings == 0 || other_men + other_kings == 0 || slice.pieces() > most_pieces) {
        throw std::invalid_argument("a slice has pieces of both sides, at most 8 together");
    }
    return slice;
}

bool Builder::build(Slice slice, unsigned threads, const std::function<bool(int)>& progress) {
    PairBuilder pair(checked(slice), store_, threads);
    if (!pair.build(progress)) return false;
    store_.add(slice, pair.take(0));
    if (slice != slice.mirrored()) store_.add(slice.mirrored(), pair.take(1));
    return true;
}

Bytes Builder::results(Slice slice) const {
    const auto& entry = store_.entry(slice);
    return encode_results(entry.index, entry.bytes);
}

Bytes Builder::distances(Slice slice) const {
    const auto& entry = store_.entry(slice);
    return encode_distances(entry.index, entry.bytes);
}

void Builder::load(Slice slice, std::span<const std::uint8_t> results, std::optional<std::span<const std::uint8_t>> distances, unsigned threads) {
    store_.add(checked(slice), unpacked(slice, store_, results, distances, threads));
}

Verification verify_slice(const std::shared_ptr<const Tables>& tables, Slice slice, bool distances, unsigned threads, const std::function<bool()>& go_on) {
    return verify(tables, checked(slice), distances, threads, go_on);
}

double probe_nanoseconds(Prober& prober, std::span<const Position> positions, std::uint64_t probes) {
    if (positions.empty() || probes == 0) throw std::invalid_argument("there is nothing to probe");
    const auto begin = std::chrono::steady_clock::now();
    std::uint64_t known = 0, wins = 0;
    for (std::uint64_t i = 0, at = 0; i < probes; ++i) {
        const auto result = prober.result(positions[at]);
        known += result.has_value();
        wins += result == Result::win;
        if (++at == positions.size()) at = 0;
    }
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    [[maybe_unused]] volatile std::uint64_t used = wins;  // a result that is not used need not be read
    if (known != probes) throw std::invalid_argument("the tables do not have all of these positions");
    return spent.count() / static_cast<double>(probes);
}

}  // namespace ludus::endgames
