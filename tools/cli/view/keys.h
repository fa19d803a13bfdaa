// Keys of a terminal, decoded from the bytes that it sends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heron::cli {

struct Key {
  enum Name : uint8_t {
    Text,     // a character
    Control,  // Ctrl and a letter
    Enter,
    Escape,
    Backspace,
    Delete,
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Home,
    End,
    Unknown
  };
  Name name = Unknown;
  std::string text = {};  // for Text the character in UTF-8; for Control its letter, "c"

  bool is_text(std::string_view character) const noexcept {
    return name == Text && text == character;
  }
  bool is_control(std::string_view letter) const noexcept {
    return name == Control && text == letter;
  }
};

// Takes the first key from the front of `bytes`. Returns nullopt if there are no bytes, or if they
// may be the beginning of a longer key. `is_whole`: no more bytes came for a while, so that a lone
// ESC is the key Escape.
std::optional<Key> take_key(std::string& bytes, bool is_whole);

}  // namespace heron::cli
