#include "view/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <span>

#include "base/fail.h"
#include "bytes/system_call.h"
#include "heron/error.h"
#include "interrupt.h"

namespace heron::cli {
namespace {

// The state of the handler of signals. The descriptor is the pipe's end for writing.
std::atomic<int> g_wake{-1};
std::atomic<bool> g_stop{false};       // SIGTSTP was received
std::atomic<bool> g_continued{false};  // SIGCONT was received
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free,
              "a signal handler sets them");

// Wakes a wait(); a full pipe wakes it, too.
void write_wake() noexcept {
  const int pipe = g_wake.load();
  const char byte = 0;
  if (pipe >= 0 && ::write(pipe, &byte, 1) < 0) return;
}

void handle_signal_of_view(int signal) {
  const int error = errno;
  if (signal == SIGTSTP) g_stop.store(true);
  if (signal == SIGCONT) g_continued.store(true);
  if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP) interrupt(signal);
  write_wake();
  errno = error;
}

void write_to_terminal(std::string_view text) noexcept {
  write_all(STDOUT_FILENO, std::as_bytes(std::span(text)));  // reading detects a lost terminal
}

// Follows the number of a line. A line is erased before it is written: behind a full line the
// cursor is on its last character.
constexpr std::string_view kErasedLine = ";1H\x1b[K";
// Switches to another screen, without line breaks at the margin and without cursor; and back.
constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[H\x1b[2J";
constexpr std::string_view kLeave = "\x1b[0m\x1b[?25h\x1b[?7h\x1b[?1049l";

}  // namespace

void RawTerminal::check(std::string_view verb) {
  const auto refuse = [&](std::string_view stream) {
    fail(ErrorKind::Argument, {}, verb, ": ", stream,
         " is not a terminal; heron scan prints all rows");
  };
  if (::isatty(STDOUT_FILENO) != 1) refuse("standard output");
  if (::isatty(STDIN_FILENO) != 1) refuse("standard input");
  const char* name = std::getenv("TERM");
  if (name != nullptr && std::string_view(name) == "dumb") {
    fail(ErrorKind::Argument, {}, verb, ": the terminal \"dumb\" cannot be drawn on; heron scan "
         "prints all rows");
  }
}

RawTerminal::RawTerminal(bool colour) : colour_(colour) {
  if (::pipe2(wake_.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    fail(ErrorKind::Io, {}, "the terminal: ", std::strerror(errno));
  }
  g_wake.store(wake_[1]);
  g_stop.store(false);
  g_continued.store(false);
  struct sigaction action = {};
  action.sa_handler = handle_signal_of_view;
  for (size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &actions_before_[i]);
    if (actions_before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
  try {
    enter();
  } catch (...) {
    release();
    throw;
  }
}

RawTerminal::~RawTerminal() {
  release();
}

void RawTerminal::release() noexcept {
  leave();
  for (size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], &actions_before_[i], nullptr);
  }
  g_wake.store(-1);
  ::close(wake_[0]);
  ::close(wake_[1]);
}

void RawTerminal::enter() {
  if (is_raw_) return;
  if (::tcgetattr(STDIN_FILENO, &before_) != 0) {
    fail(ErrorKind::Io, {}, "the terminal: ", std::strerror(errno));
  }
  set_raw();
}

void RawTerminal::set_raw() {
  termios raw = before_;
  // Ctrl-C, Ctrl-Z, Ctrl-S and Ctrl-Q become keys.
  raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | IEXTEN | ISIG);
  raw.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL | INLCR | BRKINT | ISTRIP);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  const auto set = [&] { return ::tcsetattr(STDIN_FILENO, TCSANOW, &raw); };
  if (uninterrupted(set) != 0) fail(ErrorKind::Io, {}, "the terminal: ", std::strerror(errno));
  is_raw_ = true;
  forget();
  write_to_terminal(kEnter);
}

void RawTerminal::leave() noexcept {
  if (!is_raw_) return;
  is_raw_ = false;
  write_to_terminal(kLeave);
  uninterrupted([&] { return ::tcsetattr(STDIN_FILENO, TCSANOW, &before_); });
}

void RawTerminal::suspend() {
  constexpr size_t kStop = 4;
  static_assert(kSignals[kStop] == SIGTSTP);
  if (actions_before_[kStop].sa_handler == SIG_IGN) return;  // no shell would continue the process
  leave();
  struct sigaction standard = {}, own = {};
  standard.sa_handler = SIG_DFL;
  ::sigaction(SIGTSTP, &standard, &own);
  ::raise(SIGTSTP);  // returns when the process is continued
  ::sigaction(SIGTSTP, &own, nullptr);
  g_stop.store(false);
  enter();
}

ScreenSize RawTerminal::size() const {
  winsize size = {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
    return {80, 24};
  }
  return {size.ws_col, size.ws_row};
}

void RawTerminal::draw(const Screen& screen) {
  if (!is_raw_) return;
  std::string out = "\x1b[?25l";
  if (drawn_size_ != size()) forget();
  if (drawn_.empty()) out += "\x1b[0m\x1b[2J";
  drawn_size_ = size();
  std::vector<std::string> lines;
  for (const ScreenLine& line : screen.lines) lines.push_back(escapes_of(line, colour_));
  for (size_t i = 0; i < std::max(lines.size(), drawn_.size()); ++i) {
    const std::string_view line = i < lines.size() ? std::string_view(lines[i]) : "";
    if (i < drawn_.size() && drawn_[i] == line) continue;
    out += concat("\x1b[", i + 1, kErasedLine, line);
  }
  if (screen.cursor) {
    out += concat("\x1b[", screen.lines.size(), ';', *screen.cursor + 1, "H\x1b[?25h");
  }
  write_to_terminal(out);
  drawn_ = std::move(lines);
}

void RawTerminal::draw_status(const std::string& text) {
  if (!is_raw_) return;
  const ScreenSize now = size();
  const std::string line =
      escapes_of({{Style::Status, padded_right(text, now.width)}}, colour_);
  if (drawn_.size() >= now.height) drawn_.back() = line;
  write_to_terminal(concat("\x1b[", now.height, kErasedLine, line));
}

bool RawTerminal::wait(int milliseconds, std::string& typed) {
  std::array<pollfd, 2> waits = {{{STDIN_FILENO, POLLIN, 0}, {wake_[0], POLLIN, 0}}};
  const int ready = ::poll(waits.data(), waits.size(), milliseconds);
  if (ready == 0) return false;
  handle_wakes();
  if (ready > 0 && waits[0].revents != 0) read_keys(typed);
  return true;
}

void RawTerminal::read_keys(std::string& typed) {
  std::array<char, 1024> bytes;
  const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  if (count > 0) return void(typed.append(bytes.data(), static_cast<size_t>(count)));
  is_closed_ = count == 0 || (errno != EINTR && errno != EAGAIN);
}

void RawTerminal::handle_wakes() {
  std::array<char, 64> bytes;
  while (::read(wake_[0], bytes.data(), bytes.size()) > 0) continue;
  if (g_stop.exchange(false)) suspend();
  // A shell may have changed the terminal while the process was stopped.
  if (g_continued.exchange(false) && is_raw_ && !interrupted()) set_raw();
}

void RawTerminal::wake() noexcept {
  write_wake();
}

}  // namespace heron::cli
