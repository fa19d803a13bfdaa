// Made-up rows of any types, with extremes, empty values and nulls, through convert() with random
// options: the values read back follow the plain rules, and refusals are right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "base/fail.h"
#include "convert/number_types.h"
#include "files/formats.h"
#include "files/open.h"
#include "heron/heron.h"
#include "kit/batch_rows.h"
#include "kit/conversions.h"
#include "kit/random_batch.h"
#include "kit/test_names.h"
#include "kit/written_formats.h"
#include "temp_folder.h"
#include "values/cells.h"

namespace heron {
namespace {

constexpr uint64_t kSchemas = 150;  // for each format

class Chance {
 public:
  Chance(uint64_t seed, const Format& format)
      : random_(seed),
        format_(format),
        has_keys_(format.write_support->type_support(Type::key(Type::UInt8, 5)).read_as.has_value()) {}

  uint64_t below(uint64_t count) { return random_() % count; }
  bool one_of(uint64_t count) { return below(count) == 0; }
  template <class T>
  T among(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }

  Type type() {
    if (one_of(8)) return Type::list(one_of(3) ? type() : plain_type(), one_of(3));
    if (one_of(8)) return Type::vector(plain_type(), among<uint64_t>({0, 0, 1, 3, 100}));
    return plain_type();
  }
  Type plain_type() {
    const Type type = any_plain_type();
    return has_own_form(format_, type) ? Type(Type::Int32) : type;
  }
  Type any_plain_type() {
    const uint64_t id = below(Type::Key + 1);
    if (id == Type::Key) {
      // Formats with keys store their values as metadata, but these keys have no values.
      const uint64_t count = has_keys_ ? among<uint64_t>({101, 255, 60'000})
                                       : among<uint64_t>({1, 5, 100, 255, 60'000});
      return Type::key(count < 256 ? among({Type::UInt8, Type::UInt64}) : Type::UInt16, count);
    }
    if (id == Type::List || id == Type::LargeList || id == Type::Null) return Type::Int32;
    return static_cast<Type::Id>(id);
  }

 private:
  std::mt19937_64 random_;
  const Format& format_;
  bool has_keys_;
};

// Returns whether the format takes the smallest time for null, and drops zeros behind a text: its
// writer refuses these values.
bool has_marks(const Format& format) {
  return format.name == "npy";
}

template <class T>
T extreme(Chance& chance) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    return chance.among({Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), T{-0.0},
                         T{0}, Limits::denorm_min(), Limits::max(), Limits::lowest(), T{1}});
  } else {
    return chance.among({Limits::min(), Limits::max(), T{0}, T{1}});
  }
}

// Puts extreme values among the others; the batch must not be shared yet.
void roughen(const Values& values, bool marks, Chance& chance) {
  for (const Values& child : values.children) {
    if (!values.type.is(Type::Key)) roughen(child, marks, chance);
  }
  const auto write = [&](uint64_t at, const auto& cell) {
    std::memcpy(const_cast<std::byte*>(values.data.data) + at * sizeof cell, &cell, sizeof cell);
  };
  const bool is_time = values.type.is(Type::Duration) || values.type.is(Type::Timestamp);
  const bool is_cell =
      values.type.is_integer() || values.type.is_float() || (is_time && !marks);
  if (is_cell) {
    visit_cell_type(values.type, [&]<class T>() {
      for (uint64_t row = 0; row < values.rows; ++row) {
        if (chance.one_of(4)) write(row, extreme<T>(chance));
      }
    });
  } else if (values.type.is_text()) {
    for (uint64_t at = values.extent(0); at < values.extent(values.rows); ++at) {
      if (!chance.one_of(4)) continue;
      write(at, chance.among({marks ? ';' : '\0', '"', '\n', ',', '\xC3', '\x80', '\xFF'}));
    }
  }
}

// Puts extreme values into a column, but not among positions of sparse vectors.
void roughen_column(const Values& values, bool marks, Chance& chance) {
  roughen(values.type.is(Type::Vector) ? values.children[0] : values, marks, chance);
}

void add_field(Schema& schema, std::string name, const Type& type, bool nullable) {
  Field& field = schema.emplace_back();
  field.name = std::move(name);
  field.type = type;
  field.nullable = nullable;
}

struct Made {
  RowBatch batch;
  std::shared_ptr<BatchRows> source;
  ExactTable rows;
};

// The first column, "id", is unique and in no order.
Made made_rows(const Format& format, Chance& chance) {
  const uint64_t rows = chance.among<uint64_t>({0, 1, 2, 7, 30, 300, 3000});
  const double nulls = chance.among({0.0, 0.0, 0.3, 1.0});
  auto schema = std::make_shared<Schema>();
  add_field(*schema, "id", Type::Int32, false);
  const uint64_t columns = 1 + chance.below(6);
  for (uint64_t i = 0; i < columns; ++i) {
    const Type type = chance.type();
    add_field(*schema, concat("c ", i), type, nulls > 0 && !type.is(Type::Vector));
  }
  Made made;
  made.batch = random_batch(schema, rows, nulls, chance.below(UINT64_MAX));
  for (const Values& values : made.batch.columns) {
    if (chance.one_of(2)) roughen_column(values, has_marks(format), chance);
  }
  made.batch.columns[0].validity = {};
  made.batch.columns[0].null_count = 0;
  auto* ids = reinterpret_cast<int32_t*>(const_cast<std::byte*>(made.batch.columns[0].data.data));
  for (uint64_t row = 0; row < rows; ++row) {
    ids[row] = static_cast<int32_t>(row * 2654435761U);  // all ids differ
  }
  made.source =
      batch_rows(made.batch, chance.among<uint64_t>({1 + rows / 3, 100, 5000}), chance.one_of(2));
  made.rows = exact_table(*made.source);
  return made;
}

ConvertOptions made_options(const Format& format, Chance& chance) {
  ConvertOptions options;
  options.cast = !chance.one_of(3);
  options.drop_unsupported = chance.one_of(2);
  const auto block_rows = chance.among<uint64_t>({0, 0, 1, 7, 1000});
  const auto compression = chance.among({-1, 0, 1, 9});  // -1: the format's own
  const auto order = chance.among({"little", "big"});
  if (format.name == "idv") options.write.set("block_rows", block_rows);
  if (format.name == "idv" && compression >= 0) options.write.set("compression", compression);
  if (format.name == "balsa") options.write.set("order", order);
  options.write.replace = chance.one_of(4);
  options.rows_per_file = chance.one_of(4) ? chance.among<uint64_t>({1, 10, 1000}) : 0;
  if (format.write_support->roles) options.write.set("label_column", "id");
  if (format.write_support->keys && chance.one_of(2)) options.key = {"id"};
  return options;
}

// Sorts rows by their first column, as a file with a key has them.
void sort_rows(ExactTable& table) {
  std::vector<uint64_t> order(table.rows);
  for (uint64_t row = 0; row < table.rows; ++row) order[row] = row;
  std::sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) {
    return table.columns[0][a].number < table.columns[0][b].number;
  });
  for (auto& column : table.columns) {
    std::vector<ExactValue> sorted;
    for (const uint64_t row : order) sorted.push_back(column[row]);
    column = std::move(sorted);
  }
}

// Reads all parts, one after the other.
ExactTable read_all(const ConvertReport& report, bool mapped) {
  ExactTable all;
  for (const std::string& file : report.files) {
    ExactTable part = exact_file(file, mapped);
    if (all.columns.empty()) {
      all = std::move(part);
      continue;
    }
    all.rows += part.rows;
    for (size_t i = 0; i < all.columns.size(); ++i) {
      std::move(part.columns[i].begin(), part.columns[i].end(), std::back_inserter(all.columns[i]));
    }
  }
  return all;
}

class ConvertProperty : public testing::TestWithParam<const Format*> {};

void expect_as_promised(const Format& format, Chance& chance, uint64_t& written) {
  const test::TempFolder folder(test::memory_folder());
  Made made = made_rows(format, chance);
  const ConvertOptions options = made_options(format, chance);
  const bool wrap = made.batch.rows <= 30 && chance.one_of(4);
  const std::string out = folder / concat("out", format.extension, wrap ? ".tz" : "");
  Plan expected = plan(made.rows, *format.write_support, options.cast);
  if (expected.kept.empty() || (!expected.refused.empty() && !options.drop_unsupported)) {
    EXPECT_THROW(convert(made.source, out, options), Error);
    EXPECT_EQ(folder.file_count(), 0);
    return;
  }
  ConvertReport report = convert(made.source, out, options);
  if (!report.columns.empty()) {
    expected = plan(made.rows, *format.write_support, options.cast, report.columns.front().to);
  }
  EXPECT_EQ(folder.file_count(), static_cast<ptrdiff_t>(report.files.size()));
  if (!options.key.empty()) sort_rows(made.rows);
  EXPECT_EQ(
      faults_of({made.rows, format, options, report}, expected, read_all(report, chance.one_of(2))),
      "");
  ++written;
}

TEST_P(ConvertProperty, WhatIsReadBackIsWhatIsPromised) {
  uint64_t written = 0;
  for (uint64_t seed = 0; seed < kSchemas && !HasFailure(); ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    Chance chance(seed, *GetParam());
    expect_as_promised(*GetParam(), chance, written);
  }
  EXPECT_GT(written, kSchemas / 4);
}

INSTANTIATE_TEST_SUITE_P(Formats, ConvertProperty, testing::ValuesIn(written_formats()),
                         TestName());

}  // namespace
}  // namespace heron
