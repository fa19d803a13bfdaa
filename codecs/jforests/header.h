// The head of a file and what follows from it: how many features, rows and queries, and where each
// part lies. Nothing in a file says whether its rows are in queries; the lengths tell, and on files
// that were cut the shape of a record.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heron/dataset.h"
#include "jforests/record.h"

namespace heron::inline v0::jforests {

class Header {
 public:
  // Reads the counts, the tables of sizes and types, of one record k and L, and the outer query
  // boundaries. Throws Error: Unsupported (another version), Corrupt (also for bytes that are
  // missing or too many, unless the mode is given: then only what is here must be there).
  Header(const ByteSource& bytes, GroupMode mode, const Context& context);

  uint64_t features() const noexcept { return types_.size(); }
  uint64_t rows() const noexcept { return rows_; }
  bool ranking() const noexcept { return ranking_; }
  uint64_t queries() const noexcept { return queries_; }  // 0 unless ranking

  // From here on nothing need be in the file if the mode was given.
  uint64_t targets_offset() const noexcept { return targets_offset(ranking_); }
  uint64_t boundaries_offset() const noexcept { return end_of_features(ranking_); }
  Claim feature(uint64_t index) const noexcept { return feature(index, ranking_); }

 private:
  void read_counts(const Context& context);
  void read_tables(const Context& context);
  // Null: the file ends before it.
  std::optional<int32_t> stored_queries(const Context& context) const;
  void infer_mode(std::optional<int32_t> queries, const Context& context);
  void take_mode(GroupMode mode, std::optional<int32_t> queries, const Context& context);
  uint64_t checked_queries(std::optional<int32_t> queries) const;
  void check_outer_boundaries(const Context& context) const;
  [[noreturn]] void throw_wrong_length(bool ranking, std::optional<int32_t> queries) const;
  [[noreturn]] void throw_no_mode() const;

  // As they are in one mode or the other. No sum can wrap: counts and sizes have 31 bits.
  uint64_t end_of_tables() const noexcept;
  uint64_t targets_offset(bool ranking) const noexcept;
  uint64_t end_of_features(bool ranking) const noexcept;
  Claim feature(uint64_t index, bool ranking) const noexcept;
  // Why the file is not of this mode by its first record of known type; empty: it may be.
  std::string fault(bool ranking, const Context& context) const;

  const ByteSource& bytes_;
  uint64_t rows_ = 0;
  bool ranking_ = false;
  uint64_t queries_ = 0;
  std::vector<uint64_t> starts_;  // of the records, from the first one; and where the last ends
  std::vector<uint8_t> types_;
};

}  // namespace heron::inline v0::jforests
