#include "session.h"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "base/fail.h"
#include "base/memory_rule.h"
#include "bytes/output_file.h"
#include "bytes/standard_input.h"
#include "heron/error.h"
#include "heron/formats.h"
#include "output/message.h"
#include "output/terminal.h"
#include "parsing/arguments.h"
#include "parsing/files.h"
#include "parsing/format_flags.h"
#include "parsing/options.h"

namespace heron::cli {
namespace {

Access access_of(std::string_view name) {
  if (name == "warm") return Access::Warm;
  if (name == "cold") return Access::Cold;
  if (name == "once") return Access::Once;
  return Access::Auto;
}

constexpr std::string_view kStandardInput = "-";

// Returns the size of a file, or of all files in a folder and in those inside it; 0 if stat()
// cannot read it: opening it reports the error.
uint64_t size_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) {
    const uint64_t bytes = fs::file_size(path, ignored);
    return ignored ? 0 : bytes;
  }
  uint64_t bytes = 0;
  for (fs::recursive_directory_iterator entry(path, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    std::error_code none;
    if (entry->is_regular_file(none)) bytes += entry->file_size(none);
  }
  return bytes;
}

// Returns the total size.
uint64_t bytes_of(const std::vector<std::string>& files, const Context& context) {
  uint64_t bytes = 0;
  for (const std::string& file : files) {
    if (file == kStandardInput) {
      bytes += open_input(file, false, context)->size();
      continue;
    }
    bytes += size_of(file);
  }
  return bytes;
}

// Returns the bytes that this process has read, as far as the system counts them.
std::optional<uint64_t> bytes_from_device() {
  std::ifstream counters("/proc/self/io");
  std::string name;
  for (uint64_t value = 0; counters >> name >> value;) {
    if (name == "read_bytes:") return value;
  }
  return std::nullopt;
}

int64_t major_faults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_majflt;
}

// Returns a number of bytes, at most what 64 bits hold.
uint64_t mebibytes(uint64_t count) {
  return std::min(count, UINT64_MAX >> 20) << 20;
}

}  // namespace

Session::Session(const Verb& verb, Request request, const std::atomic<bool>& interrupted)
    : request_(std::move(request)),
      progress_(!get<CommonOptions>().quiet, std::string(verb.name)),
      notes_(get<CommonOptions>().verbose, [this](std::string_view line) { report(line); }) {
  context_.cancel = &interrupted;
  context_.note = [this](std::string_view text) { note(text); };
  context_.threads =
      static_cast<unsigned>(std::min<uint64_t>(get<OpeningOptions>().threads.value_or(0), 1024));
  if (progress_.enabled()) {
    context_.progress = [this](uint64_t done, uint64_t total) { progress_.show(done, total); };
  }
}

std::string Session::argument(uint64_t i) const {
  return arguments(i).empty() ? std::string() : arguments(i).front();
}

std::string Session::source_name() const {
  const uint64_t more = arguments(0).size() - 1;
  return more == 0 ? argument(0) : concat(argument(0), " and ", more, " more");
}

uint64_t Session::seed() {
  auto& draw = request_.options.get<DrawOptions>();
  if (!draw.seed.has_value()) {
    std::random_device random;
    draw.seed = uint64_t{random()} << 32 | random();
    seed_is_drawn_ = true;
  }
  return *draw.seed;
}

void Session::report_seed() {
  if (seed_is_drawn_) note(concat("seed ", *get<DrawOptions>().seed));
}

OpenOptions Session::open_options() const {
  const auto& requested = get<OpeningOptions>();
  const bool is_format = std::ranges::count(format_names(), requested.format) != 0;
  if (!is_format && has_word(kOutputRows.choices, requested.format)) {
    fail(ErrorKind::Argument, {}, "--format is the format of the file that is read, got \"",
         requested.format, "\"; use -o ", requested.format);
  }
  OpenOptions options;
  options.format = requested.format;
  options.entry = requested.entry;
  options.mmap = !requested.no_mmap;
  options.access = access_of(requested.access);
  options.use_index = !requested.no_index;
  options.head_rows = head_rows_;
  options.format_options = get<FormatValues>().open;
  if (get<OutputOptions>().raw) options.set("stored_keys", true);
  if (requested.cache_mib.has_value()) options.cache_bytes = mebibytes(*requested.cache_mib);
  if (requested.max_decode.has_value()) options.max_decode = requested.max_decode->bytes;
  return options;
}

const File& Session::file() {
  if (opened_ == nullptr) {
    const std::vector<std::string> files = matching_files(arguments(0));
    uint64_t bytes = bytes_of(files, context_);
    for (uint64_t i = 1; i < request_.arguments.size(); ++i)
      bytes += bytes_of(arguments(i), context_);
    context_.memory = std::make_shared<MemoryBudget>(memory_for(bytes));
    opened_ = open(files, open_options(), context_);
    if (get<OpeningOptions>().explain) opening_ = opened_->counters();
  }
  return *opened_;
}

const std::shared_ptr<const Table>& Session::table() {
  return file().table(get<TableOptions>().table);
}

Projection Session::projection() {
  const std::string& columns = get<TableOptions>().columns;
  if (!columns.empty()) return Columns(parse_columns(columns)).of(table());
  return default_columns_.emplace(table());
}

void Session::note_left_out() {
  constexpr uint64_t kMaxNoted = 10;
  if (!default_columns_) return;
  const std::span<const uint64_t> left_out = default_columns_->left_out();
  for (const uint64_t column : left_out.first(std::min(left_out.size(), kMaxNoted))) {
    note(concat("left out: ", table()->field_without_metadata(column).reason));
  }
  if (left_out.size() > kMaxNoted) {
    note(concat("left out: ", left_out.size() - kMaxNoted, " more columns"));
  }
}

