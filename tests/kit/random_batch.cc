#include "kit/random_batch.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "base/arena.h"
#include "values/cells.h"
#include "values/decimals.h"

namespace heron::inline v0 {
namespace {

constexpr int64_t kTicksOfADay = 864'000'000'000;
constexpr int64_t kNanosecondsOfADay = 100 * kTicksOfADay;
constexpr int64_t kMaxTicks = 3'652'059 * kTicksOfADay - 1;  // the end of the year 9999

class Maker {
 public:
  Maker(double nulls, uint64_t seed, Arena& arena) : nulls_(nulls), random_(seed), arena_(arena) {}

  Values make(const Type& type, uint64_t rows) {
    Values values;
    values.type = type;
    values.rows = rows;
    if (type.is(Type::Null)) {
      values.null_count = rows;
      return values;
    }
    if (nulls_ > 0 && !type.is(Type::Vector)) add_validity(values);
    switch (type.id()) {
      case Type::Bool: values.data = bits(rows, 0.5).first; break;
      case Type::Text:
      case Type::Binary: add_text<int32_t>(values); break;
      case Type::LargeText:
      case Type::LargeBinary: add_text<int64_t>(values); break;
      case Type::Decimal: add_decimals(values); break;
      case Type::List: add_list<int32_t>(values); break;
      case Type::LargeList: add_list<int64_t>(values); break;
      case Type::Int8: add_integers<int8_t>(values); break;
      case Type::Int16: add_integers<int16_t>(values); break;
      case Type::Int64:
      case Type::Timestamp:
      case Type::Duration: add_integers<int64_t>(values); break;
      case Type::DateTime: add_cells(values, [&] { return integer(0, kMaxTicks); }); break;
      case Type::Time: add_cells(values, [&] { return integer(0, kNanosecondsOfADay - 1); }); break;
      case Type::UInt8: add_integers<uint8_t>(values); break;
      case Type::UInt16: add_integers<uint16_t>(values); break;
      case Type::UInt32: add_integers<uint32_t>(values); break;
      case Type::UInt64: add_integers<uint64_t>(values); break;
      case Type::Float32: add_floats<float>(values); break;
      case Type::Float64: add_floats<double>(values); break;
      case Type::Key: add_keys(values); break;
      case Type::Vector: add_vectors(values); break;
      case Type::DateTimeOffset: add_local_times(values); break;
      case Type::RowId: add_cells(values, [&] { return RowId{random_(), random_()}; }); break;
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
    const auto [buffer, valid] = bits(values.rows, 1 - nulls_);
    values.validity = buffer;
    values.null_count = values.rows - valid;
  }

  template <class Make>
  void add_cells(Values& values, Make make) {
    std::vector<decltype(make())> cells(values.rows);
    for (auto& cell : cells) cell = make();
    values.data = keep(cells);
  }
  int64_t integer(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random_);
  }

  // Dates and timestamps stay within what prints as a year of four digits.
  template <class T>
  void add_integers(Values& values) {
    int64_t most = std::is_same_v<T, uint64_t>
                       ? INT64_MAX
                       : static_cast<int64_t>(std::numeric_limits<T>::max());
    if (values.type.is(Type::Date32)) most = 100'000;
    const int64_t least = std::is_signed_v<T> ? -most : 0;
    add_cells(values, [&] { return static_cast<T>(integer(least, most)); });
  }

  // Decimals of every number of digits that the type has, some of them equal.
  void add_decimals(Values& values) {
    const auto most = static_cast<int64_t>(values.type.size());
    add_cells(values, [&] {
      UInt128 units = 0;
      for (int64_t digits = integer(0, 1) == 0 ? integer(0, 2) : integer(0, most); digits > 0;
           --digits) {
        units = units * 10 + static_cast<UInt128>(integer(0, 9));
      }
      if (units >= static_cast<UInt128>(kPowersOfTen[values.type.size()])) units /= 100;
      if (integer(0, 2) == 0) units = 0 - units;
      return WideInteger{static_cast<uint64_t>(units), static_cast<int64_t>(units >> 64)};
    });
  }

  template <class T>
  void add_floats(Values& values) {
    std::normal_distribution<double> any;
    add_cells(values, [&] { return static_cast<T>(any(random_)); });
  }

  void add_local_times(Values& values) {
    add_cells(values, [&] {
      return DateTimeOffset{integer(kTicksOfADay, kMaxTicks - kTicksOfADay),
                            static_cast<int16_t>(integer(-840, 840)),
                            {}};
    });
  }

