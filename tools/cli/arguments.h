// How the pieces of a command line are written: lists of names, keys, row numbers, ranges.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heron/dataset.h"
#include "heron/query.h"

namespace heron::cli {

// A whole number without sign. Throws Error(Argument) that begins with `what`.
uint64_t parse_number(std::string_view what, std::string_view text);

// Bytes: a whole number, which K, M, G or T may follow (times 1024, 1024 of those, and so on), or
// KiB and so on. Throws Error(Argument) that begins with `what`.
uint64_t parse_size(std::string_view what, std::string_view text);

// A part of a whole: a number from 0 to 1. Throws Error(Argument) that begins with `what`.
double parse_share(std::string_view what, std::string_view text);

// "a,`b,c`,d": backticks may stand around a name, a backtick within is doubled.
std::vector<std::string> parse_names(std::string_view list);
// One name, with or without backticks.
std::string parse_name(std::string_view text);

// "a,b:desc": names, each with the direction of the order, :asc if none is given.
struct OrderTerm {
  std::string name;
  bool descending = false;
};
std::vector<OrderTerm> parse_order(std::string_view list);

// "5,2,9".
std::vector<uint64_t> parse_row_list(std::string_view list);
// One number a line; blank lines are passed over. "-" is stdin. Throws Error(Io) too.
std::vector<uint64_t> read_row_list(const std::string& path);

// "A:B", either may be left out; cut to the rows there are. Throws Error(Argument) if A is above B.
RowRange parse_range(std::string_view text, uint64_t rows);

// One key: values with commas between, or in quotes as in CSV, and then never the null that a bare
// `null` is; `raw`: dates, times and durations as the numbers that are stored. Throws
// Error(Argument), also for another number of values than columns.
std::vector<Scalar> parse_key(const Schema& columns, std::string_view text, bool raw = false);

}  // namespace heron::cli
