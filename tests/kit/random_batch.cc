#include "kit/random_batch.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "base/arena.h"
#include "columns/cells.h"

namespace heron::inline v0 {
namespace {

constexpr int64_t kTicksPerDay = 864'000'000'000;
constexpr int64_t kMostTicks = 3'155'378'975'999'999'999;  // the last of the year 9999

class Maker {
 public:
  Maker(double missing, uint64_t seed, Arena& arena)
      : missing_(missing), random_(seed), arena_(arena) {}

  Values make(const Type& type, uint64_t rows) {
    Values values;
    values.type = type;
    values.rows = rows;
    if (type.is(Type::Null)) {
      values.missing = rows;
      return values;
    }
    if (missing_ > 0 && !type.is(Type::Vector)) add_validity(values);
    switch (type.id()) {
      case Type::Bool: values.data = bits(rows, 0.5).first; break;
      case Type::Text: add_text<int32_t>(values); break;
      case Type::LargeText: add_text<int64_t>(values); break;
      case Type::List: add_list<int32_t>(values); break;
      case Type::LargeList: add_list<int64_t>(values); break;
      case Type::Int8: add_integers<int8_t>(values); break;
      case Type::Int16: add_integers<int16_t>(values); break;
      case Type::Int64: add_integers<int64_t>(values); break;
      case Type::Timestamp:
      case Type::Duration:
      case Type::DateTime: add_integers<int64_t>(values); break;
      case Type::UInt8: add_integers<uint8_t>(values); break;
      case Type::UInt16: add_integers<uint16_t>(values); break;
      case Type::UInt32: add_integers<uint32_t>(values); break;
      case Type::UInt64: add_integers<uint64_t>(values); break;
      case Type::Key: visit_cell_type(type, [&]<class T>() { add_integers<T>(values); }); break;
      case Type::DateTimeOffset: add_times(values); break;
      case Type::RowId: values.data = make(Type::UInt64, 2 * rows).data; break;
      case Type::Vector: add_slots(values); break;
      case Type::Float32: add_floats<float>(values); break;
      case Type::Float64: add_floats<double>(values); break;
      default: add_integers<int32_t>(values); break;
    }
    return values;
  }

 private:
  template <class T>
  Buffer keep(const std::vector<T>& cells) {
    T* copy = arena_.allocate_array<T>(cells.size());
    std::copy(cells.begin(), cells.end(), copy);
    return {reinterpret_cast<const std::byte*>(copy), cells.size() * sizeof(T)};
  }

  std::pair<Buffer, uint64_t> bits(uint64_t rows, double set) {
    std::bernoulli_distribution is_set(set);
    std::vector<uint8_t> bytes((rows + 7) / 8 + 1);
    uint64_t count = 0;
    for (uint64_t i = 0; i < rows; ++i) {
      const bool bit = is_set(random_);
      bytes[i / 8] = static_cast<uint8_t>(bytes[i / 8] | (bit << (i % 8)));
      count += bit;
    }
    return {keep(bytes), count};
  }

  void add_validity(Values& values) {
    const auto [buffer, valid] = bits(values.rows, 1 - missing_);
    values.validity = buffer;
    values.missing = values.rows - valid;
  }

