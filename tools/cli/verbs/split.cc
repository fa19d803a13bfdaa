// Draws parts by the compatible sub-sample, which reproduces the splits of other programs.
#include <span>
#include <vector>

#include "base/fail.h"
#include "base/memory_rule.h"
#include "bytes/output_file.h"
#include "heron/error.h"
#include "heron/sampler.h"
#include "heron/text.h"
#include "heron/writer.h"
#include "output/report.h"
#include "parsing/arguments.h"
#include "parsing/options.h"
#include "session.h"
#include "verbs/shared/drawn_rows.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

struct SplitVerbOptions {
  std::string out_prefix;
};
constexpr Option kOutPrefix{.names = "--out-prefix",
                            .value = "P",
                            .what = "write the lists to the files P.first and P.second",
                            .read = into<&SplitVerbOptions::out_prefix>,
                            .kind = Kind::File,
                            .elsewhere = "--prefix --out-dir"};

// The units that are divided: single rows, or groups.
struct Units {
  const Table& table;
  bool by_group;

  uint64_t size() const noexcept { return by_group ? table.group_count() : table.rows(); }
  RowRange operator[](uint64_t unit) const {
    return by_group ? table.group(unit) : RowRange{unit, unit + 1};
  }
};

using Numbers = std::vector<uint64_t>;
// The drawn units, ascending, and the others.
struct Parts {
  static constexpr uint64_t kCount = 2;

  Parts(const Units& of, Numbers drawn) : units(of), first(std::move(drawn)) {}

  // Calls use(row) for every row of the units of a part, 0 or 1.
  template <class Use>
  void for_rows(uint64_t part, const Context& context, Use use) const {
    auto next = first.begin();
    for (uint64_t unit = 0; unit < units.size(); ++unit) {
      const bool drawn = next != first.end() && *next == unit;
      if (drawn) ++next;
      if (drawn != (part == 0)) continue;
      context.check_cancelled();
      const RowRange rows = units[unit];
      for (uint64_t row = rows.first; row < rows.last; ++row) use(row);
    }
  }

  const Units& units;
  Numbers first;
};

// All units are shuffled in memory, so the number of units that a file claims is limited by its
// size.
void check_memory(Session& session, const Units& units) {
  constexpr uint64_t kBytesAUnit = 12;
  const uint64_t max_units = memory_for(session.file().size_bytes()) / kBytesAUnit;
  if (units.size() <= max_units) return;
  fail(ErrorKind::Limit, session.file().path(), "too many ", units.by_group ? "groups" : "rows",
       " to be shuffled: expected at most ", max_units, " of a file of ",
       session.file().size_bytes(), " bytes, got ", units.size());
}

// Opens a file for each part, in the form that `rows --at-file` reads. Empty without paths.
std::vector<OutputFile> part_files(const Session& session) {
  const auto& output = session.get<OutputOptions>();
  const std::string& prefix = session.get<SplitVerbOptions>().out_prefix;
  std::vector<OutputFile> files;
  if (prefix.empty()) return files;
  if (!output.to.empty()) {
    fail(ErrorKind::Argument, {}, "--to cannot be combined with --out-prefix");
  }
  for (const char* ending : {".first", ".second"}) {
    const std::string path = prefix + ending;
    session.check_output("--out-prefix", path);
    files.emplace_back(path, existing_if(output.force));
  }
  return files;
}

void write_files(std::span<OutputFile> files, const Session& session, const Parts& parts) {
  for (uint64_t i = 0; i < Parts::kCount; ++i) {
    FileSink lines(files[i]);
    parts.for_rows(i, session.context(), [&](uint64_t row) {
      append_number(lines, row);
      lines.append('\n');
    });
    lines.flush();
  }
  OutputFile::publish(files);
}

void print_parts(Session& session, const Parts& parts) {
  constexpr uint64_t kBatchRows = 4096;
  const Schema schema = {nullable_field("part", Type::UInt64), nullable_field("row", Type::UInt64)};
  const auto writer = make_report_writer(session.form(), session.out(), schema);
  BatchBuilder lines(schema);
  for (uint64_t i = 0; i < Parts::kCount; ++i) {
    parts.for_rows(i, session.context(), [&](uint64_t row) {
      lines[0].append(i + 1);
      lines[1].append(row);
      if (lines.rows() == kBatchRows) writer->write(lines.finish());
    });
  }
  writer->write(lines.finish());
  writer->finish();
}

void run_split(Session& session) {
  const double share = parse_share("SHARE", session.argument(1));
  std::vector<OutputFile> files = part_files(session);
  const std::shared_ptr<const Table> table = session.table();
  const Units units{*table, session.get<DrawOptions>().by_group};
  if (units.by_group) require_groups(*table);
  check_memory(session, units);
  const Parts parts(units, sub_sample(units.size(), share, session.seed(), session.context()));
  session.report_seed();
  if (files.empty()) {
    print_parts(session, parts);
  } else {
    write_files(files, session, parts);
  }
}

}  // namespace

Verb split_verb() {
  return {"split",
          "divide the rows at random into two lists of row numbers",
          {{"heron split data.jay 0.8 --seed 1 --out-prefix data",
            "four fifths of the rows in data.first, the others in data.second"},
           {"heron split letor.bin 0.6 --by-group --seed 1 -o csv", "queries stay whole"},
           {"heron rows data.jay --at-file data.first", "the rows of the first list"}},
          {kFile, {"SHARE", "the share of the rows in the first list, from 0 to 1"}},
          opening_options({kByGroup, kSeed, kOutPrefix, kTable, kOutputRecords, kTo, kForce}),
          run_split,
          "Rows are drawn as java.util.Random draws them.\n",
          {{"partition train-test-split train_test_split", "to divide rows at random",
            "heron split FILE 0.8"}}};
}

}  // namespace heron::cli
