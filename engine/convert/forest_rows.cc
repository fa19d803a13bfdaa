#include "convert/forest_rows.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "base/fail.h"
#include "bytes/byte_source.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

enum ForestColumn : uint8_t {
  kNodeColumn,
  kLeftColumn,
  kRightColumn,
  kFeatureColumn,
  kLabelColumn,
  kValueColumn,
  kTreeColumn,
  kForestColumns
};
constexpr std::string_view kForestNames[kForestColumns] = {"node",  "left",  "right", "feature",
                                                           "label", "value", "tree"};
// The largest integer of each column; the tree also checks node numbers and children.
constexpr uint64_t kLargestCell[kForestColumns] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT8_MAX,
                                                   UINT8_MAX,  0,          INT64_MAX};

std::optional<uint64_t> find_forest_column(const Schema& schema, ForestColumn part) {
  for (uint64_t i = 0; i < schema.size(); ++i) {
    if (schema[i].name == kForestNames[part]) return i;
  }
  return std::nullopt;
}

// Returns the text of a column's metadata of that name; null if there is none.
const std::string* forest_metadata(const RowSource& rows, ForestColumn part,
                                   std::string_view name) {
  const std::optional<uint64_t> column = find_forest_column(rows.schema(), part);
  if (!column) return nullptr;
  for (const Metadata& one : rows.schema()[*column].metadata) {
    if (one.name == name && one.value == nullptr) return &one.text;
  }
  return nullptr;
}

[[noreturn]] void fail_forest_metadata(const RowSource& rows, ForestColumn part,
                                       std::string_view name, std::string_view expected,
                                       std::string_view got) {
  fail(ErrorKind::Argument, rows.name(), "column \"", kForestNames[part],
       "\": expected metadata \"", name, "\" of ", expected, ", got \"", got, '"');
}

uint64_t shape_count(const RowSource& rows, ForestColumn part, std::string_view name) {
  const std::string* text = forest_metadata(rows, part, name);
  if (text == nullptr) return 0;
  uint8_t count = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, count);
  if (error != std::errc() || stop != end)
    fail_forest_metadata(rows, part, name, "0 to 255", *text);
  return count;
}

// A list of trees by number, such as "0,3-7", ascending.
class TreeList {
 public:
  explicit TreeList(const RowSource& rows) {
    constexpr std::string_view kName = "float32_trees";
    const std::string* text = forest_metadata(rows, kValueColumn, kName);
    if (text == nullptr) return;
    const char* at = text->data();
    const char* const end = at + text->size();
    const auto number = [&] {
      uint64_t value = 0;
      const auto [stop, error] = std::from_chars(at, end, value);
      if (error != std::errc())
        fail_forest_metadata(rows, kValueColumn, kName, "numbers of trees", *text);
      at = stop;
      return value;
    };
    while (at != end) {
      const uint64_t first = number();
      const bool is_range = at != end && *at == '-';
      if (is_range) ++at;
      ranges_.emplace_back(first, is_range ? number() : first);
      if (at != end && *at++ != ',')
        fail_forest_metadata(rows, kValueColumn, kName, "numbers of trees", *text);
    }
  }

  // Returns whether the list holds the tree; trees must ascend from call to call.
  bool holds(uint64_t tree) {
    while (next_ < ranges_.size() && ranges_[next_].second < tree) ++next_;
    return next_ < ranges_.size() && ranges_[next_].first <= tree;
  }

 private:
  std::vector<std::pair<uint64_t, uint64_t>> ranges_;
  uint64_t next_ = 0;
};

// Collects the nodes of one tree at a time.
class TreeBuilder {
 public:
  TreeBuilder(const RowSource& rows, CheckedForestWriter& forest)
      : rows_(rows), forest_(forest), float32_trees_(rows) {
    for (const ForestColumn part : {kNodeColumn, kLeftColumn, kRightColumn, kFeatureColumn,
                                    kLabelColumn, kValueColumn, kTreeColumn}) {
      if (const auto column = find_forest_column(rows.schema(), part)) {
        columns_.push_back(*column);
        parts_.push_back(part);
      }
    }
    are_floats_ =
        rows.schema()[*find_forest_column(rows.schema(), kValueColumn)].type.is(Type::Float32);
  }

  // The columns to read, in the order of add()'s batches.
  std::span<const uint64_t> columns() const noexcept { return columns_; }

