#include "balsa/objects.h"

#include <algorithm>
#include <cstring>

#include "balsa/heads.h"
#include "base/fail.h"
#include "bytes/on_disk.h"

namespace heron::inline v0::balsa {
namespace {

constexpr std::string_view kArrayNames[kArrays] = {"left child ids", "right child ids",
                                                   "split features", "split values", "labels"};

const Scalar& scalar_named(const HeaderReader& reader, uint64_t at, std::string_view what,
                           std::string_view id) {
  const Scalar* scalar = find_scalar(id);
  if (scalar == nullptr) {
    reader.fail_at(ErrorKind::Unsupported, at, what, "expected the type of a scalar, got ",
                   quoted(id));
  }
  return *scalar;
}

// The early draft has two numbers and a type in place of the dictionary.
void refuse_draft_table(HeaderReader& reader) {
  constexpr uint64_t kDraftHeader = 12;
  if (reader.left() < kDraftHeader) return;
  const std::string_view header = reader.peek(kDraftHeader, "table");
  if (!header.starts_with(kDictionary) && find_scalar(header.substr(8)) != nullptr) {
    reader.fail_draft(reader.at(), "table",
                      concat("the type ", quoted(header.substr(8)), " without a dictionary"));
  }
}

// Reads the header of a table, after its marker.
CellTable read_table_header(HeaderReader& reader) {
  CellTable table;
  table.offset = reader.at() - kMarkerBytes;
  refuse_draft_table(reader);
  DictionaryReader dictionary(reader, "dictionary of a table");
  std::optional<uint32_t> rows, columns;
  std::optional<std::string> scalar;
  for (Entry entry; dictionary.next(entry);) {
    dictionary.match(entry, "row_count", rows);
    dictionary.match(entry, "column_count", columns);
    dictionary.match(entry, "scalar_type_id", scalar);
  }
  table.rows = dictionary.require("row_count", rows);
  table.columns = dictionary.require("column_count", columns);
  table.scalar =
      &scalar_named(reader, table.offset, "table", dictionary.require("scalar_type_id", scalar));
  table.cells = reader.at();
  // Both counts are below 2^32, so their product does not wrap.
  const uint64_t cells = table.rows * table.columns;
  if (cells > reader.left() / table.scalar->bytes) {
    reader.fail_at(ErrorKind::Corrupt, table.offset, "table", "expected ", table.rows, " x ",
                   table.columns, " cells of ", table.scalar->bytes, " bytes, got ", reader.left(),
                   " bytes up to the end of the file");
  }
  return table;
}

// Skips the cells of a table and reads its end marker.
void read_table_rest(HeaderReader& reader, const CellTable& table) {
  reader.skip(table.rows * table.row_bytes());
  reader.expect(kTableEnd, "end of a table");
}

// Returns why the tables of a tree do not match; empty if they do.
std::string misfit(const std::array<CellTable, kArrays>& tables, bool wide) {
  const uint64_t nodes = tables[0].rows;
  for (uint64_t i = 0; i < kArrays; ++i) {
    const CellTable& got = tables[i];
    const Scalar& scalar = scalar_of(static_cast<Array>(i), wide);
    if (got.rows != nodes || got.columns != 1 || got.scalar != &scalar) {
      return concat("expected ", kArrayNames[i], " as ", nodes, " x 1 ", scalar.id,
                    " in the table at byte ", got.offset, ", got ", got.rows, " x ", got.columns,
                    ' ', got.scalar->id);
    }
  }
  if (nodes == 0) return "expected at least a root, got no nodes";
  return {};
}

// Skips from the cells of a tree's first table to the end of the tree, if its other headers have
// the usual size. Only two end markers are checked to be at the offsets that this implies.
bool pass_over(HeaderReader& reader, const CellTable& first, Tree& tree) {
  if (first.cells - first.offset != kDefaultTableHeader || first.columns != 1 || first.rows == 0 ||
      first.scalar != &scalar_of(kLeft, tree.wide)) {
    return false;
  }
  uint64_t at = first.cells;
  uint64_t end = 0;  // end of the last array
  for (uint64_t i = 0; i < kArrays; ++i) {
    tree.arrays[i] = at;
    end = at + first.rows * scalar_of(static_cast<Array>(i), tree.wide).bytes;
    at = end + kMarkerBytes + kDefaultTableHeader;
  }
  const std::string ends = concat(kTableEnd, kTreeEnd);
  if (end > reader.bytes().size() || reader.bytes().size() - end < ends.size()) return false;
  reader.go_to(end);
  if (reader.next(ends.size(), "end of a tree") == ends) return true;
  reader.go_to(first.cells);
  return false;
}

std::unique_ptr<const Error> damage_of(const Tree& tree, const ByteSource& bytes,
                                       std::string_view what) {
  return std::make_unique<const Error>(ErrorKind::Corrupt, bytes.name(),
                                       concat("tree at byte ", tree.offset, ": ", what));
}

bool is_same(const Tree& a, const Tree& b) {
  return a.arrays == b.arrays && a.nodes == b.nodes && a.class_count == b.class_count &&
         a.feature_count == b.feature_count && a.wide == b.wide;
}

enum class Headers : uint8_t { All, Few };

// Reads the body of a tree, after its marker.
Tree read_tree(HeaderReader& reader, Headers headers) {
  Tree tree;
  tree.offset = reader.at() - kMarkerBytes;
  DictionaryReader dictionary(reader, "dictionary of a tree");
  std::optional<uint8_t> classes, features;
  std::optional<std::string> value_type;
  for (Entry entry; dictionary.next(entry);) {
    dictionary.match(entry, "class_count", classes);
    dictionary.match(entry, "feature_count", features);
    dictionary.match(entry, "feature_type_id", value_type);
  }
  tree.class_count = dictionary.require("class_count", classes);
  tree.feature_count = dictionary.require("feature_count", features);
  const Scalar& values =
      scalar_named(reader, tree.offset, "tree", dictionary.require("feature_type_id", value_type));
  tree.wide = values.type == Type::Float64;
  const bool is_float = values.type == Type::Float32 || tree.wide;

  std::array<CellTable, kArrays> tables;
  for (uint64_t i = 0; i < kArrays; ++i) {
    reader.expect(kTable, "table of a tree");
    tables[i] = read_table_header(reader);
    if (i == 0) {
      // Rows without columns have no bytes in the file.
      tree.nodes = tables[0].columns == 0 ? 0 : static_cast<uint32_t>(tables[0].rows);
      if (headers == Headers::Few && is_float && pass_over(reader, tables[0], tree)) return tree;
    }
    read_table_rest(reader, tables[i]);
    tree.arrays[i] = tables[i].cells;
  }
  reader.expect(kTreeEnd, "end of a tree");

  tree.walked = true;
  const std::string damage = is_float
                                 ? misfit(tables, tree.wide)
                                 : concat("expected split values of fl32 or fl64, got ", values.id);
  if (!damage.empty()) tree.damage = damage_of(tree, reader.bytes(), damage);
  return tree;
}

// Reads the body of an ensemble, after its marker.
Ensemble read_ensemble(HeaderReader& reader) {
  Ensemble ensemble;
  ensemble.offset = reader.at() - kMarkerBytes;
  DictionaryReader dictionary(reader, "dictionary of an ensemble");
  std::optional<uint8_t> classes, features;
  for (Entry entry; dictionary.next(entry);) {
    dictionary.match(entry, "class_count", classes);
    dictionary.match(entry, "feature_count", features);
  }
  ensemble.class_count = dictionary.require("class_count", classes);
  ensemble.feature_count = dictionary.require("feature_count", features);
  while (true) {
    const uint64_t at = reader.at();
    const std::string_view marker = reader.next(kMarkerBytes, "ensemble");
    if (marker == kEnsembleEnd) return ensemble;
    if (marker != kTree) {
      // The end of the ensemble is unknown, and trees may be lost.
      reader.fail_at(ErrorKind::Corrupt, at, "ensemble", "expected \"", kTree, "\" or \"",
                     kEnsembleEnd, "\", got ", quoted(marker),
                     marker == kDraftForest
                         ? ", the end of a forest in the format's early draft, which no program is "
                           "known to write"
                         : "");
    }
    ensemble.trees.push_back(read_tree(reader, Headers::Few));
  }
}

// Returns nullopt at the end of the file.
std::optional<Object> next_object(HeaderReader& reader) {
  constexpr std::string_view kWhat = "object";
  if (reader.left() == 0) return std::nullopt;
  const uint64_t at = reader.at();
  const uint64_t behind = reader.left();
  const std::string_view marker = reader.next(std::min(behind, kMarkerBytes), kWhat);
  if (marker == kTable) {
    const CellTable table = read_table_header(reader);
    read_table_rest(reader, table);
    return table;
  }
  if (marker == kTree) return read_tree(reader, Headers::Few);
  if (marker == kEnsemble) return read_ensemble(reader);
  if (marker == kDraftForest) reader.fail_draft(at, kWhat, quoted(marker));
  reader.fail_at(ErrorKind::Corrupt, at, kWhat, "expected \"", kTable, "\", \"", kTree, "\", \"",
                 kEnsemble, "\" or the end of the file, got ", behind, " bytes that begin with ",
                 quoted(marker));
}

// The bytes between two tables of a tree: the end of the first and the head of the second, whose
// row count is 0 here.
struct Between {
  explicit Between(Array array, bool wide, std::endian order)
      : bytes(concat(kTableEnd, table_head(scalar_of(array, wide), order, 0, 1))) {}

