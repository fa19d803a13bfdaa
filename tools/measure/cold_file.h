// A file whose pages can be dropped from memory. Measures how long the device takes to read parts
// of it with plain reads past the page cache.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bytes/byte_ranges.h"
#include "bytes/regular_file.h"
#include "measure/histogram.h"

namespace heron::measure {

// Parts of a file: some read from one end to the other, others page by page.
struct PartsOfFile {
  std::vector<ByteRange> ranges;
  std::vector<uint64_t> pages;  // page numbers, ascending

  uint64_t page_count() const;
};

class ColdFile {
 public:
  // Throws Error(Io), also for a path that is no regular file; never blocks on a FIFO.
  explicit ColdFile(const std::string& path);
  ~ColdFile();
  ColdFile(const ColdFile&) = delete;
  ColdFile& operator=(const ColdFile&) = delete;

  const std::string& path() const { return path_; }
  uint64_t bytes() const { return file_.size(); }
  uint64_t pages() const { return (bytes() + kPageBytes - 1) / kPageBytes; }
  // Returns how the file has changed since the constructor, or null.
  const char* change() const noexcept { return file_.change(); }

  // Drops all pages; returns the share of them that stayed.
  double drop() const;
  // Drops all pages; returns how many stayed.
  uint64_t drop_all() const;
  // Returns how many pages are in memory.
  uint64_t resident_pages() const;
  // Reads the whole file into memory.
  void warm() const;

  // Returns whether reads can go past the page cache.
  bool is_direct() const { return direct_ >= 0; }
  // The load of the device: that many threads, each of which reads a piece at a time.
  struct Depth {
    unsigned threads = 64;
    uint64_t piece_bytes = kPageBytes;
  };
  // Reads ranges or pages, past the page cache if the file system allows it, and returns the
  // seconds taken. Adds the time of each piece to `latencies`, unless that is null.
  double read_ranges(const std::vector<ByteRange>& ranges, Depth depth,
                     Histogram* latencies = nullptr) const;
  double read_pages(const std::vector<uint64_t>& pages, unsigned threads,
                    Histogram* latencies = nullptr) const;

 private:
  std::string path_;
  RegularFile file_;
  int direct_;
};

// Touches free memory for the pages to come. The host of a virtual machine takes back memory that
// is free for some seconds; to touch it again costs up to a millisecond a page, many times what the
// device takes.
void touch_free_memory(uint64_t bytes);

}  // namespace heron::measure
