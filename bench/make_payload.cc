// heron-payload OUT [--kind rec|csv|counters] [--bytes N]: writes a payload for a container, the
// same on every machine; a shorter payload is a prefix of a longer one. Default: 16 MiB of records.
//
//   rec       records of 64 bytes: u32 counter, u64 counter times 1,000, u16 and u8 that start
//             again at 1,000 and 7, an 8-byte word out of 16, zeros; little-endian, packed
//   csv       lines of text: number, price, city, yes or no
//   counters  u32, little-endian
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace {

constexpr std::string_view kWords[] = {
    "sample", "error", "level", "valve", "sensor", "daily", "north",   "mean",
    "batch",  "speed", "south", "total", "engine", "river", "station", "pressure",
};
constexpr std::string_view kCities[] = {
    "Lisbon", "Oslo", "Vienna", "Prague", "Dublin", "Athens", "Madrid", "Reykjavik", "Rome", "Riga",
};

// Draws random numbers that depend only on how many were drawn: distributions differ between
// libraries.
class Draw {
 public:
  uint64_t below(uint64_t end) { return random_() % end; }
  template <size_t kCount>
  std::string_view one_of(const std::string_view (&words)[kCount]) {
    return words[below(kCount)];
  }

 private:
  std::mt19937_64 random_{20261122};
};

void add_number(uint64_t number, unsigned bytes, std::string& out) {
  for (unsigned i = 0; i < bytes; ++i) out.push_back(static_cast<char>(number >> (8 * i) & 0xFF));
}

void add_record(uint64_t i, Draw& draw, std::string& out) {
  constexpr uint64_t kWordBytes = 8, kRecordBytes = 64;
  const uint64_t end = out.size() + kRecordBytes;
  add_number(i, 4, out);
  add_number(i * 1000, 8, out);
  add_number(i % 1000, 2, out);
  add_number(i % 7, 1, out);
  const uint64_t word_end = out.size() + kWordBytes;
  out += draw.one_of(kWords);
  out.resize(word_end);
  out.resize(end);
}

void add_line(uint64_t i, Draw& draw, std::string& out) {
  out += std::to_string(i) + ',' + std::to_string(draw.below(1000)) + '.';
  const uint64_t cents = draw.below(100);
  if (cents < 10) out += '0';
  out += std::to_string(cents) + ',';
  out += draw.one_of(kCities);
  out += draw.below(4) == 0 ? ",yes\n" : ",no\n";
}

void add_counter(uint64_t i, Draw&, std::string& out) {
  add_number(i, 4, out);
}

struct Kind {
  std::string_view name;
  void (*add)(uint64_t i, Draw& draw, std::string& out);
};
constexpr Kind kKinds[] = {{"rec", add_record}, {"csv", add_line}, {"counters", add_counter}};

struct Arguments {
  const char* path = nullptr;
  Kind kind = kKinds[0];
  uint64_t bytes = uint64_t{16} << 20;
};

bool set_kind(std::string_view name, Arguments& arguments) {
  for (const Kind& kind : kKinds) {
    if (kind.name != name) continue;
    arguments.kind = kind;
    return true;
  }
  return false;
}

bool set_bytes(std::string_view digits, Arguments& arguments) {
  const char* end = digits.data() + digits.size();
  const auto [last, error] = std::from_chars(digits.data(), end, arguments.bytes);
  return error == std::errc() && last == end;
}

std::optional<Arguments> parse(std::span<char* const> words) {
  Arguments arguments;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const bool has_value = i + 1 < words.size();
    bool known = true;
    if (word == "--kind" && has_value) {
      known = set_kind(words[++i], arguments);
    } else if (word == "--bytes" && has_value) {
      known = set_bytes(words[++i], arguments);
    } else if (!word.starts_with("-") && arguments.path == nullptr) {
      arguments.path = words[i];
    } else {
      known = false;
    }
    if (!known) return std::nullopt;
  }
  if (arguments.path == nullptr) return std::nullopt;
  return arguments;
}

}  // namespace

int main(int count, char** words) {
  const auto arguments = parse(std::span(words, static_cast<size_t>(count)).subspan(1));
  if (!arguments) {
    std::fprintf(stderr, "usage: heron-payload OUT [--kind rec|csv|counters] [--bytes N]\n");
    return 2;
  }
  Draw draw;
  std::string bytes;
  for (uint64_t i = 0; bytes.size() < arguments->bytes; ++i) arguments->kind.add(i, draw, bytes);
  std::ofstream file(arguments->path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(arguments->bytes));
  file.close();
  if (!file) {
    std::fprintf(stderr, "heron-payload: %s cannot be written\n", arguments->path);
    return EXIT_FAILURE;
  }
}
