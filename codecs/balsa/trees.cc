#include <algorithm>

#include "balsa/tables.h"

namespace heron::inline v0::balsa {
namespace {

// A number that the index has of each tree, or finds out.
template <class T>
class TreeNumbers final : public Column {
 public:
  using Get = T (*)(const Forest& forest, uint64_t tree, const Context& context);
  TreeNumbers(Type type, ColumnLabel label, const Forest& forest, Get get)
      : Column(type, forest.trees().size(), std::move(label)), forest_(forest), get_(get) {}

  bool nullable() const noexcept override { return false; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override {
    return answer(
        rows.rows(), [&](uint64_t i) { return rows.first + i; }, arena, context);
  }
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override {
    return answer(
        rows.size(), [&](uint64_t i) { return rows[i]; }, arena, context);
  }

 private:
  template <class Row>
  Values answer(uint64_t rows, Row row, Arena& arena, const Context& context) const {
    Values values(type(), rows);
    auto* cells = arena.allocate_array<T>(rows);
    for (uint64_t i = 0; i < rows; ++i) cells[i] = get_(forest_, row(i), context);
    values.data = {reinterpret_cast<const std::byte*>(cells), rows * sizeof(T)};
    return values;
  }

  const Forest& forest_;
  Get get_;
};

// "fl32" or "fl64".
class ValueTypes final : public Column {
 public:
  ValueTypes(ColumnLabel label, const Forest& forest)
      : Column(Type::Text, forest.trees().size(), std::move(label)), forest_(forest) {}

  bool nullable() const noexcept override { return false; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override {
    return answer(
        rows.rows(), [&](uint64_t i) { return rows.first + i; }, arena, context);
  }
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override {
    return answer(
        rows.size(), [&](uint64_t i) { return rows[i]; }, arena, context);
  }

 private:
  static constexpr uint64_t kTextBytes = 4;

  template <class Row>
  Values answer(uint64_t rows, Row row, Arena& arena, const Context& context) const {
    constexpr uint64_t kMost = INT32_MAX / kTextBytes;
    if (rows > kMost) fail(ErrorKind::Limit, "", "more than ", kMost, " texts at once");
    Values values(type(), rows);
    auto* offsets = arena.allocate_array<int32_t>(rows + 1);
    auto* texts = arena.allocate_array<char>(rows * kTextBytes);
    for (uint64_t i = 0; i < rows; ++i) {
      offsets[i] = static_cast<int32_t>(i * kTextBytes);
      const std::string_view text = forest_.whole(row(i), context).wide ? "fl64" : "fl32";
      std::copy_n(text.data(), kTextBytes, texts + i * kTextBytes);
    }
    offsets[rows] = static_cast<int32_t>(rows * kTextBytes);
    values.offsets = {reinterpret_cast<const std::byte*>(offsets), (rows + 1) * sizeof(int32_t)};
    values.data = {reinterpret_cast<const std::byte*>(texts), rows * kTextBytes};
    return values;
  }

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
