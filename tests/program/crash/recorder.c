/* Preloaded into a process, this writes down what the process does to the files below a folder, in order, or kills it before
 * one of these operations. What glibc is asked for is done as asked; only copying within the kernel is refused, so that
 * copies are read and written.
 *
 *     CRASH_FOLDER=/the/folder CRASH_LOG=/a/file/elsewhere CRASH_AT=7 LD_PRELOAD=./recorder.so program
 *
 * Each line of the log is an operation that has succeeded. Files go by their inodes, names by their paths, two paths with a tab
 * between them; the bytes that `write` has written come after its line.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static int log_file = -1;
static long kill_at, operations;

__attribute__((constructor)) static void begin(void) {
    const char *from = getenv("CRASH_FOLDER"), *log = getenv("CRASH_LOG"), *at = getenv("CRASH_AT");
    if (from) snprintf(folder, sizeof folder, "%s", from);
    if (log) log_file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (at) kill_at = atol(at);
}

static void put(const void *bytes, size_t length) {
    while (length > 0) {
        ssize_t written = syscall(SYS_write, log_file, bytes, length);
        if (written <= 0) abort();
        bytes = (const char *)bytes + written;
        length -= written;
    }
}

__attribute__((format(printf, 1, 2))) static void record(const char *format, ...) {
    char line[3 * PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (log_file >= 0) put(line, length);
}

static int is_within(const char *path) {
    size_t length = strlen(folder);
    return length > 0 && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* The absolute form of a path; whether it is within the folder. */
static int resolve(int directory, const char *path, char *absolute) {
    char base[PATH_MAX] = "", joined[2 * PATH_MAX], link[64];
    if (path[0] != '/') {
        if (directory == AT_FDCWD) {
            if (!getcwd(base, sizeof base)) return 0;
        } else {
            snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
            ssize_t length = readlink(link, base, sizeof base - 1);
            if (length < 0) return 0;
            base[length] = 0;
        }
    }
    snprintf(joined, sizeof joined, "%s/%s", base, path);
    char *to = absolute;
    for (char *part = strtok(joined, "/"); part; part = strtok(NULL, "/")) {
        if (strcmp(part, ".") == 0) continue;
        to += sprintf(to, "/%s", part);
    }
    return is_within(absolute);
}

/* The inode of an open file within the folder, or 0. */
static unsigned long inode_of(int file) {
    char link[64], path[PATH_MAX];
    struct stat data;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (!is_within(path) || syscall(SYS_fstat, file, &data) != 0) return 0;
    return data.st_ino;
}

static unsigned long inode_at(const char *path) {
    struct stat data;
    return lstat(path, &data) == 0 ? data.st_ino : 0;
}

/* Before each operation within the folder. */
static void enter(int is_ours) {
    pthread_mutex_lock(&mutex);
    if (is_ours && ++operations == kill_at) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
}

static void leave(void) {
    int error = errno;
    pthread_mutex_unlock(&mutex);
    errno = error;
}

static int open_any(int directory, const char *path, int flags, mode_t mode) {
    char absolute[2 * PATH_MAX] = "";
    int is_ours = resolve(directory, path, absolute) && flags & (O_CREAT | O_TRUNC);
    enter(is_ours);
    unsigned long before = is_ours ? inode_at(absolute) : 0;
    int file = syscall(SYS_openat, directory, path, flags, mode);
    if (is_ours && file >= 0) {
        int error = errno;
        if (!before) record("make %lu %s\n", inode_of(file), absolute);
        else if (flags & O_TRUNC) record("cut %lu 0\n", before);
        errno = error;
    }
    leave();
    return file;
}

#define MODE() \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
        va_list arguments; \
        va_start(arguments, flags); \
        mode = va_arg(arguments, mode_t); \
        va_end(arguments); \
    }

