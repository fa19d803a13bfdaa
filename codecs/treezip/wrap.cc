// Writes header, initial bits and tree. Reads the whole payload before it encodes any of it, so
// that the result is consistent even if the file changes meanwhile.
#include <algorithm>

#include "base/arena.h"
#include "treezip/header.h"
#include "treezip/options.h"
#include "treezip/treezip.h"
#include "treezip/write/encode.h"

namespace heron::inline v0::treezip {
namespace {

Shape shape_of(const ByteSource& payload, const WrapOptions& options) {
  const auto previous = number_option(options.format_options, kPrevious).value_or(0);
  const auto address = number_option(options.format_options, kAddress);
  return {address ? static_cast<unsigned>(*address) : address_bits(payload.size()),
          static_cast<unsigned>(previous)};
}

void append_header(Appender& out, uint64_t size, Shape shape) {
  StoredHeader stored{};
  kMagic.copy(stored.magic, sizeof stored.magic);
  stored.size = size;
  stored.version = kVersion;
  stored.feat_addr = static_cast<uint8_t>(shape.feat_addr);
  stored.feat_prev = static_cast<uint8_t>(shape.feat_prev);
  out.append(std::as_bytes(std::span(&stored, 1)));
}

void put_initial_bits(TreeWriter& out, const BitStream& payload, unsigned count) {
  constexpr unsigned kStep = 56;
  for (unsigned at = 0; at < count; at += kStep) {
    const unsigned bits = std::min(kStep, count - at);
    out.put(low_bits(payload.peek(at), bits), bits);
  }
}

}  // namespace

uint64_t wrap(const ByteSource& payload, OutputFile& out, const WrapOptions& options,
              const Context& context) {
  const Shape shape = shape_of(payload, options);
  Arena arena(context.memory);
  const std::span bytes(arena.allocate(payload.size()), payload.size());
  payload.read(0, bytes, context);
  payload.check_unchanged();
  Appender appender(out, 0);
  append_header(appender, payload.size(), shape);
  TreeWriter writer(appender);
  put_initial_bits(writer, {bytes.data(), bytes.size()}, shape.feat_prev);
  encode_tree(payload.name(), bytes, shape, writer, context);
  writer.finish();
  appender.flush();
  return appender.end();
}

}  // namespace heron::inline v0::treezip
