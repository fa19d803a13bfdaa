#include <fmt/core.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "heron/container.h"
#include "heron/error.h"
#include "options.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

constexpr Option kPrevious{"--prev", "N",
                           "how many bits before a bit may tell what it is, 0 to 255 (default: 0)",
                           &Request::previous_bits};
constexpr Option kAddress{
    "--addr", "N", "how many bits of its address may, 0 to 255 (default: all that the last has)",
    &Request::address_bits};
constexpr Option kUnpack{"--unpack", "", "write what is in IN, the outermost container, to OUT",
                         &Request::unpack};

unsigned bit_count(const Option& option, uint64_t count) {
  if (count > 255) {
    fail(ErrorKind::Argument, {}, option.names, ": expected 0 to 255, got ", count);
  }
  return static_cast<unsigned>(count);
}

WrapOptions wrap_options(const Request& request) {
  WrapOptions options;
  if (request.previous_bits) options.previous_bits = bit_count(kPrevious, *request.previous_bits);
  if (request.address_bits) options.address_bits = bit_count(kAddress, *request.address_bits);
  return options;
}

// What came of it: the bytes of both files.
struct Sizes {
  uint64_t in = 0;
  uint64_t out = 0;
};

Sizes convert(Session& session, const std::string& in, const std::string& out) {
  const Request& request = session.request();
  const WrapOptions options = wrap_options(request);
  if (request.unpack && (request.previous_bits || request.address_bits)) {
    fail(ErrorKind::Argument, {}, "--unpack takes neither --prev nor --addr");
  }
  session.check_output("OUT", out);
  Sizes sizes;
  std::error_code unknown;  // that there is no such file is told by what reads it
  sizes.in = std::filesystem::file_size(in, unknown);
  sizes.out = request.unpack ? unwrap(in, out, {}, session.open_options(), session.context())
                             : wrap(in, out, options, session.open_options(), session.context());
  return sizes;
}

void run(Session& session) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const Sizes sizes = convert(session, session.argument(0), session.argument(1));
  const std::chrono::duration<double> taken = Clock::now() - start;
  const uint64_t payload = session.request().unpack ? sizes.out : sizes.in;
  session.note(fmt::format("{} bytes in, {} bytes out, {:.2f} s, {:.1f} MB/s of payload", sizes.in,
                           sizes.out, taken.count(),
                           static_cast<double>(payload) / 1e6 / taken.count()));
}

}  // namespace

Verb convert_verb() {
  return {
      "convert",
      "put a file of any kind into a container, or take it out again",
      {{"heron convert data.jay data.jay.tz", "small, and its rows still answer"},
       {"heron convert notes.txt notes.tz --prev 16", "smaller for text, but read in order"},
       {"heron convert --unpack data.jay.tz data.jay", "back, byte for byte"}},
      {{"IN", "the file to read", Argument::Kind::File},
       {"OUT", "the file to write; its ending tells the container: .tz", Argument::Kind::File}},
      {kPrevious, kAddress, kUnpack, kNoMmap, kMaxDecode, kQuiet, kHelp},
      run,
      "A .tz is made in memory: twice the payload and 1 MB without --prev, up to N / 8 + 6 times\n"
      "the payload and 23 MB with.\n"};
}

}  // namespace heron::cli
