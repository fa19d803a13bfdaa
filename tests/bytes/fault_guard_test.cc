#include "bytes/fault_guard.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <barrier>
#include <chrono>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "bytes/byte_source.h"
#include "error_of.h"
#include "heron/library.h"
#include "temp_folder.h"

namespace heron {
namespace {

constexpr uint64_t kPage = 4096;

// A mapped file that nobody guards.
class Mapping {
 public:
  Mapping(const std::string& path, uint64_t bytes) : bytes_(bytes) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    memory_ = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
    ::close(descriptor);
  }
  ~Mapping() { ::munmap(memory_, bytes_); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(memory_), bytes_};
  }
  int at(uint64_t offset) const {
    return *(static_cast<const volatile unsigned char*>(memory_) + offset);
  }

 private:
  uint64_t bytes_;
  void* memory_;
};

// Sums a range of the file and checks, as calls of Heron do, that no page was lost.
uint64_t sum_of(const ByteSource& source, uint64_t offset, uint64_t bytes) {
  const auto* piece = reinterpret_cast<const unsigned char*>(source.base()) + offset;
  const uint64_t sum = std::accumulate(piece, piece + bytes, uint64_t{0});
  source.check_lost();
  return sum;
}

TEST(FaultGuard, CutShortWhileFourThreadsRead) {
  constexpr uint64_t kPiece = 64 * kPage;
  constexpr uint64_t kPieces = 16;
  const test::TempFolder folder;
  const std::string path = folder.write("a", std::string(kPieces * kPiece, '\1'));
  const auto source = open_file(path, true);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  std::barrier all_reading(5);
  std::atomic<int> errors{0};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const auto read_on = [&] {
        for (uint64_t i = t; std::chrono::steady_clock::now() < deadline; i += 3) {
          if (sum_of(*source, i % kPieces * kPiece, kPiece) != kPiece) ++wrong;
          if (i == t) all_reading.arrive_and_wait();
        }
      };
      const Error error = test::error_of(read_on);
      if (error.kind() == ErrorKind::Changed) ++errors;
    });
  }
  all_reading.arrive_and_wait();
  ASSERT_EQ(::truncate(path.c_str(), 100), 0);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(errors, 4);
  EXPECT_EQ(wrong, 0);
  EXPECT_THROW(sum_of(*source, 0, 10), Error);  // every later call throws, too, wherever it reads
}

TEST(FaultGuard, PutsZerosFromTheLostPageOn) {
  const test::TempFolder folder;
  const std::string path = folder.write("a", std::string(4 * kPage + 10, 'x'));
  const Mapping mapping(path, 4 * kPage + 10);
  std::atomic<bool> lost{false};
  const FaultGuard guard(mapping.bytes(), lost);
  ASSERT_EQ(::truncate(path.c_str(), kPage), 0);
  EXPECT_EQ(mapping.at(0), 'x');
  EXPECT_FALSE(lost);
  EXPECT_EQ(mapping.at(3 * kPage), 0);
  EXPECT_TRUE(lost.exchange(false));
  EXPECT_EQ(mapping.at(4 * kPage + 9), 0);  // the fault before replaced the whole region
  EXPECT_FALSE(lost);
  EXPECT_EQ(mapping.at(kPage), 0);
  EXPECT_TRUE(lost.exchange(false));
  EXPECT_EQ(mapping.at(2 * kPage), 0);
  EXPECT_FALSE(lost);
  EXPECT_EQ(mapping.at(kPage - 1), 'x');
}

TEST(FaultGuard, FindsTheRightOneOfMany) {
  const test::TempFolder folder;
  const std::string path = folder.write("a", std::string(kPage, 'x'));
  std::vector<std::byte> others(300 * kPage);
  std::vector<std::atomic<bool>> others_lost(300);
  std::vector<std::unique_ptr<FaultGuard>> guards;
  for (size_t i = 0; i < 300; ++i) {
    const std::span other(others.data() + i * kPage, kPage);
    guards.push_back(std::make_unique<FaultGuard>(other, others_lost[i]));
  }
  for (size_t i = 0; i < 300; i += 2) guards[i].reset();
  const Mapping mapping(path, kPage);
  std::atomic<bool> lost{false};
  const FaultGuard guard(mapping.bytes(), lost);
  ASSERT_EQ(::truncate(path.c_str(), 0), 0);
  EXPECT_EQ(mapping.at(7), 0);
  EXPECT_TRUE(lost);
  for (const std::atomic<bool>& other : others_lost) EXPECT_FALSE(other);
}

