// The terminal of a program that draws on all of it: keys arrive as they are typed, without echo,
// and everything is drawn on an alternate screen, after which the old one is restored.
#pragma once

#include <termios.h>

#include <array>
#include <atomic>
#include <csignal>
#include <string>
#include <vector>

#include "view/screen.h"

namespace heron::cli {

// At most one exists at a time. One thread, except wake().
class RawTerminal {
 public:
  // Throws Error(Argument) that begins with `verb` unless stdin and stdout are a terminal that can
  // be drawn on. Changes nothing.
  static void check(std::string_view verb);

  // Takes the terminal over. Throws Error(Io) if the system does not allow it.
  explicit RawTerminal(bool colour);
  // Restores the terminal as it was, with its signals.
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  ScreenSize size() const;
  // Draws the lines that differ from those drawn last.
  void draw(const Screen& screen);
  // Draws only the last line, until the next draw().
  void draw_status(const std::string& text);
  // Makes the next draw() draw everything.
  void forget() noexcept { drawn_.clear(); }

  // Waits for keys, a signal or wake(), at most that many milliseconds (-1: any time), and appends
  // the typed bytes. After SIGTSTP it stops the process, and waits on when the process is
  // continued. SIGINT, SIGTERM and SIGHUP set interrupted(), as in other verbs. Returns false if
  // the time is over.
  bool wait(int milliseconds, std::string& typed);
  // Ends a wait(). May be called from any thread.
  void wake() noexcept;
  // Does what wait() does after signals, and forgets calls of wake().
  void handle_wakes();
  // Returns whether the terminal is gone: no key can be typed.
  bool is_closed() const noexcept { return is_closed_; }

  // leave() restores the terminal for a while, as the destructor does, and enter() takes it over
  // again.
  void leave() noexcept;
  void enter();
  // Stops the process as Ctrl-Z does; returns when it is continued.
  void suspend();

 private:
  void release() noexcept;
  void set_raw();
  void read_keys(std::string& typed);

  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT};

  const bool colour_;
  std::array<int, 2> wake_ = {-1, -1};  // a pipe: read, write
  termios before_ = {};
  std::array<struct sigaction, kSignals.size()> actions_before_ = {};
  bool is_raw_ = false;
  bool is_closed_ = false;
  ScreenSize drawn_size_;
  std::vector<std::string> drawn_;
};

}  // namespace heron::cli
