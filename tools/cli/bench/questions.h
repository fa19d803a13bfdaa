// The questions that `heron bench` asks of a file: what each is, the rows it is about, and asking
// it. The same seed asks about the same rows of every file.
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
#include "heron/dataset.h"
#include "heron/scalar.h"

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
// How many points one question of a forest has.
constexpr uint64_t points_of(Op op) noexcept {
  return op == Op::Predict ? 1 : op == Op::Predict256 ? kBatchRows : kMaxPoints;
}

struct OpText {
  std::string_view name;
  std::string_view what;   // of one question
  bool has_place = false;  // in the file, by which latencies are counted
  // Whether it reads cells here and there, not from one end to the other.
  bool is_random = false;
};
const OpText& text_of(Op op);
// Throws Error(Argument).
Op op_named(std::string_view name);

// How a file is opened and what is asked of it.
struct Subject {
  std::string path;
  OpenOptions options;
  std::string table;                 // empty: the first
  std::vector<std::string> columns;  // empty: all
  std::string where;                 // of filter; empty: none
  std::string no_where;              // why, if one was given
  uint64_t seed = 0;
};

// What questions need to know of a file, found once and not timed.
struct FileFacts {
  uint64_t rows = 0;
  uint64_t block_count = 0;
  uint64_t block_rows = 0;
  uint64_t group_count = 0;
  uint64_t column_count = 0;             // of the projection
  std::vector<std::string> key_columns;  // of find; empty: none was found
  std::string key_error;                 // why looking for them failed
  // One after the other, of random rows.
  std::vector<std::vector<Scalar>> keys;
  std::vector<uint64_t> key_rows;
  // A file with a forest: the name of its table of nodes, and points as a row-major matrix.
  // Features are drawn from the range of the split values on them.
  std::string forest_table;
  std::vector<float> points;
};
// Reads some rows. `wanted`: the ops that will be asked; only what they need is found. Questions
// are about the first `max_rows` rows, and blocks and groups of these.
FileFacts facts_of(const Subject& subject, const Dataset& dataset, std::span<const Op> wanted,
                   uint64_t max_rows, const Context& context);
// A predicate that about one row in a hundred passes; empty: no column has such a one.
std::string find_predicate(const Subject& subject, const Dataset& dataset, uint64_t max_rows,
                           const Context& context);
// Why such a file has no answer to it; empty: it has one.
std::string why_unanswerable(Op op, const Subject& subject, const FileFacts& facts);

// The question of a number: which rows.
struct Input {
  uint64_t number = 0;
  std::vector<uint64_t> rows;
  uint64_t unit = 0;   // a block, column or group
  uint64_t place = 0;  // the first of its rows
};
void draw_input(Op op, const Subject& subject, const FileFacts& facts, uint64_t number,
                Input& input);
// The consecutive rows that a question is about, of the first `rows`: a block, a group, or all.
RowRange rows_of(Op op, const Projection& columns, uint64_t rows, const Input& input);

// The size of the answers to one question, or several.
struct Answered {
  uint64_t rows = 0;
  uint64_t bytes = 0;  // of values, in Arrow's layout
};

// Asks one question after the other. One thread at a time.
class Asker {
 public:
  virtual ~Asker() = default;
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  // Timed: all values of the answer are in memory, and have been looked at.
  virtual Answered ask(const Input& input) = 0;
  // Between two questions, not timed.
  virtual void rest() {}

 protected:
  Asker() = default;
};

// An open file, and its table.
struct OpenFile {
  std::shared_ptr<const Dataset> dataset;
  std::shared_ptr<const Table> table;
};
OpenFile open_file(const Subject& subject, const Context& context);
// The columns that questions are about.
Projection projection_of(const Subject& subject, const OpenFile& file);

// `file` and the others must outlive it; of Op::Open, which opens the file itself, `file` may be
// empty.
std::unique_ptr<Asker> make_asker(Op op, const Subject& subject, const FileFacts& facts,
                                  const OpenFile& file, const Context& context);

}  // namespace heron::cli::bench
