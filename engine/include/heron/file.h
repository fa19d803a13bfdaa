// Files: opening them, and what they contain.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heron/context.h"
#include "heron/error.h"
#include "heron/export.h"
#include "heron/formats.h"
#include "heron/table.h"

namespace heron::inline v0 {

struct FileContents;

struct OpenOptions {
  std::string format = {};  // a format's name; empty: detect it
  // The path of the one entry of an archive to open, as if the archive held no other; empty: all.
  std::string entry = {};
  bool mmap = true;  // false: read with pread, safe for files that others cut short or rewrite
  // How the file's pages are read from the device. Auto suits any file, in memory or not.
  Access access = Access::Auto;
  // How many bytes of decoded blocks the cache keeps for later queries. It holds more only while
  // answers point into them.
  uint64_t cache_bytes = uint64_t{256} << 20;
  // How many bytes one query may decode: whole reads of larger payloads of containers, and distant
  // reads where a bit depends on all bits before it, throw Error(Limit).
  uint64_t max_decode = uint64_t{4} << 30;
  // If not 0, only this many rows at the start are needed: a format that would read a whole file to
  // open it, as CSV does, reads no more than these need. The table then ends soon after them, and
  // types are inferred from its rows, which a note reports. Other formats ignore it.
  uint64_t head_rows = 0;
  // Whether to use the sidecar that `index` wrote, if it belongs to the file.
  bool use_index = true;
  // Options of formats, which have no effect on files of others; of text files, csv.h has them as a
  // struct.
  FormatOptions format_options = {};

  void set(std::string_view name, OptionValue value) {
    format_options.set(name, std::move(value));
  }
};

// A file in an archive, such as a zip.
struct ArchiveEntry {
  std::string path;           // path in the archive, with slashes
  uint64_t bytes = 0;         // size of the file
  uint64_t stored_bytes = 0;  // size in the archive
  std::string encoding;       // "stored", "deflate"
  std::string format;         // the file's format; empty: unknown
  // Why the file has no tables, as the text of an Error; empty if nothing is wrong with it.
  std::string reason;
};

// An open file. Immutable and thread-safe: every const call may run at once with every other.
class HERON_EXPORT File {
 public:
  explicit File(FileContents contents);  // called by formats
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const std::string& path() const noexcept;
  uint64_t size_bytes() const noexcept;
  const std::string& format() const noexcept;  // "jay"
  // The names of the containers, outermost first; empty for a plain file.
  const std::vector<std::string>& containers() const noexcept;
  // Name and text of each field of the format's header, in the order of the header, followed by
  // those of the containers' headers.
  const std::vector<std::pair<std::string, std::string>>& header() const noexcept;
  // All tables. Those of an archive are named PATH:TABLE and come from its entries, in their order,
  // except entries that are archives or cannot be opened; the first call opens all entries.
  const std::vector<std::shared_ptr<const Table>>& tables() const;
  // The table of that name; an empty name: the first. In an archive, only the entry with that table
  // is opened, and a path alone names its first table. Throws Error(Argument) if there is none,
  // Error(Unsupported, Corrupt) for an entry that cannot be opened.
  const std::shared_ptr<const Table>& table(std::string_view name = {}) const;
  const std::shared_ptr<const Table>& table(const char* name) const { return table(text_at(name)); }
  // The entries of an archive, in its order; empty for other files. The first call opens all.
  std::span<const ArchiveEntry> entries() const;

  // The work of reading so far, including open: counters of the containers, outermost first, then
  // those of the format.
  std::vector<Counter> counters() const;
  // How many bytes of the file's pages were prefetched so far, in whole pages.
  uint64_t bytes_prefetched() const noexcept;

 private:
  friend const FileContents& internals(const File& file) noexcept;
  const std::unique_ptr<const FileContents> parts_;
};

// Opens a file of any format Heron knows, or a folder that programs of a format write, such as a
// dataset of Hugging Face. Reads headers only: the time grows with the number of columns, never with
// rows; for an archive, with its entries, which are opened at their first use. Exceptions are CSV,
// which is read once unless a sidecar stores the result, and gzip, which is decompressed into
// memory: both use the Context's progress and cancel. The path "-" is standard input. Throws Error:
// Io, UnknownFormat, Unsupported, Corrupt; Limit, Cancelled.
HERON_EXPORT std::shared_ptr<const File> open(const std::string& path,
                                                 const OpenOptions& options = {},
                                                 const Context& context = {});
template <std::convertible_to<const char*> Text>
std::shared_ptr<const File> open(Text path, const OpenOptions& options = {},
                                    const Context& context = {}) {
  return open(std::string(text_at(path)), options, context);
}

// Opens several files as one: each table of the first has the rows of all of them, in this order,
// and the first file's properties; group numbers continue from file to file. One path is the
// same as open() of that file. The files share the cache limit. Throws also Error(Argument) for no
// paths, for a file without one of the tables, and, naming file and column, where the columns of a
// table differ in name or type (beyond 65,536 columns in all at a column's first use). Key columns
// whose values differ between files throw it when they are read.
HERON_EXPORT std::shared_ptr<const File> open(std::span<const std::string> paths,
                                                 const OpenOptions& options = {},
                                                 const Context& context = {});
inline std::shared_ptr<const File> open(std::initializer_list<std::string> paths,
                                           const OpenOptions& options = {},
                                           const Context& context = {}) {
  return open(std::span(paths.begin(), paths.size()), options, context);
}

}  // namespace heron::inline v0