  // Returns whether these bytes precede a table of `rows` rows; `cells` points to its cells.
  bool is_before(const char* cells, uint32_t rows, std::endian order) const noexcept {
    constexpr uint64_t kRows = kMarkerBytes + kRowCountOffset, kBehind = kRows + sizeof(uint32_t);
    const char* at = cells - bytes.size();
    const auto* count = reinterpret_cast<const std::byte*>(at + kRows);
    return std::memcmp(at, bytes.data(), kRows) == 0 &&
           (order == std::endian::little ? load<u32le>(count) : load<u32be>(count)) == rows &&
           std::memcmp(at + kBehind, bytes.data() + kBehind, bytes.size() - kBehind) == 0;
  }

  std::string bytes;
};

// Returns whether the headers of a skipped tree in a map are those that every known writer makes.
// The headers are beside the first cells of each table, so that a walk down the tree needs these
// pages anyway.
bool has_usual_headers(const Tree& tree, const ByteSource& bytes, std::endian order) {
  if (bytes.base() == nullptr) return false;
  const auto made = [](bool wide, std::endian of) {
    std::vector<Between> all;
    for (uint8_t i = 1; i < kArrays; ++i) all.emplace_back(static_cast<Array>(i), wide, of);
    return all;
  };
  static const std::vector<Between> kDefaultHeaders[2][2] = {
      {made(false, std::endian::little), made(true, std::endian::little)},
      {made(false, std::endian::big), made(true, std::endian::big)}};
  const auto& usual = kDefaultHeaders[order == std::endian::big][tree.wide];
  for (uint64_t i = 1; i < kArrays; ++i) {
    const auto* cells = reinterpret_cast<const char*>(bytes.base() + tree.arrays[i]);
    if (!usual[i - 1].is_before(cells, tree.nodes, order)) return false;
  }
  return true;
}

}  // namespace

std::vector<Object> all_objects(HeaderReader& reader) {
  std::vector<Object> objects;
  while (std::optional<Object> object = next_object(reader)) objects.push_back(std::move(*object));
  return objects;
}

void check_headers(const Tree& tree, const ByteSource& bytes, std::endian order,
                   const Context& context) {
  if (has_usual_headers(tree, bytes, order)) return bytes.check_lost();
  HeaderReader reader(bytes, context);
  reader.order = order;
  reader.go_to(tree.offset + kMarkerBytes);
  const Tree walked = read_tree(reader, Headers::All);
  if (walked.damage != nullptr) throw *walked.damage;
  if (!is_same(walked, tree)) {
    throw *damage_of(tree, bytes, "expected its tables where its shape says; got others");
  }
}

}  // namespace heron::inline v0::balsa
