// heron: what every verb has in common, and the one place that turns errors into exit codes.
#include <unistd.h>

#include <atomic>
#include <clocale>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "help.h"
#include "heron/error.h"
#include "interrupt.h"
#include "output/printable.h"
#include "parse.h"
#include "session.h"

namespace heron::cli {
namespace {

int exit_code(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::Argument: return 2;
    case ErrorKind::Io:
    case ErrorKind::Changed: return 3;
    case ErrorKind::UnknownFormat:
    case ErrorKind::Unsupported: return 4;
    case ErrorKind::Corrupt: return 5;
    case ErrorKind::Cancelled: return 130;
    case ErrorKind::Write:
    case ErrorKind::Limit: break;
  }
  return 1;
}

// One line, whatever the names in it hold.
void report(std::string_view file, std::string_view message) {
  StringSink text;
  if (!file.empty()) text.append(concat(file, ": "));
  text.append(message);
  StringSink line;
  line.append("heron: ");
  append_printable(line, text.text());
  line.append('\n');
  if (::write(STDERR_FILENO, line.text().data(), line.text().size()) < 0) return;  // nobody to tell
}

void print(std::string_view text) {
  FileSink out(STDOUT_FILENO, "standard output");
  out.append(text);
  out.flush();
}

// The words after the program's name. `file` is set once it is known.
void run(std::vector<std::string> words, std::string& file) {
  if (words.empty()) fail(ErrorKind::Argument, {}, "no verb was given; see heron help");
  if (words.front() == "--help" || words.front() == "-h") words.front() = "help";
  if (words.front() == "--version") words.front() = "version";
  const Verb& verb = verb_named(words.front());
  words.erase(words.begin());
  Request request = parse(verb, std::move(words));
  const std::atomic<bool>& interrupted = catch_signals();
  if (request.help) return print(help_of(verb));

  Session session(verb, std::move(request), interrupted);
  if (verb.reads_file()) file = session.source_name();
  session.out();  // what cannot be written ends the call before work begins
  verb.run(session);
  session.finish();
}

}  // namespace
}  // namespace heron::cli

int main(int argc, char** argv) {
  using namespace heron;
  std::setlocale(LC_CTYPE, "C.UTF-8");
  std::string file;
  try {
    cli::run({argv + (argc > 0 ? 1 : 0), argv + argc}, file);
    return 0;
  } catch (const cli::ClosedPipe&) {
    return 0;
  } catch (const Error& error) {
    cli::report(error.names_file() ? "" : file, error.what());
    return cli::exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    cli::report(file, "out of memory");
  } catch (const std::exception& error) {
    cli::report(file, error.what());
  }
  return 1;
}
