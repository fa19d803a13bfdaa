#include "columns/dictionaries/dictionary.h"

#include <algorithm>
#include <cstring>

namespace heron::inline v0 {

const std::byte* Dictionary::cells(const Context& context) const {
  once_.run([&] {
    auto arena = std::make_unique<Arena>(context.memory);
    constexpr uint64_t kCodesOfAByte = 256;
    const uint64_t room = std::max(size_, kCodesOfAByte) * type_.width();
    std::byte* cells = arena->allocate(room);
    decode(0, size_, cells, context);
    std::memset(cells + size_ * type_.width(), 0, room - size_ * type_.width());
    arena_ = std::move(arena);
    cells_ = cells;
  });
  return cells_;
}

Values Dictionary::values(const Context& context) const {
  if (const Values* all = texts()) return *all;
  Values all(type_, size_);
  all.data = {cells(context), size_ * type_.width()};
  return all;
}

}  // namespace heron::inline v0
