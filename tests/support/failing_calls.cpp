// Fails the n-th system call that changes files below a folder: open for writing, write, fsync, rename.
// Loaded by LD_PRELOAD, steered from the same process by milton_fault_arm and milton_fault_disarm. After
// milton_power_arm it also keeps what every flush made durable, and from the n-th call on nothing works any more.
// After milton_tear(1) a write that fails has written half of its bytes.
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>

namespace {

char folder[4096];
std::atomic<long> num_calls{0};
std::atomic<long> failing_call{0};  // 0: none
std::atomic<int> failing_errno{EIO};
std::atomic<bool> is_armed{false};
std::atomic<bool> is_power_cut{false};  // the failing call is the last that anybody hears of
std::atomic<bool> is_torn{false};
char shadow[4096];                       // where durable content is kept, one file for each inode; "": nowhere

bool is_watched(const char* path) {
  return path != nullptr && folder[0] != '\0' && std::strstr(path, folder) != nullptr;
}

bool is_watched(int descriptor) {
  char link[64];
  char path[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return false;
  path[length] = '\0';
  return is_watched(path);
}

// Counts a call; true if this one must fail.
template <class Target>
bool must_fail(Target target) {
  if (!is_armed || !is_watched(target)) return false;
  const long call = ++num_calls;
  if (failing_call == 0 || (is_power_cut ? call < failing_call : call != failing_call)) return false;
  errno = failing_errno;
  return true;
}

// Half of the write that fails; the power may be off already when later ones are asked for.
template <class Write>
ssize_t fail_write(size_t size, Write write_some) {
  const int saved = errno;
  if (is_torn && num_calls == failing_call) write_some(size / 2);
  errno = saved;
  return -1;
}

template <class Function>
Function next_one(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

void keep_listing(int descriptor, std::FILE* kept) {
  char link[64];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  DIR* listed = opendir(link);
  if (listed == nullptr) return;
  while (const dirent* entry = readdir(listed)) {
    std::fprintf(kept, "%llu %s\n", static_cast<unsigned long long>(entry->d_ino), entry->d_name);
  }
  closedir(listed);
}

void keep_content(int descriptor, std::FILE* kept) {
  char link[64];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  std::FILE* source = std::fopen(link, "rb");  // the descriptor itself may be open for writing only
  if (source == nullptr) return;
  char block[65536];
  size_t size;
  while ((size = std::fread(block, 1, sizeof block, source)) > 0) std::fwrite(block, 1, size, kept);
  std::fclose(source);
}

// After a flush: this is what a power cut leaves of the file or folder.
void keep(int descriptor) {
  struct stat status;
  if (!is_armed || shadow[0] == '\0' || !is_watched(descriptor) || fstat(descriptor, &status) != 0) return;
  const int saved = errno;
  char path[4200];
  const bool is_folder = S_ISDIR(status.st_mode);
  std::snprintf(path, sizeof path, "%s/%s%llu", shadow, is_folder ? "folder-" : "",
                static_cast<unsigned long long>(status.st_ino));
  if (std::FILE* kept = std::fopen(path, "wb")) {
    is_folder ? keep_listing(descriptor, kept) : keep_content(descriptor, kept);
    std::fclose(kept);
  }
  errno = saved;
}

bool writes(int flags) { return (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0; }

}  // namespace

extern "C" {

void milton_fault_arm(const char* where, long which, int error) {
  std::snprintf(folder, sizeof folder, "%s", where);
  num_calls = 0;
  failing_call = which;
  failing_errno = error;
  is_power_cut = false;
  shadow[0] = '\0';
  is_armed = true;
}

void milton_power_arm(const char* where, long which, const char* keep_in) {
  milton_fault_arm(where, which, EIO);
  std::snprintf(shadow, sizeof shadow, "%s", keep_in);
  is_power_cut = true;
}

void milton_tear(int wanted) { is_torn = wanted != 0; }

long milton_fault_disarm() {
  is_armed = false;
  return num_calls;
}

#define OPEN_AS(NAME)                                                            \
  int NAME(const char* path, int flags, ...) {                                   \
    va_list rest;                                                                \
    va_start(rest, flags);                                                       \
    const mode_t mode = va_arg(rest, mode_t);                                    \
    va_end(rest);                                                                \
    static const auto real = next_one<int (*)(const char*, int, mode_t)>(#NAME); \
    return writes(flags) && must_fail(path) ? -1 : real(path, flags, mode);      \
  }
OPEN_AS(open)
OPEN_AS(open64)

#define OPENAT_AS(NAME)                                                               \
  int NAME(int at, const char* path, int flags, ...) {                                \
    va_list rest;                                                                     \
    va_start(rest, flags);                                                            \
    const mode_t mode = va_arg(rest, mode_t);                                         \
    va_end(rest);                                                                     \
    static const auto real = next_one<int (*)(int, const char*, int, mode_t)>(#NAME); \
    return writes(flags) && must_fail(path) ? -1 : real(at, path, flags, mode);       \
  }
OPENAT_AS(openat)
OPENAT_AS(openat64)

ssize_t write(int descriptor, const void* data, size_t size) {
  static const auto real = next_one<ssize_t (*)(int, const void*, size_t)>("write");
  if (!must_fail(descriptor)) return real(descriptor, data, size);
  return fail_write(size, [&](size_t part) { real(descriptor, data, part); });
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  static const auto real = next_one<ssize_t (*)(int, const iovec*, int)>("writev");
  return must_fail(descriptor) ? -1 : real(descriptor, parts, count);
}

#define PWRITE_AS(NAME)                                                                        \
  ssize_t NAME(int descriptor, const void* data, size_t size, off64_t offset) {                \
    static const auto real = next_one<ssize_t (*)(int, const void*, size_t, off64_t)>(#NAME);  \
    if (!must_fail(descriptor)) return real(descriptor, data, size, offset);                   \
    return fail_write(size, [&](size_t part) { real(descriptor, data, part, offset); });       \
  }
PWRITE_AS(pwrite)
PWRITE_AS(pwrite64)

int fsync(int descriptor) {
  static const auto real = next_one<int (*)(int)>("fsync");
  if (must_fail(descriptor)) return -1;
  const int result = real(descriptor);
  if (result == 0) keep(descriptor);
  return result;
}

int fdatasync(int descriptor) {
  static const auto real = next_one<int (*)(int)>("fdatasync");
  if (must_fail(descriptor)) return -1;
  const int result = real(descriptor);
  if (result == 0) keep(descriptor);
  return result;
}

int rename(const char* from, const char* to) {
  static const auto real = next_one<int (*)(const char*, const char*)>("rename");
  return must_fail(to) ? -1 : real(from, to);
}

int renameat(int from_at, const char* from, int to_at, const char* to) {
  static const auto real = next_one<int (*)(int, const char*, int, const char*)>("renameat");
  return must_fail(to) ? -1 : real(from_at, from, to_at, to);
}

}  // extern "C"
