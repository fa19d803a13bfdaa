#include <algorithm>

#include "balsa/tables.h"
#include "balsa/tree.h"
#include "base/fail.h"
#include "columns/concat_column.h"
#include "columns/null_column.h"
#include "columns/run_column.h"

namespace heron::inline v0::balsa {
namespace {

// An array of one tree, readable only if the tree passes its check; fl32 becomes `type`.
class NodeArray final : public Column {
 public:
  NodeArray(Type type, const std::string& name, const Forest& forest, uint64_t tree, Array array)
      : Column(std::move(type), forest.trees()[tree].nodes, {name, {}}),
        forest_(forest),
        tree_(tree),
        cells_(array_of(forest.trees()[tree], array, forest.bytes(), forest.order(), name)) {}

  bool nullable() const noexcept override { return false; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override {
    forest_.leaves(tree_, context);
    return widened(cells_.read(rows, arena, context), arena);
  }
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override {
    forest_.leaves(tree_, context);
    return widened(cells_.take(rows, arena, context), arena);
  }
  void prefetch(std::span<const uint64_t> rows) const noexcept override { cells_.prefetch(rows); }

 private:
  Values widened(Values values, Arena& arena) const {
    if (values.type == type()) return values;
    auto* wide = arena.allocate_array<double>(values.rows);
    std::copy_n(values.data.as<float>(), values.rows, wide);
    values.data = {reinterpret_cast<const std::byte*>(wide), values.rows * sizeof(double)};
    values.type = type();
    return values;
  }

  const Forest& forest_;
  uint64_t tree_;
  FixedColumn cells_;
};

// A column that is readable only for trees whose arrays match.
class OfWholeTrees final : public Column {
 public:
  OfWholeTrees(ColumnPtr column, const Forest& forest)
      : Column(column->type(), column->rows(), {column->name(), column->encoding()}),
        column_(std::move(column)),
        forest_(forest) {}

  bool nullable() const noexcept override { return false; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override {
    if (rows.rows() != 0) {
      const uint64_t last = forest_.runs()->run_of(rows.last - 1);
      for (uint64_t tree = forest_.runs()->run_of(rows.first); tree <= last; ++tree) {
        if ((*forest_.runs())[tree].rows() != 0) forest_.whole(tree, context);
      }
    }
    return column_->read(rows, arena, context);
  }
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override {
    for (const uint64_t row : rows) forest_.whole(forest_.runs()->run_of(row), context);
    return column_->take(rows, arena, context);
  }

 private:
  ColumnPtr column_;
  const Forest& forest_;
};

class Nodes final : public TableSource {
 public:
  explicit Nodes(std::shared_ptr<const Forest> forest) : forest_(std::move(forest)) {
    for (const Tree& tree : forest_->trees()) {
      if (tree.damage == nullptr) (tree.wide ? wide_ : narrow_) = true;
    }
  }

  uint64_t column_count() const noexcept override { return std::size(kColumns) - skipped(); }
  std::string stored_name(uint64_t column) const override { return kColumns[column + skipped()]; }

  ColumnPtr open_column(uint64_t column, const std::string& name) const override {
    const uint64_t which = column + skipped();
    const bool implied = which < kFirstArray;
    const auto array = static_cast<Array>(which - kFirstArray);
    const Type type = implied ? Type::UInt32 : type_of(array);
    const ColumnLabel label{name, implied ? "implied" : encoding_of(array)};
    if (!narrow_ && !wide_ && !forest_->trees().empty()) {
      return std::make_unique<UnreadableColumn>(type, forest_->nodes(), label,
                                                *forest_->trees()[0].damage);
    }
    if (implied) return implied_column(label, which == 0 ? RunValue::Run : RunValue::Position);
    ConcatColumn::Parts parts;
    parts.reserve(forest_->trees().size());
    for (uint64_t tree = 0; tree < forest_->trees().size(); ++tree) {
      parts.push_back(part(type, name, tree, array));
    }
    return std::make_unique<ConcatColumn>(type, forest_->nodes(), label, std::move(parts),
                                          forest_->runs());
  }

  std::vector<Metadata> metadata(uint64_t column) const override {
    const uint64_t which = column + skipped();
    if (which == kFirstArray + kFeature) {
      return {{"feature_count", std::to_string(forest_->feature_count())}};
    }
    if (which == kFirstArray + kLabel) {
      return {{"class_count", std::to_string(forest_->class_count())}};
    }
    if (which == kFirstArray + kValue && wide_ && narrow_) {
      return {{"float32_trees", narrow_trees()}};
    }
    return {};
  }

  const Runs* groups() const noexcept override {
    return forest_->is_lone_tree() ? nullptr : forest_->runs().get();
  }

  const StoredForest* forest() const noexcept override { return forest_.get(); }

 private:
  static constexpr const char* kColumns[] = {"tree",    "node",  "left", "right",
                                             "feature", "value", "label"};
  static constexpr uint64_t kFirstArray = 2;

  uint64_t skipped() const noexcept { return forest_->is_lone_tree() ? 1 : 0; }

  // Lists the trees with split values of fl32, such as "0,3-7".
  std::string narrow_trees() const {
    std::string text;
    const std::vector<Tree>& trees = forest_->trees();
    const auto is_narrow = [&](uint64_t i) {
      return i < trees.size() && trees[i].damage == nullptr && !trees[i].wide;
    };
    for (uint64_t i = 0; i < trees.size(); ++i) {
      if (!is_narrow(i)) continue;
      const uint64_t first = i;
      while (is_narrow(i + 1)) ++i;
      text += concat(text.empty() ? "" : ",", first);
      if (i != first) text += concat('-', i);
    }
    return text;
  }

  Type type_of(Array array) const { return scalar_of(array, wide_).type; }
  std::string encoding_of(Array array) const {
    if (array == kValue && wide_ && narrow_) return "fl32, fl64";
    return std::string(scalar_of(array, wide_).id);
  }

  ColumnPtr implied_column(const ColumnLabel& label, RunValue value) const {
    return std::make_unique<OfWholeTrees>(
        std::make_unique<RunColumn>(forest_->nodes(), label, forest_->runs(), value), *forest_);
  }

  ColumnPtr part(const Type& type, const std::string& name, uint64_t tree, Array array) const {
    const Tree& of = forest_->trees()[tree];
    if (of.damage != nullptr) {
      return std::make_unique<UnreadableColumn>(type, of.nodes, ColumnLabel{name, {}}, *of.damage);
    }
    return std::make_unique<NodeArray>(type, name, *forest_, tree, array);
  }

  std::shared_ptr<const Forest> forest_;
  // Returns whether any tree that is not known to be damaged has split values of fl32 or of fl64.
  bool narrow_ = false;
  bool wide_ = false;
};

}  // namespace

std::unique_ptr<const TableSource> node_table(std::shared_ptr<const Forest> forest) {
  return std::make_unique<const Nodes>(std::move(forest));
}

}  // namespace heron::inline v0::balsa
