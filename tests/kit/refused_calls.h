// Simulates file systems with missing features: the kernel refuses a thread its calls.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heron::test {

enum class Without : uint8_t {
  Nothing,
  UnnamedFiles,     // without O_TMPFILE, like some file systems
  RenamingToAFree,  // without O_TMPFILE and RENAME_NOREPLACE, like NFS
  Proc,             // no path below /proc can be examined
};
inline constexpr std::array kWithout = {Without::Nothing, Without::UnnamedFiles,
                                        Without::RenamingToAFree, Without::Proc};

inline std::string name_of(Without without) {
  constexpr std::array kNames = {"Nothing", "UnnamedFiles", "RenamingToAFree", "Proc"};
  return kNames[static_cast<size_t>(without)];
}

// Refuses the calls for the rest of this thread, and for threads that it starts.
inline void refuse(Without without) {
  static_assert(std::endian::native == std::endian::little);
  const auto load = [](size_t offset) {
    return sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<uint32_t>(offset)};
  };
  const auto answer = [](uint32_t what) { return sock_filter{BPF_RET | BPF_K, 0, 0, what}; };
  const auto skip_unless = [](uint16_t test, uint32_t value, uint8_t skipped) {
    return sock_filter{static_cast<uint16_t>(BPF_JMP | test | BPF_K), 0, skipped, value};
  };
  std::vector<sock_filter> program = {load(offsetof(seccomp_data, nr))};
  const auto refuse_call = [&](long number, uint32_t error) {
    program.push_back(skip_unless(BPF_JEQ, static_cast<uint32_t>(number), 1));
    program.push_back(answer(SECCOMP_RET_ERRNO | error));
  };
  if (without == Without::RenamingToAFree) refuse_call(SYS_renameat2, EINVAL);
  if (without == Without::Proc) {
    refuse_call(SYS_faccessat, ENOENT);
#ifdef SYS_access
    refuse_call(SYS_access, ENOENT);
#endif
  }
  if (without == Without::UnnamedFiles || without == Without::RenamingToAFree) {
    constexpr uint32_t kUnnamed = O_TMPFILE & ~O_DIRECTORY;
    program.push_back(skip_unless(BPF_JEQ, SYS_openat, 3));
    program.push_back(load(offsetof(seccomp_data, args[2])));
    program.push_back(skip_unless(BPF_JSET, kUnnamed, 1));
    program.push_back(answer(SECCOMP_RET_ERRNO | EOPNOTSUPP));
  }
  program.push_back(answer(SECCOMP_RET_ALLOW));

  const sock_fprog filter = {static_cast<uint16_t>(program.size()), program.data()};
  ASSERT_EQ(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  ASSERT_EQ(::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), 0);
}

}  // namespace heron::test
