#include "files/detect.h"

#include <algorithm>

#include "bytes/view_reader.h"
#include "files/foreign_format.h"
#include "files/formats.h"

namespace heron::inline v0 {
namespace {

// Removes `ending` if the name ends with it; returns whether it did.
bool take_ending(std::string& name, std::string_view ending) {
  if (!name.ends_with(ending)) return false;
  name.resize(name.size() - ending.size());
  return true;
}

// Returns the name of the file around a payload of that name.
std::string without_payload(std::string name) {
  while (take_ending(name, " (payload)")) {
  }
  return name;
}

// Returns a path without the endings of the containers around the file.
std::string without_containers(std::string name) {
  const auto take_container = [&](const Format& format) {
    return format.unwrap != nullptr && take_ending(name, format.extension);
  };
  while (std::ranges::any_of(formats(), take_container)) {
  }
  return name;
}

// Returns the format that the file resembles, if its first bytes do not decide; null if there is
// none.
const Format* resembled(const ByteSource& bytes, ByteOrigin origin, const Context& context) {
  const std::string path = without_payload(bytes.name());
  const std::string name = without_containers(path);
  const std::string head = head_of(bytes, context);
  // A container without such an ending, or standard input, has no name for its content.
  const bool is_payload =
      origin == ByteOrigin::Entry || (origin == ByteOrigin::Payload && name != path);
  const Format* possible = nullptr;
  for (const Format& format : formats()) {
    if (format.resembles == nullptr) continue;
    const Match match = format.resembles(name, head, is_payload);
    if (match == Match::Yes) return &format;
    if (match == Match::Maybe && possible == nullptr) possible = &format;
  }
  return possible;
}

}  // namespace

std::string head_of(const ByteSource& bytes, const Context& context) {
  std::string head(std::min<uint64_t>(kForeignHeadBytes, bytes.size()), '\0');
  bytes.read(0, std::as_writable_bytes(std::span(head)), context);
  return head;
}

// A Yes wins; otherwise the only Maybe; without any, the format that the bytes resemble.
Detected detect(const ByteSource& bytes, ByteOrigin origin, const Context& context) {
  uint64_t max_bytes = 0;
  for (const Format& format : formats()) max_bytes = std::max(max_bytes, format.probe_bytes);
  const uint64_t head_bytes = std::min(max_bytes, bytes.size());
  Arena arena;
  const std::span head(window({&bytes, 0, head_bytes}, 0, head_bytes, 1, arena, context),
                       head_bytes);

  const Format* maybe = nullptr;
  int maybes = 0;
  for (const Format& format : formats()) {
    const Match match = format.probe(head, bytes.size());
    if (match == Match::Yes) return {&format, true};
    if (match == Match::Maybe) {
      maybe = &format;
      ++maybes;
    }
  }
  if (maybes == 0) return {resembled(bytes, origin, context), true};
  return {maybes == 1 ? maybe : nullptr, false};
}

}  // namespace heron::inline v0
