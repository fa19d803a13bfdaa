#include "idv/metadata.h"

#include <array>
#include <numeric>
#include <unordered_set>

#include "bytes/memory_source.h"
#include "bytes/view_reader.h"
#include "columns/assemble.h"
#include "idv/block.h"
#include "idv/inflate.h"

namespace heron::inline v0::idv {
namespace {

// A sparse vector of key values takes no bytes for the values that it does not store.
constexpr uint64_t kMostUnstoredValues = 1'000'000;

bool is_known(Compression compression) {
  return compression <= Compression::Zlib;
}

// One row of what a slot holds that is not stored.
Values unstored_value(const Type& type) {
  static constexpr std::array<std::byte, 16> kZeros{};
  const Buffer zeros{kZeros.data(), kZeros.size()};
  Values value(type, 1);
  value.data = zeros;
  if (type.is_text()) {
    value.offsets = zeros;
    value.data.bytes = 0;
  }
  if (type.is(Type::Key)) {
    value.validity = zeros;
    value.missing = 1;
  }
  return value;
}

// The slots of the only vector of `vectors` as rows.
Values slots_of(const Values& vectors, Arena& arena) {
  const auto slots = static_cast<uint32_t>(vectors.get<int32_t>(0));
  const Values& stored = vectors.children[0];
  const Values& positions = vectors.children[1];
  const uint64_t first = stored.extent(0);
  const uint64_t count = stored.extent(1) - first;
  const Values& items = stored.children[0];
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
  RowBatch batch;
  batch.schema = std::move(schema);
  batch.rows = values.rows;
  batch.columns.push_back(std::move(values));
  batch.memory = std::move(arena);
  return batch;
}

}  // namespace

ColumnMetadata::ColumnMetadata(const ByteSource& file, const FileHeader& header, std::string column,
                               int64_t offset, const CodecRules& rules, const Context& context)
    : file_(file), tail_offset_(header.tail_offset), column_(std::move(column)), rules_(rules) {
  if (offset == 0) return;
  if (offset < int64_t{sizeof(Header)} || static_cast<uint64_t>(offset) > tail_offset_) {
    fail(ErrorKind::Corrupt, file.name(), place(), ": expected contents from byte ",
         sizeof(Header), " to ", tail_offset_, ", got byte ", offset);
  }
  offset_ = static_cast<uint64_t>(offset);
  PackedReader reader(file, place(), offset_, tail_offset_, context);
  const uint64_t count = reader.number("number of kinds");
  if (count == 0) reader.fail_here(ErrorKind::Corrupt, "number of kinds", "expected 1 or more, got 0");
  std::unordered_set<std::string> kinds;
  while (starts_.size() < count) {
    starts_.push_back(reader.position());
    (void)next(reader);
  }
  bytes_ = std::move(reader).take();
  for (uint64_t i = 0; i < count; ++i) {
    if (!kinds.emplace(entry(i).kind).second) {
      fail(ErrorKind::Corrupt, file.name(), place(), ": kind \"", entry(i).kind,
           "\" at byte ", offset_ + starts_[i], ": expected it once, got it twice");
    }
  }
}

ColumnMetadata::Stored ColumnMetadata::next(PackedReader& reader) const {
  Stored stored;
  stored.kind = reader.text("kind");
  if (stored.kind.empty()) {
    reader.fail_here(ErrorKind::Corrupt, "kind", "expected a name, got an empty one");
  }
  stored.codec = next_codec(reader);
  stored.compression = Compression{reader.byte("compression")};
  const int64_t offset = reader.cell<i64le>("block offset");
  stored.bytes = reader.number("block length");
  const auto tail = static_cast<int64_t>(tail_offset_);
  if (offset < int64_t{sizeof(Header)} || offset > tail || stored.bytes == 0 ||
      stored.bytes > static_cast<uint64_t>(tail - offset)) {
    reader.fail_here(ErrorKind::Corrupt, "block", "expected one or more bytes from byte ",
                     sizeof(Header), " to ", tail, ", got ", stored.bytes, " at byte ", offset);
  }
  stored.offset = static_cast<uint64_t>(offset);
  return stored;
}

ColumnMetadata::Stored ColumnMetadata::entry(uint64_t index) const {
  const uint64_t start = starts_[index];
  PackedReader reader(file_, place(), offset_ + start, std::span(bytes_).subspan(start));
  return next(reader);
}

std::string ColumnMetadata::place() const {
  return concat("metadata of column \"", column_, '"');
}
std::string ColumnMetadata::place(std::string_view kind) const {
  return concat("metadata \"", kind, "\" of column \"", column_, '"');
}

std::optional<Codec> ColumnMetadata::codec_of(const Stored& stored) const {
  if (!is_known(stored.compression)) return std::nullopt;
  try {
    return read_codec(file_, place(stored.kind), stored.codec, rules_);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    return std::nullopt;
  }
}

std::vector<Metadata> ColumnMetadata::read(const Context& context) const {
  std::vector<Metadata> metadata;
  for (uint64_t i = 0; i < starts_.size(); ++i) {
    const Stored stored = entry(i);
    const std::optional<Codec> codec = codec_of(stored);
    if (!codec) continue;
    metadata.emplace_back(std::string(stored.kind), std::make_shared<const RowBatch>(read_value(
                                                        stored, *codec, context)));
  }
  return metadata;
}

bool ColumnMetadata::has_key_values() const {
  for (uint64_t i = 0; i < starts_.size(); ++i) {
    const Stored stored = entry(i);
    if (stored.kind != kKeyValues) continue;
    const std::optional<Codec> codec = codec_of(stored);
    return codec && codec->layout == BlockLayout::Vectors;
  }
  return false;
}

RowBatch ColumnMetadata::read_key_values(const Context& context) const {
  for (uint64_t i = 0; i < starts_.size(); ++i) {
    const Stored stored = entry(i);
    if (stored.kind != kKeyValues) continue;
    const Codec codec = *codec_of(stored);
    RowBatch batch = read_value(stored, codec, context);
    const Values& vectors = batch.columns.front();
    const auto slots = static_cast<uint64_t>(vectors.get<int32_t>(0));
    if (slots > stored.bytes && slots - vectors.children[0].extent(1) > kMostUnstoredValues) {
      fail(ErrorKind::Limit, file_.name(), place(stored.kind), ": expected at most ",
           kMostUnstoredValues, " values that are not stored, got ", slots, " slots");
    }
    Values values = slots_of(vectors, *batch.memory);
    return one_column(std::string(kKeyValues), codec.item->words, batch.memory, std::move(values));
  }
  fail(ErrorKind::Corrupt, file_.name(), place(kKeyValues), ": expected some, got none");
}

RowBatch ColumnMetadata::read_value(const Stored& stored, const Codec& codec,
                                    const Context& context) const {
  auto arena = std::make_shared<Arena>(context.memory);
  Values value = at_place(file_, place(stored.kind), column_, [&] {
    const ByteView view{&file_, stored.offset, stored.bytes};
    const auto bytes = [&] {
      Arena scratch(context.memory);
      const std::byte* start = window(view, 0, view.bytes, 1, scratch, context);
      auto whole = inflate_all(stored.compression, {start, view.bytes}, context);
      file_.check_lost();
      if (!whole) fail(ErrorKind::Corrupt, {}, "expected a block that can be decompressed");
      return *std::move(whole);
    }();
    const uint64_t unpacked = unpacked_bytes(codec, bytes.size());
    const std::span memory(arena->allocate(unpacked + bytes.size()), unpacked + bytes.size());
    if (!bytes.empty()) std::memcpy(memory.data() + unpacked, bytes.data(), bytes.size());
    const MemorySource source(file_.name(), memory);
    const ColumnPtr column =
        decode(codec, 1, {column_, codec.words}, {{&source, unpacked, bytes.size()}, memory.data()},
               nullptr, context);
    return column->read({0, 1}, *arena, context);
  });
  return one_column(std::string(stored.kind), encoding_words(codec.words, stored.compression),
                    std::move(arena), std::move(value));
}

}  // namespace heron::inline v0::idv
