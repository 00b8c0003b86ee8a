// Work on a range of numbers by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ludus::endgames {

// Calls work(from, to, thread) for the chunks of 0 to size; threads are numbered from 0. After each chunk of its own the calling thread asks go_on(); false ends
// the work early. False if it was ended; an exception of any thread ends it too and is thrown again here.
template <class Work, class GoOn>
bool in_chunks(std::uint64_t size, std::uint64_t chunk, unsigned threads, Work work, GoOn go_on) {
    std::atomic<std::uint64_t> next = 0;
    std::atomic<bool> ended = false;
    std::exception_ptr failure;
    std::mutex lock;
    const auto run = [&](unsigned thread) {
        try {
            for (std::uint64_t from; !ended && (from = next.fetch_add(chunk)) < size;) {
                work(from, std::min(size, from + chunk), thread);
                if (thread == 0 && !go_on()) ended = true;
            }
        } catch (...) {
            const std::lock_guard guard(lock);
            if (!failure) failure = std::current_exception();
            ended = true;
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (unsigned i = 1; i < threads; ++i) helpers.emplace_back(run, i);
        run(0);
    }
    if (failure) std::rethrow_exception(failure);
    return !ended;
}

}  // namespace ludus::endgames