TEST(FaultGuard, FaultsWhileOthersComeAndGo) {
  const test::TempFolder folder;
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&stop] {
      std::vector<std::byte> memory(4 * kPage);
      std::atomic<bool> lost{false};
      while (!stop) {
        const FaultGuard first({memory.data(), kPage}, lost);
        const FaultGuard second(memory, lost);
      }
      EXPECT_FALSE(lost);
    });
  }
  for (int round = 0; round < 200; ++round) {
    const std::string path = folder.write("a", std::string(2 * kPage, 'x'));
    const Mapping mapping(path, 2 * kPage);
    std::atomic<bool> lost{false};
    const FaultGuard guard(mapping.bytes(), lost);
    EXPECT_EQ(::truncate(path.c_str(), 0), 0);
    EXPECT_EQ(mapping.at(kPage), 0);
    EXPECT_TRUE(lost);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

// Faults that are not Heron's go to the previous handler. Each test runs in a process of its own,
// in which no guard has been used yet.
class ForeignFault : public testing::Test {
 protected:
  ForeignFault() {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    folder_.write("ours", "x");
    folder_.write("foreign", "x");
  }

  // Lets a guard install its handler over `action`, then reads a lost page that nobody guards.
  [[noreturn]] void fault_over(const struct sigaction& action) {
    ::sigaction(SIGBUS, &action, nullptr);
    const auto ours = open_file(folder_ / "ours", true);
    const Mapping foreign(folder_ / "foreign", 1);
    if (::truncate((folder_ / "foreign").c_str(), 0) != 0) ::_exit(1);
    foreign.at(0);
    ::_exit(2);
  }
  static void leave_with_3(int, siginfo_t* info, void*) {
    ::_exit(info->si_code == BUS_ADRERR ? 3 : 1);
  }
  static void leave_with_4(int) { ::_exit(4); }

  test::TempFolder folder_;
};

TEST_F(ForeignFault, ReachesAHandlerWithInfo) {
  struct sigaction action = {};
  action.sa_sigaction = leave_with_3;
  action.sa_flags = SA_SIGINFO;
  EXPECT_EXIT(fault_over(action), testing::ExitedWithCode(3), "");
}

TEST_F(ForeignFault, ReachesAPlainHandler) {
  struct sigaction action = {};
  action.sa_handler = leave_with_4;
  EXPECT_EXIT(fault_over(action), testing::ExitedWithCode(4), "");
}

TEST_F(ForeignFault, KillsByDefaultAndEvenIfIgnored) {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  EXPECT_EXIT(fault_over(action), testing::KilledBySignal(SIGBUS), "");
  action.sa_handler = SIG_IGN;
  EXPECT_EXIT(fault_over(action), testing::KilledBySignal(SIGBUS), "");
}

TEST_F(ForeignFault, SentSignalIsNoFault) {
  const auto send_over = [this](auto disposition) {
    ::signal(SIGBUS, disposition);
    const auto ours = open_file(folder_ / "ours", true);
    ::raise(SIGBUS);
    ::_exit(5);
  };
  EXPECT_EXIT(send_over(SIG_DFL), testing::KilledBySignal(SIGBUS), "");
  EXPECT_EXIT(send_over(SIG_IGN), testing::ExitedWithCode(5), "");
}

// Another handler replaces Heron's, and Heron's replaces it again.
class ReplacedHandler : public ForeignFault {
 protected:
  static void ends_by_sending_anew(int signal) {
    // Python's faulthandler does the same.
    ::sigaction(signal, &g_found, nullptr);
    ::raise(signal);
  }
  static void passes_back(int signal, siginfo_t* info, void* context) {
    g_found.sa_sigaction(signal, info, context);
  }
  // Replaces Heron's handler, lets Heron keep the new one, and reads a lost page of each file.
  template <class Handler>
  [[noreturn]] void fault_under(Handler handler, bool foreign_fault) {
    ::signal(SIGBUS, SIG_DFL);
    const auto ours = open_file(folder_ / "ours", true);
    struct sigaction action = {};
    if constexpr (std::is_same_v<Handler, void (*)(int)>) {
      action.sa_handler = handler;
    } else {
      action.sa_sigaction = handler;
      action.sa_flags = SA_SIGINFO;
    }
    ::sigaction(SIGBUS, &action, &g_found);
    keep_fault_handler();
    keep_fault_handler();
    const Mapping foreign(folder_ / "foreign", 1);
    if (::truncate((folder_ / "foreign").c_str(), 0) != 0) ::_exit(1);
    if (foreign_fault) foreign.at(0);
    if (::truncate((folder_ / "ours").c_str(), 0) != 0) ::_exit(1);
    [[maybe_unused]] const std::byte lost = *const_cast<const volatile std::byte*>(ours->base());
    try {
      ours->check_lost();
    } catch (const Error& error) {
      ::_exit(error.kind() == ErrorKind::Changed ? 6 : 7);
    }
    ::_exit(8);
  }
  static inline struct sigaction g_found;
};

TEST_F(ReplacedHandler, IsPutBackForOurFaults) {
  EXPECT_EXIT(fault_under(SIG_DFL, false), testing::ExitedWithCode(6), "");
  EXPECT_EXIT(fault_under(&leave_with_4, false), testing::ExitedWithCode(6), "");
}

TEST_F(ReplacedHandler, GetsForeignFaults) {
  EXPECT_EXIT(fault_under(&leave_with_4, true), testing::ExitedWithCode(4), "");
}

TEST_F(ReplacedHandler, ThatPassesBackEndsTheProcess) {
  EXPECT_EXIT(fault_under(&ends_by_sending_anew, true), testing::KilledBySignal(SIGBUS), "");
  EXPECT_EXIT(fault_under(&passes_back, true), testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace heron
