/* Preloaded by tests/torture.py: the N-th change of a file below FAULT_ROOT kills the process or fails.
   FAULT_AT is N; FAULT_KIND is kill, ENOSPC or EIO. A write that is killed is first done in half. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long changes;

static int is_below(const char *path) {
    const char *root = getenv("FAULT_ROOT");
    return root && path && strncmp(path, root, strlen(root)) == 0;
}

static int is_ours(int descriptor) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return is_below(path);
}

/* 0: go on; else the error to fail with. Does not return if the process is to be killed. */
static int fault(int descriptor, const void *data, size_t size) {
    static ssize_t (*real)(int, const void *, size_t);
    const char *at = getenv("FAULT_AT"), *kind = getenv("FAULT_KIND");
    if (!at || !kind || atomic_fetch_add(&changes, 1) + 1 != atol(at)) return 0;
    if (strcmp(kind, "kill") == 0) {
        if (!real) real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
        if (data && size > 1 && real(descriptor, data, size / 2) < 0) _exit(99);
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
    return strcmp(kind, "EIO") == 0 ? EIO : ENOSPC;
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define FAIL_IF(ours, descriptor, data, size) \
    do { int error = (ours) ? fault(descriptor, data, size) : 0; if (error) { errno = error; return -1; } } while (0)

ssize_t write(int descriptor, const void *data, size_t size) {
    REAL(write);
    FAIL_IF(is_ours(descriptor), descriptor, data, size);
    return real(descriptor, data, size);
}

int fsync(int descriptor) {
    REAL(fsync);
    FAIL_IF(is_ours(descriptor), descriptor, NULL, 0);
    return real(descriptor);
}

int ftruncate(int descriptor, off_t size) {
    REAL(ftruncate);
    FAIL_IF(is_ours(descriptor), descriptor, NULL, 0);
    return real(descriptor, size);
}

int ftruncate64(int descriptor, off_t size) {
    REAL(ftruncate64);
    FAIL_IF(is_ours(descriptor), descriptor, NULL, 0);
    return real(descriptor, size);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    FAIL_IF(is_below(to), -1, NULL, 0);
    return real(from, to);
}
