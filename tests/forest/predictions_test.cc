// Rows with their predictions, and labels compared with the truth.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/balsa/opened_file.h"

namespace heron::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Labels points by their first feature: 0 below 0.5, else 1; two features, two trees alike.
Forest by_first_feature() {
  const BalsaTree tree{2, 2, "fl32", {1, 0, 0}, {2, 0, 0}, {0, 0, 0}, {0.5, 0, 0}, {0, 0, 1}};
  const std::string trees = kBalsaFile.tree(tree) + kBalsaFile.tree(tree);
  return Forest(opened(kBalsaFile.header() + BalsaFile::ensemble(trees, 2, 2)));
}

// A source of rows that returns one batch twice.
class BatchRows final : public RowSource {
 public:
  explicit BatchRows(RowBatch batch) : batch_(std::move(batch)) {}
  const std::string& name() const noexcept override { return name_; }
  const Schema& schema() const override { return *batch_.schema; }
  uint64_t rows() const override { return 2 * batch_.rows; }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns,
                                  const Context&) const override {
    check_columns(columns, schema());
    return std::make_unique<Stream>(batch_, std::vector(columns.begin(), columns.end()));
  }

 private:
  class Stream final : public RowStream {
   public:
    Stream(const RowBatch& batch, std::vector<uint64_t> columns)
        : batch_(batch), columns_(std::move(columns)) {}
    bool next(RowBatch& out) override {
      out = batch_;
      out.columns.clear();
      auto schema = std::make_shared<Schema>();
      for (const uint64_t column : columns_) {
        schema->push_back((*batch_.schema)[column]);
        out.columns.push_back(batch_.columns[column]);
      }
      out.schema = schema;
      if (times_++ < 2) return true;
      out.rows = 0;
      return false;
    }

   private:
    const RowBatch& batch_;
    std::vector<uint64_t> columns_;
    int times_ = 0;
  };

  RowBatch batch_;
  std::string name_ = "points";
};

std::vector<std::string> all_rows(const RowSource& source) {
  std::vector<uint64_t> columns;
  for (uint64_t i = 0; i < source.schema().size(); ++i) columns.push_back(i);
  const auto stream = source.read(columns, {});
  std::vector<std::string> rows;
  for (RowBatch batch; stream->next(batch);) {
    for (std::string& row : json_rows(batch)) rows.push_back(std::move(row));
  }
  return rows;
}

RowSourcePtr points() {
  BatchBuilder builder({nullable_field("id", Type::Text), nullable_field("x", Type::Float32),
                        nullable_field("y", Type::Int64), nullable_field("label", Type::Int8)});
  builder[0].append("a");
  builder[1].append(0.25);
  builder[2].append(1);
  builder[3].append(7);
  builder[0].append("b");
  builder[1].append(0.75);
  builder[2].append(-3);
  builder[3].append_null();
  return std::make_shared<BatchRows>(builder.finish());
}

TEST(Predictions, StandBesideKeptColumns) {
  PredictOptions options;
  options.features = {"x", "y"};
  options.keep = {"id", "label"};
  options.votes = options.probabilities = true;
  const RowSourcePtr rows = predictions(by_first_feature(), points(), options);
  EXPECT_EQ(rows->rows(), 4U);
  const std::string a =
      R"({"id":"a","label":7,"label.1":0,"votes_0":2,"votes_1":0,"probability_0":1.0,"probability_1":0.0})";
  const std::string b =
      R"({"id":"b","label":null,"label.1":1,"votes_0":0,"votes_1":2,"probability_0":0.0,"probability_1":1.0})";
  EXPECT_THAT(all_rows(*rows), ElementsAre(a, b, a, b));
}

TEST(Predictions, FeaturesAreAllThatIsNotKept) {
  PredictOptions options;
  options.keep = {"label", "id"};
  options.weights = {0, 0};
  const RowSourcePtr rows = predictions(by_first_feature(), points(), options);
  ASSERT_EQ(rows->schema().size(), 3U);
  EXPECT_EQ(all_rows(*rows)[1], R"({"label":null,"id":"b","label.1":0})");
}