  void add(const RowBatch& batch) {
    cells_[kTreeColumn].assign(batch.rows, 0);
    for (uint64_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i] == kValueColumn) {
        read_floats(batch.columns[i]);
      } else {
        read_integers(batch.columns[i], parts_[i]);
      }
    }
    for (uint64_t row = 0; row < batch.rows; ++row, ++row_) add_node(row);
  }

  uint64_t finish() {
    add_tree();
    return row_;
  }

 private:
  void read_floats(const Values& values) {
    values_.resize(values.rows);
    visit_cell_type(values.type, [&]<class T>() {
      for (uint64_t row = 0; row < values.rows; ++row) {
        values_[row] = static_cast<double>(cell_of<T>(values, row));
      }
    });
    if (values.null_count == 0) return;
    for (uint64_t row = 0; row < values.rows; ++row) {
      if (values.is_null(row)) values_[row] = std::numeric_limits<double>::quiet_NaN();
    }
  }

  void read_integers(const Values& values, ForestColumn part) {
    cells_[part].resize(values.rows);
    for (uint64_t row = 0; values.null_count != 0 && row < values.rows; ++row) {
      if (values.is_null(row)) fail_at(part, row, "a null");
    }
    visit_cell_type(values.type, [&]<class T>() {
      for (uint64_t row = 0; row < values.rows; ++row) {
        const T cell = cell_of<T>(values, row);
        if (cell < T{} || static_cast<uint64_t>(cell) > kLargestCell[part])
          fail_at(part, row, cell);
        cells_[part][row] = static_cast<uint64_t>(cell);
      }
    });
  }

  template <class Got>
  [[noreturn]] void fail_at(ForestColumn part, uint64_t row, const Got& got) const {
    fail(ErrorKind::Argument, rows_.name(), "column \"", kForestNames[part], "\": expected 0 to ",
         kLargestCell[part], " in row ", row_ + row, ", got ", got);
  }

  void add_node(uint64_t row) {
    const uint64_t tree = cells_[kTreeColumn][row], node = cells_[kNodeColumn][row];
    if (left_.empty() || tree != tree_) start_tree(tree);
    if (node != left_.size()) {
      fail(ErrorKind::Argument, rows_.name(), "tree ", tree_, ": expected node ", left_.size(),
           " in row ", row_, ", got node ", node);
    }
    left_.push_back(static_cast<uint32_t>(cells_[kLeftColumn][row]));
    right_.push_back(static_cast<uint32_t>(cells_[kRightColumn][row]));
    feature_.push_back(static_cast<uint8_t>(cells_[kFeatureColumn][row]));
    label_.push_back(static_cast<uint8_t>(cells_[kLabelColumn][row]));
    value_.push_back(values_[row]);
  }

  void start_tree(uint64_t tree) {
    if (!left_.empty() && tree < tree_) {
      fail(ErrorKind::Argument, rows_.name(), "tree ", tree, ": expected a tree after ", tree_,
           " in row ", row_);
    }
    add_tree();
    tree_ = tree;
  }

  void add_tree() {
    if (left_.empty()) return;
    TreeNodes nodes{left_, right_, feature_, std::span<const double>(value_), label_};
    if (are_floats_ || float32_trees_.holds(tree_)) {
      floats_.resize(value_.size());
      std::transform(value_.begin(), value_.end(), floats_.begin(),
                     [](double value) { return static_cast<float>(value); });
      nodes.value = std::span<const float>(floats_);
    }
    forest_.add(nodes, rows_.name(), tree_);
    for (auto* numbers : {&left_, &right_}) numbers->clear();
    for (auto* numbers : {&feature_, &label_}) numbers->clear();
    value_.clear();
  }

  const RowSource& rows_;
  CheckedForestWriter& forest_;
  TreeList float32_trees_;
  std::vector<uint64_t> columns_;    // indices in the schema
  std::vector<ForestColumn> parts_;  // the forest column that each of columns_ becomes
  bool are_floats_ = false;
  // The cells of the batch.
  std::array<std::vector<uint64_t>, kForestColumns> cells_;
  std::vector<double> values_;
  uint64_t row_ = 0;
  // The current tree.
  uint64_t tree_ = 0;
  std::vector<uint32_t> left_, right_;
  std::vector<uint8_t> feature_, label_;
  std::vector<double> value_;
  std::vector<float> floats_;
};

}  // namespace

bool has_forest_columns(const Schema& schema) {
  uint64_t known = 0;
  for (const ForestColumn part : {kNodeColumn, kLeftColumn, kRightColumn, kFeatureColumn,
                                  kLabelColumn, kValueColumn, kTreeColumn}) {
    const std::optional<uint64_t> column = find_forest_column(schema, part);
    if (!column) {
      if (part == kTreeColumn) continue;
      return false;
    }
    const Type& type = schema[*column].type;
    if (part == kValueColumn ? !type.is_float() : !type.is_integer()) return false;
    ++known;
  }
  return known == schema.size();
}

ForestShape forest_shape(const RowSource& rows) {
  return {shape_count(rows, kLabelColumn, "class_count"),
          shape_count(rows, kFeatureColumn, "feature_count")};
}

uint64_t add_trees(const RowSource& rows, CheckedForestWriter& forest, const Context& context) {
  TreeBuilder trees(rows, forest);
  const auto stream = rows.read(trees.columns(), context);
  for (RowBatch batch; stream->next(batch);) {
    if (batch.source == nullptr) {
      trees.add(batch);
    } else {
      unless_changed(*batch.source, [&] { trees.add(batch); });
    }
  }
  return trees.finish();
}

}  // namespace heron::inline v0
