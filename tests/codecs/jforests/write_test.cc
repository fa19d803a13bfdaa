// What the reference's converter makes of a text, the writer makes of its values; and what it
// writes of any others is read back within what scaling loses.
#include "jforests/write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "base/arena.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/random_batch.h"
#include "kit/real_files.h"
#include "kit/special_numbers.h"
#include "kit/svmlight.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using SchemaPtr = std::shared_ptr<const Schema>;

struct NamedType {
  std::string name;
  Type type;
};

SchemaPtr schema_of(const std::vector<NamedType>& columns) {
  auto schema = std::make_shared<Schema>();
  for (const NamedType& column : columns) {
    Field& field = schema->emplace_back();
    field.name = column.name;
    field.type = column.type;
  }
  return schema;
}

// Columns of float64 without a null, but for the integers of "query"; an empty optional is null.
using Cells = std::vector<std::optional<double>>;
struct NamedCells {
  std::string name;
  Cells cells;
  std::vector<Metadata> metadata = {};
};

RowBatch batch_of(const std::vector<NamedCells>& columns) {
  auto schema = std::make_shared<Schema>();
  RowBatch batch;
  batch.rows = columns.front().cells.size();
  batch.memory = std::make_shared<Arena>();
  for (const auto& [name, cells, metadata] : columns) {
    const bool query = name == "query";
    Field& field = schema->emplace_back();
    field.name = name;
    field.type = query ? Type::Int64 : Type::Float64;
    field.metadata = metadata;
    auto* data = batch.memory->allocate_array<uint64_t>(cells.size());
    auto* valid = batch.memory->allocate_array<uint8_t>(cells.size() / 8 + 1);
    std::fill(valid, valid + cells.size() / 8 + 1, uint8_t{0});
    for (size_t i = 0; i < cells.size(); ++i) {
      if (!cells[i]) continue;
      valid[i / 8] = static_cast<uint8_t>(valid[i / 8] | 1 << (i % 8));
      data[i] = query ? static_cast<uint64_t>(static_cast<int64_t>(*cells[i]))
                      : std::bit_cast<uint64_t>(*cells[i]);
    }
    Values& values = batch.columns.emplace_back(field.type, batch.rows);
    values.data = {reinterpret_cast<const std::byte*>(data), 8 * cells.size()};
    values.validity = {reinterpret_cast<const std::byte*>(valid), cells.size() / 8 + 1};
  }
  batch.schema = schema;
  return batch;
}

class JforestsWriter : public testing::Test {
 protected:
  std::string path() const { return folder_ / "file.bin"; }

  std::string write(const std::vector<RowBatch>& batches, const jforests::WriteLimits& limits = {},
                    WriteOptions options = {}) {
    options.replace = true;
    const auto writer = jforests::create(path(), *batches.front().schema, options, {}, limits);
    for (const RowBatch& batch : batches) writer->write(batch);
    writer->close();
    writer->publish();
    const std::string bytes = folder_.read("file.bin");
    EXPECT_EQ(writer->bytes_written(), bytes.size());
    return bytes;
  }

  std::shared_ptr<const Table> write_and_open(const std::vector<RowBatch>& batches,
                                              const jforests::WriteLimits& limits = {},
                                              CodedValues values = CodedValues::Original) {
    write(batches, limits);
    OpenOptions options;
    options.values = values;
    const auto dataset = open(path(), options);
    verify(*dataset);
    return dataset->table();
  }

  test::TempFolder folder_;
};

// With what the file says of the columns, which the writer heeds.
RowBatch all_of(const std::shared_ptr<const Table>& table) {
  RowBatch batch = read(Projection(table), {0, table->rows()});
  batch.schema = std::make_shared<const Schema>(table->schema());
  return batch;
}

template <class T>
std::vector<T> cells_of(const std::shared_ptr<const Table>& table, uint64_t column) {
  const RowBatch batch = all_of(table);
  std::vector<T> cells;
  for (uint64_t row = 0; row < batch.rows; ++row) {
    cells.push_back(batch.columns[column].get<T>(row));
  }
  return cells;
}

std::vector<std::string> names_of(const std::shared_ptr<const Table>& table) {
  std::vector<std::string> names;
  for (const Field& field : table->schema()) names.push_back(field.name);
  return names;
}

std::string metadata(const Field& field, std::string_view key) {
  for (const Metadata& one : field.metadata) {
    if (one.name == key) return one.text;
  }
  return "none";
}

