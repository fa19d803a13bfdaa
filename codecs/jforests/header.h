// The head of a file: how many features, rows and queries it has, and the offset of each part. A
// file does not store whether its rows are in queries; the lengths show it, and in files that were
// cut the shape of a record.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/arena.h"
#include "heron/context.h"
#include "heron/file.h"
#include "jforests/options.h"
#include "jforests/record.h"

namespace heron::inline v0::jforests {

class Header {
 public:
  // Reads the counts, the tables of sizes and types, k and L of one record, and the outer query
  // boundaries. Throws Error: Unsupported (another version), Limit (a payload of more features than
  // 2^24, or than its container may decode, or the budget), Corrupt (also for missing or extra
  // bytes, unless the mode is given: then only the bytes read here must exist).
  Header(const ByteSource& bytes, GroupMode mode, const Context& context);

  uint64_t features() const noexcept { return types_.size(); }
  uint64_t rows() const noexcept { return rows_; }
  bool ranking() const noexcept { return ranking_; }
  uint64_t queries() const noexcept { return queries_; }  // 0 unless ranking

  // If the mode was given, the file may end before any of these offsets.
  uint64_t targets_offset() const noexcept { return targets_offset(ranking_); }
  uint64_t boundaries_offset() const noexcept { return end_of_features(ranking_); }
  Claim feature(uint64_t index) const noexcept { return feature(index, ranking_); }

 private:
  void read_counts(const Context& context);
  void read_tables(const Context& context);
  // Returns nullopt if the file ends before the count of queries.
  std::optional<int32_t> stored_queries(const Context& context) const;
  void infer_mode(std::optional<int32_t> queries, const Context& context);
  void take_mode(GroupMode mode, std::optional<int32_t> queries, const Context& context);
  uint64_t checked_queries(std::optional<int32_t> queries) const;
  void check_outer_boundaries(const Context& context) const;
  [[noreturn]] void throw_wrong_length(bool ranking, std::optional<int32_t> queries) const;
  [[noreturn]] void throw_no_mode() const;

  // Offsets in one mode or the other. No sum can wrap: counts and sizes have 31 bits.
  uint64_t end_of_tables() const noexcept;
  uint64_t targets_offset(bool ranking) const noexcept;
  uint64_t end_of_features(bool ranking) const noexcept;
  Claim feature(uint64_t index, bool ranking) const noexcept;
  // Returns why the first record of known type contradicts the mode; empty: it does not.
  std::string fault(bool ranking, const Context& context) const;

  const ByteSource& bytes_;
  uint64_t rows_ = 0;
  bool ranking_ = false;
  uint64_t queries_ = 0;
  std::unique_ptr<Arena> tables_;
  std::span<uint64_t> starts_;  // offsets of the records, relative to the first, and their end
  std::span<uint8_t> types_;
};

}  // namespace heron::inline v0::jforests
