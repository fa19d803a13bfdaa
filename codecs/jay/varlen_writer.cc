#include "jay/varlen_writer.h"

#include <algorithm>
#include <array>

namespace heron::inline v0::jay {

void VarlenWriter::append(const Values& values, RowRange rows) {
  if (rows.rows() == 0) return;
  if (values.validity.data == nullptr) {
    const bool is_large = values.type.is(Type::LargeText) || values.type.is(Type::LargeList);
    return is_large ? append_valid<int64_t>(values, rows) : append_valid<int32_t>(values, rows);
  }
  for (uint64_t first = rows.first; first < rows.last; first += kSliceRows) {
    append_slice(values, {first, std::min(rows.last, first + kSliceRows)});
  }
}

// Appends the content of all rows in one range.
template <class Offset>
void VarlenWriter::append_valid(const Values& values, RowRange rows) {
  const auto* offsets = values.offsets.as<Offset>() + rows.first;
  const auto start = static_cast<uint64_t>(offsets[0]);
  const auto last = static_cast<uint64_t>(offsets[rows.rows()]);
  append_range(values, {start, last});
  if constexpr (sizeof(Offset) == sizeof(uint32_t)) {
    const std::span<const Offset> ends(offsets + 1, rows.rows());
    if (end_ == start && offsets_.append_as_stored(ends)) {
      end_ = last;
      return;
    }
  }
  std::array<uint64_t, kSliceRows> ends;
  for (uint64_t first = 0; first < rows.rows(); first += kSliceRows) {
    const uint64_t some = std::min(kSliceRows, rows.rows() - first);
    for (uint64_t i = 0; i < some; ++i) {
      ends[i] = end_ + (static_cast<uint64_t>(offsets[first + i + 1]) - start);
    }
    offsets_.append({ends.data(), some});
  }
  end_ += last - start;
}

// Appends the content of neighbouring rows that are not null in one range.
void VarlenWriter::append_slice(const Values& values, RowRange rows) {
  std::array<uint64_t, kSliceRows> ends;
  uint64_t pending = values.extent(rows.first);
  uint64_t start = pending;
  for (uint64_t row = rows.first; row < rows.last; ++row) {
    const uint64_t next = values.extent(row + 1);
    uint64_t mark = 0;
    if (values.is_null(row)) {
      append_range(values, {pending, start});
      pending = next;
      mark = null_mark_;
      ++nulls_;
    } else {
      end_ += next - start;
    }
    ends[row - rows.first] = end_ | mark;
    start = next;
  }
  append_range(values, {pending, start});
  offsets_.append({ends.data(), rows.rows()});
}

flatbuffers::Offset<jay_fbs::Column> TextSink::finish(
    flatbuffers::FlatBufferBuilder& meta, flatbuffers::Offset<flatbuffers::String> name) {
  const std::array buffers = {jay_fbs::Buffer(0, 0), as_buffer(offsets_.finish()),
                              as_buffer(characters_.finish())};
  if (layout_ == Layout::Legacy) {
    return jay_fbs::CreateColumn(meta, stype(), &buffers[1], &buffers[2], name, nulls_);
  }
  const auto buffer_vector = meta.CreateVectorOfStructs(buffers.data(), buffers.size());
  const auto type = describe(meta);
  return jay_fbs::CreateColumn(meta, jay_fbs::SType::Bool8, nullptr, nullptr, name, nulls_,
                               jay_fbs::Stats::NONE, 0, type, offsets_.rows(), buffer_vector);
}

flatbuffers::Offset<jay_fbs::Type> TextSink::describe(flatbuffers::FlatBufferBuilder& meta) const {
  return jay_fbs::CreateType(meta, stype());
}

jay_fbs::SType TextSink::stype() const noexcept {
  return offsets_.wide() ? jay_fbs::SType::Str64 : jay_fbs::SType::Str32;
}

void TextSink::append_range(const Values& values, RowRange range) {
  characters_.append({values.data.data + range.first, range.rows()});
}

void ListSink::append(const Values& values, RowRange rows) {
  VarlenWriter::append(values, rows);
  validity_.append(values, rows);
}

flatbuffers::Offset<jay_fbs::Column> ListSink::finish(
    flatbuffers::FlatBufferBuilder& meta, flatbuffers::Offset<flatbuffers::String> name) {
  const auto items = items_->finish(meta, 0);
  const auto children = meta.CreateVector(&items, 1);
  const std::array buffers = {nulls_ > 0 ? as_buffer(validity_.finish()) : jay_fbs::Buffer(0, 0),
                              as_buffer(offsets_.finish())};
  const auto buffer_vector = meta.CreateVectorOfStructs(buffers.data(), buffers.size());
  const auto type = describe(meta);
  return jay_fbs::CreateColumn(meta, jay_fbs::SType::Bool8, nullptr, nullptr, name, nulls_,
                               jay_fbs::Stats::NONE, 0, type, offsets_.rows(), buffer_vector,
                               children);
}

flatbuffers::Offset<jay_fbs::Type> ListSink::describe(flatbuffers::FlatBufferBuilder& meta) const {
  const auto item = items_->describe(meta);
  return jay_fbs::CreateType(meta, offsets_.wide() ? jay_fbs::SType::Arr64 : jay_fbs::SType::Arr32,
                             jay_fbs::TypeExtra::child, item.Union());
}

void ListSink::append_range(const Values& values, RowRange range) {
  items_->append(values.children[0], range);
}

}  // namespace heron::inline v0::jay
