// Fits a PhaseNetwork to positions: Adam on the cross-entropy between the output and a mix of the game's result and the search's
// value, with a rate that falls as a cosine.
//
// A batch is cut into pieces of fixed size; each has a gradient of its own, and they are added in a fixed order: the weights do not
// depend on the number of threads, to the bit.
#pragma once

#include <algorithm>
#include <array>
#include <barrier>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "evaluation/phase_network.hpp"
#include "evaluation/vector.hpp"
#include "games/random.hpp"
#include "learning/training_position.hpp"

namespace ludus {

struct FitOptions {
    int epochs = 4;
    double rate = 0.002;
    float result_share = 0.7F;  // of the result in the target; the rest is the search's value
    float ending_share = 1;     // of the positions of endings that are learned from
    std::uint64_t seed = 0;     // of the order of the positions, and of the endings that are left out
};

// Random weights to begin with: nodes of the first layers lie around the middle of their range.
template <class Inputs>
std::vector<float> initial_theta(std::size_t width, std::uint64_t seed) {
    const PhaseShape<Inputs> shape(width);
    Rng rng(seed, 0x50415345);
    const auto within = [&](float limit) { return (2 * rng.uniform() - 1) * limit; };
    std::vector<float> theta(shape.weights());
    const float row = 0.8F / std::sqrt(static_cast<float>(Inputs::usual)), second = std::sqrt(3.0F / static_cast<float>(shape.nodes()));
    std::size_t at = 0;
    while (at < shape.rows()) theta[at++] = within(row);
    while (at < shape.phase(0)) theta[at++] = 0.3F + within(0.2F);
    for (std::size_t n = 0; n < Inputs::phases; ++n) {
        for (std::size_t i = 0; i < shape.upper * shape.nodes(); ++i) theta[at++] = within(second);
        for (std::size_t i = 0; i < shape.upper; ++i) theta[at++] = 0.3F + within(0.2F);
        for (std::size_t i = 0; i < shape.upper; ++i) theta[at++] = within(0.5F);
        theta[at++] = 0;
    }
    return theta;
}

template <class Game>
class alignas(Vector) PhaseFit {
public:
    static constexpr std::size_t batch = 512;

    virtual ~PhaseFit() = default;
    // Learns from so many batches more, fewer at the end; the mean loss.
    virtual double step(std::uint64_t batches, unsigned threads) = 0;
    virtual std::vector<float> theta() const = 0;
    virtual std::uint64_t done() const = 0;
    virtual std::uint64_t total() const = 0;  // batches
};

// `wide` is the width of the first layer in vectors.
template <class Inputs, std::size_t wide>
class PhaseFitOf final : public PhaseFit<typename Inputs::Game> {
public:
    using Game = typename Inputs::Game;
    using Base = PhaseFit<Game>;
    using Shape = PhaseShape<Inputs>;
    using Record = TrainingPosition<Game>;

    PhaseFitOf(std::span<const float> theta, std::vector<Record> positions, FitOptions options)
        : shape_(wide * lanes), options_(options), positions_(thinned(std::move(positions), options)), order_(positions_.size()), weights_(size), first_(size), second_(size),
          limits_(size), pieces_(pieces, {std::vector<Vector>(size), std::vector<std::uint8_t>(Inputs::count)}) {
        shape_.check(theta.size());
        if (positions_.size() < Base::batch) throw std::invalid_argument("there are fewer positions than a batch has: 512");
        if (positions_.size() > 0xFFFFFFFF) throw std::invalid_argument("there are more positions than can be counted in 32 bits");
        each_weight([&](std::size_t from, std::size_t to, float limit) {
            weights_[to / lanes][to % lanes] = std::clamp(theta[from], -limit, limit);
            limits_[to / lanes][to % lanes] = limit;
        });
        std::iota(order_.begin(), order_.end(), 0U);
    }

