#include "jforests/feature_writer.h"

#include "base/fail.h"
#include "bytes/on_disk.h"

namespace heron::inline v0::jforests {
namespace {

FeatureType type_for(uint64_t values) {
  if (values == 1) return FeatureType::Null;
  if (values <= kMaxBitValues) return FeatureType::Bit;
  return values <= kMaxByteValues ? FeatureType::Byte : FeatureType::Short;
}

}  // namespace

WrittenRecord FeatureWriter::write(const Feature& feature, std::string_view path,
                                   std::string_view label) {
  collect_values(feature);
  const std::vector<int32_t>& values = codes_.values();
  if (values.size() > kMaxShortValues) {
    fail(ErrorKind::Limit, path, label, ": more than ", kMaxShortValues,
         " distinct scaled values, which a file cannot hold without damage; the range ",
         feature.scale.min, " to ", feature.scale.max, " that was given is too small");
  }
  const FeatureType type = type_for(values.size());
  const uint64_t bytes = index_bytes(type, feature.rows) + kEmptyRecordBytes +
                         values.size() * kValueBytes + feature.name.size();
  if (bytes > most_bytes_) {
    fail(ErrorKind::Limit, path, label, ": a record of ", bytes, " bytes; a file can hold ",
         most_bytes_);
  }
  const Loss loss = append_indices(type, feature);
  out_.append_cell<i32be>(static_cast<int32_t>(values.size()));
  for (const int32_t value : values) out_.append_cell<i32be>(value);
  out_.append_cell<i16be>(static_cast<int16_t>(feature.name.size()));
  out_.append(std::as_bytes(std::span(feature.name)));
  out_.append_cell<f64be>(feature.scale.min);
  out_.append_cell<f64be>(feature.scale.max);
  out_.append_cell<f64be>(feature.scale.factor);
  out_.append(std::as_bytes(std::span(&feature.scale.logarithmic, 1)));
  return {type, bytes, loss};
}

void FeatureWriter::collect_values(const Feature& feature) {
  codes_.clear();
  spill_.visit(feature.column, [&](std::span<const double> cells) {
    context_.check_cancelled();
    for (const double cell : cells) codes_.add(feature.scale.scaled(cell));
  });
  codes_.seal();
}

Loss FeatureWriter::append_indices(FeatureType type, const Feature& feature) {
  originals_.clear();
  for (const int32_t value : codes_.values()) originals_.push_back(feature.scale.original(value));
  Loss loss;
  spill_.visit(feature.column, [&](std::span<const double> cells) {
    context_.check_cancelled();
    const auto code = [&](uint64_t i) {
      const uint16_t index = codes_.code(feature.scale.scaled(cells[i]));
      loss.add(cells[i], originals_[index]);
      return index;
    };
    switch (type) {
      case FeatureType::Null:
        for (uint64_t i = 0; i < cells.size(); ++i) code(i);
        break;
      case FeatureType::Bit: append_bits(cells.size(), code); break;
      case FeatureType::Byte: append_cells<uint8_t>(cells.size(), code); break;
      default: append_cells<u16be>(cells.size(), code); break;
    }
  });
  return loss;
}

template <class Cell, class Code>
void FeatureWriter::append_cells(uint64_t rows, Code code) {
  packed_.resize(rows * sizeof(Cell));
  for (uint64_t i = 0; i < rows; ++i) {
    const Cell cell(static_cast<Cell>(code(i)));
    std::memcpy(packed_.data() + i * sizeof cell, &cell, sizeof cell);
  }
  out_.append(packed_);
}

// Packs bits; every piece but the last has whole bytes.
template <class Code>
void FeatureWriter::append_bits(uint64_t rows, Code code) {
  packed_.assign(index_bytes(FeatureType::Bit, rows), std::byte{0});
  for (uint64_t i = 0; i < rows; ++i) packed_[i / 8] |= std::byte(code(i) << (i % 8));
  out_.append(packed_);
}

}  // namespace heron::inline v0::jforests
