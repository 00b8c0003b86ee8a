// All the test framework there is: CHECK prints what does not hold, and main returns failed().
#pragma once

#include <cstdio>

inline int checks = 0, failures = 0;

#define CHECK(condition) \
    (++checks, (condition) ? void() : (++failures, void(std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition))))

inline int failed() {
    std::printf("%d checks, %d failed\n", checks, failures);
    return failures != 0;
}
