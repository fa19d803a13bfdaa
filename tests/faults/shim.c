// Makes calls fail, to test programs: preloaded into one, it lets a given call of one kind fail,
// from main() on. The environment says which:
//
//   FAULT_CALL   malloc, mmap, open, stat, read, write, fsync, link, rename
//   FAULT_AT     the number of the call that fails, from 1
//   FAULT_FROM   the first call that fails, with all after it; FAULT_EVERY: each whose number it divides
//   FAULT_ERRNO  the error; 0: the call does not fail, but moves one byte, as read and write may
//   FAULT_COUNT  a descriptor to which the shim writes the number of such calls at exit
//   FAULT_NO_TMPFILE  if set, the file system does not have files without a name
//
// A kind is a family: pread counts as read, openat as open, fstat as stat.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *g_call = "";
static long g_at, g_from, g_every, g_errno, g_count_to = -1;
static int g_no_tmpfile;
static int g_in_main;
static long g_calls;
static __thread int t_in_dlopen;

// Returns whether this call is one that fails.
static int is_hit(const char *call) {
  if (!g_in_main || t_in_dlopen || strcmp(call, g_call) != 0) return 0;
  const long number = __atomic_add_fetch(&g_calls, 1, __ATOMIC_RELAXED);
  return number == g_at || (g_from > 0 && number >= g_from) ||
         (g_every > 0 && number % g_every == 0);
}

static int fails(const char *call) {
  if (!is_hit(call)) return 0;
  errno = (int)g_errno;
  return 1;
}

// Returns how many bytes the call moves; a negative number means that it fails.
static ssize_t moved(const char *call, size_t bytes) {
  if (!is_hit(call)) return (ssize_t)bytes;
  if (g_errno == 0) return bytes > 0;
  errno = (int)g_errno;
  return -1;
}

