#include "notes.h"

#include <algorithm>
#include <cctype>

#include "base/fail.h"
#include "heron/error.h"

namespace heron::cli {
namespace {

constexpr std::string_view kDelimiters = " ,;:()\"";

// Returns whether a word is a path, or a number with any suffix.
bool is_variable(std::string_view word) {
  return word.find('/') != std::string_view::npos ||
         std::any_of(word.begin(), word.end(),
                     [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

}  // namespace

std::string kind_of_note(std::string_view line) {
  std::string kind;
  while (!line.empty()) {
    if (line.front() == '"') {
      const size_t end = line.find('"', 1);
      line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
      kind += '"';
      continue;
    }
    const size_t end = std::min(std::max<size_t>(line.find_first_of(kDelimiters), 1), line.size());
    const std::string_view word = line.substr(0, end);
    kind += is_variable(word) ? "#" : word;
    line.remove_prefix(end);
  }
  return kind;
}

void Notes::add(std::string_view line) {
  const std::scoped_lock lock(mutex_);
  if (!all_) {
    Kind& kind = kinds_[kind_of_note(line)];
    if (++kind.count > kMaxOfAKind) {
      kind.last = line;
      return;
    }
  }
  report_(line);
}

void Notes::finish() {
  const std::scoped_lock lock(mutex_);
  for (const auto& [name, kind] : kinds_) {
    if (kind.count <= kMaxOfAKind) continue;
    report_(concat("and ", kind.count - kMaxOfAKind, " more, the last of them: ", kind.last,
                   "; --verbose shows all"));
  }
  kinds_.clear();
}

}  // namespace heron::cli
