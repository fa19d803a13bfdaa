#include "balsa/saved.h"

#include <cstring>

#include "bytes/on_disk.h"
#include "skip/checksum.h"

namespace heron::inline v0::balsa {
namespace {

struct Head {
  u64le checksum;  // of all behind it
  u64le file_bytes;
};
static_assert(sizeof(Head) == 16);

enum class Kind : uint8_t { Table, Tree, Ensemble };

struct Record {
  uint8_t kind;
  uint8_t class_count;
  uint8_t feature_count;
  uint8_t scalar;  // in kScalars, of a table's cells or a tree's split values
  u32le columns;   // of a table
  u64le count;     // its rows, a tree's nodes, an ensemble's trees
  u64le offset;
  std::array<u64le, kArrays> cells;  // where those of each array begin; a table has one
};
static_assert(sizeof(Record) == 64);

Record record_of(const CellTable& table) {
  Record record{};
  record.kind = static_cast<uint8_t>(Kind::Table);
  record.scalar = static_cast<uint8_t>(table.scalar - kScalars);
  record.columns = static_cast<uint32_t>(table.columns);
  record.count = table.rows;
  record.offset = table.offset;
  record.cells[0] = table.cells;
  return record;
}

Record record_of(const Tree& tree) {
  Record record{};
  record.kind = static_cast<uint8_t>(Kind::Tree);
  record.class_count = tree.class_count;
  record.feature_count = tree.feature_count;
  record.scalar = static_cast<uint8_t>(&scalar_of(kValue, tree.wide) - kScalars);
  record.count = tree.nodes;
  record.offset = tree.offset;
  std::copy(tree.arrays.begin(), tree.arrays.end(), record.cells.begin());
  return record;
}

Record record_of(const Ensemble& ensemble) {
  Record record{};
  record.kind = static_cast<uint8_t>(Kind::Ensemble);
  record.class_count = ensemble.class_count;
  record.feature_count = ensemble.feature_count;
  record.count = ensemble.trees.size();
  record.offset = ensemble.offset;
  return record;
}

// The records of objects one behind the other.
class Saver {
 public:
  void operator()(const CellTable& table) { records_.push_back(record_of(table)); }
  void operator()(const Tree& tree) {
    damaged_ |= tree.damage != nullptr;
    records_.push_back(record_of(tree));
  }
  void operator()(const Ensemble& ensemble) {
    records_.push_back(record_of(ensemble));
    for (const Tree& tree : ensemble.trees) (*this)(tree);
  }

  bool damaged() const noexcept { return damaged_; }
  std::span<const Record> records() const noexcept { return records_; }

 private:
  std::vector<Record> records_;
  bool damaged_ = false;
};

// Objects from records, each held against what is left of the file behind those before it.
class Restorer {
 public:
  Restorer(std::span<const std::byte> records, uint64_t begin, uint64_t file_bytes)
      : records_(records), at_(begin), file_bytes_(file_bytes) {}

  std::optional<std::vector<Object>> objects() {
    std::vector<Object> all;
    while (records_.size() >= sizeof(Record)) {
      std::optional<Object> object = next_object();
      if (!object) return std::nullopt;
      all.push_back(std::move(*object));
    }
    if (!records_.empty()) return std::nullopt;
    return all;
  }

 private:
  Record next_record() {
    Record record;
    std::memcpy(&record, records_.data(), sizeof record);
    records_ = records_.subspan(sizeof record);
    return record;
  }

  // Goes past bytes at a place that is not before the present one, and a marker behind them.
  bool pass(uint64_t place, uint64_t bytes) {
    if (place < at_ || place > file_bytes_ || bytes > file_bytes_ - place ||
        kMarkerBytes > file_bytes_ - place - bytes) {
      return false;
    }
    at_ = place + bytes + kMarkerBytes;
    return true;
  }

  std::optional<Object> next_object() {
    const Record record = next_record();
    if (!pass(record.offset, 0)) return std::nullopt;
    switch (static_cast<Kind>(record.kind)) {
      case Kind::Table: return table(record);
      case Kind::Tree: return tree(record);
      case Kind::Ensemble: return ensemble(record);
    }
    return std::nullopt;
  }

  // Each of a record whose marker has been passed.
  std::optional<CellTable> table(const Record& record) {
    if (record.count > UINT32_MAX || record.scalar >= std::size(kScalars)) return std::nullopt;
    CellTable table{record.offset, record.cells[0], record.count, record.columns,
                    &kScalars[record.scalar]};
    // Both counts are below 2^32: only the product with a cell's bytes may wrap.
    if (table.rows * table.columns > file_bytes_ / table.scalar->bytes) return std::nullopt;
    if (!pass(table.cells, table.rows * table.row_bytes())) return std::nullopt;
    return table;
  }

  std::optional<Tree> tree(const Record& record) {
    if (record.count == 0 || record.count > UINT32_MAX) return std::nullopt;
    Tree tree;
    tree.offset = record.offset;
    tree.nodes = static_cast<uint32_t>(record.count);
    tree.class_count = record.class_count;
    tree.feature_count = record.feature_count;
    tree.wide = record.scalar == &scalar_of(kValue, true) - kScalars;
    for (uint64_t i = 0; i < kArrays; ++i) {
      tree.arrays[i] = record.cells[i];
      const uint64_t bytes = scalar_of(static_cast<Array>(i), tree.wide).bytes;
      if (!pass(tree.arrays[i], tree.nodes * bytes)) return std::nullopt;
    }
    if (!pass(at_, 0)) return std::nullopt;
    return tree;
  }

  std::optional<Object> ensemble(const Record& record) {
    if (record.count > records_.size() / sizeof(Record)) return std::nullopt;
    Ensemble ensemble{record.offset, record.class_count, record.feature_count, {}};
    ensemble.trees.reserve(record.count);
    for (uint64_t i = 0; i < record.count; ++i) {
      const Record one = next_record();
      if (one.kind != static_cast<uint8_t>(Kind::Tree) || !pass(one.offset, 0)) return std::nullopt;
      std::optional<Tree> tree = this->tree(one);
      if (!tree) return std::nullopt;
      ensemble.trees.push_back(std::move(*tree));
    }
    if (!pass(at_, 0)) return std::nullopt;
    return Object(std::move(ensemble));
  }

  std::span<const std::byte> records_;
  uint64_t at_;
  const uint64_t file_bytes_;
};

}  // namespace

std::vector<std::byte> save(std::span<const Object> objects, uint64_t file_bytes) {
  Saver saver;
  for (const Object& object : objects) std::visit(saver, object);
  if (saver.damaged()) return {};
  const auto records = std::as_bytes(saver.records());
  Head head{};
  head.file_bytes = file_bytes;
  std::vector<std::byte> saved(sizeof head);
  saved.insert(saved.end(), records.begin(), records.end());
  std::memcpy(saved.data(), &head, sizeof head);
  head.checksum = checksum(std::span<const std::byte>(saved).subspan(sizeof head.checksum));
  std::memcpy(saved.data(), &head, sizeof head);
  return saved;
}

std::optional<std::vector<Object>> restore(std::span<const std::byte> saved, uint64_t begin,
                                           uint64_t file_bytes) {
  Head head;
  if (saved.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, saved.data(), sizeof head);
  if (head.checksum != checksum(saved.subspan(sizeof head.checksum)) ||
      head.file_bytes != file_bytes) {
    return std::nullopt;
  }
  return Restorer(saved.subspan(sizeof head), begin, file_bytes).objects();
}

}  // namespace heron::inline v0::balsa
