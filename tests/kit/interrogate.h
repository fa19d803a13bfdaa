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
// Runs some of these queries: each column gets one, and the file is opened with one set of further
// options, all chosen by the content, half of the files without a budget. Many inputs a second, as a
// fuzzer needs, get all of them.
void interrogate_in_part(std::span<const std::byte> bytes, const std::string& format = {});

}  // namespace heron::inline v0
