#include "idv/metadata.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_set>

#include "base/fail.h"
#include "bytes/memory_source.h"
#include "bytes/view_reader.h"
#include "format/metadata_bytes.h"
#include "idv/block.h"
#include "idv/decode.h"
#include "values/assemble.h"
#include "values/batch_like.h"

namespace heron::inline v0::idv {
namespace {

// A sparse vector of key values takes no bytes for the values that it does not store.
constexpr uint64_t kMaxUnstoredValues = 1'000'000;

// The maximum number of kinds; no program writes as many. Columns may share the contents, and each
// column reads all of them.
constexpr uint64_t kMaxKinds = 1'000;

// Returns the value of a slot that is not stored, as one row.
Values unstored_value(const Type& type) {
  alignas(16) static constexpr std::array<std::byte, 16> kZeros{};
  const Buffer zeros{kZeros.data(), kZeros.size()};
  Values value(type, 1);
  value.data = zeros;
  if (type.is_text()) {
    value.offsets = zeros;
    value.data.bytes = 0;
  }
  if (type.is(Type::Key)) {
    value.validity = zeros;
    value.null_count = 1;
  }
  return value;
}

// Returns the slots of the only vector as rows.
Values slots_of(const Values& vector, const BlockPosition& position, Arena& arena) {
  const auto slots = static_cast<uint32_t>(vector.get<int32_t>(0));
  const Values& stored = vector.children[0];
  const Values& positions = vector.children[1];
  const uint64_t first = stored.extent(0);
  const uint64_t count = stored.extent(1) - first;
  const Values& items = stored.children[0];
  if (slots - count > kMaxUnstoredValues) {
    position.corrupt("expected at most ", kMaxUnstoredValues, " slots that are not stored, got ",
                     slots - count);
  }
  auto* picked = arena.allocate_array<uint32_t>(slots);
  const std::span rows(picked, slots);
  if (count == slots) {
    std::iota(rows.begin(), rows.end(), static_cast<uint32_t>(first));
    return pick(items, rows, arena);
  }
  std::fill(rows.begin(), rows.end(), static_cast<uint32_t>(items.rows));
  const uint64_t first_position = positions.extent(0);
  for (uint64_t i = 0; i < count; ++i) {
    const auto slot = positions.children[0].get<int32_t>(first_position + i);
    rows[static_cast<uint32_t>(slot)] = static_cast<uint32_t>(first + i);
  }
  const Values and_unstored[] = {items, unstored_value(items.type)};
  return pick(concatenate(items.type, and_unstored, arena), rows, arena);
}

RowBatch one_column(std::string name, std::string encoding, std::shared_ptr<Arena> arena,
                    Values values) {
  auto schema = std::make_shared<Schema>(1);
  schema->front().name = std::move(name);
  schema->front().type = values.type;
  schema->front().encoding = std::move(encoding);
  schema->front().nullable = values.validity.data != nullptr;
  RowBatch batch = own_batch(std::move(schema), std::move(arena));
  batch.rows = values.rows;
  batch.columns.push_back(std::move(values));
  return batch;
}

}  // namespace

ColumnMetadata::ColumnMetadata(const ByteSource& file, std::string column, int64_t offset,
                               uint64_t tail_offset, const CodecRules& rules,
                               const Context& context)
    : file_(file),
      column_(std::move(column)),
      offset_(static_cast<uint64_t>(offset)),
      tail_offset_(tail_offset),
      rules_(rules) {
  if (offset == 0) return;
  const std::string owner = concat("metadata of column \"", column_, '"');
  if (offset < int64_t{sizeof(Header)} || offset_ > tail_offset_) {
    fail(ErrorKind::Corrupt, file.name(), owner, ": expected contents between byte ",
         sizeof(Header), " and the tail at byte ", tail_offset_, ", got byte ", offset);
  }
  PackedReader reader(file, owner, offset_, tail_offset_, context);
  const uint64_t count = reader.number("number of kinds");
  if (count == 0) {
    reader.fail_here(ErrorKind::Corrupt, "number of kinds", "expected 1 or more, got 0");
  }
  if (count > kMaxKinds) {
    reader.fail_here(ErrorKind::Limit, "number of kinds", "expected at most ", kMaxKinds, ", got ",
                     count);
  }
  while (starts_.size() < count) {
    starts_.push_back(reader.position());
    next_entry(reader);
  }
  bytes_ = std::move(reader).take();
  std::unordered_set<std::string_view> kinds;
  for (uint64_t i = 0; i < starts_.size(); ++i) {
    const std::string_view kind = entry(i).kind;
    if (!kinds.insert(kind).second) {
      fail(ErrorKind::Corrupt, file.name(), owner, ": entry at byte ", offset_ + starts_[i],
           ": expected a kind of its own, got \"", kind, "\" again");
    }
  }
}

ColumnMetadata::Entry ColumnMetadata::next_entry(PackedReader& reader) const {
  Entry entry;
  entry.kind = reader.text("kind");
  if (entry.kind.empty()) {
    reader.fail_here(ErrorKind::Corrupt, "kind", "expected a name, got an empty one");
  }
  entry.codec = next_codec(reader);
  entry.compression = Compression{reader.byte("compression")};
  const int64_t offset = reader.cell<i64le>("block offset");
  entry.stored_bytes = reader.number("block length");
  const auto tail = static_cast<int64_t>(tail_offset_);
  if (offset < int64_t{sizeof(Header)} || offset > tail || entry.stored_bytes == 0 ||
      entry.stored_bytes > static_cast<uint64_t>(tail - offset)) {
    reader.fail_here(ErrorKind::Corrupt, "entry before", "expected a block between byte ",
                     sizeof(Header), " and the tail at byte ", tail, ", got ", entry.stored_bytes,
                     " bytes from byte ", offset, " on");
  }
  entry.offset = static_cast<uint64_t>(offset);
  return entry;
}

ColumnMetadata::Entry ColumnMetadata::entry(uint64_t index) const {
  const uint64_t start = starts_[index];
  PackedReader reader(file_, "metadata", offset_ + start, std::span(bytes_).subspan(start));
  return next_entry(reader);
}

std::optional<ColumnMetadata::Readable> ColumnMetadata::readable(uint64_t index) const {
  const Entry stored = entry(index);
  if (stored.compression > Compression::Zlib) return std::nullopt;
  const std::string owner = concat("metadata \"", stored.kind, "\" of column \"", column_, '"');
  try {
    return Readable{stored, read_codec(file_, owner, stored.codec, rules_)};
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Unsupported) return std::nullopt;
    throw;
  }
}

