#include "session.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>

#include "arguments.h"
#include "files.h"
#include "heron/error.h"
#include "output/printable.h"

namespace heron::cli {
namespace {

uint32_t terminal_width(int descriptor) {
  if (const char* columns = std::getenv("COLUMNS")) {
    const char* const end = columns + std::strlen(columns);
    uint32_t width = 0;
    if (std::from_chars(columns, end, width).ptr == end && width > 0) return width;
  }
  winsize size = {};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

bool colour_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return (no_color == nullptr || *no_color == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

CodedValues coded_values(std::string_view name) {
  if (name == "scaled") return CodedValues::Scaled;
  if (name == "index") return CodedValues::Index;
  return CodedValues::Original;
}

GroupMode group_mode(std::string_view name) {
  if (name == "ranking") return GroupMode::Ranking;
  if (name == "plain") return GroupMode::Plain;
  return GroupMode::Infer;
}

// Other forms make what they show harmless themselves, and have colours.
bool is_for_programs(std::string_view form) {
  return form == "json" || form == "jsonl" || form == "csv";
}

// In bytes, as many as can be told.
uint64_t mebibytes(uint64_t count) {
  return std::min(count, UINT64_MAX >> 20) << 20;
}

}  // namespace

Session::Session(const Verb& verb, Request request, const std::atomic<bool>& interrupted)
    : request_(std::move(request)), progress_(!request_.quiet, std::string(verb.name)) {
  context_.cancel = &interrupted;
  context_.note = [this](std::string_view text) { note(text); };
  context_.threads = static_cast<unsigned>(std::min<uint64_t>(request_.threads.value_or(0), 1024));
  if (progress_.enabled()) {
    context_.progress = [this](uint64_t done, uint64_t total) { progress_.show(done, total); };
  }
}

Session::~Session() {
  out_.reset();  // writes what is left
  if (target_ != STDOUT_FILENO) ::close(target_);
}

std::string Session::argument(uint64_t i) const {
  return arguments(i).empty() ? std::string() : arguments(i).front();
}

std::string Session::source_name() const {
  const uint64_t more = arguments(0).size() - 1;
  return more == 0 ? argument(0) : concat(argument(0), " and ", more, " more");
}

uint64_t Session::seed() {
  if (!request_.seed.has_value()) {
    std::random_device random;
    request_.seed = uint64_t{random()} << 32 | random();
    seed_is_drawn_ = true;
  }
  return *request_.seed;
}

void Session::tell_seed() {
  if (seed_is_drawn_) note(concat("seed ", *request_.seed));
}

OpenOptions Session::open_options() const {
  OpenOptions options;
  options.format = request_.format;
  options.map = !request_.no_mmap;
  options.use_sidecar = !request_.no_index;
  options.values = coded_values(request_.values);
  options.mode = group_mode(request_.mode);
  options.stored_keys = request_.raw;
  if (request_.cache_mib.has_value()) options.cache_bytes = mebibytes(*request_.cache_mib);
  if (request_.max_decode.has_value()) options.max_decode = request_.max_decode->bytes;
  return options;
}

const Dataset& Session::dataset() {
  if (dataset_ == nullptr) {
    dataset_ = open(matching_files(arguments(0)), open_options(), context_);
    if (request_.explain) opening_ = dataset_->counters();
  }
  return *dataset_;
}

const std::shared_ptr<const Table>& Session::table() {
  return dataset().table(request_.table);
}

Projection Session::projection() {
  if (request_.columns.empty()) return Projection(table());
  return Projection(table(), parse_names(request_.columns));
}

std::optional<Predicate> Session::where(const std::shared_ptr<const Table>& table) {
  if (!request_.where.has_value()) return std::nullopt;
  Predicate predicate(table, *request_.where);
  for (const std::string& line : predicate.notes()) note(line);
  return predicate;
}

void Session::check_output(std::string_view option, const std::string& path) const {
  for (const std::string& file : matching_files(arguments(0))) {
    std::error_code ignored;
    if (std::filesystem::equivalent(file, path, ignored)) {
      fail(ErrorKind::Argument, path, option, " names the file that is read");
    }
  }
}

void Session::open_target() {
  if (request_.to.empty()) return;
  check_output("--to", request_.to);
  target_ = ::open(request_.to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (target_ < 0) {
    target_ = STDOUT_FILENO;
    fail(ErrorKind::Io, request_.to, std::strerror(errno));
  }
}

FileSink& Session::out() {
  if (!out_.has_value()) {
    open_target();
    out_.emplace(target_, request_.to.empty() ? "standard output" : request_.to);
    // What runs over the terminal is progress enough.
    if (out_->is_terminal()) {
      out_->before_writing([this] { progress_.end(); });
      if (is_for_programs(request_.output)) out_->escape_for_terminal();
    }
  }
  return *out_;
}

OutputForm Session::form() {
  OutputForm form;
  form.name = request_.output;
  form.values = {.raw = request_.raw, .sparse = request_.sparse};
  form.npy = {request_.dtype == "float64", request_.exact, context_.note};
  const bool npy = form.name == "npy";
  if (!request_.dtype.empty() && !npy) fail(ErrorKind::Argument, {}, "--dtype is for -o npy");
  if (request_.exact && !npy) fail(ErrorKind::Argument, {}, "--exact is for -o npy");
  if (npy && request_.sparse) fail(ErrorKind::Argument, {}, "--sparse is not for -o npy");
  if (npy && request_.skip_damaged) {
    fail(ErrorKind::Argument, {}, "-o npy tells the number of rows first: not with --skip-damaged");
  }
  if (!out().is_terminal()) return form;
  if (npy) fail(ErrorKind::Argument, {}, "-o npy is not for a terminal; --to names a file");
  form.display = {terminal_width(out().descriptor()), colour_wanted()};
  return form;
}

void Session::note(std::string_view text) {
  if (!request_.quiet) tell(text);
}

void Session::tell(std::string_view text) {
  progress_.clear();
  StringSink line;
  append_printable(line, text);
  fmt::print(stderr, "heron: {}\n", line.text());
}

void Session::explain() {
  const std::vector<Counter> all = dataset_->counters();
  std::map<std::string_view, uint64_t> seen;
  for (uint64_t i = 0; i < all.size(); ++i) {
    const uint64_t opening = i < opening_.size() ? opening_[i].value : 0;
    const uint64_t depth = seen[all[i].name]++;  // containers inside each other count the same
    const std::string name = depth == 0 ? all[i].name : concat(all[i].name, '[', depth, ']');
    tell(concat("explain: ", name, " opening ", opening, " reading ", all[i].value - opening));
  }
  if (request_.where.has_value()) {
    const std::pair<std::string_view, const std::atomic<uint64_t>&> of_condition[] = {
        {"zones", counters_.zones},
        {"zones_skipped", counters_.zones_skipped},
        {"values_tested", counters_.values_tested},
        {"bytes_tested", counters_.bytes_tested},
        {"columns_read", counters_.columns},
        {"rows_kept", counters_.rows_kept},
        {"bytes_kept", counters_.bytes_kept}};
    for (const auto& [name, value] : of_condition) {
      tell(concat("explain: ", name, ' ', value.load()));
    }
  } else if (all.empty()) {
    tell("explain: nothing is counted for this format");
  }
}

void Session::finish() {
  progress_.clear();
  if (out_.has_value()) out_->flush();
  if (request_.explain && dataset_ != nullptr) explain();
}

}  // namespace heron::cli
