#include "measure.h"

namespace heron::bench {
namespace {

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

std::string wanted(const Op& op) {
  if (op.wanted_seconds != 0) return readable(op.wanted_seconds);
  return op.wanted == 0 ? "-" : short_number(op.wanted);
}

void print_json(const Op& op, const std::string& file, const char* engine, const Series& series,
                const std::string& ratio) {
  std::printf(
      "{\"file\":\"%s\",\"op\":\"%s\",\"engine\":\"%s\",\"median_seconds\":%.9g,\"p99\":%.9g,"
      "\"ratio\":%s,"
      "\"check\":%.17g}\n",
      file.c_str(), op.name, engine, series.median(), series.p99(), ratio.c_str(), series.check(0));
}

}  // namespace

void print_heading(const std::string& file) {
  std::fprintf(stderr, "%s\n", file.c_str());
  std::fprintf(stderr, "%-16s %11s %11s %11s %11s %7s %8s\n", "op", "heron", "p99", "bound", "p99",
               "ratio", "wanted");
}

bool report(const Op& op, const std::string& file, Series& heron, Series& bound) {
  heron.sort();
  bound.sort();
  const std::string ratio = short_number(heron.median() / bound.median());
  print_json(op, file, "heron", heron, ratio);
  print_json(op, file, "bound", bound, "null");
  std::fflush(stdout);
  std::fprintf(stderr, "%-16s %11s %11s %11s %11s %7s %8s\n", op.name,
               readable(heron.median()).c_str(), readable(heron.p99()).c_str(),
               readable(bound.median()).c_str(), readable(bound.p99()).c_str(), ratio.c_str(),
               wanted(op).c_str());
  for (uint64_t input = 0; input < op.inputs; ++input) {
    const double got = heron.check(input), expected = bound.check(input);
    if (std::abs(got - expected) <= op.tolerance) continue;
    std::fprintf(stderr, "heron-ops: %s: input %llu: check: expected %.17g, got %.17g\n", op.name,
                 static_cast<unsigned long long>(input), expected, got);
    return false;
  }
  return true;
}

void report_bytes(const char* op, const std::string& file, uint64_t bytes, uint64_t wanted) {
  const auto mib = [](uint64_t of) {
    return short_number(static_cast<double>(of) / (1 << 20)) + " MiB";
  };
  std::printf("{\"file\":\"%s\",\"op\":\"%s\",\"engine\":\"heron\",\"bytes\":%llu}\n", file.c_str(),
              op, static_cast<unsigned long long>(bytes));
  std::fflush(stdout);
  std::fprintf(stderr, "%-16s %11s %52s\n", op, mib(bytes).c_str(), mib(wanted).c_str());
}

}  // namespace heron::bench
