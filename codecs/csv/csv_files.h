// The text files of one table after the pass over them that finds the columns' names and types and
// the number of rows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "csv/csv_file.h"
#include "csv/field.h"
#include "csv/infer.h"
#include "csv/record_reader.h"
#include "heron/csv.h"

namespace heron::inline v0::csv {

// Receives all records of that pass, in their order.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  virtual void add(const RecordReader& reader, const Records& records) = 0;
};

// Immutable, thread-safe.
class CsvFiles {
 public:
  // `sources` as open_text() gives them, at least one. Reports as progress what it has read of
  // `passes` times the files' bytes. Throws what csv_rows() throws.
  CsvFiles(std::vector<std::shared_ptr<const ByteSource>> sources, const CsvOptions& options,
           uint64_t passes, RecordSink* sink, const Context& context);

  const std::vector<CsvFile>& files() const noexcept { return files_; }
  const std::string& name() const noexcept { return files_.front().source->name(); }
  char separator() const noexcept { return separator_; }
  const NullWords& null_words() const noexcept { return nulls_; }
  // Of all files.
  uint64_t bytes() const noexcept { return bytes_; }
  uint64_t rows() const noexcept { return rows_; }
  const Schema& schema() const noexcept { return schema_; }

 private:
  void open_files(std::vector<std::shared_ptr<const ByteSource>> sources, const CsvOptions& options,
                  const Context& context);
  void check_header(const CsvFile& file) const;
  void make_schema();
  void set_types(const CsvOptions& options);
  void find_types(uint64_t passes, RecordSink* sink, const Context& context);
  void note_why_text(const std::vector<ColumnTypes>& types, bool quotes_are_text,
                     const Context& context) const;

  std::vector<CsvFile> files_;
  bool is_utf8_;  // has to be
  char separator_;
  NullWords nulls_;
  uint64_t bytes_ = 0;
  uint64_t rows_ = 0;
  Schema schema_;
  std::vector<bool> is_set_;  // of a column: its type, by the options
};

// All records of all files, in their order.
class AllRecords {
 public:
  // Reports as progress what it has read, with `bytes_before`, of `total_bytes`.
  AllRecords(const CsvFiles& source, uint64_t bytes_before, uint64_t total_bytes,
             const Context& context)
      : source_(source),
        context_(context),
        bytes_before_(bytes_before),
        total_bytes_(total_bytes) {}

  bool next(Records& records);
  // Of the last records.
  const RecordReader& reader() const noexcept { return *reader_; }
  uint64_t file() const noexcept { return file_; }
  const std::shared_ptr<const ByteSource>& bytes() const noexcept {
    return source_.files()[file_].source;
  }

 private:
  const CsvFiles& source_;
  const Context& context_;
  uint64_t bytes_before_;
  uint64_t total_bytes_;
  uint64_t file_ = 0;
  std::unique_ptr<RecordReader> reader_;
};

}  // namespace heron::inline v0::csv
