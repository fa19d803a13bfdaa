// The text files of one table, after the pass over them that finds the names and types of the
// columns and the number of rows.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "csv/csv_file.h"
#include "csv/field.h"
#include "csv/infer.h"
#include "csv/kept_values.h"
#include "csv/record_reader.h"
#include "csv/unify.h"
#include "heron/csv.h"

namespace heron::inline v0::csv {

// Receives all records of the first pass, in file order.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  virtual void add(const RecordReader& reader, const Records& records) = 0;
};

class AllRecords;

// Options of the first pass, which reads the files for their types.
struct FirstPass {
  uint64_t passes = 1;  // how many times the files will be read, for progress
  RecordSink* sink = nullptr;
  // Returns the store for the numbers of the only file, which has `columns` columns; empty if
  // numbers are not kept.
  std::function<KeptValues*(uint64_t columns)> keep = nullptr;
  uint64_t most_rows = UINT64_MAX;  // the pass ends soon after this many rows
};

// Immutable, thread-safe.
class CsvFiles {
 public:
  // `sources` are the results of open_text(), at least one. Throws what csv_rows() throws.
  CsvFiles(std::vector<std::shared_ptr<const ByteSource>> sources, const CsvOptions& options,
           const FirstPass& pass, const Context& context);

  const std::vector<CsvFile>& files() const noexcept { return files_; }
  // Returns the index of a column's field in the records of a file.
  uint64_t field_index(uint64_t file, uint64_t column) const noexcept {
    return field_indices_[file][column];
  }
  const std::string& name() const noexcept { return files_.front().source->name(); }
  const RecordRules& rules() const noexcept { return rules_; }
  const FieldRules& field_rules() const noexcept { return field_rules_; }
  // The total bytes, total rows and common schema of all files.
  uint64_t bytes() const noexcept { return bytes_; }
  uint64_t rows() const noexcept { return rows_; }
  const Schema& schema() const noexcept { return schema_; }
  // Returns, for each file, the facts from which the types were found.
  std::vector<FileFacts> take_facts() && noexcept { return std::move(facts_); }
  // Returns the offset at which reading of the last file ended, if that was before its end.
  std::optional<uint64_t> cut_at() const noexcept { return cut_at_; }

 private:
  void open_files(std::vector<std::shared_ptr<const ByteSource>> sources, const CsvOptions& options,
                  const Context& context);
  void set_types(const CsvOptions& options);
  void find_types(const CsvOptions& options, const FirstPass& pass, const Context& context);
  void see(const AllRecords& all, const Records& records, std::vector<ColumnTypes>& types,
           KeptValues* kept, const Context& context);
  bool keep_numbers(const SeenRecords& seen, uint64_t index, ColumnTypes& types,
                    KeptValues& kept) const;
  void note_types(const std::vector<ColumnTypes>& types, bool quotes_are_text,
                  const Context& context) const;
  void note_fallbacks(const std::vector<ColumnTypes>& types, bool quotes_are_text,
                      const Context& context) const;

  std::vector<CsvFile> files_;
  std::vector<std::vector<uint64_t>> field_indices_;
  bool is_utf8_;  // the text must be UTF-8
  RecordRules rules_;
  FieldRules field_rules_;
  uint64_t bytes_ = 0;
  uint64_t rows_ = 0;
  Schema schema_;
  std::vector<bool> is_set_;  // per column: the options set its type
  std::vector<FileFacts> facts_;
  std::optional<uint64_t> cut_at_;
};

// Reads all records of all files, in file order.
class AllRecords {
 public:
  // Reports the bytes read so far plus `bytes_before`, of `total_bytes`, as progress.
  AllRecords(const CsvFiles& source, uint64_t bytes_before, uint64_t total_bytes,
             const Context& context)
      : source_(source),
        context_(context),
        bytes_before_(bytes_before),
        total_bytes_(total_bytes) {}

  bool next(Records& records);
  // The reader, file and bytes of the last returned records.
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
