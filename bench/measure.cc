#include "measure.h"

#include <array>

namespace heron::bench {
namespace {

constexpr char kLine[] = "%-24s %11s %11s %11s %11s %7s %9s %7s\n";

std::string short_number(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", number);
  return text;
}

std::string readable(double seconds) {
  const char* unit = seconds < 1e-6 ? "ns" : seconds < 1e-3 ? "us" : "ms";
  const double scale = seconds < 1e-6 ? 1e9 : seconds < 1e-3 ? 1e6 : 1e3;
  return short_number(seconds * scale) + " " + unit;
}

std::string million(double number) {
  return short_number(number / 1e6);
}

std::string target_text(const Op& op) {
  if (op.min_rate != 0) return million(op.min_rate) + " M/s";
  if (op.max_seconds != 0) return readable(op.max_seconds);
  return op.max_ratio == 0 ? "-" : short_number(op.max_ratio);
}

std::string rate(const Op& op, const Series& heron) {
  return op.amount == 0 ? "-" : million(static_cast<double>(op.amount) / heron.median());
}

void print_json(const Op& op, const std::string& file, const char* engine, const Series& series,
                const std::string& ratio) {
  std::printf(
      "{\"file\":\"%s\",\"op\":\"%s\",\"engine\":\"%s\",\"median_seconds\":%.9g,\"p99\":%.9g,"
      "\"ratio\":%s,"
      "\"check\":%.17g}\n",
      file.c_str(), op.name, engine, series.median(), series.p99(), ratio.c_str(), series.check(0));
  std::fflush(stdout);
}

// Prints a line of the table; `bound` has median, p99 and ratio.
void print_line(const Op& op, const Series& heron, const std::array<std::string, 3>& bound) {
  std::fprintf(stderr, kLine, op.name, readable(heron.median()).c_str(),
               readable(heron.p99()).c_str(), bound[0].c_str(), bound[1].c_str(), bound[2].c_str(),
               target_text(op).c_str(), rate(op, heron).c_str());
}

bool agrees(const Op& op, uint64_t input, double got, double expected) {
  if (std::abs(got - expected) <= op.tolerance) return true;
  std::fprintf(stderr, "heron-ops: %s: input %llu: check: expected %.17g, got %.17g\n", op.name,
               static_cast<unsigned long long>(input), expected, got);
  return false;
}

}  // namespace

void print_heading(const std::string& file) {
  std::fprintf(stderr, "%s\n", file.c_str());
  std::fprintf(stderr, kLine, "op", "heron", "p99", "bound", "p99", "ratio", "wanted", "M/s");
}

bool report(const Op& op, const std::string& file, Series& heron, Series& bound) {
  heron.sort();
  bound.sort();
  const std::string ratio = short_number(heron.median() / bound.median());
  print_json(op, file, "heron", heron, ratio);
  print_json(op, file, "bound", bound, "null");
  print_line(op, heron, {readable(bound.median()), readable(bound.p99()), ratio});
  for (uint64_t input = 0; input < op.inputs; ++input) {
    if (!agrees(op, input, heron.check(input), bound.check(input))) return false;
  }
  return true;
}

bool report(const Op& op, const std::string& file, Series& heron, double expected) {
  heron.sort();
  print_json(op, file, "heron", heron, "null");
  print_line(op, heron, {"-", "-", "-"});
  for (uint64_t input = 0; input < op.inputs; ++input) {
    if (!agrees(op, input, heron.check(input), expected)) return false;
  }
  return true;
}

void report_bytes(const char* op, const std::string& file, uint64_t bytes, uint64_t max_bytes) {
  const auto mib = [](uint64_t of) {
    return short_number(static_cast<double>(of) / (1 << 20)) + " MiB";
  };
  std::printf("{\"file\":\"%s\",\"op\":\"%s\",\"engine\":\"heron\",\"bytes\":%llu}\n", file.c_str(),
              op, static_cast<unsigned long long>(bytes));
  std::fflush(stdout);
  std::fprintf(stderr, "%-24s %11s %53s\n", op, mib(bytes).c_str(), mib(max_bytes).c_str());
}

}  // namespace heron::bench
