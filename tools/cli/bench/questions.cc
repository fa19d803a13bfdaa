#include "bench/questions.h"

#include <algorithm>
#include <array>

#include "base/fail.h"
#include "heron/error.h"
#include "heron/sampler.h"

namespace heron::cli::bench {
namespace {

constexpr std::array<OpText, 14> kTexts = {{
    {"open", "the file opened, its tables known", false, false},
    {"row", "one random row", true, true},
    {"rows", "100 random rows in one call", false, true},
    {"take", "10,000 random rows in one call", false, true},
    {"block", "a random block of consecutive rows", true, false},
    {"column", "all values of one column, each column in turn", false, false},
    {"scan", "all rows", false, false},
    {"filter", "the rows that pass a predicate, about one in a hundred", false, false},
    {"sample", "the next batch of 256 rows in random order", false, true},
    {"find", "a random row by its key", true, true},
    {"group", "all rows of a random group", true, false},
    {"predict", "the label of one random point by the forest", false, true},
    {"predict_256", "the labels of 256 random points by the forest", false, true},
    {"predict_100k", "the labels of 100,000 random points by the forest", false, false},
}};

// Draws independently, the same for every op of a file: question `number` takes `count` draws.
void draw(uint64_t below, uint64_t seed, uint64_t position, std::span<uint64_t> out) {
  Sampler(below, {.seed = seed, .replace = true}).draw(position, out);
}

uint64_t draw_one(uint64_t below, uint64_t seed, uint64_t position) {
  uint64_t drawn = 0;
  draw(below, seed, position, {&drawn, 1});
  return drawn;
}

}  // namespace

const OpText& text_of(Op op) {
  return kTexts[static_cast<size_t>(op)];
}

Op op_named(std::string_view name) {
  for (size_t i = 0; i < kTexts.size(); ++i) {
    if (kTexts[i].name == name) return static_cast<Op>(i);
  }
  fail(ErrorKind::Argument, {}, "--ops: expected one of ", kOps, ", got \"", name, '"');
}

std::string why_unanswerable(Op op, const Subject& subject, const FileFacts& facts) {
  std::string_view why;
  if (op != Op::Open && facts.rows == 0) {
    why = "the table has no rows";
  } else if (op != Op::Open && facts.column_count == 0) {
    why = "the table has no columns";
  } else if (is_prediction(op) && facts.points.empty()) {
    why = "the file has no forest";
  } else if (op == Op::Group && facts.group_count == 0) {
    why = "the table has no groups";
  } else if (op == Op::Find && facts.keys.empty() && facts.key_error.empty()) {
    why = "the table is not keyed, and no column of it ascends";
  } else if (op == Op::Filter && !subject.no_where.empty()) {
    return subject.no_where;
  } else if (op == Op::Filter && subject.where.empty()) {
    why = "no column has numbers of which about one in a hundred is the largest";
  }
  return why.empty() ? std::string() : concat(subject.path, ": ", why);
}

void draw_input(Op op, const Subject& subject, const FileFacts& facts, uint64_t number,
                Input& input) {
  input.number = number;
  const auto rows_at_random = [&](uint64_t count) {
    input.rows.resize(count);
    draw(facts.rows, subject.seed, number * count, input.rows);
    input.first_row = input.rows.front();
  };
  switch (op) {
    case Op::Row: return rows_at_random(1);
    case Op::Rows: return rows_at_random(kRowsAtOnce);
    case Op::Take: return rows_at_random(kTakeRows);
    case Op::Sample: return rows_at_random(kBatchRows);  // rows that the bound reads
    case Op::Block:
      input.unit = draw_one(facts.block_count, subject.seed, number);
      input.first_row = std::min(input.unit * facts.block_rows, facts.rows - 1);
      return;
    case Op::Group:
      input.unit = draw_one(facts.group_count, subject.seed, number);
      input.first_row = std::min(input.unit * facts.rows / facts.group_count, facts.rows - 1);
      return;
    case Op::Find:
      input.unit = number % facts.keys.size();
      input.first_row = facts.key_rows[input.unit];
      return;
    case Op::Column: input.unit = number % facts.column_count; return;
    case Op::Open:
    case Op::Scan:
    case Op::Filter:
    case Op::Predict:
    case Op::Predict256:
    case Op::Predict100k: break;
  }
}

RowRange rows_of(Op op, const Projection& columns, uint64_t rows, const Input& input) {
  RowRange range{0, rows};
  if (op == Op::Block) range = columns.block(input.unit);
  if (op == Op::Group) range = columns.table()->group(input.unit);
  range.last = std::min(range.last, rows);
  return range;
}

Projection projection_of(const Subject& subject, const OpenFile& file) {
  return subject.columns.empty() ? Projection(file.table) : Projection(file.table, subject.columns);
}

OpenFile open_file(const Subject& subject, const Context& context) {
  OpenFile file;
  file.opened = open(subject.path, subject.options, context);
  file.table = file.opened->table(subject.table);
  return file;
}

}  // namespace heron::cli::bench
