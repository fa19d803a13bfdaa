// Offsets in a buffer have 31 bits: more than 1 GiB of characters become several buffers, each from
// a multiple of 1 GiB to the end of all characters.
#include "arrow/text_views.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "base/cpu.h"
#include "base/fail.h"
#include "heron/error.h"
#include "values/cells.h"

namespace heron::inline v0::arrow {
namespace {

constexpr unsigned kBitsOfBuffer = 30;

// The 12 bytes of a view behind its length, as two numbers. kMasks[n] selects the first n bytes.
struct InView {
  uint64_t first = 0;
  uint32_t rest = 0;
};
constexpr std::array<InView, kLongestInView + 1> kMasks = [] {
  std::array<InView, kLongestInView + 1> masks{};
  for (unsigned length = 1; length <= kLongestInView; ++length) {
    masks[length].first = length >= 8 ? UINT64_MAX : (uint64_t{1} << 8 * length) - 1;
    masks[length].rest =
        length <= 8 ? 0 : static_cast<uint32_t>((uint64_t{1} << 8 * (length - 8)) - 1);
  }
  return masks;
}();

// Returns the view of one text; reads no byte behind it.
TextView view_of(const char* characters, uint64_t start, uint64_t bytes) {
  TextView view{static_cast<int32_t>(bytes), {}, 0, 0};
  if (bytes <= kLongestInView) {
    if (bytes != 0) std::memcpy(view.begin, characters + start, bytes);
    return view;
  }
  std::memcpy(view.begin, characters + start, sizeof view.begin);
  view.buffer = static_cast<int32_t>(start >> kBitsOfBuffer);
  view.offset = static_cast<int32_t>(start & ((uint64_t{1} << kBitsOfBuffer) - 1));
  return view;
}

// Makes views of texts that are shorter than 2 GiB and end 12 bytes or more before the end of the
// characters.
template <class Offset>
struct MakeViews {
  HERON_INLINE static void run(const Offset* offsets, const char* characters, uint64_t rows,
                               TextView* views) {
    for (uint64_t row = 0; row < rows; ++row) {
      const auto start = static_cast<uint64_t>(offsets[row]);
      const auto bytes = static_cast<uint64_t>(offsets[row + 1]) - start;
      if (bytes > kLongestInView) {
        views[row] = view_of(characters, start, bytes);
        continue;
      }
      InView text;
      std::memcpy(&text.first, characters + start, sizeof text.first);
      std::memcpy(&text.rest, characters + start + sizeof text.first, sizeof text.rest);
      text.first &= kMasks[bytes].first;
      text.rest &= kMasks[bytes].rest;
      auto* const to = reinterpret_cast<std::byte*>(views + row);
      const auto length = static_cast<uint32_t>(bytes);
      std::memcpy(to, &length, sizeof length);
      std::memcpy(to + sizeof length, &text.first, sizeof text.first);
      std::memcpy(to + sizeof length + sizeof text.first, &text.rest, sizeof text.rest);
    }
  }
};

template <class Offset>
void make_views(const Values& texts, TextView* views) {
  constexpr uint64_t kMaxBytes = std::numeric_limits<int32_t>::max();
  const auto* offsets = texts.offsets.as<Offset>();
  const auto* characters = texts.data.as<char>();
  const bool is_quick = std::endian::native == std::endian::little && texts.null_count == 0;
  uint64_t row = 0;
  if (is_quick && texts.data.bytes >= kLongestInView && texts.data.bytes <= kMaxBytes) {
    const auto last = static_cast<Offset>(texts.data.bytes - kLongestInView);
    const auto* end = std::upper_bound(offsets, offsets + texts.rows + 1, last);
    row = end == offsets ? 0 : static_cast<uint64_t>(end - offsets) - 1;
    dispatch<MakeViews<Offset>>(offsets, characters, row, views);
  }
  for (; row < texts.rows; ++row) {
    const auto start = static_cast<uint64_t>(offsets[row]);
    const uint64_t bytes =
        texts.is_null(row) ? 0 : static_cast<uint64_t>(offsets[row + 1]) - start;
    if (bytes > kMaxBytes) {
      fail(ErrorKind::Limit, {}, "a text of ", bytes, " bytes: a view has at most ", kMaxBytes);
    }
    views[row] = view_of(characters, start, bytes);
  }
}

}  // namespace

std::vector<const void*> text_views(const Values& texts, Arena& arena) {
  auto* views = arena.allocate_array<TextView>(texts.rows);
  if (texts.type.has_large_offsets()) {
    make_views<int64_t>(texts, views);
  } else {
    make_views<int32_t>(texts, views);
  }
  std::vector<const void*> buffers{views};
  const uint64_t bytes = texts.data.bytes;
  const uint64_t count = bytes == 0 ? 0 : ((bytes - 1) >> kBitsOfBuffer) + 1;
  auto* sizes = arena.allocate_array<int64_t>(count);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t start = i << kBitsOfBuffer;
    buffers.push_back(texts.data.data + start);
    sizes[i] = static_cast<int64_t>(bytes - start);
  }
  buffers.push_back(sizes);
  return buffers;
}

}  // namespace heron::inline v0::arrow
