// Parses values on the command line: lists of names, keys, row numbers, ranges.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heron/query.h"
#include "heron/values.h"

namespace heron::cli {

// Parses a whole number without sign. Throws Error(Argument) that begins with `what`.
uint64_t parse_number(std::string_view what, std::string_view text);

// Parses the number of a row. Throws Error(Argument) that begins with `what`, which for a negative
// number names the verb that counts from the end.
uint64_t parse_row(std::string_view what, std::string_view text);

// Parses a size in bytes: a whole number, optionally followed by K, M, G or T (times 1024, 1024 of
// those, and so on), or KiB and so on. Throws Error(Argument) that begins with `what`.
uint64_t parse_size(std::string_view what, std::string_view text);

// Parses a share of a whole: a number from 0 to 1. Throws Error(Argument) that begins with `what`.
double parse_share(std::string_view what, std::string_view text);

// Parses "a,`b,c`,d": names may be in backticks; a backtick inside is doubled.
std::vector<std::string> parse_names(std::string_view list);
// Parses "a, `b,c`, upper(d) as e": names as parse_names() takes them, or expressions, which have
// their commas in brackets or quotes.
std::vector<std::string> parse_columns(std::string_view list);
// Parses one name, with or without backticks.
std::string parse_name(std::string_view text);

// Parses "a,b:desc": names, each with the direction of the order, :asc if none is given.
std::vector<OrderBy> parse_order(std::string_view list);

// Parses "5,2,9".
std::vector<uint64_t> parse_row_list(std::string_view list);
// Reads one number per line; blank lines are ignored. "-" is stdin. Throws Error(Io) too.
std::vector<uint64_t> read_row_list(const std::string& path);

// Parses "A:B", either may be omitted; clipped to the rows of the table. Throws Error(Argument) if
// A is above B.
RowRange parse_range(std::string_view text, uint64_t rows);

// Parses one key: values separated by commas, or quoted as in CSV; a quoted `null` is text, a bare
// one is null. `raw`: dates, times and durations as stored numbers. Throws Error(Argument), also if
// the numbers of values and columns differ.
std::vector<Scalar> parse_key(const Schema& columns, std::string_view text, bool raw = false);

}  // namespace heron::cli
