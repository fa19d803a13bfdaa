// Limits notes to the user; a wide file may cause one per column.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace heron::cli {

// Passes on the first ten notes of a kind. Lines are of one kind if they differ only in quoted
// text, paths and numbers. Thread-safe.
class Notes {
 public:
  using Report = std::function<void(std::string_view line)>;
  // `all`: passes on every line.
  Notes(bool all, Report report) : all_(all), report_(std::move(report)) {}

  void add(std::string_view line);
  // Reports how many more notes of each kind there were.
  void finish();

 private:
  struct Kind {
    uint64_t count = 0;
    std::string last;
  };
  static constexpr uint64_t kMaxOfAKind = 10;

  const bool all_;
  const Report report_;
  std::mutex mutex_;
  std::map<std::string, Kind> kinds_;
};

// Returns the part that lines of one kind share.
std::string kind_of_note(std::string_view line);

}  // namespace heron::cli