std::optional<ColumnMetadata::Readable> ColumnMetadata::find_key_values() const {
  for (uint64_t i = 0; i < starts_.size(); ++i) {
    if (entry(i).kind != kKeyValues) continue;
    auto found = readable(i);
    if (found && found->codec.layout == BlockLayout::Vectors) return found;
  }
  return std::nullopt;
}

std::optional<Type> ColumnMetadata::key_values_type() const {
  const auto found = find_key_values();
  return found ? std::optional(found->codec.type.item()) : std::nullopt;
}

std::vector<Metadata> ColumnMetadata::read(const Context& context) const {
  std::vector<Metadata> metadata;
  for (uint64_t i = 0; i < starts_.size(); ++i) {
    if (const auto found = readable(i)) {
      metadata.emplace_back(std::string(found->entry.kind),
                            std::make_shared<const RowBatch>(read_value(*found, context)));
    }
  }
  return metadata;
}

RowBatch ColumnMetadata::read_key_values(const Context& context) const {
  const Readable found = *find_key_values();
  const RowBatch batch = read_value(found, context);
  Values values = slots_of(batch.columns.front(), position(found.entry), *batch.memory);
  return one_column(batch.schema->front().name, batch.schema->front().encoding, batch.memory,
                    std::move(values));
}

RowBatch ColumnMetadata::read_value(const Readable& value, const Context& context) const {
  const Entry& entry = value.entry;
  constexpr uint64_t kSmallChunk = 1024;  // there may be many values, and most are short
  auto arena = std::make_shared<Arena>(context.memory, kSmallChunk);
  const uint64_t most = most_metadata_bytes(file_.size());
  std::vector<std::byte> block;
  InflateResult result = InflateResult::Ok;
  {
    const ByteView view{&file_, entry.offset, entry.stored_bytes};
    file_.check_metadata_of(view.bytes, "block of metadata", view.offset);
    Arena scratch(context.memory, view.bytes);
    // A copy of what may change, as for blocks.
    const std::byte* stored = own_window(view, 0, view.bytes, 1, scratch, context);
    if (entry.compression == Compression::None) {
      block.assign(stored, stored + view.bytes);
    } else {
      result = inflate_all(deflate_format(entry.compression), {stored, view.bytes}, most, block,
                           context);
    }
    file_.check_lost();
  }
  if (result == InflateResult::TooLong)
    position(entry).over_limit("expected at most ", most, " decompressed bytes, got more");
  if (result != InflateResult::Ok) position(entry).corrupt("compressed data is corrupt");

  const uint64_t unpacked = unpacked_bytes(value.codec, block.size());
  const std::span memory(arena->allocate(unpacked + block.size()), unpacked + block.size());
  std::copy(block.begin(), block.end(), memory.begin() + static_cast<std::ptrdiff_t>(unpacked));
  const MemorySource source(file_.name(), memory);
  const ColumnLabel label{concat(column_, " metadata ", entry.kind),
                          encoding_words(value.codec.words, entry.compression)};
  const ColumnPtr column =
      decode(value.codec, 1, label, {{&source, unpacked, block.size()}, memory.data()}, nullptr,
             position(entry), context);
  return one_column(std::string(entry.kind), label.encoding, arena,
                    column->read({0, 1}, *arena, context));
}

BlockPosition ColumnMetadata::position(const Entry& entry) const noexcept {
  return {.file = file_.name(),
          .column = column_,
          .metadata = entry.kind,
          .block = 0,
          .offset = entry.offset};
}

}  // namespace heron::inline v0::idv
