// The questions that `heron bench` asks of a file: a description of each, the rows it is about, and
// asking it. The same seed asks about the same rows of every file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heron/context.h"
#include "heron/file.h"
#include "heron/table.h"
#include "heron/values.h"

namespace heron::cli::bench {

enum class Op : uint8_t {
  Open,
  Row,
  Rows,
  Take,
  Block,
  Column,
  Scan,
  Filter,
  Sample,
  Find,
  Group,
  Predict,
  Predict256,
  Predict100k
};
inline constexpr std::string_view kOps =
    "open row rows take block column scan filter sample find group predict predict_256 "
    "predict_100k";
inline constexpr uint64_t kRowsAtOnce = 100, kTakeRows = 10'000, kBatchRows = 256;
inline constexpr uint64_t kMaxPoints = 100'000;

constexpr bool is_prediction(Op op) noexcept {
  return op >= Op::Predict;
}
// Returns how many points one question of a forest has.
constexpr uint64_t points_of(Op op) noexcept {
  return op == Op::Predict ? 1 : op == Op::Predict256 ? kBatchRows : kMaxPoints;
}

struct OpText {
  std::string_view name;
  std::string_view what;   // describes one question
  bool counts_parts = false;  // latencies are counted by the rows' part of the file
  // True if the question reads scattered cells, false if it reads from one end to the other.
  bool is_random = false;
};
const OpText& text_of(Op op);
// Returns the op of that name. Throws Error(Argument).
Op op_named(std::string_view name);

// A file, how it is opened and the parts of it that questions are about.
struct Subject {
  std::string path;
  OpenOptions options;
  std::string table;                 // name of the table; empty: the first table
  std::vector<std::string> columns;  // names of the columns; empty: all columns
  std::string where;                 // predicate of filter; empty: none
  std::string no_where;              // why there is no predicate, if one was given
  uint64_t seed = 0;
};

// Facts of a file that questions need, found once and not timed.
struct FileFacts {
  uint64_t rows = 0;
  uint64_t block_count = 0;
  uint64_t block_rows = 0;
  uint64_t group_count = 0;
  uint64_t column_count = 0;             // number of projected columns
  std::vector<std::string> key_columns;  // columns of find; empty: none was found
  std::string key_error;                 // why looking for key columns failed
  // The keys of random rows, one after the other.
  std::vector<std::vector<Scalar>> keys;
  std::vector<uint64_t> key_rows;
  // A file with a forest has the name of its table of nodes, and points as a row-major matrix:
  // features are drawn from the range of the split values on them.
  std::string forest_table;
  std::vector<float> points;
};
// Finds the facts of a file that the questions of `ops` need, for which it reads some rows.
// Questions are about the first `max_rows` rows, and blocks and groups of these.
FileFacts facts_of(const Subject& subject, const File& opened, std::span<const Op> ops,
                   uint64_t max_rows, const Context& context);
// Finds a predicate that about one row in a hundred passes; empty if no column has such a
// predicate.
std::string find_predicate(const Subject& subject, const File& opened, uint64_t max_rows,
                           const Context& context);
// Returns why a file has no answer to the question; empty if it has one.
std::string why_unanswerable(Op op, const Subject& subject, const FileFacts& facts);

// The rows that one question, given by its number, is about.
struct Input {
  uint64_t number = 0;
  std::vector<uint64_t> rows;
  uint64_t unit = 0;   // index of a block, column or group
  uint64_t first_row = 0;  // the first of the question's rows
};
void draw_input(Op op, const Subject& subject, const FileFacts& facts, uint64_t number,
                Input& input);
// Returns the consecutive rows, of the first `rows`, that a question is about: a block, a group, or
// all.
RowRange rows_of(Op op, const Projection& columns, uint64_t rows, const Input& input);

// The size of the answers to one question, or several.
struct Answered {
  uint64_t rows = 0;
  uint64_t bytes = 0;  // size of the values in Arrow's layout
};

// Asks one question after the other. One thread at a time.
class Asker {
 public:
  virtual ~Asker() = default;
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  // Asks a question, which is timed: all values of the answer are in memory, and have been read.
  virtual Answered ask(const Input& input) = 0;
  // Called between two questions, not timed.
  virtual void rest() {}

 protected:
  Asker() = default;
};

// An open file, and its table.
struct OpenFile {
  std::shared_ptr<const File> opened;
  std::shared_ptr<const Table> table;
};
OpenFile open_file(const Subject& subject, const Context& context);
// Returns the columns that questions are about.
Projection projection_of(const Subject& subject, const OpenFile& file);

// Makes the asker of an op. All arguments must outlive it; for Op::Open, which opens the file
// itself, `file` may be empty.
std::unique_ptr<Asker> make_asker(Op op, const Subject& subject, const FileFacts& facts,
                                  const OpenFile& file, const Context& context);

}  // namespace heron::cli::bench
