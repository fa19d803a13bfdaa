#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "heron/aggregate.h"
#include "heron/context.h"
#include "heron/file.h"
#include "heron/table.h"
#include "heron/text.h"
#include "output/json_writer.h"
#include "output/printable.h"
#include "parsing/options.h"
#include "session.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

struct InfoVerbOptions {
  bool labels = false;
};
constexpr Option kLabels{
    .names = "--labels",
    .value = "",
    .what = "also print the size of the largest group and how many rows have each label",
    .read = into<&InfoVerbOptions::labels>,
    .elsewhere = "--label-counts"};

// The results of --labels; empty without it.
struct Labels {
  std::optional<uint64_t> largest_group;  // number of rows of the largest group
  // Each label and its number of rows, ascending.
  std::optional<std::vector<std::pair<std::string, uint64_t>>> counts;
};

uint64_t largest_group(const Table& table) {
  uint64_t rows = 0;
  for (uint64_t i = 0; i < table.group_count(); ++i) rows = std::max(rows, table.group(i).rows());
  return rows;
}

Labels labels_of(const std::shared_ptr<const Table>& table, const Context& context) {
  Labels labels;
  if (table->group_count() > 0) labels.largest_group = largest_group(*table);
  if (const std::optional<uint64_t> column = table->label_column()) {
    const Projection label(table, std::array{*column});
    labels.counts.emplace();
    for (const auto& [value, rows] : count_values(label, 0, context)) {
      labels.counts->emplace_back(to_text(label.schema()->front().type, value), rows);
    }
  }
  return labels;
}

void print_table(JsonWriter& to, const Table& table, const Labels& labels) {
  to.begin_object();
  to.member("name", table.name());
  to.member("rows", table.rows());
  to.member("columns", table.column_count());
  to.member("blocks", table.block_count());
  if (table.group_count() > 0) to.member("groups", table.group_count());
  if (labels.largest_group.has_value()) to.member("largest_group", *labels.largest_group);
  if (labels.counts.has_value()) {
    to.name("labels").begin_object();
    for (const auto& [label, rows] : *labels.counts) to.member(label, rows);
    to.end_object();
  }
  to.end_object();
}

// Prints the header; of several values with one name, the last one.
void print_header(JsonWriter& to, std::span<const std::pair<std::string, std::string>> header) {
  std::map<std::string_view, std::string_view> last;
  for (const auto& [name, value] : header) last[name] = value;
  to.name("header").begin_object();
  for (const auto& [name, value] : header) {
    if (const auto node = last.extract(name)) to.member(name, node.mapped());
  }
  to.end_object();
}

void print_entries(JsonWriter& to, std::span<const ArchiveEntry> entries) {
  to.name("entries").begin_array();
  for (const ArchiveEntry& entry : entries) {
    to.begin_object();
    to.member("path", entry.path);
    to.member("bytes", entry.bytes);
    to.member("stored_bytes", entry.stored_bytes);
    to.member("encoding", entry.encoding);
    to.member("format", entry.format);
    if (!entry.reason.empty()) to.member("reason", entry.reason);
    to.end_object();
  }
  to.end_array();
}

void print_document(JsonWriter to, const File& file, const std::vector<Labels>& labels) {
  to.begin_object();
  to.member("path", file.path());
  to.member("format", file.format());
  to.name("containers").begin_array();
  for (const std::string& container : file.containers()) to.value(container);
  to.end_array();
  to.member("size_bytes", file.size_bytes());
  to.name("tables").begin_array();
  for (uint64_t i = 0; i < labels.size(); ++i) {
    print_table(to, *file.tables()[i], labels[i]);
  }
  to.end_array();
  if (!file.entries().empty()) print_entries(to, file.entries());
  print_header(to, file.header());
  to.end_object();
}

// Prints lines of a name and its value. Names may come from the file.
class Lines {
 public:
  Lines(TextSink& sink, const File& file) : sink_(sink) {
    constexpr uint32_t kMinCells = 12, kMaxCells = 24;
    uint32_t longest = 0;
    for (const auto& [name, value] : file.header()) {
      StringSink unseen;
      longest = std::max(longest, append_printable(unseen, name));
    }
    name_cells_ = std::clamp(longest, kMinCells, kMaxCells);
  }

  void add(std::string_view name, std::string_view text) {
    for (uint32_t cells = append_printable(sink_, name); cells < name_cells_; ++cells) {
      sink_.append(' ');
    }
    sink_.append(' ');
    append_printable(sink_, text);
    sink_.append('\n');
  }

 private:
  TextSink& sink_;
  uint32_t name_cells_;
};

void print_table(Lines& lines, const Table& table, const Labels& labels) {
  const uint64_t groups = table.group_count();
  lines.add("table", fmt::format("{}: {}, {}, {}{}", table.name(), counted(table.rows(), "row"),
                                 counted(table.column_count(), "column"),
                                 counted(table.block_count(), "block"),
                                 groups > 0 ? ", " + counted(groups, "group") : ""));
  if (labels.largest_group.has_value()) {
    lines.add("largest", fmt::format("a group of {}", counted(*labels.largest_group, "row")));
  }
  if (!labels.counts.has_value()) return;
  for (const auto& [label, rows] : *labels.counts) {
    lines.add("label", fmt::format("{}: {}", label, counted(rows, "row")));
  }
}

void print_entry(Lines& lines, const ArchiveEntry& entry) {
  const std::string format = !entry.reason.empty()  ? entry.reason
                             : entry.format.empty() ? "of unknown format"
                                                    : entry.format;
  lines.add("entry", fmt::format("{}: {} {}, {}", entry.path, counted(entry.bytes, "byte"),
                                 entry.encoding, format));
}

void print_text(TextSink& sink, const File& file, const std::vector<Labels>& labels) {
  Lines lines(sink, file);
  lines.add("path", file.path());
  lines.add("format", file.format());
  for (const std::string& container : file.containers()) lines.add("inside", container);
  lines.add("size", counted(file.size_bytes(), "byte"));
  for (const ArchiveEntry& entry : file.entries()) print_entry(lines, entry);
  for (uint64_t i = 0; i < labels.size(); ++i) print_table(lines, *file.tables()[i], labels[i]);
  for (const auto& [name, value] : file.header()) lines.add(name, value);
}

void run_info(Session& session) {
  const File& file = session.file();
  std::vector<Labels> labels;
  for (const auto& table : file.tables()) {
    labels.push_back(session.get<InfoVerbOptions>().labels ? labels_of(table, session.context())
                                                           : Labels());
  }
  const std::string& form = session.get<OutputOptions>().output;
  if (is_for_people(form)) return print_text(session.out(), file, labels);
  print_document(JsonWriter(session.out(), form == "json"), file, labels);
  session.out().append('\n');
}

}  // namespace

Verb info_verb() {
  return {
      "info",
      "print format, containers, size, header, and each table's rows, columns and blocks",
      {{"heron info data.jay", "for people"},
       {"heron info data.jay -o json", "for programs"},
       {"heron info letor.bin --labels", "also how many rows have each label"}},
      {kFile},
      opening_options({kLabels, kOutputDocument, kTo, kForce}),
      run_info,
      {},
      {{"meta metadata inspect file ls list open", "to print what a file is", "heron info FILE"}}};
}

}  // namespace heron::cli
