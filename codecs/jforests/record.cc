#include "jforests/record.h"

#include <array>

#include "base/fail.h"
#include "base/utf8.h"
#include "bytes/on_disk.h"
#include "bytes/view_reader.h"

namespace heron::inline v0::jforests {
namespace {

template <class... Parts>
Record faulty(const Parts&... parts) {
  Record record;
  record.fault = concat(parts...);
  return record;
}

template <class Stored>
auto number_at(const ByteView& bytes, uint64_t at, const Context& context) {
  Arena arena;
  return loaded_once(load<Stored>(window(bytes, at, sizeof(Stored), 1, arena, context)));
}

// Every offset is checked against the rest of the record before it is read.
Record take_apart(const Claim& claim, uint64_t index_bytes, const Context& context) {
  const uint64_t file_bytes = claim.source->size();
  if (claim.offset > file_bytes || claim.bytes > file_bytes - claim.offset) {
    return faulty("record at byte ", claim.offset, ": expected ", claim.bytes,
                  " bytes, got a file that ends at byte ", file_bytes);
  }
  if (claim.bytes < kSmallestRecordBytes || index_bytes > claim.bytes - kSmallestRecordBytes) {
    return faulty("record at byte ", claim.offset, ": expected at least ",
                  index_bytes + kSmallestRecordBytes, " bytes for ", claim.rows, " rows, got ",
                  claim.bytes);
  }
  const ByteView whole{claim.source, claim.offset, claim.bytes};
  const uint64_t values_and_name = claim.bytes - index_bytes - kEmptyRecordBytes;
  const int32_t values = number_at<i32be>(whole, index_bytes, context);
  const uint64_t most_values = values_and_name / kValueBytes;
  if (values < 1 || static_cast<uint64_t>(values) > most_values) {
    return faulty("number of values at byte ", claim.offset + index_bytes, ": expected 1 to ",
                  most_values, ", got ", values);
  }
  const uint64_t values_bytes = static_cast<uint64_t>(values) * kValueBytes;
  const uint64_t name_room = values_and_name - values_bytes;
  const uint64_t name_length_at = index_bytes + 4 + values_bytes;
  const int16_t name_length = number_at<i16be>(whole, name_length_at, context);
  const auto part = [&](uint64_t at, uint64_t bytes) {
    return ByteView{claim.source, claim.offset + at, bytes};
  };
  Record record;
  const bool is_inside = name_length >= 0 && static_cast<uint64_t>(name_length) <= name_room;
  if (is_inside) record.name = part(name_length_at + 2, static_cast<uint64_t>(name_length));
  if (!is_inside || record.name.bytes != name_room) {
    record.fault =
        concat("length of the name at byte ", claim.offset + name_length_at, ": expected ",
               name_room, " as the record's size leaves, got ", name_length);
    return record;
  }
  if (static_cast<FeatureType>(claim.type) == FeatureType::Bit && values < 2) {
    record.fault = concat("number of values at byte ", claim.offset + index_bytes,
                          ": expected 2, which a bit tells apart, got ", values);
    return record;
  }
  record.indices = part(0, index_bytes);
  record.values = part(index_bytes + 4, values_bytes);
  record.scale = part(claim.bytes - kScaleBytes, kScaleBytes);
  return record;
}

}  // namespace

Record take_apart(const Claim& claim, const Context& context) {
  if (!claim.has_known_type()) {
    return faulty("type at byte ", claim.type_offset, ": expected 0 to ", kLastType, ", got ",
                  claim.type);
  }
  const uint64_t bytes = index_bytes(static_cast<FeatureType>(claim.type), claim.rows);
  Record record = take_apart(claim, bytes, context);
  if (!record.fault.empty() && static_cast<FeatureType>(claim.type) == FeatureType::Int) {
    Record wide = take_apart(claim, 2 * bytes, context);
    if (wide.fault.empty()) record = std::move(wide);
  }
  claim.source->check_lost();  // a lost page is not damage
  return record;
}

std::string name_of(const Record& record, const Context& context) {
  if (record.name.bytes == 0) return {};
  Arena arena;
  const auto* latin1 =
      reinterpret_cast<const char*>(window(record.name, 0, record.name.bytes, 1, arena, context));
  std::string name;
  for (const char c : std::string_view(latin1, record.name.bytes)) {
    std::array<char, 2> character;
    name.append(character.data(), write_utf8(static_cast<unsigned char>(c), character.data()));
  }
  // Drops the name that the reference program gives to features without one.
  if (name == kNoName) name.clear();
  return name;
}

Scale scale_of(const Record& record, const Context& context) {
  Arena arena;
  const std::byte* stored = window(record.scale, 0, kScaleBytes, 1, arena, context);
  return {load<f64be>(stored), load<f64be>(stored + 8), load<f64be>(stored + 16),
          std::to_integer<int>(stored[24]) == 1};
}

}  // namespace heron::inline v0::jforests