    double step(std::uint64_t batches, unsigned threads) override {
        const std::uint64_t end = std::min(total(), done_ + batches);
        if (end == done_) return 0;
        double loss = 0;
        const std::uint64_t begin = done_;
        std::barrier met(static_cast<std::ptrdiff_t>(threads));
        const auto run = [&](unsigned thread) {
            for (std::uint64_t n = begin; n < end; ++n) {
                if (thread == 0 && n % epoch() == 0) shuffle_for(n / epoch());
                if (n % epoch() == 0) met.arrive_and_wait();
                const std::size_t first = static_cast<std::size_t>(n % epoch()) * Base::batch;
                for (std::size_t piece = thread; piece < pieces; piece += threads) {
                    losses_[piece] = learn(std::span(order_).subspan(first + piece * piece_size, piece_size), n, pieces_[piece]);
                }
                met.arrive_and_wait();
                if (thread == 0) {
                    for (const double each : losses_) loss += each;
                }
                update(n, share(thread, threads), share(thread + 1, threads));
                met.arrive_and_wait();
            }
        };
        {
            std::vector<std::jthread> helpers;
            for (unsigned i = 1; i < threads; ++i) helpers.emplace_back(run, i);
            run(0);
        }
        done_ = end;
        return loss / static_cast<double>((end - begin) * Base::batch);
    }

    std::vector<float> theta() const override {
        std::vector<float> theta(shape_.weights());
        each_weight([&](std::size_t from, std::size_t to, float) { theta[from] = weights_[to / lanes][to % lanes]; });
        return theta;
    }

    std::uint64_t done() const override { return done_; }
    std::uint64_t total() const override { return epoch() * static_cast<std::uint64_t>(options_.epochs); }

private:
    static constexpr std::size_t nodes = Shape::upper, node_vectors = nodes / lanes;
    static constexpr std::size_t piece_size = 64, pieces = Base::batch / piece_size;
    // Where the weights are here, in vectors: rows, biases, and for each phase the second layer, its biases, the output, its bias.
    static constexpr std::size_t bias_at = Inputs::count * wide, phase_at = bias_at + wide;
    static constexpr std::size_t first_vectors = 2 * wide;  // of the first layer's nodes, both views
    static constexpr std::size_t second_bias = nodes * first_vectors, output = second_bias + node_vectors, output_bias = output + node_vectors;
    static constexpr std::size_t phase_size = output_bias + 1, size = phase_at + Inputs::phases * phase_size;

    // The gradient of a piece of a batch. Many inputs are never on in it, and their rows need not be looked at.
    struct Piece {
        std::vector<Vector> gradient;
        std::vector<std::uint8_t> touched;  // by input
    };

    // A board as one side sees it, in the first layer.
    struct View {
        std::array<std::size_t, 128> on;  // where the rows of its inputs begin; a file may hold more pieces than a game
        std::size_t count = 0;
        std::array<Vector, wide> clipped;
    };

    // Without the endings that are left out.
    static std::vector<Record> thinned(std::vector<Record> positions, const FitOptions& options) {
        if (options.ending_share >= 1) return positions;
        Rng rng(options.seed, 0x454E4449);
        std::erase_if(positions, [&](const Record& record) { return Inputs::is_ending(record.position()) && rng.uniform() >= options.ending_share; });
        return positions;
    }

    // Where the share of a thread begins; rows are not divided.
    static std::size_t share(unsigned thread, unsigned threads) { return thread == threads ? size : size * thread / threads / wide * wide; }

    std::uint64_t epoch() const { return positions_.size() / Base::batch; }