std::optional<Predicate> Session::where(const std::shared_ptr<const Table>& table) {
  const auto& where = get<TableOptions>().where;
  const auto& texts = get<ParameterOptions>().values;
  if (!where.has_value()) {
    if (!texts.empty()) fail(ErrorKind::Argument, {}, "--param needs --where");
    return std::nullopt;
  }
  std::vector<QueryParameter> parameters;
  for (const std::string& text : texts) parameters.push_back(QueryParameter::untyped(text));
  Predicate predicate(table, *where, parameters);
  for (const std::string& line : predicate.notes()) note(line);
  return predicate;
}

void Session::check_not_read(std::string_view option, const std::string& path) const {
  for (const std::string& file : matching_files(arguments(0))) {
    std::error_code ignored;
    if (std::filesystem::equivalent(file, path, ignored)) {
      fail(ErrorKind::Argument, path, option, " names the file that is read");
    }
  }
}

void Session::check_output(std::string_view option, const std::string& path) const {
  check_not_read(option, path);
  OutputFile::check_target(path, existing_if(get<OutputOptions>().force));
}

FileSink& Session::out() {
  const auto& output = get<OutputOptions>();
  if (!destination_.has_value()) {
    if (!output.to.empty()) check_not_read("--to", output.to);
    FileSink& sink = destination_.emplace(output.to, output.force).sink();
    // Output that runs over the terminal is progress enough.
    if (sink.is_terminal()) {
      sink.before_writing([this] { progress_.end(); });
      if (!is_for_people(output.output)) sink.escape_for_terminal();
    }
  }
  return destination_->sink();
}

OutputForm Session::form(const FileSink& sink) {
  const auto& output = get<OutputOptions>();
  OutputForm form;
  form.name = output.output;
  form.values = {.raw = output.raw, .sparse = output.sparse};
  form.npy = {output.dtype == "float64", output.exact, context_.note};
  form.note = context_.note;
  const bool npy = form.name == "npy";
  if (!output.dtype.empty() && !npy) fail(ErrorKind::Argument, {}, "--dtype is for -o npy");
  if (output.exact && !npy) fail(ErrorKind::Argument, {}, "--exact is for -o npy");
  if (npy && output.sparse) fail(ErrorKind::Argument, {}, "--sparse does not apply to -o npy");
  if (npy && get<TableOptions>().skip_damaged) {
    fail(ErrorKind::Argument, {},
         "-o npy writes the number of rows first: not with --skip-damaged");
  }
  if (!sink.is_terminal()) return form;
  if (npy) {
    fail(ErrorKind::Argument, {}, "-o npy cannot be written to a terminal; --to names a file");
  }
  form.display = {terminal_width(sink.descriptor()), uses_colour(),
                  [this](std::string_view text) { closing_notes_.emplace_back(text); }};
  return form;
}

void Session::note(std::string_view text) {
  if (!get<CommonOptions>().quiet) notes_.add(text);
}

void Session::report(std::string_view text) {
  progress_.clear();
  write_message({text});
}

void Session::explain() {
  const std::vector<Counter> all = opened_->counters();
  std::map<std::string_view, uint64_t> seen;
  for (uint64_t i = 0; i < all.size(); ++i) {
    const uint64_t opening = i < opening_.size() ? opening_[i].value : 0;
    const uint64_t depth = seen[all[i].name]++;  // nested containers have counters of the same name
    const std::string name = depth == 0 ? all[i].name : concat(all[i].name, '[', depth, ']');
    report(concat("explain: ", name, " opening ", opening, " reading ", all[i].value - opening));
  }
  // The device is described only if it matters: a warm answer costs the same each time.
  const bool is_cold = opened_->bytes_prefetched() != 0 || !get<OpeningOptions>().access.empty();
  if (get<TableOptions>().where.has_value()) {
    const std::pair<std::string_view, const std::atomic<uint64_t>&> of_predicate[] = {
        {"zones", metrics_.zones},
        {"zones_skipped", metrics_.zones_skipped},
        {"values_tested", metrics_.values_tested},
        {"bytes_tested", metrics_.bytes_tested},
        {"columns_read", metrics_.columns},
        {"rows_selected", metrics_.rows_selected},
        {"bytes_selected", metrics_.bytes_selected}};
    for (const auto& [name, value] : of_predicate) {
      report(concat("explain: ", name, ' ', value.load()));
    }
  } else if (all.empty() && !is_cold) {
    report("explain: nothing is counted for this format");
  }
  if (!is_cold) return;
  report(concat("explain: bytes_prefetched ", opened_->bytes_prefetched()));
  if (const auto bytes = bytes_from_device()) report(concat("explain: device_bytes ", *bytes));
  report(concat("explain: major_faults ", major_faults()));
}

void Session::finish() {
  progress_.clear();
  if (destination_.has_value()) destination_->finish();
  note_left_out();
  for (const std::string& line : closing_notes_) note(line);
  notes_.finish();
  if (get<OpeningOptions>().explain && opened_ != nullptr) explain();
  const std::string damage = skipped_.damage();
  if (damage.empty()) return;
  // The text of an Error begins with the file.
  const size_t colon = std::min(damage.find(": "), damage.size());
  const uint64_t rows = skipped_.rows();
  fail(ErrorKind::Corrupt, damage.substr(0, colon),
       damage.substr(std::min(colon + 2, damage.size())), "; ", rows, " row",
       rows == 1 ? " was" : "s were", " left out, by --skip-damaged");
}

}  // namespace heron::cli
