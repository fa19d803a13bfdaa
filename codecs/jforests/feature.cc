#include "jforests/feature.h"

#include <cmath>

#include "base/fail.h"
#include "bytes/memory_source.h"
#include "columns/bit_column.h"
#include "columns/dictionaries/dictionary_column.h"
#include "columns/fixed_column.h"
#include "columns/null_column.h"
#include "jforests/dictionary.h"

namespace heron::inline v0::jforests {
namespace {

std::string type_name(uint8_t type) {
  constexpr const char* kNames[] = {"NULL", "BIT", "BYTE", "SHORT", "INT"};
  return type <= kLastType ? kNames[type] : concat("type ", type);
}

bool is_overwritten(const Claim& claim, const Record& record) {
  return static_cast<FeatureType>(claim.type) == FeatureType::Int &&
         record.is_overwritten(claim.rows);
}

ColumnPtr fixed(Type type, const Claim& claim, ColumnLabel label, ByteView cells,
                uint64_t stride = FixedCells::kPacked) {
  FixedCells fixed;
  fixed.cells = cells;
  fixed.stride = stride;
  fixed.order = std::endian::big;
  return std::make_unique<FixedColumn>(std::move(type), claim.rows, std::move(label), fixed);
}

// Returns the index of a NULL feature, which stores none: all rows have the index 0.
ByteView one_zero() {
  static constexpr std::byte kZero{0};
  static const MemorySource source("index 0", {&kZero, 1});
  return {&source, 0, 1};
}

// Returns each index as the reference program reads it: the last one extends into k.
ByteView overlapping(ByteView indices) {
  if (indices.bytes != 0) indices.bytes += 2;
  return indices;
}

ColumnPtr open_indices(const Claim& claim, const Record& record, ColumnLabel label) {
  switch (static_cast<FeatureType>(claim.type)) {
    case FeatureType::Null: return fixed(Type::UInt8, claim, std::move(label), one_zero(), 0);
    case FeatureType::Bit:
      return std::make_unique<BitColumn>(claim.rows, std::move(label), record.indices,
                                         ByteView{claim.source}, NullEncoding::Never);
    case FeatureType::Byte: return fixed(Type::UInt8, claim, std::move(label), record.indices);
    case FeatureType::Short: return fixed(Type::UInt16, claim, std::move(label), record.indices);
    case FeatureType::Int: break;
  }
  if (!is_overwritten(claim, record)) {
    return fixed(Type::UInt32, claim, std::move(label), record.indices);
  }
  return fixed(Type::UInt32, claim, std::move(label), overlapping(record.indices), 2);
}

std::string text_of(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
  return concat(number);
}

std::string_view way_of(const Scale& scale) {
  return scale.logarithmic ? "log" : "linear";
}

// Values are scaled back by min, factor and log. max is redundant, so the four can be checked
// against each other: this is the only check that detects damage in one of them, which changes
// every value.
void check_scale(const Record& record, const Context& context) {
  const Scale got = scale_of(record, context);
  if (got.follows_from_range()) return;
  const Scale made = scale_for(got.min, got.max);
  fail(ErrorKind::Corrupt, {}, "scale at byte ", record.scale.offset, ": expected factor ",
       text_of(made.factor), ", ", way_of(made), ", as values from ", text_of(got.min), " to ",
       text_of(got.max), " have, got ", text_of(got.factor), ", ", way_of(got));
}

ColumnPtr open_feature(const Claim& claim, CodedValues view, const ColumnLabel& label,
                       const Context& context) {
  const Record record = take_apart(claim, context);
  if (!record.fault.empty()) {
    fail(claim.has_known_type() ? ErrorKind::Corrupt : ErrorKind::Unsupported, {}, record.fault);
  }
  check_scale(record, context);
  auto dictionary = open_dictionary(record, view, context);
  claim.source->check_lost();
  ColumnPtr indices = open_indices(claim, record, label);
  if (!is_overwritten(claim, record)) {
    return std::make_unique<DictionaryColumn>(label, std::move(indices), std::move(dictionary));
  }
  // The remaining half of an overwritten index may exceed the dictionary. The reference program
  // then shows the index itself, and 0 as its value.
  if (view == CodedValues::Index) return indices;
  return std::make_unique<DictionaryColumn>(label, std::move(indices), std::move(dictionary),
                                            CodePastEnd::Zero);
}

}  // namespace

ColumnPtr open_feature(const Claim& claim, CodedValues view, const std::string& name) {
  const ColumnLabel label{name, type_name(claim.type)};
  try {
    return open_feature(claim, view, label, Context());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Corrupt && error.kind() != ErrorKind::Unsupported) throw;
    return std::make_unique<UnreadableColumn>(
        type_of(view), claim.rows, label,
        Error(error.kind(), claim.source->name(),
              concat("feature ", claim.number, " \"", name, "\": ", error.what())));
  }
}

std::vector<Metadata> describe_feature(const Claim& claim) {
  const Context context;
  const Record record = take_apart(claim, context);
  if (!record.fault.empty()) return {};
  const Scale scale = scale_of(record, context);
  std::vector<Metadata> described = {{"min", text_of(scale.min)},
                                     {"max", text_of(scale.max)},
                                     {"factor", text_of(scale.factor)},
                                     {"scale", std::string(way_of(scale))},
                                     {"values", concat(record.value_count())}};
  if (is_overwritten(claim, record)) {
    described.emplace_back("damaged",
                           "the lower half of every index was written over; values are those that "
                           "the reference program reads");
  }
  return described;
}

}  // namespace heron::inline v0::jforests
