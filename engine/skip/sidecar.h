// What `heron index` keeps beside a file, as FILE.heron or in the folder that HERON_INDEX_DIR
// names: what would otherwise be found out again by every process that opens it. SIDECAR.md has the
// bytes.
//
// A sidecar is read like any file from a stranger: every size is held against the file's, every
// section against its checksum, every value against what it points into. It belongs to the file
// that had this size, this time of change and this fingerprint; of any other it says nothing. It is
// used only if it is the file's owner's or our own, and nobody else may write to it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/byte_source.h"
#include "skip/checksum.h"
#include "skip/zone.h"

namespace heron::inline v0 {

// What is kept of one column of one table. It is only of use for a column that is the same in all
// of what stands here: how a file is opened can change it.
struct ColumnIndex {
  std::string table, column, type, encoding;
  uint64_t rows = 0;
  ZoneOrder order = ZoneOrder::None;
  uint64_t zone_rows = 0;
  std::vector<Zone> zones;           // all of them, or none; never more null and NaNs than rows
  std::optional<uint64_t> distinct;  // how many values, if it is known exactly
};

// What a format keeps of a file to open it faster: bytes that only it can read, and must not trust.
struct FormatIndex {
  std::string name;  // the format's, and how many containers are around: "treezip[0]"
  std::vector<std::byte> bytes;
};

struct IndexContents {
  std::vector<ColumnIndex> columns;
  std::vector<FormatIndex> formats;
  std::vector<uint64_t> checksums;  // of each kChecksumBlockBytes of the file
};

// A sidecar that was opened. Immutable, thread-safe; sections are read when they are asked for.
class Sidecar {
 public:
  // Where the sidecar of a file is.
  static std::string path_of(const std::string& file);
  // Whether something is there. Throws Error that names it unless it is a regular file that begins
  // as a sidecar does: then it is somebody's own, to be neither replaced nor removed.
  static bool is_at(const std::string& path);
  // That of `file`, if there is one and it belongs to it. One that is stale, damaged or another
  // user's is not used: null, and Context::note is told why.
  static std::shared_ptr<const Sidecar> find(const ByteSource& file, const Context& context);
  // Any, for those who compare it with the file: null if there is none. Throws Error(Corrupt) for
  // a damaged one, with its own name.
  static std::shared_ptr<const Sidecar> open(const ByteSource& file, const Context& context);
  // Written whole or not at all. Returns its size in bytes. Throws Error: Io, Write, Changed; never
  // replaces what is no index.
  static uint64_t write(const ByteSource& file, const IndexContents& contents,
                        const Context& context);

  virtual ~Sidecar() = default;
  // Each nothing where it is not in the sidecar, or damaged, which Context::note is told of.
  virtual std::optional<ColumnIndex> column(std::string_view table, std::string_view name,
                                            const Context& context) const = 0;
  virtual std::optional<std::vector<std::byte>> format(std::string_view name,
                                                       const Context& context) const = 0;
  // Of all columns. Throws Error(Corrupt) for a section that is damaged.
  virtual std::vector<ColumnIndex> columns(const Context& context) const = 0;
  virtual const std::string& name() const noexcept = 0;
  // Why find() would not use it, whatever is in it; empty: it would.
  virtual const std::string& distrust() const noexcept = 0;
  // How many things it keeps of formats.
  virtual uint64_t format_count() const noexcept { return 0; }
  // Whether the file is still the one it was made of, by size, time and fingerprint.
  virtual bool belongs() const noexcept = 0;
  // Throws Error(Corrupt) that names the first block whose bytes are not those that were indexed,
  // or the sidecar, where its header does not fit a file whose bytes are.
  virtual void compare_checksums(const ByteSource& file, const Context& context) const = 0;
};

}  // namespace heron::inline v0
