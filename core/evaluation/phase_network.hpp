// A small network with a sparse first layer, in whole numbers: inputs -> 2 x width -> 16 -> 1, the upper layers once for each phase
// of the game. The first layer looks at the board twice with the same weights: as the side to move sees it, then as the other side
// does. Nodes are clipped to [0, 1], those of the first layer are then squared; the output is the logit of winning.
//
// Theta holds real numbers: a row of `width` for each input, the biases of the first layer, and for each phase the weights of 16
// nodes, node by node, their biases, the 16 weights of the output and its bias. The evaluator rounds them:
//
//     first layer    16 bits, 2^row_bits is 1, also of the squares; sums of both views are kept along the line of play
//     second layer   16 bits, 2^(18 - row_bits) is 1; sums in 32 bits, where 2^18 is 1
//     output         16 bits, 2^9 is 1; the 16 nodes have 13 bits, so 2^22 is 1 in the sum
//
// A training keeps weights within limits under which no sum can overflow. All arithmetic is exact, so every way to compute it,
// with AVX-512, with AVX2 or without, gives the same number.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "evaluation/sparse_inputs.hpp"
#include "evaluation/vector.hpp"

namespace ludus {

// Sixteen whole numbers of 16 bits. Unsigned, because such sums may pass the limit and come back.
using Shorts = std::uint16_t __attribute__((vector_size(32)));

// Where the weights are in theta, how large they may be, and what is 1 in whole numbers.
template <class Inputs>
struct PhaseShape {
    static constexpr std::size_t upper = 16;  // nodes of the second layer
    static constexpr std::size_t least_width = 16, most_width = 256;
    // The most that a sum of 16 bits holds, less 4 for the bias, over all inputs that can be on.
    static constexpr int row_bits = Inputs::most <= 24 ? 9 : 8;
    static constexpr float bias_limit = 4, row_limit = (static_cast<float>(32767 >> row_bits) - bias_limit) / static_cast<float>(Inputs::most);
    static constexpr float second_limit = 8, output_limit = 15.9F, upper_bias_limit = 64;
    static constexpr int second_bits = 18 - row_bits, output_bits = 9, node_bits = 13, net_bits = node_bits + output_bits;

    std::size_t width;

    explicit PhaseShape(std::size_t nodes) : width(nodes) {
        if (!std::has_single_bit(nodes) || nodes < least_width || nodes > most_width) throw std::invalid_argument("the first layer has 16, 32, 64, 128 or 256 nodes");
    }
    std::size_t rows() const { return Inputs::count * width; }
    std::size_t nodes() const { return 2 * width; }  // of the first layer, both views
    std::size_t phase_weights() const { return upper * nodes() + 2 * upper + 1; }
    std::size_t phase(std::size_t n) const { return rows() + width + n * phase_weights(); }
    std::size_t weights() const { return phase(Inputs::phases); }

    void check(std::size_t given) const {
        const std::size_t one_view = weights() - Inputs::phases * upper * width;
        if (given == one_view) throw std::invalid_argument("this network was made by an earlier version, for one view of the board; train it anew");
        if (given != weights()) throw std::invalid_argument("this network has " + std::to_string(weights()) + " weights, not " + std::to_string(given));
    }
};

// A number as a whole one, `one` of which are 1.
inline std::int32_t rounded(float x, float limit, int bits) {
    return static_cast<std::int32_t>(std::lrint(std::clamp(x, -limit, limit) * static_cast<float>(1 << bits)));
}

template <class SparseInputs>
class PhaseNetwork {
public:
    using Inputs = SparseInputs;
    using Game = typename Inputs::Game;
    using Position = typename Game::Position;
    using Move = typename Game::Move;
    using Shape = PhaseShape<Inputs>;
    static constexpr bool is_costly = true;
    static constexpr std::size_t shorts = 16;
    using Sums = std::array<Shorts, Shape::most_width / shorts>;
    using State = std::array<Sums, 2>;  // as Black sees the board, as White sees it

    PhaseNetwork(std::span<const float> theta, std::size_t width) : shape_(width), vectors_(width / shorts) {
        shape_.check(theta.size());
        const auto put = [&](std::vector<Shorts>& to, std::size_t first, std::size_t count, float limit) {
            to.resize(count / shorts);
            for (std::size_t i = 0; i < count; ++i) to[i / shorts][i % shorts] = static_cast<std::uint16_t>(rounded(theta[first + i], limit, Shape::row_bits));
        };
        put(rows_, 0, shape_.rows(), Shape::row_limit);
        put(bias_, shape_.rows(), width, Shape::bias_limit);
        for (std::size_t n = 0; n < Inputs::phases; ++n) {
            const float* from = theta.data() + shape_.phase(n);
            Upper& upper = phases_[n];
            upper.weights.resize(shape_.nodes() * Shape::upper);
            for (std::size_t o = 0; o < Shape::upper; ++o) {
                for (std::size_t i = 0; i < shape_.nodes(); ++i) {
                    const float weight = from[o * shape_.nodes() + i];
                    upper.weights[i / 2 * 2 * Shape::upper + 2 * o + i % 2] = static_cast<std::int16_t>(rounded(weight, Shape::second_limit, Shape::second_bits));
                }
            }
            from += Shape::upper * shape_.nodes();
            for (std::size_t o = 0; o < Shape::upper; ++o) upper.bias[o] = rounded(from[o], Shape::upper_bias_limit, 18);
            from += Shape::upper;
            for (std::size_t o = 0; o < Shape::upper; ++o) upper.output[packed_place(o)] = static_cast<std::int16_t>(rounded(from[o], Shape::output_limit, Shape::output_bits));
            upper.output_bias = rounded(from[Shape::upper], Shape::upper_bias_limit, Shape::net_bits);
        }
    }

