/* Preloaded by tests/torture.py: the N-th change of a file below FAULT_ROOT kills the process or fails.
   FAULT_AT is N. FAULT_KIND is one of:
     kill         the process is killed; a write is first done in half
     ENOSPC, EIO  the change fails
     power        the process is killed, and FAULT_LOG, a folder, has what was synced until then
     count        nothing happens; FAULT_LOG, a file, has the number of changes */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static atomic_long changes;

static int is_kind(const char *name) {
    const char *kind = getenv("FAULT_KIND");
    return kind && strcmp(kind, name) == 0;
}

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

static ssize_t real_write(int descriptor, const void *data, size_t size) {
    REAL(write);
    return real(descriptor, data, size);
}

static int opened(const char *folder, const char *kind, ino_t inode) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%lu", folder, kind, (unsigned long)inode);
    return open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

/* A file that was synced keeps its number, also when it is deleted: no other file gets it. */
static void hold(int folder, const char *name, ino_t inode) {
    char path[4096];
    snprintf(path, sizeof path, "%s/held-%lu", getenv("FAULT_LOG"), (unsigned long)inode);
    if (linkat(folder, name, AT_FDCWD, path, AT_SYMLINK_FOLLOW) < 0 && errno != EEXIST) _exit(98);
}

/* Remembers the content of a file, or the names in a folder: the line of a name is "number name". */
static void synced(int descriptor) {
    struct stat found;
    char buffer[65536], link[64];
    const char *log = getenv("FAULT_LOG");
    if (!log || fstat(descriptor, &found) < 0) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    if (S_ISDIR(found.st_mode)) {
        int copy = opened(log, "names", found.st_ino);
        DIR *folder = opendir(link);
        for (struct dirent *each; folder && (each = readdir(folder));) {
            if (each->d_name[0] == '.' && (!each->d_name[1] || each->d_name[1] == '.')) continue;
            if (each->d_type == DT_REG) hold(dirfd(folder), each->d_name, each->d_ino);
            int size = snprintf(buffer, sizeof buffer, "%lu %s\n", (unsigned long)each->d_ino, each->d_name);
            if (real_write(copy, buffer, (size_t)size) < 0) _exit(98);
        }
        if (folder) closedir(folder);
        close(copy);
    } else if (S_ISREG(found.st_mode)) {
        int source = open(link, O_RDONLY), copy = opened(log, "content", found.st_ino);
        for (ssize_t size; (size = read(source, buffer, sizeof buffer)) > 0;)
            if (real_write(copy, buffer, (size_t)size) != size) _exit(98);
        close(source);
        close(copy);
        if (found.st_nlink) hold(AT_FDCWD, link, found.st_ino);
    }
}

static void count(long number) {
    char text[32];
    int size = snprintf(text, sizeof text, "%ld", number), log = open(getenv("FAULT_LOG"), O_WRONLY | O_CREAT, 0600);
    if (log < 0 || real_write(log, text, (size_t)size) < 0) _exit(98);
    close(log);
}

/* 0: go on; else the error to fail with. Does not return if the process is to be killed. */
static int fault(int descriptor, const void *data, size_t size) {
    const char *at = getenv("FAULT_AT");
    long number = atomic_fetch_add(&changes, 1) + 1;
    if (is_kind("count")) count(number);
    if (!at || number != atol(at)) return 0;
    if (is_kind("EIO")) return EIO;
    if (is_kind("ENOSPC")) return ENOSPC;
    if (is_kind("kill") && data && size > 1 && real_write(descriptor, data, size / 2) < 0) _exit(99);
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

#define FAIL_IF(ours, descriptor, data, size) \
    do { int error = (ours) ? fault(descriptor, data, size) : 0; if (error) { errno = error; return -1; } } while (0)

ssize_t write(int descriptor, const void *data, size_t size) {
    FAIL_IF(is_ours(descriptor), descriptor, data, size);
    return real_write(descriptor, data, size);
}

int fsync(int descriptor) {
    REAL(fsync);
    int ours = is_ours(descriptor);
    FAIL_IF(ours, descriptor, NULL, 0);
    if (ours && is_kind("power")) synced(descriptor);
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
