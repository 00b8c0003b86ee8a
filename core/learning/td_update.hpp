// The update of TD(lambda): how the error of a prediction changes the weights.
//
// A prediction is corrected towards the one that follows it, or towards the reward at the end of the game:
//     error  = gamma * next - prediction, or reward - prediction
//     trace  = trace_decay * trace + gradient of the prediction
//     weight += rate * error * trace, and momentum
// Values are those of the weights of the moment. It makes no difference whether a prediction is made right after the last
// update or right before the next one: the weights are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ludus {

// What an update needs to remember of the predictions of one side in one game; the lists have the shape of the weights.
template <class T>  // float, or Vector where weights are packed
struct TdMemory {
    std::vector<T> trace;
    std::vector<T> last_change;  // empty without momentum
    // Of weights in rows most of which have no gradient in a game: the rows that have had one. The others are zero in both lists.
    std::vector<std::uint32_t> rows{};
    std::vector<std::uint8_t> has_row{};
};

// How an update is made. Without a memory the gradient goes straight into the weights: one-step TD.
template <class T>
struct TdStep {
    float rate = 0;         // of all weights; a network that has one for each weight multiplies it by this
    float trace_decay = 0;  // by which the trace fades before the next gradient joins it
    float momentum = 0;
    TdMemory<T>* memory = nullptr;
};

template <class T>
void fade(std::vector<T>& trace, float trace_decay) {
    for (T& each : trace) each *= trace_decay;
}

// Changes the weights from `begin` to before `end` along the trace; `rate(i)` is that of weight i. With momentum a weight's last change is
// added, times the momentum, only if both go the same way, as the programs of the NeuroDraughts family do it.
template <class T, class Rate>
void update(std::vector<T>& weights, TdMemory<T>& memory, Rate rate, float error, float momentum, std::size_t begin, std::size_t end) {
    if (memory.last_change.empty()) {
        for (std::size_t i = begin; i < end; ++i) weights[i] += rate(i) * error * memory.trace[i];
        return;
    }
    for (std::size_t i = begin; i < end; ++i) {
        const T last = memory.last_change[i];
        T change = rate(i) * error * memory.trace[i];
        change = change * last > T{} ? change + momentum * last : change;
        weights[i] += memory.last_change[i] = change;
    }
}

}  // namespace ludus
