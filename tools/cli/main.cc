// heron: the common frame of all verbs, and the only code that turns errors into exit codes.
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/fail.h"
#include "exit_code.h"
#include "help/completion.h"
#include "help/help.h"
#include "help/hints.h"
#include "heron/error.h"
#include "interrupt.h"
#include "output/message.h"
#include "output/sink.h"
#include "parsing/command.h"
#include "parsing/options.h"
#include "parsing/parse.h"
#include "session.h"

namespace heron::cli {
namespace {

// Raises the limit of open files: each file of a dataset takes a descriptor while it is open, and
// each output file takes one until all are published. Only a process may raise it, not a library.
void raise_open_files() noexcept {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);  // if this fails the old limit stays
}

// Makes character widths independent of the environment.
void set_locale() {
  errno = 0;
  if (std::setlocale(LC_CTYPE, "C.UTF-8") == nullptr && errno == ENOMEM) throw std::bad_alloc();
}

// Prints the program's last message.
int report(std::string_view file, std::string_view message, int exit_code,
           std::string_view hint = {}) noexcept {
  write_message({file, file.empty() ? "" : ": ", message, hint});
  return exit_code;
}

void print_help_of(const Verb& verb) {
  FileSink out(STDOUT_FILENO, "standard output");
  print_help(out, &verb);
  out.flush();
}

// Answers the completion scripts of shells.
int print_completions(const std::vector<std::string>& request) {
  FileSink out(STDOUT_FILENO, "standard output");
  print_completion(out, request);
  out.flush();
  return 0;
}

// Runs the words after the program's name. `file` is set once it is known. Returns the exit code.
int run(std::vector<std::string> words, std::string& file) {
  if (words.empty()) fail(ErrorKind::Argument, {}, "no verb was given; see heron help");
  if (words.front() == "__complete") return print_completions({words.begin() + 1, words.end()});
  if (words.front() == "--help" || words.front() == "-h") words.front() = "help";
  if (words.front() == "--version") words.front() = "version";
  const Verb& verb = verb_named(words.front());
  words.erase(words.begin());
  Request request = parse(verb, words);
  if (request.options.get<CommonOptions>().help) {
    print_help_of(verb);
    return 0;
  }

  Session session(verb, std::move(request), interrupted());
  if (verb.reads_file()) file = session.source_name();
  session.out();  // an unwritable output fails before work begins
  verb.run(session);
  session.finish();
  return session.exit_code();
}

}  // namespace
}  // namespace heron::cli

int main(int argc, char** argv) {
  using namespace heron;
  cli::catch_signals();
  cli::raise_open_files();
  std::string file;
  try {
    cli::set_locale();
    return cli::run({argv + (argc > 0 ? 1 : 0), argv + argc}, file);
  } catch (const cli::ClosedPipe&) {
    return 0;
  } catch (const Error& error) {
    return cli::report(error.names_file() ? "" : file, error.what(), cli::exit_code(error.kind()),
                       cli::hint_text(error.hint()));
  } catch (const std::bad_alloc&) {
    return cli::report(file, "out of memory", 1);
  } catch (const std::exception& error) {
    return cli::report(file, error.what(), 1);
  }
}
