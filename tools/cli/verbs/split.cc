// Parts are drawn by the compatible sub-sample, so that other programs' splits can be made again.
#include <array>
#include <span>
#include <vector>

#include "arguments.h"
#include "bytes/output_file.h"
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

// A file as `rows --at-file` reads it.
class RowList {
 public:
  explicit RowList(std::string path) : file_(std::move(path), Existing::Replace) {}

  void add(uint64_t row) {
    append_number(lines_, row);
    lines_.append('\n');
    if (lines_.text().size() >= kFlushBytes) flush();
  }
  void publish() {
    flush();
    file_.publish();
  }

 private:
  void flush() {
    file_.write_at(written_bytes_, std::as_bytes(std::span(lines_.text())));
    written_bytes_ += lines_.text().size();
    lines_.clear();
  }

  static constexpr uint64_t kFlushBytes = 256 << 10;
  OutputFile file_;
  uint64_t written_bytes_ = 0;
  StringSink lines_;
};

void write_files(Session& session, const Units& units, const Parts& parts) {
  const std::array paths = {session.request().out_prefix + ".first",
                            session.request().out_prefix + ".second"};
  for (const std::string& path : paths) session.check_output("--out-prefix", path);
  std::array lists = {RowList(paths[0]), RowList(paths[1])};
  for (uint64_t i = 0; i < parts.size(); ++i) {
    for_rows(units, parts[i], session.context(), [&](uint64_t row) { lists[i].add(row); });
  }
  for (RowList& list : lists) list.publish();
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
  const double share = parse_share("split", session.argument(1));
  const Units units(*session.table(), session.request().by_group);
  Parts parts = {sub_sample(units.size(), share, session.seed(), session.context())};
  parts[1] = rest_of(parts[0], units.size());
  session.tell_seed();
  if (session.request().out_prefix.empty()) {
    print_records(session, units, parts);
  } else {
    write_files(session, units, parts);
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
          opening_options({kByGroup, kSeed, kOutPrefix, kTable, kOutputRecords}),
          run};
}

}  // namespace heron::cli