  void add_keys(Values& values) {
    const auto most = static_cast<int64_t>(std::min<uint64_t>(values.type.size(), INT64_MAX));
    visit_cell_type(values.type, [&]<class T>() {
      add_cells(values, [&] { return static_cast<T>(integer(1, most)); });
    });
    if (values.type.size() > kKeysWithValues) return;
    Values& key_values = values.children.emplace_back(Type::Text, values.type.size());
    std::vector<int32_t> ends = {0};
    std::vector<char> characters;
    for (int64_t key = 1; key <= most; ++key) {
      const std::string text = "value " + std::to_string(key);
      characters.insert(characters.end(), text.begin(), text.end());
      ends.push_back(static_cast<int32_t>(characters.size()));
    }
    key_values.offsets = keep(ends);
    key_values.data = keep(characters);
  }

  // Adds offsets of rows of these lengths, behind three items of no row; returns the sum.
  template <class Offset>
  uint64_t add_offsets(Values& values, const std::vector<uint64_t>& lengths) {
    std::vector<Offset> offsets = {3};
    for (const uint64_t length : lengths) {
      offsets.push_back(offsets.back() + static_cast<Offset>(length));
    }
    values.offsets = keep(offsets);
    return static_cast<uint64_t>(offsets.back());
  }
  std::vector<uint64_t> lengths(uint64_t rows) {
    std::vector<uint64_t> lengths(rows);
    for (uint64_t& length : lengths) length = static_cast<uint64_t>(integer(0, 5));
    return lengths;
  }

  template <class Offset>
  void add_text(Values& values) {
    const bool is_text = values.type.is_text();
    std::uniform_int_distribution<int> letter(is_text ? ' ' : 0, is_text ? '~' : 255);
    std::vector<char> characters(add_offsets<Offset>(values, lengths(values.rows)));
    for (char& character : characters) character = static_cast<char>(letter(random_));
    values.data = keep(characters);
  }

  template <class Offset>
  void add_list(Values& values) {
    const uint64_t items = add_offsets<Offset>(values, lengths(values.rows));
    values.children.push_back(make(values.type.item(), items));
  }

  void add_vectors(Values& values) {
    std::vector<int32_t> lengths;
    std::vector<uint64_t> stored, sparse;  // items of each row, and positions
    std::vector<int32_t> positions(3, -1);
    for (uint64_t row = 0; row < values.rows; ++row) {
      const uint64_t slots = values.type.size();
      const auto length = slots != 0 ? static_cast<int64_t>(slots) : integer(0, 5);
      const bool dense = length == 0 || integer(0, 1) == 0;
      const size_t before = positions.size();
      for (int64_t slot = 0; !dense && slot < length; ++slot) {
        const bool last_of_all = positions.size() - before == static_cast<size_t>(length) - 1;
        if (!last_of_all && integer(0, 2) == 0) positions.push_back(static_cast<int32_t>(slot));
      }
      lengths.push_back(static_cast<int32_t>(length));
      sparse.push_back(positions.size() - before);
      stored.push_back(dense ? static_cast<uint64_t>(length) : sparse.back());
    }
    values.data = keep(lengths);
    Values& items = values.children.emplace_back(Type::list(values.type.item(), true), values.rows);
    items.children.push_back(make(values.type.item(), add_offsets<int64_t>(items, stored)));
    Values& indices = values.children.emplace_back(Type::list(Type::Int32, true), values.rows);
    Values& all =
        indices.children.emplace_back(Type::Int32, add_offsets<int64_t>(indices, sparse));
    all.data = keep(positions);
  }

  double nulls_;
  std::mt19937_64 random_;
  Arena& arena_;
};

}  // namespace

std::vector<Type> types_of_vectors_and_ticks() {
  return {Type::DateTime,
          Type::Duration,
          Type::DateTimeOffset,
          Type::RowId,
          Type::key(Type::UInt32, 5),
          Type::vector(Type::Float32, 3)};
}

std::vector<Type> types_of_other_times() {
  return {Type::Time,
          Type::timestamp(Type::Second),
          Type::timestamp(Type::Millisecond, "UTC"),
          Type::timestamp(Type::Microsecond),
          Type::timestamp(Type::Microsecond, "Europe/Berlin"),
          Type::timestamp(Type::Nanosecond, "+02:00"),
          Type::duration(Type::Second),
          Type::duration(Type::Millisecond),
          Type::duration(Type::Microsecond),
          Type::duration(Type::Nanosecond)};
}

std::vector<Type> types_of_decimals_and_binary() {
  return {Type::decimal(10, 2), Type::decimal(1, 0),  Type::decimal(38, 0), Type::decimal(38, 38),
          Type::decimal(18, 9), Type::decimal(10, 4), Type::Binary,         Type::LargeBinary};
}

RowBatch random_batch(std::shared_ptr<const Schema> schema, uint64_t rows, double nulls,
                      uint64_t seed) {
  RowBatch batch;
  batch.memory = std::make_shared<Arena>();
  batch.schema = std::move(schema);
  batch.rows = rows;
  Maker maker(nulls, seed, *batch.memory);
  for (const Field& field : *batch.schema) batch.columns.push_back(maker.make(field.type, rows));
  return batch;
}

}  // namespace heron::inline v0