TEST(Predictions, WrongColumnsAreArguments) {
  const auto refused = [](std::vector<std::string> features, std::vector<std::string> keep,
                          const std::string& text) {
    PredictOptions options;
    options.features = std::move(features);
    options.keep = std::move(keep);
    EXPECT_THAT(error_of(ErrorKind::Argument,
                         [&] { predictions(by_first_feature(), points(), options); }),
                HasSubstr(text));
  };
  refused({"x"}, {}, "expected 2 features");
  refused({}, {}, "expected 2 features");
  refused({"x", "z"}, {}, "no column \"z\"");
  refused({"x", "y"}, {"z"}, "no column \"z\"");
  refused({"id", "y"}, {}, "column \"id\"");
  EXPECT_EQ(error_of([] { predictions(by_first_feature(), nullptr); }).kind(),
            ErrorKind::Argument);
}

TEST(Predictions, NullsAreErrorsOrNaN) {
  PredictOptions options;
  options.features = {"label", "y"};
  const auto refused = predictions(by_first_feature(), points(), options);
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { all_rows(*refused); }),
              HasSubstr("column \"label\", row 1: expected a number, got null"));
  options.nulls_as_nan = true;
  EXPECT_EQ(all_rows(*predictions(by_first_feature(), points(), options))[1], R"({"label":1})");
}

TEST(Predictions, IntegersThatNoDoubleIsEqualToAreRefused) {
  for (const int64_t odd : {(int64_t{1} << 53) + 1, INT64_MAX, -(int64_t{1} << 53) - 1}) {
    BatchBuilder builder({nullable_field("x", Type::Int64), nullable_field("y", Type::Int64)});
    builder[0].append(int64_t{1} << 53);
    builder[1].append(INT64_MIN);
    builder[0].append(odd);
    builder[1].append(0);
    const auto rows =
        predictions(by_first_feature(), std::make_shared<BatchRows>(builder.finish()));
    EXPECT_THAT(error_of(ErrorKind::Argument, [&] { all_rows(*rows); }),
                HasSubstr("column \"x\", row 1: no float64 is equal to"));
  }
}

RowSourcePtr labels(const std::vector<double>& values) {
  BatchBuilder builder({nullable_field("label", Type::Float64)});
  for (const double value : values) builder[0].append(value);
  return std::make_shared<BatchRows>(builder.finish());
}

TEST(Confusion, CountsWhatEachClassWasLabelled) {
  const Confusion all = compare_labels(*labels({0, 0, 1, 1, 2}), *labels({0, 1, 1, 1, 0}), 2);
  ASSERT_EQ(all.classes(), 3U);
  EXPECT_EQ(all.points(), 10U);
  EXPECT_EQ(all.count(0, 1), 2U);
  EXPECT_DOUBLE_EQ(*all.accuracy(), 0.6);
  EXPECT_DOUBLE_EQ(*all.precision(1), 2.0 / 3);
  EXPECT_DOUBLE_EQ(*all.recall(0), 0.5);
  EXPECT_DOUBLE_EQ(*all.f1(1), 0.8);
  EXPECT_EQ(all.precision(2), std::nullopt);
  EXPECT_DOUBLE_EQ(*all.recall(2), 0);
  EXPECT_DOUBLE_EQ(*all.f1(2), 0);
  EXPECT_EQ(error_of([&] { all.count(0, 3); }).kind(), ErrorKind::Argument);
  EXPECT_EQ(Confusion(2).accuracy(), std::nullopt);
}

TEST(Confusion, RefusesWhatIsNoLabel) {
  const auto refused = [](std::vector<double> truth, std::vector<double> given,
                          const std::string& text) {
    EXPECT_THAT(error_of(ErrorKind::Argument,
                         [&] { compare_labels(*labels(truth), *labels(given), 2); }),
                HasSubstr(text));
  };
  refused({0, 0.5}, {0, 0}, "row 1: expected a label from 0 to 254, got 0.5");
  refused({0}, {255}, "got 255");
  refused({0}, {-1}, "got -1");
  refused({0, NAN}, {0, 0}, "row 1");
  refused({0, 0}, {0}, "expected as many labels");
}

}  // namespace
}  // namespace heron::test
