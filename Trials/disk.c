// Stands between a program and its disk: writes down what it does to the files of one folder, and
// makes those calls fail that it is told to. Preloaded (LD_PRELOAD) by the trials `power` and `disk`.
//
//   TRIAL_FOLDER  the folder, without links in its path
//   TRIAL_RECORD  the file to write down into
//   TRIAL_MUTE    the ending of files whose syncs do nothing, as on a disk that lies
//   TRIAL_FAULTS  a file with the `struct faults` below, which may be changed at any time
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { WRITE = 1, TRUNCATE, SYNC, CREATE, UNLINK, RENAME, LINK, SYNC_FOLDER, FAILED_SYNC };

// What is to fail. Times are those of calls on files whose path ends in `ending`.
struct faults {
    int32_t call;   // a bit for each of 1: write, 2: sync, 4: read, 8: open, 16: truncate
    int32_t error;  // the number of the error; 0 for writes of half of what was asked
    int32_t after;  // how many of the calls still succeed
    int32_t count;  // how many then fail; below 0, all
    int32_t hits;   // how many have failed
    char ending[28];
};

// One line of the record; `length` bytes follow.
struct entry {
    uint64_t nanoseconds;
    uint32_t kind;
    uint32_t file;
    uint64_t offset;
    uint64_t length;
};

enum { MOST_DESCRIPTORS = 65536, MOST_NAMES = 4096, MOST_BYTES = 512 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char folder[MOST_BYTES];
static size_t folder_length;
static const char *mute;
static int record = -1;
static struct faults *faults;
static uint32_t last_file;
static struct { char name[MOST_BYTES]; uint32_t file; } names[MOST_NAMES];
static struct { uint32_t file; char name[MOST_BYTES]; } *open_files[MOST_DESCRIPTORS];

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("TRIAL_FOLDER");
    if (!path || strlen(path) >= MOST_BYTES) return;
    strcpy(folder, path);
    folder_length = strlen(folder);
    mute = getenv("TRIAL_MUTE");
    path = getenv("TRIAL_RECORD");
    if (path) record = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    path = getenv("TRIAL_FAULTS");
    if (!path) return;
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    void *memory = mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) abort();
    faults = memory;
}

static int ends(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && !strcmp(text + length - tail, ending);
}

static int concerns(const char *path) {
    return folder_length && !strncmp(path, folder, folder_length) && path[folder_length] == '/'
        && !ends(path, "-shm") && !ends(path, ".lock");
}

