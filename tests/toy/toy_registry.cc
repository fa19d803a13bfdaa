// The registry with one more format, a container with three options: it shows, on the command line
// and in Python, that a format brings its flags, arguments, help and checks without an edit anywhere
// else. A file is a magic, a key and the payload, each byte XORed with the key.
#define formats formats_of_heron
#include "registry.cc"
#undef formats

#include <cstring>
#include <vector>

#include "bytes/memory_source.h"
#include "format/format_options.h"

namespace heron::inline v0 {
namespace toy {

constexpr std::string_view kMagic = "TOY1";

constexpr FormatOption kOptions[] = {
    {.name = "toy_key",
     .what = "write a toy whose bytes are XORed with this key (default: 0)",
     .value = "N",
     .max = 255,
     .elsewhere = "password"},
    {.name = "toy_colour",
     .kind = FormatOption::Kind::Word,
     .what = "paint the toy (default: red)",
     .value = "COLOUR",
     .choices = "red blue"},
    {.name = "toy_plain",
     .use = FormatOption::Use::Open,
     .kind = FormatOption::Kind::Switch,
     .what = "read the bytes of a toy as they are stored"},
};

Match probe(std::span<const std::byte> head, uint64_t) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  return text.starts_with(kMagic) ? Match::Yes : Match::No;
}

uint64_t wrap(const ByteSource& payload, OutputFile& out, const WrapOptions& options,
              const Context& context) {
  const auto number = number_option(options.format_options, "toy_key").value_or(0);
  const auto key = static_cast<std::byte>(number);
  const bool is_blue = text_option(options.format_options, "toy_colour") == "blue";
  std::vector<std::byte> bytes(kMagic.size() + 2 + payload.size());
  std::memcpy(bytes.data(), kMagic.data(), kMagic.size());
  bytes[kMagic.size()] = key;
  bytes[kMagic.size() + 1] = std::byte{is_blue};
  const auto stored = std::span(bytes).subspan(kMagic.size() + 2);
  payload.read(0, stored, context);
  for (std::byte& byte : stored) byte ^= key;
  out.write_at(0, bytes);
  return bytes.size();
}

Unwrapped unwrap(std::shared_ptr<const ByteSource> file, const OpenOptions& options,
                 std::span<const std::byte>, const Context& context) {
  auto bytes = std::make_shared<std::vector<std::byte>>(file->size());
  file->read(0, *bytes, context);
  const auto payload = std::span(*bytes).subspan(kMagic.size() + 2);
  const std::byte key = (*bytes)[kMagic.size()];
  const bool is_plain = switch_option(options.format_options, "toy_plain");
  for (std::byte& byte : payload) byte ^= is_plain ? std::byte{0} : key;
  Unwrapped unwrapped;
  unwrapped.header = {{"colour", (*bytes)[kMagic.size() + 1] == std::byte{0} ? "red" : "blue"}};
  unwrapped.block_bytes = uint64_t{64} << 10;
  unwrapped.payload = std::make_shared<MemorySource>(file->name(), payload, bytes);
  return unwrapped;
}

}  // namespace toy

std::span<const Format> formats() {
  static const std::vector<Format> all = [] {
    std::vector<Format> made(formats_of_heron().begin(), formats_of_heron().end());
    made.push_back({.name = "toy",
                    .extension = ".toy",
                    .what = "any file, as a toy",
                    .options = toy::kOptions,
                    .probe_bytes = 4,
                    .probe = toy::probe,
                    .unwrap = toy::unwrap,
                    .wrap = toy::wrap});
    return made;
  }();
  return all;
}

}  // namespace heron::inline v0
