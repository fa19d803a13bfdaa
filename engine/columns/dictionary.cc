#include "columns/dictionary.h"

namespace heron::inline v0 {

const std::byte* Dictionary::cells(const Context& context) const {
  std::call_once(once_, [&] {
    auto arena = std::make_unique<Arena>(context.memory);
    std::byte* cells = arena->allocate(size_ * type_.width());
    decode(0, size_, cells, context);
    arena_ = std::move(arena);
    cells_ = cells;
  });
  return cells_;
}

}  // namespace heron::inline v0
