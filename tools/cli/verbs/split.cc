// Parts are drawn by the compatible sub-sample, so that other programs' splits can be made again.
#include <array>
#include <span>
#include <vector>

#include "arguments.h"
#include "bytes/output_file.h"
#include "heron/error.h"
#include "heron/sampler.h"
#include "options.h"
#include "output/records.h"
#include "output/values_text.h"
#include "session.h"
#include "units.h"
#include "verbs.h"

namespace heron::cli {
namespace {

using Numbers = std::vector<uint64_t>;
using Parts = std::array<Numbers, 2>;

// The numbers below `count` that an ascending list does not have.
Numbers rest_of(const Numbers& list, uint64_t count) {
  Numbers rest;
  rest.reserve(count - list.size());
  auto next = list.begin();
  for (uint64_t i = 0; i < count; ++i) {
    if (next != list.end() && *next == i) {
      ++next;
    } else {
      rest.push_back(i);
    }
  }
  return rest;
}

// Calls use(row) with every row of the units of a part.
template <class Use>
void for_rows(const Units& units, const Numbers& part, const Context& context, Use use) {
  for (const uint64_t unit : part) {
    context.check_cancelled();
    const RowRange rows = units[unit];
    for (uint64_t row = rows.first; row < rows.last; ++row) use(row);
  }
}

// A file of each part, as `rows --at-file` reads it. No paths: none are wanted.
std::vector<OutputFile> part_files(const Session& session) {
  const Request& request = session.request();
  std::vector<OutputFile> files;
  if (request.out_prefix.empty()) return files;
  if (!request.to.empty()) fail(ErrorKind::Argument, {}, "--to is not for --out-prefix");
  for (const char* ending : {".first", ".second"}) {
    const std::string path = request.out_prefix + ending;
    session.check_output("--out-prefix", path);
    files.emplace_back(path, existing_if(request.force));
  }
  return files;
}

void write_files(std::span<OutputFile> files, const Session& session, const Units& units,
                 const Parts& parts) {
  for (uint64_t i = 0; i < parts.size(); ++i) {
    FileSink lines(files[i]);
    for_rows(units, parts[i], session.context(), [&](uint64_t row) {
      append_number(lines, row);
      lines.append('\n');
    });
    lines.flush();
  }
  OutputFile::publish(files);
}

void print_records(Session& session, const Units& units, const Parts& parts) {
  const auto writer =
      make_record_writer(session.form(), session.out(), {{"part", true}, {"row", true}});
  for (uint64_t i = 0; i < parts.size(); ++i) {
    for_rows(units, parts[i], session.context(), [&](uint64_t row) {
      writer->write({number_cell(i + 1), number_cell(row)});
    });
  }
  writer->finish();
}

void run(Session& session) {
  const double share = parse_share("SHARE", session.argument(1));
  std::vector<OutputFile> files = part_files(session);
  const Units units(*session.table(), session.request().by_group);
  Parts parts = {sub_sample(units.size(), share, session.seed(), session.context())};
  parts[1] = rest_of(parts[0], units.size());
  session.tell_seed();
  if (files.empty()) {
    print_records(session, units, parts);
  } else {
    write_files(files, session, units, parts);
  }
}

}  // namespace

Verb split_verb() {
  return {"split",
          "the rows' numbers in two lists, drawn as java.util.Random would",
          {{"heron split data.jay 0.8 --seed 1 --out-prefix data",
            "four fifths of the rows in data.first, the others in data.second"},
           {"heron split letor.bin 0.6 --by-group --seed 1 -o csv", "queries stay whole"},
           {"heron rows data.jay --at-file data.first", "the rows of the first part"}},
          {kFile, {"SHARE", "how much of it comes into the first list, from 0 to 1"}},
          opening_options({kByGroup, kSeed, kOutPrefix, kTable, kOutputRecords, kTo, kForce}),
          run};
}

}  // namespace heron::cli