std::vector<uint64_t> group_ends(const std::shared_ptr<const Table>& table) {
  std::vector<uint64_t> ends;
  for (uint64_t i = 0; i < table->group_count(); ++i) ends.push_back(table->group(i).last);
  return ends;
}

// The texts whose files, as the reference's converter made them, lie beside them.
std::vector<std::string> texts() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(data_dir() / "jforests/text")) {
    if (entry.path().stem().extension() != ".stats") names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

class JforestsText : public JforestsWriter, public testing::WithParamInterface<std::string> {
 protected:
  static std::string content(const std::string& folder, const std::string& ending) {
    const auto path = data_dir() / "jforests" / (folder + GetParam() + ending);
    if (!std::filesystem::exists(path)) return {};
    const auto bytes = read_file(path);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  static std::shared_ptr<const Table> made_by_reference() {
    return open(data_dir() / "jforests" / (GetParam() + ".bin"))->table();
  }
};

TEST_P(JforestsText, GivesTheReferencesBytes) {
  const bool ranking = made_by_reference()->find_column("query").has_value();
  const RowBatch batch =
      parse_svmlight(content("text/", ".txt"), ranking, content("text/", ".stats.txt"));
  const std::string wanted = content("", ".bin");
  EXPECT_EQ(write({batch}), wanted);
  EXPECT_EQ(write({batch}, {.memory_bytes = 1}), wanted);
}

TEST_P(JforestsText, ReadAndWrittenAgainIsTheSame) {
  // A feature that never occurred has no name at all, which looks like one that was not given.
  if (GetParam() == "bits_7_rows" || GetParam() == "feature_names") GTEST_SKIP();
  EXPECT_EQ(write({all_of(made_by_reference())}), content("", ".bin"));
}

INSTANTIATE_TEST_SUITE_P(Texts, JforestsText, testing::ValuesIn(texts()),
                         [](const auto& text) { return text.param; });

// Half a step of the scale, and what rounding does to the numbers on the way.
void expect_close(double written, double read, const Field& field) {
  const double min = std::stod(metadata(field, "min"));
  const double max = std::stod(metadata(field, "max"));
  const double factor = std::stod(metadata(field, "factor"));
  const double rounding = 1e-12 * (std::abs(min) + std::abs(max));
  if (metadata(field, "scale") == "linear") {
    EXPECT_NEAR(read, written, 0.5 / factor + rounding) << field.name;
  } else {
    const double half_step = std::expm1(0.5 / factor) * (written - min + 1);
    EXPECT_NEAR(read, written, 1.001 * half_step + rounding) << field.name;
  }
}

double number(const Values& values, uint64_t row) {
  switch (values.type.id()) {
    case Type::Bool: return values.get_bool(row);
    case Type::Int8: return values.get<int8_t>(row);
    case Type::Int16: return values.get<int16_t>(row);
    case Type::Int32: return values.get<int32_t>(row);
    case Type::Int64: return static_cast<double>(values.get<int64_t>(row));
    case Type::UInt8: return values.get<uint8_t>(row);
    case Type::UInt16: return values.get<uint16_t>(row);
    case Type::UInt32: return values.get<uint32_t>(row);
    case Type::Float32: return values.get<float>(row);
    default: return values.get<double>(row);
  }
}

class JforestsRoundTrip : public JforestsWriter, public testing::WithParamInterface<double> {};

TEST_P(JforestsRoundTrip, LosesOnlyWhatScalingDoes) {
  const SchemaPtr schema = schema_of({{"a", Type::Bool},
                                      {"b", Type::Int8},
                                      {"c", Type::Int16},
                                      {"d", Type::Int32},
                                      {"target", Type::Float32},
                                      {"e", Type::Int64},
                                      {"f", Type::UInt8},
                                      {"g", Type::UInt16},
                                      {"h", Type::UInt32},
                                      {"i", Type::Float32},
                                      {"j", Type::Float64}});
  constexpr uint64_t kTarget = 4;
  std::vector<RowBatch> batches;
  for (const uint64_t rows : {1, 0, 63, 128, 1025, 7, 2500}) {
    RowBatch& batch = batches.emplace_back(random_batch(schema, rows, GetParam(), batches.size()));
    batch.columns[kTarget].validity = {};
  }
  const auto table = write_and_open(batches, {.memory_bytes = 1});
  EXPECT_THAT(names_of(table),
              ElementsAre("target", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"));
  const RowBatch read = all_of(table);
  uint64_t first = 0;
  for (const RowBatch& batch : batches) {
    for (uint64_t column = 0; column < schema->size(); ++column) {
      const Values& values = batch.columns[column];
      const uint64_t there = column == kTarget ? 0 : column + (column < kTarget ? 1 : 0);
      for (uint64_t row = 0; row < batch.rows; ++row) {
        const double got = read.columns[there].get<double>(first + row);
        if (column == kTarget) {
          ASSERT_EQ(got, number(values, row));
        } else if (values.is_null(row)) {
          ASSERT_EQ(got, std::stod(metadata(table->schema()[there], "min")));
        } else {
          expect_close(number(values, row), got, table->schema()[there]);
        }
      }
    }
    first += batch.rows;
  }
  EXPECT_EQ(first, table->rows());
}

INSTANTIATE_TEST_SUITE_P(Null, JforestsRoundTrip, testing::Values(0, 0.3),
                         [](const auto& nulls) { return nulls.param == 0 ? "None" : "Some"; });

TEST_F(JforestsWriter, EmptyTables) {
  const auto plain = write_and_open({batch_of({{"target", {}}, {"x", {}}, {"f2", {}}})});
  EXPECT_EQ(plain->rows(), 0);
  EXPECT_THAT(names_of(plain), ElementsAre("target", "x", "f2"));
  const auto ranking = write_and_open({batch_of({{"x", {}}, {"query", {}}, {"target", {}}})});
  EXPECT_THAT(names_of(ranking), ElementsAre("target", "query", "x"));
  EXPECT_EQ(ranking->group_count(), 0);
  EXPECT_EQ(write({batch_of({{"target", {}}})}).size(), 12);
  EXPECT_EQ(write_and_open({batch_of({{"target", {1, 2.5}}})})->rows(), 2);
}

TEST_F(JforestsWriter, OfNothingThereIsNothingToTell) {
  const auto table = write_and_open(
      {batch_of({{"target", {1, 2}}, {"empty", {{}, {}}}, {"nan", {kNaN, {}}}, {"f3", {{}, {}}}})});
  EXPECT_EQ(metadata(table->field(1), "max"), "0");
  EXPECT_EQ(metadata(table->field(1), "factor"), "Infinity");
  EXPECT_EQ(metadata(table->field(2), "min"), "Infinity");
  EXPECT_EQ(metadata(table->field(2), "factor"), "-0");
  EXPECT_EQ(metadata(table->field(3), "min"), "0");
}

TEST_F(JforestsWriter, NotFiniteOnes) {
  const RowBatch batch = batch_of({{"target", {kNaN, -kInfinity, 0}},
                                   {"wide", {1e308, -1e308, kNaN}},
                                   {"endless", {1, kInfinity, 2}},
                                   {"some", {kNaN, 1, 3}}});
  const auto table = write_and_open({batch}, {}, CodedValues::Scaled);
  EXPECT_EQ(cells_of<double>(table, 0)[1], -kInfinity);
  EXPECT_THAT(cells_of<int32_t>(table, 1), ElementsAre(0, 0, 0));
  EXPECT_EQ(metadata(table->field(2), "factor"), "0");
  EXPECT_THAT(cells_of<int32_t>(table, 3), ElementsAre(0, 0, 32766));
}

TEST_F(JforestsWriter, RangesMayBeGiven) {
  const Cells cells = {-1, 5, {}, 10, 25};
  const auto table = write_and_open({batch_of({{"target", {0, 0, 0, 0, 0}},
                                               {"both", cells, {{"min", "0"}, {"max", "10"}}},
                                               {"least", cells, {{"min", "-101"}}},
                                               {"f3", cells, {{"max", "1e300"}}}})},
                                    {}, CodedValues::Scaled);
  // Index 0, of what is null, is that of the least value.
  EXPECT_THAT(cells_of<int32_t>(table, 1), ElementsAre(-3277, 16383, -3277, 32766, 81915));
  EXPECT_THAT(cells_of<int32_t>(table, 2), ElementsAre(26005, 27565, 0, 28865, 32766));
  EXPECT_EQ(metadata(table->field(3), "scale"), "log");

  const auto refusal = [&](std::string text) {
    return error_of([&] { write({batch_of({{"target", {}}, {"x", {}, {{"min", text}}}})}); });
  };
  EXPECT_EQ(refusal("low").kind(), ErrorKind::Argument);
  EXPECT_EQ(refusal("1 ").what(),
            path() + ": column \"x\": expected a number as its \"min\", got \"1 \"");
}

TEST_F(JforestsWriter, AQueryBeginsWhereTheNumberDiffers) {
  const auto ends = [&](const std::vector<Cells>& queries, uint64_t memory = 1) {
    std::vector<RowBatch> batches;
    for (const Cells& cells : queries) {
      batches.push_back(batch_of({{"target", Cells(cells.size(), 0)}, {"query", cells}}));
    }
    return group_ends(write_and_open(batches, {.memory_bytes = memory}));
  };
  EXPECT_THAT(ends({{7, 7, -7, 7}}), ElementsAre(2, 3, 4));
  EXPECT_THAT(ends({{7, 7}, {}, {7, 8}, {8}}), ElementsAre(3, 5));
  EXPECT_THAT(ends({{0, 0}}), ElementsAre(2));
  // A row without a number joins the query before; the first row begins one all the same.
  EXPECT_THAT(ends({{1, {}, 1, {}, 2}}), ElementsAre(4, 5));
  EXPECT_THAT(ends({{{}, {}}, {3, 3}}), ElementsAre(2, 4));
  Cells many;
  for (int row = 0; row < 1000; ++row) many.emplace_back(row / 3);
  const auto of_many = ends({many, many});
  EXPECT_EQ(of_many.size(), 668);
  EXPECT_EQ(of_many[400], 1000 + 3 * 67);
}

TEST_F(JforestsWriter, LabelAndGroupMayBeAnyColumns) {
  const RowBatch batch = batch_of(
      {{"query", {5, 5, 6}}, {"target", {7, 8, 9}}, {"rel", {1, 2, 3}}, {"x", {0, 0.5, 1}}});
  WriteOptions options;
  options.label_column = "rel";
  write({batch}, {}, options);
  const auto ranking = open(path())->table();
  EXPECT_THAT(cells_of<double>(ranking, 0), ElementsAre(1, 2, 3));
  EXPECT_THAT(group_ends(ranking), ElementsAre(2, 3));
  EXPECT_EQ(metadata(ranking->field(2), "min"), "7");  // a feature that is called target

  options.label_column = "query";
  write({batch}, {}, options);
  const auto plain = open(path())->table();
  EXPECT_THAT(cells_of<double>(plain, 0), ElementsAre(5, 5, 6));
  EXPECT_EQ(plain->group_count(), 0);

  options.label_column = "x";
  options.group_column = "query";
  write({batch}, {}, options);
  EXPECT_THAT(group_ends(open(path())->table()), ElementsAre(2, 3));
}

TEST_F(JforestsWriter, RefusesLabelsAndGroupsThatCannotBe) {
  const auto refusal = [&](std::string label, std::string group) {
    WriteOptions options;
    options.label_column = std::move(label);
    options.group_column = std::move(group);
    const SchemaPtr schema = schema_of(
        {{"target", Type::Int8}, {"id", Type::Int64}, {"x", Type::Float32}, {"y", Type::Int8}});
    return error_of([&] { create(path(), *schema, options); });
  };
  const auto expect = [](const Error& error, ErrorKind kind, const char* text) {
    EXPECT_EQ(error.kind(), kind);
    EXPECT_THAT(error.what(), HasSubstr(text));
  };
  expect(refusal("z", ""), ErrorKind::Argument, "there is no column \"z\"");
  expect(refusal("", "qid"), ErrorKind::Argument, "there is no column \"qid\"");
  expect(refusal("y", "y"), ErrorKind::Argument, "\"y\" cannot be both label and group");
  expect(refusal("", "target"), ErrorKind::Argument, "cannot be both label and group");
  expect(refusal("", "x"), ErrorKind::Unsupported, "\"x\" (float32)");
}

TEST_F(JforestsWriter, NamesAreCutToBytes) {
  const std::string longest(127, 'x');
  const auto table = write_and_open({batch_of({{"target", {0}},
                                               {"f1", {1}},
                                               {"f1.1", {1}},
                                               {longest + "yz", {1}},
                                               {"caf\u00E9 \u6587", {1}},
                                               {"\U0001F600!", {1}},
                                               {"\xFFz", {1}},
                                               {"a:b", {1}}})});
  EXPECT_THAT(names_of(table), ElementsAre("target", "f1", "f1.1", longest, "caf\u00E9 \u0087",
                                           "=.!", "\u00FFz", "a:b"));
}

TEST_F(JforestsWriter, KnowsItsLimits) {
  const auto refusal = [&](const RowBatch& batch, const jforests::WriteLimits& limits) {
    const Error error = error_of([&] { write({batch}, limits); });
    EXPECT_EQ(error.kind(), ErrorKind::Limit);
    return std::string(error.what());
  };
  const RowBatch batch = batch_of({{"target", {0, 0, 0}}, {"x", {1, 2, 3}}});
  EXPECT_THAT(refusal(batch, {.rows = 2}), HasSubstr("more than 2 rows"));
  EXPECT_THAT(refusal(batch, {.record_bytes = 46}),
              HasSubstr("column \"x\": a record of 47 bytes; a file can hold 46"));
  EXPECT_EQ(write({batch}, {.rows = 3, .record_bytes = 47}).size(), 12 + 5 + 24 + 47);
}

TEST_F(JforestsWriter, AsManyValuesAsCanBeStored) {
  const auto batch_with = [](int values, const char* max) {
    Cells cells;
    for (int i = 0; i < values; ++i) cells.emplace_back(i);
    return batch_of({{"target", Cells(cells.size(), 0)}, {"x", cells, {{"max", max}}}});
  };
  const auto table = write_and_open({batch_with(32767, "1")}, {}, CodedValues::Index);
  EXPECT_EQ(table->schema()[1].encoding, "SHORT");
  EXPECT_EQ(cells_of<uint32_t>(table, 1).back(), 32766);
  for (const char* max : {"1", "32765"}) {
    const Error error = error_of([&] { write({batch_with(32768, max)}); });
    EXPECT_EQ(error.kind(), ErrorKind::Limit);
    EXPECT_THAT(error.what(), HasSubstr("more than 32767 distinct scaled values"));
  }
  EXPECT_EQ(write_and_open({batch_with(32768, "32767")})->field(1).encoding, "SHORT");
}

TEST_F(JforestsWriter, RefusesWhatIsNoDataSet) {
  const auto refusal = [&](const std::vector<NamedType>& columns) {
    const Error error = error_of([&] { create(path(), *schema_of(columns)); });
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    EXPECT_EQ(folder_.file_count(), 0);
    return std::string(error.what());
  };
  EXPECT_THAT(refusal({{"x", Type::Int8}}), HasSubstr("wants a column \"target\"; there is none"));
  EXPECT_THAT(refusal({{"target", Type::Text}, {"x", Type::Date32}, {"y", Type::Int8}}),
              HasSubstr("no place for the columns \"target\" (text), \"x\" (date32)"));
  EXPECT_THAT(refusal({{"target", Type::Int8}, {"query", Type::Float64}}),
              HasSubstr("\"query\" (float64)"));
  for (const Type& type : types_of_vectors_and_ticks()) {
    EXPECT_THAT(refusal({{"target", Type::Int8}, {"x", type}}),
                HasSubstr(concat("\"x\" (", type.name(), ')')));
  }
}

TEST_F(JforestsWriter, RefusesRowsWithoutTarget) {
  const auto writer = create(path(), *schema_of({{"target", Type::Float64}}));
  writer->write(batch_of({{"target", {1, 2}}}));
  const Error error = error_of([&] { writer->write(batch_of({{"target", {1, {}}}})); });
  EXPECT_EQ(error.kind(), ErrorKind::Argument);
  EXPECT_THAT(error.what(), HasSubstr("the target of row 3 is null"));
  EXPECT_EQ(error_of([&] { writer->close(); }).kind(), ErrorKind::Argument);
}

TEST_F(JforestsWriter, RowsThatAreToldMustCome) {
  const RowBatch batch = batch_of({{"target", {1, 2}}});
  WriteOptions options;
  options.rows = 3;
  EXPECT_THAT(error_of([&] { write({batch}, {}, options); }).what(),
              HasSubstr("expected 3 rows, got 2"));
  options.rows = 2;
  EXPECT_EQ(write({batch}, {}, options).size(), 28);
  const auto other = batch_of({{"target", {1}}, {"x", {1}}});
  options.replace = true;
  const auto writer = create(path(), *batch.schema, options);
  EXPECT_EQ(error_of([&] { writer->write(other); }).kind(), ErrorKind::Argument);
  EXPECT_EQ(folder_.file_count(), 1);  // the finished one
}

}  // namespace
}  // namespace heron
