// Arrow's views of texts: 16 bytes a text, which contain it if it is short.
#pragma once

#include <cstdint>
#include <vector>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0::arrow {

// The view of a text of at most 12 bytes contains it; the view of a longer one has its offset.
struct TextView {
  int32_t length;
  char begin[4];
  int32_t buffer;
  int32_t offset;
};
static_assert(sizeof(TextView) == 16);

inline constexpr int32_t kLongestInView = 12;

// Returns the buffers of an array of views behind its validity bitmap: the views, the characters
// (which are not copied), the sizes of the buffers of characters. Views and sizes live in the
// arena. Throws Error(Limit) for a text of 2 GiB or more.
std::vector<const void*> text_views(const Values& texts, Arena& arena);

}  // namespace heron::inline v0::arrow
