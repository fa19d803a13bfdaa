#include "idv/write/metadata.h"

#include <algorithm>
#include <array>

#include "idv/codec_type.h"
#include "idv/layout.h"
#include "values/batch_like.h"

namespace heron::inline v0::idv {
namespace {

// One row of text that owns its memory.
class OneText {
 public:
  explicit OneText(const std::string& text)
      : offsets_{0, static_cast<int64_t>(text.size())}, values_(Type::LargeText, 1) {
    values_.data = {reinterpret_cast<const std::byte*>(text.data()), text.size()};
    values_.offsets = {reinterpret_cast<const std::byte*>(offsets_.data()), sizeof offsets_};
  }
  OneText(const OneText&) = delete;
  OneText& operator=(const OneText&) = delete;

  const Values& values() const noexcept { return values_; }

 private:
  std::array<int64_t, 2> offsets_;
  Values values_;
};

// Returns all rows as the slots of one vector that stores each.
Values as_vector(const Values& slots, Arena& arena) {
  const auto offsets = [&](uint64_t end) {
    auto* pair = arena.allocate_array<int64_t>(2);
    pair[0] = 0;
    pair[1] = static_cast<int64_t>(end);
    return Buffer{reinterpret_cast<const std::byte*>(pair), 2 * sizeof *pair};
  };
  auto* length = arena.allocate_array<int32_t>(1);
  *length = static_cast<int32_t>(slots.rows);
  Values vector(Type::vector(slots.type, slots.rows), 1);
  vector.data = {reinterpret_cast<const std::byte*>(length), sizeof *length};
  Values& items = vector.children.emplace_back(Type::list(slots.type, true), 1);
  items.offsets = offsets(slots.rows);
  items.children.push_back(slots);
  Values& positions = vector.children.emplace_back(Type::list(Type::Int32, true), 1);
  positions.offsets = offsets(0);
  positions.children.emplace_back(Type::Int32, 0);
  return vector;
}

}  // namespace

Field with_key_values(const Field& field, const Values& values) {
  Field with = field;
  const bool has_them = std::any_of(field.metadata.begin(), field.metadata.end(),
                                    [](const Metadata& one) { return one.name == kKeyValues; });
  if (has_them) return with;
  auto batch = own_batch(nullptr, std::make_shared<Arena>());
  batch.rows = 1;
  batch.columns.push_back(as_vector(values, *batch.memory));
  with.metadata.emplace_back(std::string(kKeyValues),
                             std::make_shared<const RowBatch>(std::move(batch)));
  return with;
}

uint64_t write_metadata(const Field& field, BlockMaker& maker, Appender& out) {
  if (field.metadata.empty()) return 0;
  Bytes contents, block;
  put_leb128(contents, field.metadata.size());
  for (const Metadata& one : field.metadata) {
    const OneText text(one.text);
    const Values& value = one.value != nullptr ? one.value->columns.front() : text.values();
    const auto encoder = make_encoder(value.type);
    encoder->append(value, {0, 1});
    const Compression compression = maker.make_smaller(*encoder, block);

    put_string(contents, one.name);
    put_definition(contents, value.type);
    contents.push_back(static_cast<std::byte>(compression));
    put_cell<i64le>(contents, static_cast<int64_t>(out.end()));
    put_leb128(contents, block.size());
    out.append(block);
  }
  const uint64_t offset = out.end();
  out.append(contents);
  return offset;
}

}  // namespace heron::inline v0::idv
