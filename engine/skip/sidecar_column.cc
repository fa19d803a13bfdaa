#include "skip/sidecar_column.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/fail.h"
#include "skip/sidecar_layout.h"

namespace heron::inline v0::sidecar {
namespace {

u32le size_of(const std::string& text) {
  return u32le(static_cast<uint32_t>(text.size()));
}

class Parser {
 public:
  Parser(std::span<const std::byte> bytes, const std::string& name, uint64_t offset)
      : left_(bytes), name_(name), end_(offset + bytes.size()) {}

  ColumnIndex parse() {
    const auto head = take<ColumnHead>();
    ColumnIndex column;
    for (auto [text, bytes] : {std::pair(&column.table, head.names[0]),
                               {&column.column, head.names[1]},
                               {&column.type, head.names[2]},
                               {&column.encoding, head.names[3]}}) {
      const auto characters = take(bytes);
      text->assign(reinterpret_cast<const char*>(characters.data()), characters.size());
    }
    if (head.order > static_cast<uint32_t>(ZoneOrder::Decimal))
      refuse("an order", head.order.value());
    column.order = static_cast<ZoneOrder>(head.order.value());
    column.rows = head.rows;
    column.zone_rows = head.zone_rows;
    if (head.distinct != kNotKnown) column.distinct = head.distinct;
    if (column.distinct > column.rows) refuse("no more values than rows", *column.distinct);
    parse_zones(column, head.zones);
    if (!left_.empty()) refuse("the end", left_.size(), " bytes more");
    return column;
  }

 private:
  template <class... Got>
  [[noreturn]] void refuse(std::string_view expected, const Got&... got) const {
    fail(ErrorKind::Corrupt, name_, "byte ", end_ - left_.size(), ": expected ", expected, ", got ",
         got...);
  }

  std::span<const std::byte> take(uint64_t bytes) {
    if (bytes > left_.size()) refuse(concat(bytes, " bytes more of a section"), left_.size());
    const auto taken = left_.first(bytes);
    left_ = left_.subspan(bytes);
    return taken;
  }
  template <class Stored>
  Stored take() {
    Stored stored;
    std::memcpy(&stored, take(sizeof stored).data(), sizeof stored);
    return stored;
  }

  void parse_zones(ColumnIndex& column, uint64_t count) {
    if (count == 0) return;
    if (column.zone_rows == 0 || (column.rows - 1) / column.zone_rows + 1 != count ||
        column.rows == 0) {
      refuse(concat("zones of ", column.zone_rows, " rows, ", column.rows, " in all"), count);
    }
    if (count > left_.size() / sizeof(StoredZone)) {
      refuse(concat(count, " zones"), left_.size(), " bytes");
    }
    column.zones.reserve(count);
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t rows = std::min(column.zone_rows, column.rows - i * column.zone_rows);
      const auto stored = take<StoredZone>();
      if (stored.null_count > rows || stored.nans > rows - stored.null_count) {
        refuse(concat("a zone of ", rows, " rows"), stored.null_count.value(), " nulls and ",
               stored.nans.value(), " NaNs");
      }
      column.zones.push_back({stored.low, stored.high, stored.null_count, stored.nans});
    }
  }

  std::span<const std::byte> left_;
  const std::string& name_;
  uint64_t end_;
};

}  // namespace

std::vector<std::byte> column_bytes(const ColumnIndex& column) {
  const std::array texts = {&column.table, &column.column, &column.type, &column.encoding};
  ColumnHead head = {};
  head.rows = column.rows;
  head.zone_rows = column.zone_rows;
  head.zones = column.zones.size();
  head.distinct = column.distinct.value_or(kNotKnown);
  head.order = static_cast<uint32_t>(column.order);
  uint64_t total = sizeof head + column.zones.size() * sizeof(StoredZone);
  for (size_t i = 0; i < texts.size(); ++i) {
    head.names[i] = size_of(*texts[i]);
    total += texts[i]->size();
  }

  std::vector<std::byte> bytes(total);
  std::byte* end = bytes.data();
  const auto append = [&end](const void* from, uint64_t count) {
    std::memcpy(end, from, count);
    end += count;
  };
  append(&head, sizeof head);
  for (const std::string* text : texts) append(text->data(), text->size());
  for (const Zone& zone : column.zones) {
    StoredZone stored;
    stored.low = zone.low;
    stored.high = zone.high;
    stored.null_count = zone.null_count;
    stored.nans = zone.nans;
    append(&stored, sizeof stored);
  }
  return bytes;
}

ColumnIndex parse_column(std::span<const std::byte> bytes, const std::string& name,
                         uint64_t offset) {
  return Parser(bytes, name, offset).parse();
}

}  // namespace heron::inline v0::sidecar
