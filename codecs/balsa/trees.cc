#include <algorithm>

#include "balsa/tables.h"
#include "base/fail.h"
#include "columns/row_list.h"

namespace heron::inline v0::balsa {
namespace {

// A column with one number per tree, known from the headers or computed.
template <class T>
class TreeNumbers final : public Column {
 public:
  using Get = T (*)(const Forest& forest, uint64_t tree, const Context& context);
  TreeNumbers(Type type, ColumnLabel label, const Forest& forest, Get get)
      : Column(type, forest.trees().size(), std::move(label)), forest_(forest), get_(get) {}

  bool nullable() const noexcept override { return false; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override {
    return take(list_rows(rows, arena), arena, context);
  }
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override {
    Values values(type(), rows.size());
    auto* cells = arena.allocate_array<T>(rows.size());
    for (uint64_t i = 0; i < rows.size(); ++i) cells[i] = get_(forest_, rows[i], context);
    values.data = {reinterpret_cast<const std::byte*>(cells), rows.size() * sizeof(T)};
    return values;
  }

 private:
  const Forest& forest_;
  Get get_;
};

// The column of split value types: "fl32" or "fl64".
class ValueTypes final : public Column {
 public:
  ValueTypes(ColumnLabel label, const Forest& forest)
      : Column(Type::Text, forest.trees().size(), std::move(label)), forest_(forest) {}

  bool nullable() const noexcept override { return false; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override {
    return take(list_rows(rows, arena), arena, context);
  }
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override {
    constexpr uint64_t kTextBytes = 4;
    constexpr uint64_t kMaximum = INT32_MAX / kTextBytes;
    const uint64_t count = rows.size();
    if (count > kMaximum) fail(ErrorKind::Limit, {}, "more than ", kMaximum, " texts at once");
    auto* offsets = arena.allocate_array<int32_t>(count + 1);
    auto* texts = arena.allocate_array<char>(count * kTextBytes);
    for (uint64_t i = 0; i <= count; ++i) offsets[i] = static_cast<int32_t>(i * kTextBytes);
    for (uint64_t i = 0; i < count; ++i) {
      const std::string_view text = forest_.whole(rows[i], context).wide ? "fl64" : "fl32";
      std::copy_n(text.data(), kTextBytes, texts + i * kTextBytes);
    }
    Values values(type(), count);
    values.offsets = {reinterpret_cast<const std::byte*>(offsets), (count + 1) * sizeof(int32_t)};
    values.data = {reinterpret_cast<const std::byte*>(texts), count * kTextBytes};
    return values;
  }

 private:
  const Forest& forest_;
};

class Trees final : public TableSource {
 public:
  explicit Trees(std::shared_ptr<const Forest> forest) : forest_(std::move(forest)) {}

  uint64_t column_count() const noexcept override { return std::size(kColumns); }
  std::string stored_name(uint64_t column) const override { return kColumns[column]; }

  ColumnPtr open_column(uint64_t column, const std::string& name) const override {
    switch (column) {
      case 0:
        return numbers<uint32_t>(Type::UInt32, {name, "implied"},
                                 [](const Forest&, uint64_t tree, const Context&) {
                                   return static_cast<uint32_t>(tree);
                                 });
      case 1:
        return numbers<uint32_t>(Type::UInt32, {name, "row_count"},
                                 [](const Forest& forest, uint64_t tree, const Context& context) {
                                   return forest.whole(tree, context).nodes;
                                 });
      case 2:
        return numbers<uint32_t>(Type::UInt32, {name, "counted"},
                                 [](const Forest& forest, uint64_t tree, const Context& context) {
                                   return static_cast<uint32_t>(forest.leaves(tree, context));
                                 });
      case 3: return std::make_unique<ValueTypes>(ColumnLabel{name, "feature_type_id"}, *forest_);
      default:
        return numbers<uint64_t>(Type::UInt64, {name, "implied"},
                                 [](const Forest& forest, uint64_t tree, const Context&) {
                                   return forest.trees()[tree].offset;
                                 });
    }
  }

  const StoredForest* forest() const noexcept override { return forest_.get(); }

 private:
  static constexpr const char* kColumns[] = {"tree", "nodes", "leaves", "value_type", "offset"};

  template <class T>
  ColumnPtr numbers(Type type, ColumnLabel label, typename TreeNumbers<T>::Get get) const {
    return std::make_unique<TreeNumbers<T>>(type, std::move(label), *forest_, get);
  }

  std::shared_ptr<const Forest> forest_;
};

}  // namespace

std::unique_ptr<const TableSource> tree_table(std::shared_ptr<const Forest> forest) {
  return std::make_unique<const Trees>(std::move(forest));
}

}  // namespace heron::inline v0::balsa
