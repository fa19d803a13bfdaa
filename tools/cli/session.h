// The context of a verb: the request, its input file and its output.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heron/context.h"
#include "heron/expression.h"
#include "heron/file.h"
#include "heron/query.h"
#include "heron/table.h"
#include "notes.h"
#include "output/destination.h"
#include "output/row_writer.h"
#include "parsing/command.h"
#include "parsing/options.h"
#include "progress.h"

namespace heron::cli {

// One call of the program. Nothing is opened before it is needed.
class Session {
 public:
  Session(const Verb& verb, Request request, const std::atomic<bool>& interrupted);

  // Returns the options of one struct.
  template <class Struct>
  const Struct& get() const {
    return request_.options.get<Struct>();
  }
  // arguments() returns the words of an argument of the verb, argument() the first of them; empty:
  // not given.
  const std::vector<std::string>& arguments(uint64_t i) const { return request_.arguments[i]; }
  std::string argument(uint64_t i) const;
  uint64_t argument_count() const noexcept { return request_.arguments.size(); }
  // Returns the first argument, for errors that contain no file name.
  std::string source_name() const;

  // The value of --seed, else a random one.
  uint64_t seed();
  // Prints a random seed on stderr.
  void report_seed();

  // Call before anything is opened: computes anew what an index stores.
  void leave_index_aside() { request_.options.get<OpeningOptions>().no_index = true; }
  // Call before anything is opened: only this many rows at the start of the table are needed.
  void read_only_head(uint64_t rows) noexcept { head_rows_ = rows; }
  // Returns the options of opening that the request gives.
  OpenOptions open_options() const;
  // Opens all files of FILE, as one file.
  const File& file();
  // Returns the requested table and columns. finish() prints notes on unreadable columns that were
  // not named.
  const std::shared_ptr<const Table>& table();
  Projection projection();
  // Parses the predicate of --where for the requested table, or for another, if given; prints notes
  // on it.
  std::optional<Predicate> where() { return where(table()); }
  std::optional<Predicate> where(const std::shared_ptr<const Table>& table);
  // Returns a query of the requested table with the predicate of --where.
  Query query() { return counted(Query(table(), where())); }
  // Returns the query with what it adds its work to, for --explain, and its damaged rows.
  Query counted(Query query) {
    query.metrics = &metrics_;
    query.skip_damaged = skipped();
    return query;
  }
  // Counts damaged rows that are left out; null without --skip-damaged.
  SkippedRows* skipped() {
    return get<TableOptions>().skip_damaged ? &skipped_ : nullptr;
  }

  // Throws Error(Argument) that names the option if `path` is one of the input files, those of the
  // first argument. Throws Error(Write) if it exists and --force was not given.
  void check_output(std::string_view option, const std::string& path) const;
  // Returns stdout, or the file of --to: opened at the first call.
  FileSink& out();
  OutputForm form() { return form(out()); }
  OutputForm form(const FileSink& sink);  // form of output to `sink`

  // The context stops at Ctrl-C and shows progress.
  const Context& context() const noexcept { return context_; }
  // Shows a share from 0 to 1, and text about it, for verbs that know more than how much is done.
  void show_progress(double share, std::string_view more) { progress_.show(share, more); }
  // Prints a line on stderr, unless -q; the first lines of a kind, unless --verbose.
  void note(std::string_view text);
  // Sets what the program returns if nothing fails; 0 unless set.
  void set_exit_code(int code) noexcept { exit_code_ = code; }
  int exit_code() const noexcept { return exit_code_; }
  // Called after the verb: flushes the output and prints the output of --explain. Throws
  // Error(Corrupt) for skipped damage.
  void finish();

 private:
  // Called only after a complete answer: an error is one line.
  void note_left_out();
  void check_not_read(std::string_view option, const std::string& path) const;
  void report(std::string_view text);
  void explain();

  Request request_;
  bool seed_is_drawn_ = false;
  uint64_t head_rows_ = 0;
  int exit_code_ = 0;
  Progress progress_;
  Notes notes_;
  SkippedRows skipped_;
  Context context_;
  std::shared_ptr<const File> opened_;
  std::optional<Projection> default_columns_;  // set if no columns were named
  std::vector<std::string> closing_notes_;     // printed by finish(), behind the rows
  std::vector<Counter> opening_;               // counters after opening
  QueryMetrics metrics_;
  std::optional<Destination> destination_;
};

}  // namespace heron::cli
