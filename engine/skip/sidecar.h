// The sidecar: the file that `heron index` writes beside a file, as FILE.heron or in the folder
// that HERON_INDEX_DIR names. It stores what every process that opens the file would otherwise
// compute again. SIDECAR.md describes the bytes.
//
// A sidecar is read as an untrusted file: every size is checked against the file's, every section
// against its checksum, every value against its range. It belongs to the file of this size,
// modification time and fingerprint, and is ignored for any other. It is used only if it belongs to
// the file's owner or to us, and nobody else may write to it.
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

// The index of one column of one table. It applies only to a column for which all of these members
// are the same: they depend on the options of open().
struct ColumnIndex {
  std::string table, column, type, encoding;
  uint64_t rows = 0;
  ZoneOrder order = ZoneOrder::None;
  uint64_t zone_rows = 0;
  std::vector<Zone> zones;           // all or none; never more nulls and NaNs than rows
  std::optional<uint64_t> distinct;  // number of distinct values, if known exactly
};

// Data of a format to open the file faster: bytes that only the format can read, and must not
// trust.
struct FormatIndex {
  std::string name;  // the format and the number of containers around it: "treezip[0]"
  std::vector<std::byte> bytes;
};

struct IndexContents {
  std::vector<ColumnIndex> columns;
  std::vector<FormatIndex> formats;
  std::vector<uint64_t> checksums;  // one per kChecksumBlockBytes of the file
};

// An opened sidecar. Immutable, thread-safe; sections are read on request.
class Sidecar {
 public:
  // Returns the path of a file's sidecar.
  static std::string path_of(const std::string& file);
  // Returns whether the path exists. Throws an Error that names the path unless it is a regular
  // file that begins as a sidecar does: no other file may be replaced or removed.
  static bool is_at(const std::string& path);
  // Returns the sidecar of `file`, if it exists and belongs to the file. A sidecar that is stale,
  // damaged or another user's is ignored: the result is null, and Context::note reports the reason.
  static std::shared_ptr<const Sidecar> find(const ByteSource& file, const Context& context);
  // Opens any sidecar of `file`, to compare it with the file; null if there is none. Throws
  // Error(Corrupt), which names the sidecar, for a damaged one.
  static std::shared_ptr<const Sidecar> open(const ByteSource& file, const Context& context);
  // Writes a sidecar, whole or not at all. Returns its size in bytes. Throws Error: Io, Write,
  // Changed; replaces only a sidecar.
  static uint64_t write(const ByteSource& file, const IndexContents& contents,
                        const Context& context);

  virtual ~Sidecar() = default;
  // Both return nullopt for a section that is absent or damaged; damage is reported to
  // Context::note.
  virtual std::optional<ColumnIndex> column(std::string_view table, std::string_view name,
                                            const Context& context) const = 0;
  virtual std::optional<std::vector<std::byte>> format(std::string_view name,
                                                       const Context& context) const = 0;
  // Returns the indexes of all columns. Throws Error(Corrupt) for a damaged section.
  virtual std::vector<ColumnIndex> columns(const Context& context) const = 0;
  virtual const std::string& name() const noexcept = 0;
  // Returns why find() would ignore this sidecar, whatever its content; empty if find() would use
  // it.
  virtual const std::string& distrust() const noexcept = 0;
  // Returns the number of sections of formats.
  virtual uint64_t format_count() const noexcept { return 0; }
  // Returns whether the file still has the size, time and fingerprint of the indexed file.
  virtual bool belongs() const noexcept = 0;
  // Throws Error(Corrupt) that names the first block whose bytes differ from the indexed ones, or
  // the sidecar, if its header does not match a file whose bytes do.
  virtual void compare_checksums(const ByteSource& file, const Context& context) const = 0;
};

// Compares `claimed`, from the index of that name, with `found`, from the file opened with the same
// options. Throws Error(Corrupt) that names the first wrong claim; sections that are absent claim
// nothing.
void compare_columns(const std::string& index, std::span<const ColumnIndex> claimed,
                     std::span<const ColumnIndex> found);

}  // namespace heron::inline v0
