// Options of jforests files.
#pragma once

#include <cstdint>
#include <string>

namespace heron::inline v0 {

// How to show numbers that a file stores as codes into a table of scaled integers.
enum class CodedValues : uint8_t { Original /* scaled back, float64 */, Scaled, Index };

// Whether the rows of a file are in groups, which the file does not store.
enum class GroupMode : uint8_t { Infer, Ranking /* in groups */, Plain /* not in groups */ };

struct JforestsOpenOptions {
  CodedValues values = CodedValues::Original;
  GroupMode mode = GroupMode::Infer;

  bool operator==(const JforestsOpenOptions&) const = default;
};

struct JforestsWriteOptions {
  // The columns with the targets and with the queries; empty: "target", and "query" if it exists.
  std::string label_column = {};
  std::string group_column = {};

  bool operator==(const JforestsWriteOptions&) const = default;
};

}  // namespace heron::inline v0
