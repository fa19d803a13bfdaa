// Errors during a conversion: no file of that name appears, no other file is left in the folder, no
// file stays open. Several files are converted together, too.
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>

#include "base/fail.h"
#include "files/formats.h"
#include "files/open.h"
#include "heron/heron.h"
#include "kit/batch_rows.h"
#include "kit/conversions.h"
#include "kit/random_batch.h"
#include "kit/test_names.h"
#include "kit/written_formats.h"
#include "temp_folder.h"

namespace heron {
namespace {

std::shared_ptr<BatchRows> numbers(uint64_t rows, uint64_t seed = 1, Type type = Type::Float64) {
  auto schema = std::make_shared<Schema>();
  for (const char* name : {"target", "a", "b"}) {
    Field& field = schema->emplace_back();
    field.name = name;
    field.type = type;
  }
  return batch_rows(random_batch(schema, rows, 0, seed), 1000);
}

// A source that fails after `batches` batches.
class FailingRows final : public RowSource {
 public:
  FailingRows(RowSourcePtr rows, uint64_t batches) : rows_(std::move(rows)), batches_(batches) {}

  const std::string& name() const noexcept override { return rows_->name(); }
  const Schema& schema() const override { return rows_->schema(); }
  uint64_t rows() const override { return rows_->rows(); }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns,
                                  const Context& context) const override {
    return std::make_unique<Stream>(rows_->read(columns, context), batches_);
  }

 private:
  class Stream final : public RowStream {
   public:
    Stream(std::unique_ptr<RowStream> rows, uint64_t batches)
        : rows_(std::move(rows)), left_(batches) {}
    bool next(RowBatch& batch) override {
      if (left_-- == 0) fail(ErrorKind::Corrupt, "made.file", "is damaged");
      return rows_->next(batch);
    }

   private:
    std::unique_ptr<RowStream> rows_;
    uint64_t left_;
  };

  RowSourcePtr rows_;
  uint64_t batches_;
};

auto open_files() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

class ConvertFaults : public testing::TestWithParam<const Format*> {
 protected:
  ConvertFaults() { convert(numbers(1), out_, {}), std::filesystem::remove(out_); }

  // Expects errors from conversions into one file and into parts, with and without a key.
  void expect_fails(const RowSourcePtr& rows, ErrorKind kind, const Context& context = {}) {
    const auto before = open_files();
    for (const uint64_t rows_per_file : {0, 1500}) {
      for (const bool sorted : {false, true}) {
        ConvertOptions options;
        options.rows_per_file = rows_per_file;
        options.foresee_rounding = false;
        if (sorted && GetParam()->write_support->keys) options.key = {"a"};
        try {
          convert(rows, out_, options, context);
          ADD_FAILURE() << "was written";
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), kind) << error.what();
        }
        EXPECT_EQ(folder_.file_count(), 0);
        EXPECT_EQ(open_files(), before);
      }
    }
  }

  test::TempFolder folder_{test::memory_folder()};
  std::string out_ = folder_ / concat("out", GetParam()->extension);
};

