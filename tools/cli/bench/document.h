// The report of `heron bench` as JSON: bench/README.md says what each member means.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/measurement.h"
#include "heron/text.h"
#include "output/row_writer.h"

namespace heron::cli::bench {

using Json = nlohmann::ordered_json;

Json document_of(const Plan& plan, const Report& report);
// Reads a report written earlier. Throws Error: Io, Corrupt.
Json read_document(const std::string& path);
// Merges the reports of several runs into one document.
Json merge_documents(const std::vector<std::string>& paths);
// Adds to each result how it compares with the result of the same question, mode and file name in
// the baseline: `slower`, `faster`, or `same` within the noise. Returns how many were compared.
uint64_t compare_with(Json& document, const Json& baseline);

// Prints results as lines: for people, or as CSV.
void print_lines(const Json& document, const OutputForm& form, TextSink& sink);
void print_document(const Json& document, TextSink& sink);
// Prints the page: everything in one file.
void print_page(const Json& document, TextSink& sink);

}  // namespace heron::cli::bench