  // Dates and times stay within what prints as a year of four digits.
  template <class T>
  void add_integers(Values& values) {
    using Limits = std::numeric_limits<T>;
    T least = Limits::is_signed ? static_cast<T>(-Limits::max()) : T{0};
    T most = Limits::max();
    if (values.type.is(Type::Date32)) {
      most = static_cast<T>(100'000);
      least = static_cast<T>(-100'000);
    } else if (values.type.is(Type::DateTime)) {
      most = static_cast<T>(kMostTicks);
      least = 0;
    } else if (values.type.is(Type::Key)) {
      most = static_cast<T>(values.type.size());
      least = 1;
    }
    values.data = keep(numbers<T>(values.rows, least, most));
  }

  template <class T>
  std::vector<T> numbers(uint64_t count, T least, T most) {
    using Drawn = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    std::uniform_int_distribution<Drawn> any(least, most);
    std::vector<T> cells(count);
    for (T& cell : cells) cell = static_cast<T>(any(random_));
    return cells;
  }

  // A day away from where the calendar begins and ends, so that its other time is inside too.
  void add_times(Values& values) {
    const auto ticks = numbers<int64_t>(values.rows, kTicksPerDay, kMostTicks - kTicksPerDay);
    const auto minutes = numbers<int16_t>(values.rows, -840, 840);
    std::vector<DateTimeOffset> cells(values.rows);
    for (uint64_t i = 0; i < values.rows; ++i) {
      cells[i].ticks = ticks[i];
      cells[i].minutes = minutes[i];
    }
    values.data = keep(cells);
  }

  // Rows by turns dense and with as many of their slots as chance has it.
  void add_slots(Values& values) {
    const auto slots = static_cast<int32_t>(values.type.size());
    std::vector<int32_t> lengths = numbers<int32_t>(values.rows, slots, slots == 0 ? 6 : slots);
    std::vector<int64_t> item_ends = {0}, position_ends = {0};
    std::vector<int32_t> positions;
    for (uint64_t row = 0; row < values.rows; ++row) {
      int64_t stored = lengths[row];
      if (row % 2 == 1) {
        const uint64_t before = positions.size();
        const int32_t first = numbers<int32_t>(1, 0, lengths[row]).front();
        for (int32_t at = first; at < lengths[row]; at += 2) positions.push_back(at);
        stored = static_cast<int64_t>(positions.size() - before);
      }
      item_ends.push_back(item_ends.back() + stored);
      position_ends.push_back(static_cast<int64_t>(positions.size()));
    }
    values.data = keep(lengths);
    add_child(values, item_ends, make(values.type.item(), static_cast<uint64_t>(item_ends.back())));
    Values where(Type::Int32, positions.size());
    where.data = keep(positions);
    add_child(values, position_ends, where);
  }

  void add_child(Values& values, const std::vector<int64_t>& ends, const Values& items) {
    Values list(Type::list(items.type, true), values.rows);
    list.offsets = keep(ends);
    list.children.push_back(items);
    values.children.push_back(list);
  }

  template <class T>
  void add_floats(Values& values) {
    std::normal_distribution<double> any;
    std::vector<T> cells(values.rows);
    for (T& cell : cells) cell = static_cast<T>(any(random_));
    values.data = keep(cells);
  }

  // Where each row ends, behind three of which nobody's row is made; the count of all.
  template <class Offset>
  uint64_t add_offsets(Values& values) {
    std::uniform_int_distribution<int> length(0, 5);
    std::vector<Offset> offsets(values.rows + 1, 3);
    for (uint64_t i = 0; i < values.rows; ++i) {
      offsets[i + 1] = offsets[i] + static_cast<Offset>(length(random_));
    }
    values.offsets = keep(offsets);
    return static_cast<uint64_t>(offsets.back());
  }

  template <class Offset>
  void add_text(Values& values) {
    std::uniform_int_distribution<int> letter(' ', '~');
    std::vector<char> characters(add_offsets<Offset>(values));
    for (char& character : characters) character = static_cast<char>(letter(random_));
    values.data = keep(characters);
  }

  template <class Offset>
  void add_list(Values& values) {
    const uint64_t items = add_offsets<Offset>(values);
    values.children.push_back(make(values.type.item(), items));
  }

  double missing_;
  std::mt19937_64 random_;
  Arena& arena_;
};

}  // namespace

RowBatch random_batch(std::shared_ptr<const Schema> schema, uint64_t rows, double missing,
                      uint64_t seed) {
  RowBatch batch;
  batch.memory = std::make_shared<Arena>();
  batch.schema = std::move(schema);
  batch.rows = rows;
  Maker maker(missing, seed, *batch.memory);
  for (const Field& field : *batch.schema) batch.columns.push_back(maker.make(field.type, rows));
  return batch;
}

}  // namespace heron::inline v0
