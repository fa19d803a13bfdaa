#include "columns/dictionaries/dictionary.h"

#include <algorithm>
#include <cstring>

#include "heron/error.h"

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

const Dictionary* text_dictionary(const Column& column, const Context& context) {
  if (!column.type().is_text() || column.rows() == 0) return nullptr;
  Arena arena(context.memory);
  const auto of_row = [&](uint64_t row) {
    const auto codes = column.codes({row, row + 1}, arena, context);
    return codes ? codes->dictionary : nullptr;
  };
  try {
    const Dictionary* first = of_row(0);
    return first != nullptr && of_row(column.rows() - 1) == first ? first : nullptr;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled) throw;
    return nullptr;
  }
}

}  // namespace heron::inline v0
