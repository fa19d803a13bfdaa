// Records of any length, in memory, spilled and merged in levels, against a plain sort.
#include "sort/sorter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

#include "kit/on_threads.h"
#include "temp_folder.h"

namespace heron {
namespace {

using Records = std::vector<std::string>;

// Returns records of which many begin alike, and some are longer than one read of a run.
Records some_records(uint64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  Records records;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t length = random() % 500 == 0 ? 9'000 + random() % 9'000 : 2 + random() % 20;
    std::string record = "shared";
    for (uint64_t k = 0; k < length; ++k) record += static_cast<char>(random() % 3 - 1);
    records.push_back(record);
  }
  return records;
}

Records read_all(const Sorter& sorter) {
  Records records;
  SortedRecords sorted(sorter);
  for (std::string_view record; sorted.next(record);) records.emplace_back(record);
  return records;
}

Records first_of(Records records, uint64_t limit) {
  std::ranges::sort(records);
  records.resize(std::min<uint64_t>(records.size(), limit));
  return records;
}

TEST(Sorter, GivesTheFirstRecordsInOrder) {
  const test::TempFolder folder;
  const Records records = some_records(30'000, 1);
  for (const unsigned threads : {1U, 4U}) {
    for (const uint64_t memory : {uint64_t{4096}, uint64_t{200'000}, UINT64_MAX}) {
      for (const uint64_t limit : {uint64_t{0}, uint64_t{1}, uint64_t{17}, uint64_t{9'000},
                                   uint64_t{30'000}, UINT64_MAX}) {
        Sorter sorter({limit, memory, folder / "records"}, on_threads(threads));
        for (const std::string& record : records) {
          sorter.add(std::string_view(record).substr(0, 7), std::string_view(record).substr(7));
        }
        sorter.finish();
        if (limit > 17) {
          EXPECT_EQ(sorter.has_spilled(), memory <= 200'000);
        } else if (memory > 4096) {
          EXPECT_FALSE(sorter.has_spilled());
        }
        const Records expected = first_of(records, limit);
        EXPECT_EQ(sorter.size(), expected.size());
        EXPECT_EQ(read_all(sorter), expected) << limit << " of " << memory << " on " << threads;
        EXPECT_EQ(read_all(sorter), expected);
      }
    }
  }
  EXPECT_EQ(folder.file_count(), 0);
}

TEST(Sorter, TakesTheRecordsOfOthers) {
  const test::TempFolder folder;
  for (const uint64_t memory : {uint64_t{300'000}, UINT64_MAX}) {
    for (const uint64_t limit : {uint64_t{5}, uint64_t{20'000}}) {
      Records records;
      Sorter sorter({limit, memory, folder / "records"}, {});
      for (uint64_t part = 0; part < 9; ++part) {
        Sorter other({.limit = limit}, {});
        other.set_bound(sorter.bound());
        for (const std::string& record : some_records(3'000, part)) {
          other.add(record, {});
          records.push_back(record);
        }
        sorter.add(std::move(other));
      }
      sorter.finish();
      EXPECT_TRUE(limit != 5 || !sorter.bound().empty());
      EXPECT_EQ(read_all(sorter), first_of(records, limit));
    }
  }
}

// The pairs have few keys, so that numbers decide, or keys that differ in their highest and lowest
// bits.
TEST(Sorter, PairsOfNumbers) {
  const test::TempFolder folder;
  for (const unsigned threads : {1U, 4U}) {
    for (const uint64_t memory : {uint64_t{100'000}, UINT64_MAX}) {
      std::mt19937_64 random(5);
      Records records;
      Sorter sorter({.memory_bytes = memory, .path = folder / "pairs", .numbers = true},
                    on_threads(threads));
      for (uint64_t part = 0; part < 9; ++part) {
        Sorter other({.numbers = true}, {});
        for (uint64_t i = 0; i < 3'000; ++i) {
          const uint64_t draw = random(), number = random() % 100;
          const uint64_t key = draw % 2 == 0 ? draw : draw % 5 << (draw % 3 * 30);
          other.add(key, number);
          records.push_back(std::string(view(sortable(key))) + std::string(view(sortable(number))));
        }
        sorter.add(std::move(other));
      }
      sorter.finish();
      EXPECT_EQ(sorter.has_spilled(), memory != UINT64_MAX);
      EXPECT_EQ(read_all(sorter), first_of(records, UINT64_MAX));
    }
  }
}

TEST(Sorter, ManyReadItAtOnce) {
  const test::TempFolder folder;
  const Records records = some_records(5'000, 3), expected = first_of(records, UINT64_MAX);
  Sorter sorter({.memory_bytes = 20'000, .path = folder / "records"}, {});
  for (const std::string& record : records) sorter.add(record, {});
  sorter.finish();
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) readers.emplace_back([&] { EXPECT_EQ(read_all(sorter), expected); });
  for (std::thread& reader : readers) reader.join();
}

TEST(Sorter, NumbersSortAsBytes) {
  std::vector<uint64_t> numbers = {0, 1, 255, 256, 65'535, uint64_t{1} << 40, UINT64_MAX};
  for (const uint64_t a : numbers) {
    EXPECT_EQ(number_at_end("abc" + std::string(view(sortable(a)))), a);
    for (const uint64_t b : numbers) EXPECT_EQ(view(sortable(a)) < view(sortable(b)), a < b);
  }
}

TEST(Sorter, KeepsToItsBudget) {
  Context context;
  context.memory = std::make_shared<MemoryBudget>(1 << 20);
  EXPECT_EQ(sort_memory(UINT64_MAX, context), (1 << 20) / 4);
  EXPECT_EQ(sort_memory(1000, context), 1000);
  EXPECT_EQ(sort_memory(UINT64_MAX, {}), UINT64_MAX);
  const Records records = some_records(100'000, 4);
  const auto add_all = [&](uint64_t memory) {
    const test::TempFolder folder;
    Sorter sorter({.memory_bytes = memory, .path = folder / "records"}, context);
    for (const std::string& record : records) sorter.add(record, {});
    sorter.finish();
    EXPECT_LE(context.memory->used(), uint64_t{1} << 20);
  };
  add_all(sort_memory(UINT64_MAX, context));
  EXPECT_EQ(context.memory->used(), 0);
  EXPECT_THROW(add_all(UINT64_MAX), Error);
}

}  // namespace
}  // namespace heron