// Finds the function of that name that would have been called.
#define NEXT(type, name, ...)                                   \
  static type (*next)(__VA_ARGS__);                             \
  if (next == NULL) {                                           \
    *(void **)&next = dlsym(RTLD_NEXT, name);                   \
  }

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t bytes) { return fails("malloc") ? NULL : __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) {
  return fails("malloc") ? NULL : __libc_calloc(count, bytes);
}
void *realloc(void *memory, size_t bytes) {
  return fails("malloc") ? NULL : __libc_realloc(memory, bytes);
}
void *memalign(size_t alignment, size_t bytes) {
  return fails("malloc") ? NULL : __libc_memalign(alignment, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  *memory = memalign(alignment, bytes);
  return *memory == NULL ? ENOMEM : 0;
}

// Defines the names with and without 64, which are the same here.
#define BOTH(DEFINE, name) DEFINE(name) DEFINE(name##64)

#define MMAP(name)                                                                              \
  void *name(void *at, size_t bytes, int protection, int flags, int descriptor, off_t offset) { \
    NEXT(void *, #name, void *, size_t, int, int, int, off_t)                                   \
    return fails("mmap") ? MAP_FAILED : next(at, bytes, protection, flags, descriptor, offset); \
  }
BOTH(MMAP, mmap)

static int may_open(int flags) {
  if (g_no_tmpfile && (flags & O_TMPFILE) == O_TMPFILE) {
    errno = EOPNOTSUPP;
    return 0;
  }
  return !fails("open");
}
static mode_t mode_of(va_list arguments, int flags) {
  return (flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) == 0 ? 0 : va_arg(arguments, mode_t);
}
#define OPEN(name)                            \
  int name(const char *path, int flags, ...) { \
    NEXT(int, #name, const char *, int, ...)  \
    va_list arguments;                        \
    va_start(arguments, flags);               \
    const mode_t mode = mode_of(arguments, flags); \
    va_end(arguments);                        \
    return may_open(flags) ? next(path, flags, mode) : -1; \
  }
BOTH(OPEN, open)
#define OPENAT(name)                                       \
  int name(int folder, const char *path, int flags, ...) { \
    NEXT(int, #name, int, const char *, int, ...)          \
    va_list arguments;                                     \
    va_start(arguments, flags);                            \
    const mode_t mode = mode_of(arguments, flags);         \
    va_end(arguments);                                     \
    return may_open(flags) ? next(folder, path, flags, mode) : -1; \
  }
BOTH(OPENAT, openat)

#define FSTAT(name)                               \
  int name(int descriptor, struct stat *status) { \
    NEXT(int, #name, int, struct stat *)          \
    return fails("stat") ? -1 : next(descriptor, status); \
  }
#define STAT(name)                                  \
  int name(const char *path, struct stat *status) { \
    NEXT(int, #name, const char *, struct stat *)   \
    return fails("stat") ? -1 : next(path, status); \
  }
FSTAT(fstat)
STAT(stat)
STAT(lstat)

ssize_t read(int descriptor, void *into, size_t bytes) {
  NEXT(ssize_t, "read", int, void *, size_t)
  const ssize_t some = moved("read", bytes);
  return some < 0 ? -1 : next(descriptor, into, (size_t)some);
}
ssize_t write(int descriptor, const void *from, size_t bytes) {
  NEXT(ssize_t, "write", int, const void *, size_t)
  if (descriptor == STDERR_FILENO) return next(descriptor, from, bytes);  // the error is printed
  const ssize_t some = moved("write", bytes);
  return some < 0 ? -1 : next(descriptor, from, (size_t)some);
}
#define PREAD(name)                                                      \
  ssize_t name(int descriptor, void *into, size_t bytes, off_t offset) { \
    NEXT(ssize_t, #name, int, void *, size_t, off_t)                     \
    const ssize_t some = moved("read", bytes);                           \
    return some < 0 ? -1 : next(descriptor, into, (size_t)some, offset); \
  }
BOTH(PREAD, pread)
#define PWRITE(name)                                                           \
  ssize_t name(int descriptor, const void *from, size_t bytes, off_t offset) { \
    NEXT(ssize_t, #name, int, const void *, size_t, off_t)                     \
    const ssize_t some = moved("write", bytes);                                \
    return some < 0 ? -1 : next(descriptor, from, (size_t)some, offset);       \
  }
BOTH(PWRITE, pwrite)
ssize_t copy_file_range(int from, off64_t *in, int to, off64_t *out, size_t bytes,
                        unsigned flags) {
  NEXT(ssize_t, "copy_file_range", int, off64_t *, int, off64_t *, size_t, unsigned)
  const ssize_t some = moved("write", bytes);
  return some < 0 ? -1 : next(from, in, to, out, (size_t)some, flags);
}

int fsync(int descriptor) {
  NEXT(int, "fsync", int)
  return fails("fsync") ? -1 : next(descriptor);
}
int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
  NEXT(int, "linkat", int, const char *, int, const char *, int)
  return fails("link") ? -1 : next(from_folder, from, to_folder, to, flags);
}
int link(const char *from, const char *to) {
  NEXT(int, "link", const char *, const char *)
  return fails("link") ? -1 : next(from, to);
}
int rename(const char *from, const char *to) {
  NEXT(int, "rename", const char *, const char *)
  return fails("rename") ? -1 : next(from, to);
}
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  NEXT(int, "renameat2", int, const char *, int, const char *, unsigned)
  return fails("rename") ? -1 : next(from_folder, from, to_folder, to, flags);
}
// No call fails in dlopen(), which oneTBB calls at first: in some versions of glibc (2.36) it ends
// the process if it has no memory for an error.
void *dlopen(const char *path, int mode) {
  NEXT(void *, "dlopen", const char *, int)
  ++t_in_dlopen;
  void *library = next(path, mode);
  --t_in_dlopen;
  return library;
}

static int (*g_main)(int, char **, char **);

static int armed_main(int count, char **words, char **environment) {
  g_in_main = 1;
  return g_main(count, words, environment);
}

static long number_of(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text == NULL ? otherwise : atol(text);
}

int __libc_start_main(int (*main)(int, char **, char **), int count, char **words,
                      void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                      void *stack_end) {
  NEXT(int, "__libc_start_main", int (*)(int, char **, char **), int, char **, void (*)(void),
       void (*)(void), void (*)(void), void *)
  const char *call = getenv("FAULT_CALL");
  if (call != NULL) g_call = call;
  g_at = number_of("FAULT_AT", 0);
  g_from = number_of("FAULT_FROM", 0);
  g_every = number_of("FAULT_EVERY", 0);
  g_errno = number_of("FAULT_ERRNO", EIO);
  g_count_to = number_of("FAULT_COUNT", -1);
  g_no_tmpfile = getenv("FAULT_NO_TMPFILE") != NULL;
  g_main = main;
  return next(armed_main, count, words, init, fini, rtld_fini, stack_end);
}

__attribute__((destructor)) static void tell_count(void) {
  g_in_main = 0;
  if (g_count_to >= 0) dprintf((int)g_count_to, "%ld", g_calls);
}