    std::size_t width() const { return shape_.width; }

    void begin(State& state, Position p) const {
        const auto turn = static_cast<std::size_t>(Game::turn(p));
        sum(state[turn], p);
        sum(state[1 - turn], Inputs::turned(p));
    }

    void follow(State& after, const State& before, Position p, Move move) const {
        const auto turn = static_cast<std::size_t>(Game::turn(p));
        std::array<const Sums*, 2> from = {&before[turn], &before[1 - turn]};
        const std::array<Sums*, 2> to = {&after[turn], &after[1 - turn]};
        Inputs::changes(
            p, move,
            [&](unsigned view, std::size_t gone, std::size_t come) {
                const Shorts *less = row(gone), *more = row(come);
                for (std::size_t w = 0; w < vectors_; ++w) (*to[view])[w] = (*from[view])[w] - less[w] + more[w];
                from[view] = to[view];
            },
            [&](unsigned view, std::size_t gone) {
                const Shorts* less = row(gone);
                for (std::size_t w = 0; w < vectors_; ++w) (*to[view])[w] -= less[w];
            });
    }

    // For the side that has just moved, as all evaluators; the network itself sees the board as the side to move.
    float value(const State& state, Position afterstate) const { return -tanh_of(static_cast<float>(net(state, afterstate)) * (0.5F / (1 << Shape::net_bits))); }

    // The logit of winning for the side to move; 2^22 is 1.
    std::int32_t net(const State& state, Position p) const {
        const auto turn = static_cast<std::size_t>(Game::turn(p));
        return upper_net(phases_[Inputs::phase(p)], {&state[turn], &state[1 - turn]});
    }

private:
    using Views = std::array<const Sums*, 2>;  // of the side to move, of the other side

    struct Upper {
        std::vector<std::int16_t> weights{};  // of two inputs for each of the 16 nodes, then of the next two inputs
        alignas(32) std::array<std::int32_t, Shape::upper> bias{};
        alignas(32) std::array<std::int16_t, Shape::upper> output{};  // in the order in which AVX2 packs the nodes
        std::int32_t output_bias = 0;
    };

    // AVX2 packs two vectors of eight by halves.
    static constexpr std::size_t packed_place(std::size_t node) { return node % 4 + (node / 4 == 1 ? 8U : node / 4 == 2 ? 4U : node / 4 * 4); }

    const Shorts* row(std::size_t input) const { return rows_.data() + input * vectors_; }

    void sum(Sums& sums, Position p) const {
        std::copy_n(bias_.begin(), vectors_, sums.begin());
        Inputs::for_each(p, [&](std::size_t input) {
            const Shorts* more = row(input);
            for (std::size_t w = 0; w < vectors_; ++w) sums[w] += more[w];
        });
    }

#ifdef __AVX2__
    // The nodes of the first layer from their sums: clipped and squared. The instruction takes the upper half of the product,
    // rounded, and 1 is 2^row_bits before and after.
    static __m256i nodes(Shorts sums) {
        constexpr int shifts = 15 - Shape::row_bits;
        const __m256i one = _mm256_set1_epi16(1 << Shape::row_bits);
        const __m256i clipped = _mm256_min_epi16(_mm256_max_epi16(std::bit_cast<__m256i>(sums), _mm256_setzero_si256()), one);
        return _mm256_mulhrs_epi16(_mm256_slli_epi16(clipped, shifts / 2), _mm256_slli_epi16(clipped, shifts - shifts / 2));
    }

    // The output from the sums of the 16 nodes.
    static std::int32_t output(const Upper& upper, __m256i low, __m256i high) {
        const __m256i zero = _mm256_setzero_si256();
        constexpr int shift = 18 - Shape::node_bits;
        const __m256i packed = _mm256_packs_epi32(_mm256_srai_epi32(low, shift), _mm256_srai_epi32(high, shift));
        const __m256i nodes = _mm256_min_epi16(_mm256_max_epi16(packed, zero), _mm256_set1_epi16(1 << Shape::node_bits));
        const __m256i products = _mm256_madd_epi16(nodes, _mm256_load_si256(reinterpret_cast<const __m256i*>(upper.output.data())));
        __m128i four = _mm_add_epi32(_mm256_castsi256_si128(products), _mm256_extracti128_si256(products, 1));
        four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
        four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0xB1));
        return _mm_cvtsi128_si32(four) + upper.output_bias;
    }
