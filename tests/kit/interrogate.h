// Runs every query on possibly damaged bytes, for the corruption test and the fuzzers.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace heron::inline v0 {

// Opens the bytes and requests header, schema, rows in every way, groups, matrices, a key,
// statistics and verify, all with a bounded MemoryBudget. An Error is a valid answer; every byte of
// another answer is touched. If `format` is empty, it is detected. Returns how many queries were
// answered.
int interrogate(std::span<const std::byte> bytes, const std::string& format = {});
// Opens the bytes with one set of options and runs one of these queries of each table, or one of
// each of two columns, which are also grouped, ordered and filtered by, all chosen by the content:
// many inputs a second, as a fuzzer needs, get all of them.
void interrogate_in_part(std::span<const std::byte> bytes, const std::string& format = {});
// Returns whether the bytes begin as a container does, whose payload would be opened.
bool begins_as_container(std::span<const std::byte> bytes);

}  // namespace heron::inline v0
