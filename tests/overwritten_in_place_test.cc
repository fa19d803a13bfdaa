// Other threads write to a file while it is open: every query ends in an answer of the file that
// was opened or in Error(Changed), and never in a signal. Writes come at random moments; a few
// rounds are tried each time, HERON_RACE_ROUNDS says how many.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <thread>

#include "base/fail.h"
#include "bytes/byte_source.h"
#include "files/formats.h"
#include "files/open.h"
#include "heron/heron.h"
#include "kit/batch_rows.h"
#include "kit/questions.h"
#include "kit/random_batch.h"
#include "kit/real_files.h"
#include "temp_folder.h"

namespace heron {
namespace {

constexpr uint64_t kFileRows = 6000;

uint64_t rounds() {
  const char* given = std::getenv("HERON_RACE_ROUNDS");
  return given == nullptr ? 6 : std::strtoull(given, nullptr, 10);
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Writes to a file at random moments, as long as it lives.
class Overwriter {
 public:
  Overwriter(const std::string& path, std::string_view other, uint64_t seed)
      : file_(::open(path.c_str(), O_RDWR | O_CLOEXEC)),
        size_(std::filesystem::file_size(path)),
        other_(other),
        random_(seed),
        thread_([this] { run(); }) {}
  ~Overwriter() {
    stop_ = true;
    thread_.join();
    ::close(file_);
  }
  Overwriter(const Overwriter&) = delete;
  Overwriter& operator=(const Overwriter&) = delete;

 private:
  void run() {
    wait(2000);
    const uint64_t way = random_() % 5;
    const uint64_t most = random_() % 2 == 0 ? size_ : std::min<uint64_t>(size_, 4096);
    while (!stop_) {
      const uint64_t bytes = 1 + random_() % most;
      const uint64_t at = random_() % (size_ - bytes + 1);
      if (way == 4) {
        cut_and_grow(at);
      } else {
        put(at, content(way, at, bytes));
      }
      wait(50);
    }
  }

  std::string content(uint64_t way, uint64_t at, uint64_t bytes) {
    if (way == 0) return std::string(bytes, '\0');
    if (way == 1) return std::string(bytes, '\xff');
    std::string some(bytes, ' ');
    for (uint64_t i = 0; i < bytes; ++i) {
      const bool from_other = way == 2 && at + i < other_.size();
      some[i] = from_other ? other_[at + i] : static_cast<char>(random_());
    }
    return some;
  }
  void put(uint64_t at, const std::string& content) {
    EXPECT_GE(::pwrite(file_, content.data(), content.size(), static_cast<off_t>(at)), 0);
  }
  void cut_and_grow(uint64_t at) {
    EXPECT_EQ(::ftruncate(file_, static_cast<off_t>(at)), 0);
    wait(20);
    EXPECT_EQ(::ftruncate(file_, static_cast<off_t>(size_)), 0);
  }
  void wait(uint64_t most_microseconds) {
    std::this_thread::sleep_for(std::chrono::microseconds(random_() % most_microseconds));
  }

  const int file_;
  const uint64_t size_;
  const std::string_view other_;
  std::mt19937_64 random_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

// Makes files of a format; the same seed gives the same file.
struct FileKind {
  std::string name;
  std::function<void(const std::string& path, uint64_t seed)> make;
};

RowBatch rows_of(const std::vector<std::pair<std::string, Type>>& columns, uint64_t seed) {
  auto schema = std::make_shared<Schema>();
  for (const auto& [name, type] : columns) {
    Field& field = schema->emplace_back();
    field.name = name;
    field.type = type;
  }
  const bool has_nulls = columns.front().second.is(Type::Int64);
  RowBatch batch = random_batch(schema, kFileRows, has_nulls ? 0.1 : 0, seed);
  if (columns.front().first != "id") return batch;
  auto* ids = batch.memory->allocate_array<int64_t>(kFileRows);
  for (uint64_t row = 0; row < kFileRows; ++row) ids[row] = static_cast<int64_t>(2 * row + seed);
  batch.columns[0] = Values(Type::Int64, kFileRows);
  batch.columns[0].data = {reinterpret_cast<const std::byte*>(ids), kFileRows * sizeof *ids};
  return batch;
}

void make_jay(const std::string& path, uint64_t seed) {
  convert(batch_rows(rows_of({{"id", Type::Int64},
                              {"s", Type::Text},
                              {"t", Type::Text},
                              {"l", Type::list(Type::Text)},
                              {"n", Type::list(Type::list(Type::Int32))},
                              {"b", Type::Bool},
                              {"i", Type::Int32},
                              {"d", Type::Date32},
                              {"f", Type::Float64},
                              {"g", Type::Float32}},
                             seed),
                     kFileRows),
          path);
}

auto idv_maker(std::optional<int> compression) {
  return [compression](const std::string& path, uint64_t seed) {
    ConvertOptions options;
    options.write.set("block_rows", 1000);
    if (compression) options.write.set("compression", *compression);
    std::vector<std::pair<std::string, Type>> columns = {{"s", Type::Text}, {"f", Type::Float64}};
    for (const Type& type : types_of_vectors_and_ticks()) {
      columns.emplace_back(concat("c", columns.size()), type);
    }
    columns.emplace_back("v", Type::vector(Type::Float32, 0));
    convert(batch_rows(rows_of(columns, seed), kFileRows), path, options);
  };
}

void make_floats(const std::string& path, uint64_t seed) {
  convert(batch_rows(rows_of({{"target", Type::Float64},
                              {"a", Type::Float64},
                              {"b", Type::Float64},
                              {"c", Type::Float64}},
                             seed),
                     kFileRows),
          path);
}

auto arrow_maker(std::string body_compression) {
  return [body_compression](const std::string& path, uint64_t seed) {
    ConvertOptions options;
    options.write.set("batch_rows", 1000);
    options.write.set("body_compression", body_compression);
    std::vector<std::pair<std::string, Type>> columns = {{"id", Type::Int64},
                                                         {"s", Type::Text},
                                                         {"b", Type::Bool},
                                                         {"f", Type::Float32},
                                                         {"l", Type::list(Type::Text)},
                                                         {"m", Type::decimal(18, 2)},
                                                         {"y", Type::Binary}};
    for (const Type& type : types_of_other_times()) {
      columns.emplace_back(concat("c", columns.size()), type);
    }
    convert(batch_rows(rows_of(columns, seed), kFileRows), path, options);
  };
}

auto real_file(std::string name) {
  return [name](const std::string& path, uint64_t) {
    std::filesystem::copy_file(data_dir() / name, path);
  };
}

void make_treezip(const std::string& path, uint64_t) {
  wrap(data_dir() / "jay/types_stats.jay", path);
}

std::vector<FileKind> kinds() {
  return {{"jay", make_jay},
          {"idv", idv_maker({})},
          {"idv_none", idv_maker(0)},
          {"bin", make_floats},
          {"bin_ranking", real_file("jforests/letor_like_medium.bin")},
          {"balsa", make_floats},
          {"balsa_forest", real_file("balsa/f-fl32-5trees.balsa")},
          {"tz", make_treezip},
          {"arrow", arrow_maker("none")},
          {"arrow_lz4", arrow_maker("lz4")},
          {"arrow_zstd", arrow_maker("zstd")},
          {"arrow_views", real_file("arrow/views_and_runs.arrow")},
          {"arrow_codes", real_file("arrow/dictionary_deltas_file.arrow")},
          {"npy", make_floats},
          {"safetensors", make_floats},
          {"svmlight", make_floats}};
}

class OverwrittenInPlace : public testing::TestWithParam<FileKind> {
 protected:
  OverwrittenInPlace() {
    GetParam().make(made("first"), 1);
    GetParam().make(made("other"), 2);
    first_ = content_of(made("first"));
    other_ = content_of(made("other"));
    const auto whole = open(made("first"));
    for (const Question& question : questions()) {
      Said said;
      question.ask(*whole, {}, said);
      expected_.push_back(said.sum());
    }
  }

  std::string made(const char* name) const {
    const std::string& kind = GetParam().name;
    return folder_ / concat(name, '.', kind.substr(0, kind.find('_')));
  }

  // Returns a new file, last written to long ago, so that another write is seen by its time.
  std::string fresh() {
    const std::string path = made("raced");
    std::filesystem::remove(path);
    std::ofstream(path, std::ios::binary) << first_;
    const timespec long_ago[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
    EXPECT_EQ(::utimensat(AT_FDCWD, path.c_str(), long_ago, 0), 0);
    return path;
  }

  void ask(const File& opened, uint64_t i, const Context& context) {
    Said said;
    questions()[i].ask(opened, context, said);
    EXPECT_EQ(said.sum(), expected_[i]) << questions()[i].name << " answers otherwise";
    ++answered_;
  }

  void race(uint64_t seed) {
    std::mt19937_64 random(seed);
    Context context;
    context.threads = random() % 2 == 0 ? 1 : 2;
    const std::string path = fresh();
    const auto bytes = open_file(path, random() % 8 != 0);
    const Overwriter overwriter(path, other_, seed);
    for (int attempt = 0; attempt < 12; ++attempt) {
      const uint64_t i = random() % questions().size();
      try {
        ask(*open_source(bytes, {}, context), i, context);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Changed) << questions()[i].name << ": " << error.what();
        ++refused_;
        if (random() % 3 == 0) return;
      }
    }
  }

  // Races queries of a dataset that was opened before.
  void race_opened(uint64_t seed) {
    std::mt19937_64 random(seed);
    Context context;
    context.threads = random() % 2 == 0 ? 1 : 2;
    const std::string path = fresh();
    const auto opened = open_source(open_file(path, true), {}, context);
    const Overwriter overwriter(path, other_, seed);
    for (int attempt = 0; attempt < 12; ++attempt) {
      const uint64_t i = random() % questions().size();
      try {
        ask(*opened, i, context);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Changed) << questions()[i].name << ": " << error.what();
        ++refused_;
      }
    }
  }

  // Races calls that open the file themselves or write another: any Error is accepted.
  void race_files(uint64_t seed) {
    const std::string path = fresh();
    const auto table = open(path)->tables().front();
    const Overwriter overwriter(path, other_, seed);
    const auto attempt = [&](auto call) {
      try {
        call();
        ++answered_;
      } catch (const Error&) {
        ++refused_;
      }
    };
    attempt([&] {
      ConvertOptions options;
      options.write.replace = options.cast = options.drop_unsupported = true;
      convert(table_rows(Projection(table)), folder_ / "out.jay", options);
    });
    attempt([&] { write_index(path); });
    attempt([&] { open(path)->tables().front()->schema(); });
    attempt([&] { verify(*open(path)); });
    attempt([&] { compare_index(path); });
  }

  test::TempFolder folder_{test::memory_folder()};
  std::string first_, other_;
  std::vector<uint64_t> expected_;  // expected checksum of each question
  uint64_t answered_ = 0, refused_ = 0;
};

TEST_P(OverwrittenInPlace, AnswersTheFileThatWasOpenedOrSaysThatItChanged) {
  // On a busy machine small files are read before a write: rounds go on until one was in time.
  const auto goes_on = [&](uint64_t seed) {
    return seed < rounds() || (refused_ == 0 && seed < 100 * rounds());
  };
  for (uint64_t seed = 0; goes_on(seed) && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    seed % 2 == 0 ? race(seed) : race_opened(seed);
    race_files(seed);
  }
  RecordProperty("answered", std::to_string(answered_));
  RecordProperty("refused", std::to_string(refused_));
  EXPECT_GT(refused_, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, OverwrittenInPlace, testing::ValuesIn(kinds()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace heron
