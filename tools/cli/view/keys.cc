#include "view/keys.h"

#include "base/utf8.h"

namespace heron::cli {
namespace {

constexpr char kEscapeByte = '\x1b';

// Returns the key of a sequence of VT100, xterm, Linux or rxvt: ESC [ or ESC O, numbers with
// semicolons, and a final character. Modifiers, the second number, are ignored.
Key::Name name_of_sequence(std::string_view numbers, char final) {
  switch (final) {
    case 'A': return Key::Up;
    case 'B': return Key::Down;
    case 'C': return Key::Right;
    case 'D': return Key::Left;
    case 'H': return Key::Home;
    case 'F': return Key::End;
    case 'M': return Key::Enter;  // Enter of the keypad
    case '~': break;
    default: return Key::Unknown;
  }
  const std::string_view number = numbers.substr(0, numbers.find(';'));
  if (number == "1" || number == "7") return Key::Home;
  if (number == "4" || number == "8") return Key::End;
  if (number == "3") return Key::Delete;
  if (number == "5") return Key::PageUp;
  if (number == "6") return Key::PageDown;
  return Key::Unknown;
}

// Decodes the key of a sequence that begins with ESC, and returns its length; 0: more bytes are
// needed.
size_t decode_escape(std::string_view bytes, bool is_whole, Key& key) {
  key.name = Key::Escape;
  if (bytes.size() == 1) return is_whole ? 1 : 0;
  if (bytes[1] != '[' && bytes[1] != 'O') return 1;
  size_t at = 2;
  while (at < bytes.size() && bytes[at] >= 0x20 && bytes[at] < 0x40) ++at;
  if (at == bytes.size()) return is_whole ? 1 : 0;
  key.name = name_of_sequence(bytes.substr(2, at - 2), bytes[at]);
  return at + 1;
}

size_t decode_character(std::string_view bytes, bool is_whole, Key& key) {
  const CodePoint next = decode_utf8(bytes, 0);
  if (next.cut_off && !is_whole) return 0;
  if (next.valid) key = {Key::Text, std::string(bytes.substr(0, next.bytes))};
  return next.bytes;
}

}  // namespace

std::optional<Key> take_key(std::string& bytes, bool is_whole) {
  if (bytes.empty()) return std::nullopt;
  Key key;
  size_t used = 1;
  const char first = bytes.front();
  if (first == kEscapeByte) {
    used = decode_escape(bytes, is_whole, key);
  } else if (first == '\r' || first == '\n') {
    key.name = Key::Enter;
  } else if (first == '\x7f' || first == '\b') {
    key.name = Key::Backspace;
  } else if (first > 0 && first < 0x1b) {
    key = {Key::Control, std::string(1, static_cast<char>('a' + first - 1))};
  } else if (static_cast<unsigned char>(first) >= 0x20) {
    used = decode_character(bytes, is_whole, key);
  }
  if (used == 0) return std::nullopt;
  bytes.erase(0, used);
  return key;
}

}  // namespace heron::cli