#endif

#ifdef __AVX2__
    // Calls visit(pair, values) for every two nodes of the first layer that are not both 0, with each of the visitors in turn. In play
    // two pairs of three are 0.
    template <class... Visit>
    void each_pair(Views views, Visit... visit) const {
        std::size_t first = 0;
        for (const Sums* sums : views) {
            for (std::size_t w = 0; w < vectors_;) {
                alignas(32) std::array<std::int32_t, 64> pairs;
                std::uint64_t left = 0;
                std::size_t size = 0;
                for (; size < pairs.size() && w < vectors_; ++w, size += 8) {
                    const __m256i eight = nodes((*sums)[w]);
                    _mm256_store_si256(reinterpret_cast<__m256i*>(pairs.data() + size), eight);
                    const auto zero = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(eight, _mm256_setzero_si256()))));
                    left |= std::uint64_t{~zero & 0xFF} << size;
                }
                const auto next = [&](const auto& call) {
                    if (!left) return false;
                    const auto place = static_cast<std::size_t>(std::countr_zero(left));
                    left &= left - 1;
                    call(first + place, pairs[place]);
                    return true;
                };
                while ((next(visit) && ...)) {
                }
                first += size;
            }
        }
    }
#endif

#ifdef __AVX512VNNI__
    std::int32_t upper_net(const Upper& upper, Views views) const {
        // Four sums, because each instruction waits for the one before it on the same sum.
        __m512i sum[4] = {_mm512_loadu_si512(upper.bias.data())};  // std::array would drop the type's alignment
        const auto add_to = [&](__m512i& to) {
            return [&](std::size_t pair, std::int32_t values) {
                to = _mm512_dpwssd_epi32(to, _mm512_set1_epi32(values), _mm512_loadu_si512(upper.weights.data() + pair * 2 * Shape::upper));
            };
        };
        each_pair(views, add_to(sum[0]), add_to(sum[1]), add_to(sum[2]), add_to(sum[3]));
        alignas(64) std::array<std::int32_t, Shape::upper> all;
        _mm512_store_si512(all.data(), _mm512_add_epi32(_mm512_add_epi32(sum[0], sum[1]), _mm512_add_epi32(sum[2], sum[3])));
        const auto* halves = reinterpret_cast<const __m256i*>(all.data());
        return output(upper, _mm256_load_si256(halves), _mm256_load_si256(halves + 1));
    }
#elif defined(__AVX2__)
    std::int32_t upper_net(const Upper& upper, Views views) const {
        const auto* bias = reinterpret_cast<const __m256i*>(upper.bias.data());
        __m256i low = _mm256_load_si256(bias), high = _mm256_load_si256(bias + 1);
        each_pair(views, [&](std::size_t pair, std::int32_t values) {
            const __m256i both = _mm256_set1_epi32(values);
            const auto* weights = reinterpret_cast<const __m256i*>(upper.weights.data() + pair * 2 * Shape::upper);
            low = _mm256_add_epi32(low, _mm256_madd_epi16(both, _mm256_loadu_si256(weights)));
            high = _mm256_add_epi32(high, _mm256_madd_epi16(both, _mm256_loadu_si256(weights + 1)));
        });
        return output(upper, low, high);
    }
#else
    std::int32_t upper_net(const Upper& upper, Views views) const {
        std::array<std::int32_t, Shape::upper> nodes = upper.bias;
        for (std::size_t i = 0; i < shape_.nodes(); ++i) {
            const Sums& sums = *views[i / shape_.width];
            const std::size_t at = i % shape_.width;
            const std::int32_t clipped = std::clamp<std::int32_t>(static_cast<std::int16_t>(sums[at / shorts][at % shorts]), 0, 1 << Shape::row_bits);
            const std::int32_t node = (clipped * clipped + (1 << (Shape::row_bits - 1))) >> Shape::row_bits;
            const std::int16_t* weights = upper.weights.data() + i / 2 * 2 * Shape::upper + i % 2;
            for (std::size_t o = 0; o < Shape::upper; ++o) nodes[o] += node * weights[2 * o];
        }
        std::int32_t net = upper.output_bias;
        for (std::size_t o = 0; o < Shape::upper; ++o) {
            net += std::clamp(nodes[o] >> (18 - Shape::node_bits), 0, 1 << Shape::node_bits) * upper.output[packed_place(o)];
        }
        return net;
    }
#endif

    Shape shape_;
    std::size_t vectors_;
    std::vector<Shorts> rows_, bias_;
    std::array<Upper, Inputs::phases> phases_;
};

namespace draughts {
using PhaseNetwork = ludus::PhaseNetwork<PieceInputs>;
}
namespace tictactoe3d {
using PhaseNetwork = ludus::PhaseNetwork<LineInputs>;
}

}  // namespace ludus