    // Calls visit(place in theta, place here, limit) for every weight.
    template <class Visit>
    void each_weight(Visit visit) const {
        std::size_t from = 0;
        const auto part = [&](std::size_t at, std::size_t count, float limit) {
            for (std::size_t i = 0; i < count; ++i) visit(from++, at * lanes + i, limit);
        };
        part(0, shape_.rows(), Shape::row_limit);
        part(bias_at, shape_.width, Shape::bias_limit);
        for (std::size_t n = 0; n < Inputs::phases; ++n) {
            const std::size_t at = phase_at + n * phase_size;
            part(at, nodes * shape_.nodes(), Shape::second_limit);
            part(at + second_bias, nodes, Shape::upper_bias_limit);
            part(at + output, nodes, Shape::output_limit);
            part(at + output_bias, 1, Shape::upper_bias_limit);
        }
    }

    void shuffle_for(std::uint64_t number) {
        Rng rng(options_.seed, number);
        shuffle(order_, rng);
    }

    float target(const Label& label) const {
        const float result = 0.5F + 0.5F * static_cast<float>(label.result);
        if (label.value == Label::no_value) return result;
        const float value = 0.5F + 0.5F / 32767 * static_cast<float>(label.value);
        return options_.result_share * result + (1 - options_.result_share) * value;
    }

    // Adds the gradient of these positions to that of the piece; their summed loss.
    double learn(std::span<const std::uint32_t> which, std::uint64_t number, Piece& piece) const {
        double loss = 0;
        for (std::size_t i = 0; i < which.size(); ++i) {
            if (i + 8 < which.size()) __builtin_prefetch(&positions_[which[i + 8]]);
            const Record& record = positions_[which[i]];
            auto position = record.position();
            if constexpr (Inputs::images > 1) position = Inputs::image(position, static_cast<unsigned>(mix(number * Base::batch + which[i]) % Inputs::images));
            loss += learn(position, target(record.label), piece);
        }
        return loss;
    }

    float learn(typename Game::Position position, float wanted, Piece& piece) const {
        Vector* gradient = piece.gradient.data();
        std::array<View, 2> views;
        see(position, views[0], piece);
        see(Inputs::turned(position), views[1], piece);
        std::array<Vector, first_vectors> first;
        for (std::size_t w = 0; w < first_vectors; ++w) {
            const Vector clipped = views[w / wide].clipped[w % wide];
            first[w] = clipped * clipped;
        }

        const std::size_t at = phase_at + Inputs::phase(position) * phase_size;
        const Vector* upper = weights_.data() + at;
        Vector* slope = gradient + at;
        const auto number = [](const Vector* list, std::size_t n) { return list[n / lanes][n % lanes]; };
        std::array<float, nodes> second, steepness;
        float net = upper[output_bias][0];
        for (std::size_t o = 0; o < nodes; ++o) {
            const Vector* weights = upper + o * first_vectors;
            Vector dot = weights[0] * first[0];
            for (std::size_t w = 1; w < first_vectors; ++w) dot += weights[w] * first[w];
            const float sum_here = sum(dot) + number(upper + second_bias, o), weight = number(upper + output, o);
            second[o] = std::clamp(sum_here, 0.0F, 1.0F);
            steepness[o] = sum_here > 0 && sum_here < 1 ? weight : 0;
            net += second[o] * weight;
        }
        const float likely = 1 / (1 + std::exp(-net)), error = likely - wanted;
        // The cross-entropy, less its least value would be nicer to read but costs two logarithms more.
        const float loss = std::log1p(std::exp(-std::abs(net))) + std::max(net, 0.0F) - wanted * net;

        slope[output_bias][0] += error;
        std::array<Vector, first_vectors> back{};
        for (std::size_t o = 0; o < nodes; ++o) {
            slope[output + o / lanes][o % lanes] += error * second[o];
            if (steepness[o] == 0) continue;
            const float here = error * steepness[o];
            slope[second_bias + o / lanes][o % lanes] += here;
            for (std::size_t w = 0; w < first_vectors; ++w) {
                slope[o * first_vectors + w] += here * first[w];
                back[w] += here * upper[o * first_vectors + w];
            }
        }
        for (std::size_t v = 0; v < views.size(); ++v) learn(views[v], std::span(back).subspan(v * wide).template first<wide>(), gradient);
        return loss;
    }

