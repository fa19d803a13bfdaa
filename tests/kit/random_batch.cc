#include "kit/random_batch.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "base/arena.h"

namespace heron::inline v0 {
namespace {

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
    if (missing_ > 0) add_validity(values);
    switch (type.id()) {
      case Type::Bool: values.data = bits(rows, 0.5).first; break;
      case Type::Text: add_text<int32_t>(values); break;
      case Type::LargeText: add_text<int64_t>(values); break;
      case Type::List: add_list<int32_t>(values); break;
      case Type::LargeList: add_list<int64_t>(values); break;
      case Type::Int8: add_integers<int8_t>(values); break;
      case Type::Int16: add_integers<int16_t>(values); break;
      case Type::Int64: add_integers<int64_t>(values); break;
      case Type::Timestamp: add_integers<int64_t>(values); break;
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

  // Dates and timestamps stay within what prints as a year of four digits.
  template <class T>
  void add_integers(Values& values) {
    int64_t most = std::numeric_limits<T>::max();
    if (values.type.is(Type::Date32)) most = 100'000;
    std::uniform_int_distribution<int64_t> any(-most, most);
    std::vector<T> cells(values.rows);
    for (T& cell : cells) cell = static_cast<T>(any(random_));
    values.data = keep(cells);
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