static void note(uint32_t kind, uint32_t file, uint64_t offset, const void *bytes, uint64_t length) {
    if (record < 0) return;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct entry entry = {
        (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec, kind, file, offset, length
    };
    if (syscall(SYS_write, record, &entry, sizeof entry) != sizeof entry) abort();
    if (length && syscall(SYS_write, record, bytes, length) != (long)length) abort();
}

// Whether a call is to fail now; what with is in `errno`.
static int fails(int call, const char *path) {
    if (!faults || !(faults->call & call) || !ends(path, faults->ending)) return 0;
    if (__atomic_fetch_sub(&faults->after, 1, __ATOMIC_SEQ_CST) > 0) return 0;
    faults->after = 0;
    if (faults->count == 0) return 0;
    if (faults->count > 0) faults->count--;
    faults->hits++;
    errno = faults->error;
    return 1;
}

static uint32_t *file_named(const char *path) {
    for (int i = 0; i < MOST_NAMES; i++) {
        if (names[i].file && !strcmp(names[i].name, path)) return &names[i].file;
    }
    return NULL;
}

static void give_name(const char *path, uint32_t file) {
    uint32_t *known = file_named(path);
    for (int i = 0; !known && i < MOST_NAMES; i++) {
        if (names[i].file) continue;
        strcpy(names[i].name, path);
        known = &names[i].file;
    }
    if (!known) abort();
    *known = file;
}

static const char *name_of(int descriptor) {
    if (descriptor < 0 || descriptor >= MOST_DESCRIPTORS || !open_files[descriptor]) return NULL;
    return open_files[descriptor]->name;
}

// Files and folders

static int open_file(int (*next)(const char *, int, ...), const char *path, int flags, mode_t mode) {
    if (!folder_length) return next(path, flags, mode);
    int is_folder = !strcmp(path, folder);
    if (!is_folder && !concerns(path)) return next(path, flags, mode);
    pthread_mutex_lock(&mutex);
    int descriptor = -1;
    if (!fails(8, path)) {
        descriptor = next(path, flags, mode);
        if (descriptor >= 0 && descriptor < MOST_DESCRIPTORS) {
            uint32_t *known = file_named(path), file = 0;
            if (known) {
                file = *known;
            } else if (!is_folder) {
                file = ++last_file;
                give_name(path, file);
                note(CREATE, file, 0, path, strlen(path));
            }
            open_files[descriptor] = calloc(1, sizeof **open_files);
            open_files[descriptor]->file = file;
            strcpy(open_files[descriptor]->name, path);
        }
    }
    pthread_mutex_unlock(&mutex);
    return descriptor;
}

static mode_t mode_of(int flags, va_list arguments) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_file(NEXT(open), path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_file(NEXT(open64), path, flags, mode);
}

int close(int descriptor) {
    pthread_mutex_lock(&mutex);
    if (name_of(descriptor)) {
        free(open_files[descriptor]);
        open_files[descriptor] = NULL;
    }
    int result = NEXT(close)(descriptor);
    pthread_mutex_unlock(&mutex);
    return result;
}

int unlink(const char *path) {
    if (!concerns(path)) return NEXT(unlink)(path);
    pthread_mutex_lock(&mutex);
    int result = NEXT(unlink)(path);
    if (result == 0) {
        uint32_t *known = file_named(path);
        if (known) *known = 0;
        note(UNLINK, 0, 0, path, strlen(path));
    }
    pthread_mutex_unlock(&mutex);
    return result;
}

static int give_other_name(int kind, int (*next)(const char *, const char *), const char *path, const char *other) {
    if (!concerns(path) && !concerns(other)) return next(path, other);
    pthread_mutex_lock(&mutex);
    int result = next(path, other);
    uint32_t *known = file_named(path);
    if (result == 0 && known) {
        uint32_t file = *known;
        char both[2 * MOST_BYTES];
        size_t length = strlen(path), other_length = strlen(other);
        memcpy(both, path, length + 1);
        memcpy(both + length + 1, other, other_length);
        note((uint32_t)kind, file, 0, both, length + 1 + other_length);
        if (kind == RENAME) *known = 0;
        give_name(other, file);
    }
    pthread_mutex_unlock(&mutex);
    return result;
}

int rename(const char *path, const char *other) {
    return give_other_name(RENAME, NEXT(rename), path, other);
}

int link(const char *path, const char *other) {
    return give_other_name(LINK, NEXT(link), path, other);
}

// Bytes

static ssize_t write_file(int descriptor, const void *bytes, size_t count, off64_t offset) {
    ssize_t (*next)(int, const void *, size_t, off64_t) = NEXT(pwrite64);
    if (!name_of(descriptor)) return next(descriptor, bytes, count, offset);
    pthread_mutex_lock(&mutex);
    ssize_t result = -1;
    int is_failing = fails(1, name_of(descriptor));
    if (!is_failing || !errno) {
        result = next(descriptor, bytes, is_failing ? (count + 1) / 2 : count, offset);
        if (result > 0) {
            note(WRITE, open_files[descriptor]->file, (uint64_t)offset, bytes, (uint64_t)result);
        }
    }
    pthread_mutex_unlock(&mutex);
    return result;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    return write_file(descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return write_file(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (!name_of(descriptor)) return NEXT(write)(descriptor, bytes, count);
    off64_t offset = lseek64(descriptor, 0, SEEK_CUR);
    ssize_t result = write_file(descriptor, bytes, count, offset);
    if (result > 0) lseek64(descriptor, offset + result, SEEK_SET);
    return result;
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
    if (name_of(descriptor) && fails(4, name_of(descriptor))) return -1;
    return NEXT(pread64)(descriptor, bytes, count, offset);
}

static int truncate_file(int (*next)(int, off64_t), int descriptor, off64_t length) {
    if (!name_of(descriptor)) return next(descriptor, length);
    pthread_mutex_lock(&mutex);
    int result = -1;
    if (!fails(16, name_of(descriptor))) {
        result = next(descriptor, length);
        if (result == 0) note(TRUNCATE, open_files[descriptor]->file, (uint64_t)length, NULL, 0);
    }
    pthread_mutex_unlock(&mutex);
    return result;
}

int ftruncate64(int descriptor, off64_t length) {
    return truncate_file(NEXT(ftruncate64), descriptor, length);
}

int ftruncate(int descriptor, off_t length) {
    return truncate_file(NEXT(ftruncate64), descriptor, length);
}

static int sync_file(int (*next)(int), int descriptor) {
    const char *name = name_of(descriptor);
    if (!name) return next(descriptor);
    if (mute && ends(name, mute)) return 0;
    pthread_mutex_lock(&mutex);
    int result = -1;
    uint32_t file = open_files[descriptor]->file;
    if (fails(2, name)) {
        int error = errno;
        note(FAILED_SYNC, file, 0, NULL, 0);
        errno = error;
    } else {
        result = next(descriptor);
        if (result == 0) note(file ? SYNC : SYNC_FOLDER, file, 0, NULL, 0);
    }
    pthread_mutex_unlock(&mutex);
    return result;
}

int fsync(int descriptor) {
    return sync_file(NEXT(fsync), descriptor);
}

int fdatasync(int descriptor) {
    return sync_file(NEXT(fdatasync), descriptor);
}