    void see(typename Game::Position position, View& view, Piece& piece) const {
        const Vector zero{}, one = zero + 1.0F;
        std::array<Vector, wide>& sums = view.clipped;
        std::copy_n(weights_.begin() + bias_at, wide, sums.begin());
        Inputs::for_each(position, [&](std::size_t input) {
            view.on[view.count++] = input * wide;
            piece.touched[input] = 1;
            for (std::size_t w = 0; w < wide; ++w) sums[w] += weights_[input * wide + w];
        });
        for (Vector& each : sums) each = at_least(at_most(each, one), zero);
    }

    // The slope of the squared and clipped sums: 2 x inside the limits, nothing at them.
    void learn(const View& view, std::span<const Vector, wide> slopes, Vector* gradient) const {
        const Vector zero{}, one = zero + 1.0F;
        std::array<Vector, wide> back;
        for (std::size_t w = 0; w < wide; ++w) {
            back[w] = view.clipped[w] < one ? 2 * view.clipped[w] * slopes[w] : zero;
            gradient[bias_at + w] += back[w];
        }
        for (std::size_t i = 0; i < view.count; ++i) {
            for (std::size_t w = 0; w < wide; ++w) gradient[view.on[i] + w] += back[w];
        }
    }

    // One step of Adam on the weights of these vectors; the gradients are set back.
    void update(std::uint64_t number, std::size_t begin, std::size_t end) {
        constexpr float keep = 0.9F, keep_squares = 0.999F, tiny = 1e-8F;
        const double steps = static_cast<double>(number + 1), share = static_cast<double>(number) / static_cast<double>(total());
        const double rate = options_.rate * 0.5 * (1 + std::cos(std::numbers::pi * share));
        const double unbias = std::sqrt(1 - std::pow(static_cast<double>(keep_squares), steps)) / (1 - std::pow(static_cast<double>(keep), steps));
        const float step = static_cast<float>(rate * unbias);
        const Vector zero{};
        // Of the vectors from..to, which are those of one input or above the first layer.
        const auto update_vectors = [&](std::size_t from, std::size_t to, std::span<Piece* const> given) {
            for (std::size_t i = from; i < to; ++i) {
                Vector slope = zero;
                for (Piece* piece : given) {
                    slope += piece->gradient[i];
                    piece->gradient[i] = zero;
                }
                slope *= 1.0F / Base::batch;
                first_[i] = keep * first_[i] + (1 - keep) * slope;
                second_[i] = keep_squares * second_[i] + (1 - keep_squares) * slope * slope;
                const Vector root = square_root(second_[i]);
                weights_[i] = at_least(at_most(weights_[i] - step * first_[i] / (root + tiny), limits_[i]), -limits_[i]);
            }
        };
        std::array<Piece*, pieces> given;
        const std::size_t rows_end = std::clamp(bias_at, begin, end);
        for (std::size_t row = begin; row < rows_end; row += wide) {
            std::size_t count = 0;
            for (Piece& piece : pieces_) {
                if (std::exchange(piece.touched[row / wide], std::uint8_t{0})) given[count++] = &piece;
            }
            update_vectors(row, row + wide, std::span(given).first(count));
        }
        std::ranges::transform(pieces_, given.begin(), [](Piece& piece) { return &piece; });
        update_vectors(rows_end, end, given);
    }

    static Vector square_root(Vector x) {
#ifdef __AVX__
        return _mm256_sqrt_ps(x);
#else
        for (std::size_t i = 0; i < lanes; ++i) x[i] = std::sqrt(x[i]);
        return x;
#endif
    }

    Shape shape_;
    FitOptions options_;
    std::vector<Record> positions_;
    std::vector<std::uint32_t> order_;
    std::vector<Vector> weights_, first_, second_, limits_;
    std::vector<Piece> pieces_;
    std::array<double, pieces> losses_{};
    std::uint64_t done_ = 0;
};

}  // namespace ludus
