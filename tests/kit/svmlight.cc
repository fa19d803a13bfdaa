#include "kit/svmlight.h"

#include <charconv>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/fail.h"
#include "heron/error.h"

namespace heron::inline v0 {
namespace {

struct ParsedFeature {
  std::string name;
  std::map<uint64_t, double> values;  // by row
  bool has_range = false;             // from the statistics
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();

  void measure(uint64_t rows) {
    if (has_range || values.empty()) return;
    has_range = true;
    if (values.size() < rows) min = max = 0;
    for (const auto& [row, value] : values) {
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
};

// Removes and returns the part before `mark`, and drops `mark`; takes all if there is none.
std::string_view cut(std::string_view& text, char mark) {
  const size_t end = std::min(text.find(mark), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

template <class Number>
Number number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail(ErrorKind::Argument, "SVMlight", "not a number: ", text);
  }
  return value;
}

class Parser {
 public:
  void parse(std::string_view text) {
    while (!text.empty()) {
      std::string_view line = cut(text, '\n');
      if (line.starts_with("@Feature")) {
        parse_name(line);
      } else if (!line.empty()) {
        parse_row(line);
      }
    }
  }

  void parse_statistics(std::string_view text) {
    cut(text, '\n');  // the heading
    while (!text.empty()) {
      std::string_view line = cut(text, '\n');
      ParsedFeature& feature = at(number<uint64_t>(cut(line, '\t')));
      const std::string_view name = cut(line, '\t');
      if (name != "null") feature.name = name;
      feature.min = number<double>(cut(line, '\t'));
      feature.max = number<double>(line);
      feature.has_range = true;
    }
  }

  RowBatch batch(bool ranking);

 private:
  ParsedFeature& at(uint64_t id) {
    if (features_.size() < id) features_.resize(id);
    return features_[id - 1];
  }

  // Parses a name, without the text behind a second colon.
  void parse_name(std::string_view line) {
    cut(line, '\t');
    std::string_view id = cut(line, '\t');
    cut(id, ':');
    cut(line, ':');
    at(number<uint64_t>(id)).name = cut(line, ':');
  }

  void parse_row(std::string_view line) {
    const uint64_t row = targets_.size();
    targets_.push_back(number<double>(cut(line, ' ')));
    queries_.emplace_back();
    line = cut(line, '#');
    while (!line.empty()) {
      std::string_view value = cut(line, ' ');
      const std::string_view key = cut(value, ':');
      if (key == "qid") {
        queries_.back() = ids_.emplace(value, ids_.size()).first->second;
        continue;
      }
      at(number<uint64_t>(key)).values[row] = number<double>(value);
    }
  }

  std::vector<ParsedFeature> features_;
  std::vector<double> targets_;
  std::vector<std::optional<uint64_t>> queries_;
  std::map<std::string, uint64_t, std::less<>> ids_;
};

class BatchMaker {
 public:
  explicit BatchMaker(uint64_t rows) {
    batch_.rows = rows;
    batch_.memory = std::make_shared<Arena>();
  }

  // cell(row) is an optional.
  template <class Cell, class CellAt>
  Field& add(std::string name, const Type& type, CellAt cell_at) {
    Field& field = schema_->emplace_back();
    field.name = std::move(name);
    field.type = type;
    field.nullable = true;
    Values& values = batch_.columns.emplace_back(type, batch_.rows);
    Cell* cells = batch_.memory->allocate_array<Cell>(batch_.rows);
    auto* bits = reinterpret_cast<uint8_t*>(batch_.memory->allocate(batch_.rows / 8 + 1));
    std::fill(bits, bits + batch_.rows / 8 + 1, uint8_t{0});
    for (uint64_t row = 0; row < batch_.rows; ++row) {
      const std::optional<Cell> cell = cell_at(row);
      cells[row] = cell.value_or(Cell{});
      bits[row / 8] = static_cast<uint8_t>(bits[row / 8] | (cell.has_value() << (row % 8)));
      values.null_count += !cell.has_value();
    }
    values.data = {reinterpret_cast<const std::byte*>(cells), batch_.rows * sizeof(Cell)};
    values.validity = {reinterpret_cast<const std::byte*>(bits), batch_.rows / 8 + 1};
    return field;
  }

  RowBatch finish() {
    batch_.schema = std::move(schema_);
    return std::move(batch_);
  }

 private:
  RowBatch batch_;
  std::shared_ptr<Schema> schema_ = std::make_shared<Schema>();
};

RowBatch Parser::batch(bool ranking) {
  BatchMaker maker(targets_.size());
  maker.add<double>("target", Type::Float64,
                    [&](uint64_t row) { return std::optional(targets_[row]); });
  if (ranking) {
    maker.add<uint64_t>("query", Type::UInt64, [&](uint64_t row) { return queries_[row]; });
  }
  for (size_t i = 0; i < features_.size(); ++i) {
    ParsedFeature& feature = features_[i];
    feature.measure(targets_.size());
    const auto cell_at = [&](uint64_t row) -> std::optional<double> {
      const auto value = feature.values.find(row);
      if (value == feature.values.end()) return {};
      return value->second;
    };
    std::string name = feature.name.empty() ? concat('f', i + 1) : feature.name;
    Field& field = maker.add<double>(std::move(name), Type::Float64, cell_at);
    if (!feature.has_range) continue;
    field.metadata = {{"min", concat(feature.min)}, {"max", concat(feature.max)}};
  }
  return maker.finish();
}

}  // namespace

RowBatch parse_svmlight(std::string_view text, bool ranking, std::string_view statistics) {
  Parser parser;
  parser.parse(text);
  if (!statistics.empty()) parser.parse_statistics(statistics);
  return parser.batch(ranking);
}

}  // namespace heron::inline v0