TEST_P(ConvertFaults, RowsThatCannotBeRead) {
  for (const uint64_t batches : {0, 1, 4}) {
    expect_fails(std::make_shared<FailingRows>(numbers(10'000), batches), ErrorKind::Corrupt);
  }
}

TEST_P(ConvertFaults, Cancelled) {
  std::atomic<bool> cancel{true};
  Context context;
  context.cancel = &cancel;
  expect_fails(numbers(10'000), ErrorKind::Cancelled, context);
  cancel = false;
  uint64_t steps = 0;
  context.progress = [&](uint64_t, uint64_t) { cancel = ++steps % 4 == 0; };
  expect_fails(numbers(10'000), ErrorKind::Cancelled, context);
}

// The file exceeds the size limit, as on a full disk.
TEST_P(ConvertFaults, NoSpaceForTheFile) {
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{20'000, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  expect_fails(numbers(10'000), ErrorKind::Write);
  EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::signal(SIGXFSZ, handler);
}

TEST_P(ConvertFaults, NoFolder) {
  out_ = folder_ / concat("none/out", GetParam()->extension);
  expect_fails(numbers(10), ErrorKind::Write);
}

TEST_P(ConvertFaults, AFileThatIsThereStays) {
  const std::string path = folder_.write(concat("out", GetParam()->extension), "mine");
  EXPECT_THROW(convert(numbers(10), path), Error);
  EXPECT_EQ(folder_.read(concat("out", GetParam()->extension)), "mine");
  ConvertOptions options;
  options.write.replace = true;
  EXPECT_THROW(convert(std::make_shared<FailingRows>(numbers(5'000), 2), path, options), Error);
  EXPECT_EQ(folder_.read(concat("out", GetParam()->extension)), "mine");
  convert(numbers(10), path, options);
  EXPECT_EQ(exact_file(path).rows, 10U);
  EXPECT_EQ(folder_.file_count(), 1);
}

TEST_P(ConvertFaults, TooLittleMemoryForACast) {
  const RowSourcePtr keyed = numbers(10'000, 1, Type::UInt64);
  Context context;
  context.memory = std::make_shared<MemoryBudget>(1000);
  ConvertOptions options;
  options.cast = true;
  const auto before = open_files();
  try {
    convert(keyed, out_, options, context);  // a format that takes them as they are needs none
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Limit) << error.what();
    EXPECT_EQ(folder_.file_count(), 0);
  }
  EXPECT_EQ(context.memory->used(), 0U);
  EXPECT_EQ(open_files(), before);
}

// Each source becomes a file of its own; where values are rounded by ranges, by the ranges of all.
TEST_P(ConvertFaults, SeveralTogether) {
  const std::vector<RowSourcePtr> sources = {numbers(3000, 1), numbers(10, 2), numbers(0, 3)};
  const std::vector<std::string> outs = {folder_ / concat("x", GetParam()->extension),
                                         folder_ / concat("y", GetParam()->extension),
                                         folder_ / concat("z", GetParam()->extension)};
  const ConvertReport report = convert(sources, outs);
  EXPECT_EQ(report.files, outs);
  EXPECT_EQ(report.rows, 3010U);
  for (size_t i = 0; i < outs.size(); ++i) {
    const ExactTable before = exact_table(*sources[i]), after = exact_file(outs[i]);
    ASSERT_EQ(after.rows, before.rows);
    for (size_t column = 0; column < before.columns.size(); ++column) {
      for (size_t row = 0; row < before.rows; ++row) {
        EXPECT_NEAR(as_double(after.columns[column][row]), as_double(before.columns[column][row]),
                    report.columns[column].largest_change);
      }
      if (GetParam()->write_support->expected_loss == nullptr || column == 0) continue;
      const auto range = [&](const std::string& file) {
        std::string text;
        for (const Metadata& one : open(file)->table()->metadata(column)) {
          if (one.name == "min" || one.name == "max") text += one.text + ' ';
        }
        return text;
      };
      EXPECT_EQ(range(outs[i]), range(outs[0]));
    }
  }
}

TEST_P(ConvertFaults, SeveralOfOtherColumns) {
  auto other = numbers(10, 2, Type::Float32);
  other->given_name = "other.file";
  const std::vector<RowSourcePtr> sources = {numbers(10), other};
  const std::vector<std::string> outs = {folder_ / concat("x", GetParam()->extension),
                                         folder_ / concat("y", GetParam()->extension)};
  try {
    convert(sources, outs);
    ADD_FAILURE() << "was written";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Argument);
    EXPECT_NE(std::string(error.what()).find("other.file"), std::string::npos) << error.what();
  }
  // One of the outputs fails at its end: none appears.
  const std::vector<RowSourcePtr> failing = {numbers(10),
                                             std::make_shared<FailingRows>(numbers(3000), 2)};
  EXPECT_THROW(convert(failing, outs), Error);
  EXPECT_EQ(folder_.file_count(), 0);
}

INSTANTIATE_TEST_SUITE_P(Formats, ConvertFaults, testing::ValuesIn(written_formats()), TestName());

}  // namespace
}  // namespace heron
