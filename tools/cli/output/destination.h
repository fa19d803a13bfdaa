// The destination of output: stdout, or the file of --to.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "output/sink.h"

namespace heron::cli {

// Returns whether output to that path becomes a file: false for a device, a pipe and a descriptor
// that is already open.
bool is_file(const std::string& path);

// A regular file appears under its name when complete, or not at all, and is compressed if the name
// ends as those of compressed files do. An existing device or pipe is
// written directly; so are descriptors that the program already has open (/dev/stdout, /dev/fd/3).
class Destination {
 public:
  // An empty path is stdout. Throws Error(Write) for a file that exists, unless it may be replaced,
  // and for one that cannot be opened.
  Destination(const std::string& path, bool replace);
  ~Destination();
  Destination(const Destination&) = delete;
  Destination& operator=(const Destination&) = delete;

  FileSink& sink() noexcept { return *sink_; }
  // Flushes, and publishes a file. Throws as FileSink does.
  void finish();

 private:
  std::unique_ptr<OutputFile> file_;  // null: the target is open or has a name
  int opened_ = -1;
  std::optional<FileSink> sink_;
};

}  // namespace heron::cli
