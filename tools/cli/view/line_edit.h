// A line that the user types: a predicate, a number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "view/keys.h"

namespace heron::cli {

class LineEdit {
 public:
  enum class Outcome : uint8_t { Open, Done, Dropped };

  LineEdit() = default;
  // Begins with a text and the cursor at its end.
  explicit LineEdit(std::string text) : text_(std::move(text)), cursor_(text_.size()) {}

  // Edits the line with characters, Backspace, Delete, Left, Right, Home, End, Ctrl-A, Ctrl-E,
  // Ctrl-K, Ctrl-U and Ctrl-W; Enter is Done; Escape, Ctrl-C and Backspace in an empty line are
  // Dropped.
  Outcome press(const Key& key);

  const std::string& text() const noexcept { return text_; }
  std::string_view before_cursor() const noexcept {
    return std::string_view(text_).substr(0, cursor_);
  }

 private:
  size_t previous() const noexcept;
  size_t next() const noexcept;
  void erase(size_t first, size_t last);

  std::string text_;  // UTF-8
  size_t cursor_ = 0;  // byte offset
};

}  // namespace heron::cli