int open(const char *path, int flags, ...) { MODE() return open_any(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE() return open_any(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int at, const char *path, int flags, ...) { MODE() return open_any(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE() return open_any(at, path, flags | O_LARGEFILE, mode); }
int creat(const char *path, mode_t mode) { return open_any(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

static void record_write(unsigned long inode, off_t offset, const void *bytes, ssize_t written) {
    if (log_file < 0 || written <= 0) return;
    record("write %lu %ld %zd\n", inode, (long)offset, written);
    put(bytes, written);
}

ssize_t write(int file, const void *bytes, size_t length) {
    unsigned long inode = inode_of(file);
    enter(inode != 0);
    ssize_t written = syscall(SYS_write, file, bytes, length);
    if (inode && written > 0) record_write(inode, lseek(file, 0, SEEK_CUR) - written, bytes, written);
    leave();
    return written;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    if (!inode_of(file)) return syscall(SYS_writev, file, parts, count);
    for (int part = 0; part < count; part++)
        if (parts[part].iov_len > 0) return write(file, parts[part].iov_base, parts[part].iov_len);
    return 0;
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
    unsigned long inode = inode_of(file);
    enter(inode != 0);
    ssize_t written = syscall(SYS_pwrite64, file, bytes, length, offset);
    if (inode) record_write(inode, offset, bytes, written);
    leave();
    return written;
}
ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) { return pwrite64(file, bytes, length, offset); }

int ftruncate64(int file, off64_t length) {
    unsigned long inode = inode_of(file);
    enter(inode != 0);
    int result = syscall(SYS_ftruncate, file, length);
    if (inode && result == 0) record("cut %lu %ld\n", inode, (long)length);
    leave();
    return result;
}
int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

static int sync_any(int file, long call) {
    unsigned long inode = inode_of(file);
    enter(inode != 0);
    int result = syscall(call, file);
    if (inode && result == 0) record("sync %lu\n", inode);
    leave();
    return result;
}
int fsync(int file) { return sync_any(file, SYS_fsync); }
int fdatasync(int file) { return sync_any(file, SYS_fdatasync); }

// A system call on two paths, recorded under a name.
static int two_paths(long call, const char *name, int from_at, const char *from, int to_at, const char *to, unsigned flags) {
    char one[2 * PATH_MAX] = "", other[2 * PATH_MAX] = "";
    int is_ours = resolve(from_at, from, one) & resolve(to_at, to, other);
    enter(is_ours);
    int result = syscall(call, from_at, from, to_at, to, flags);
    if (is_ours && result == 0) record("%s %s\t%s\n", name, one, other);
    leave();
    return result;
}

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
    return two_paths(SYS_renameat2, "rename", from_at, from, to_at, to, flags);
}
int rename(const char *from, const char *to) { return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_at, const char *from, int to_at, const char *to) { return renameat2(from_at, from, to_at, to, 0); }

int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
    return two_paths(SYS_linkat, "link", from_at, from, to_at, to, flags);
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int unlinkat(int at, const char *path, int flags) {
    char absolute[2 * PATH_MAX] = "";
    int is_ours = resolve(at, path, absolute);
    enter(is_ours);
    int result = syscall(SYS_unlinkat, at, path, flags);
    if (is_ours && result == 0) record("remove %s\n", absolute);
    leave();
    return result;
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int at, const char *path, mode_t mode) {
    char absolute[2 * PATH_MAX] = "";
    int is_ours = resolve(at, path, absolute);
    enter(is_ours);
    int result = syscall(SYS_mkdirat, at, path, mode);
    if (is_ours && result == 0) record("folder %lu %s\n", inode_at(absolute), absolute);
    leave();
    return result;
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *to_at, size_t length, unsigned flags) {
    (void)from, (void)at, (void)to, (void)to_at, (void)length, (void)flags;
    errno = ENOSYS;
    return -1;
}
ssize_t sendfile64(int to, int from, off64_t *at, size_t length) {
    (void)to, (void)from, (void)at, (void)length;
    errno = ENOSYS;
    return -1;
}
ssize_t sendfile(int to, int from, off_t *at, size_t length) { return sendfile64(to, from, at, length); }
