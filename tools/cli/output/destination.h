// Where an answer goes: to stdout, or to what --to names.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "output/sink.h"

namespace heron::cli {

// A file appears under its name whole, when all is written, or not at all. A device or pipe that
// exists is written to as it is; so is what the program already has open (/dev/stdout, /dev/fd/3).
class Destination {
 public:
  // An empty path is stdout. Throws Error(Write) for a file that exists, unless it may be replaced,
  // and for what cannot be opened.
  Destination(const std::string& path, bool replace);
  ~Destination();
  Destination(const Destination&) = delete;
  Destination& operator=(const Destination&) = delete;

  FileSink& sink() noexcept { return *sink_; }
  // Writes what is left, and gives a file its name. Throws as FileSink does.
  void finish();

 private:
  std::unique_ptr<OutputFile> file_;  // null: what is written to is open or has a name
  int opened_ = -1;
  std::optional<FileSink> sink_;
};

}  // namespace heron::cli
