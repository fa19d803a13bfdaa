#include "balsa/objects.h"

#include <algorithm>

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

// In the early draft two numbers and a type stand where the dictionary is now.
void refuse_draft_table(HeaderReader& reader) {
  constexpr uint64_t kDraftHeader = 12;
  if (reader.left() < kDraftHeader) return;
  const std::string_view header = reader.peek(kDraftHeader, "table");
  if (!header.starts_with(kDictionary) && find_scalar(header.substr(8)) != nullptr) {
    reader.fail_draft(reader.at(), "table",
                      concat("the type ", quoted(header.substr(8)), " without a dictionary"));
  }
}

// The body of a table whose marker has been read.
CellTable read_table(HeaderReader& reader) {
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
  // Both counts are below 2^32: their product does not wrap.
  const uint64_t cells = table.rows * table.columns;
  if (cells > reader.left() / table.scalar->bytes) {
    reader.fail_at(ErrorKind::Corrupt, table.offset, "table", "expected ", table.rows, " x ",
                   table.columns, " cells of ", table.scalar->bytes, " bytes, got ", reader.left(),
                   " bytes up to the end of the file");
  }
  reader.skip(cells * table.scalar->bytes);
  reader.expect(kTableEnd, "end of a table");
  return table;
}

// What is wrong with the tables of a tree; empty if nothing.
std::string misfit(const std::array<CellTable, kArrays>& tables, std::string_view value_type) {
  const std::string_view types[kArrays] = {"ui32", "ui32", "ui08", value_type, "ui08"};
  const uint64_t nodes = tables[0].rows;
  for (uint64_t i = 0; i < kArrays; ++i) {
    const CellTable& got = tables[i];
    if (got.rows != nodes || got.columns != 1 || got.scalar->id != types[i]) {
      return concat("expected ", kArrayNames[i], " as ", nodes, " x 1 ", types[i],
                    " in the table at byte ", got.offset, ", got ", got.rows, " x ", got.columns,
                    ' ', got.scalar->id);
    }
  }
  if (nodes == 0) return "expected at least a root, got no nodes";
  return {};
}

// The body of a tree whose marker has been read.
Tree read_tree(HeaderReader& reader) {
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

  std::array<CellTable, kArrays> tables;
  for (uint64_t i = 0; i < kArrays; ++i) {
    reader.expect(kTable, "table of a tree");
    tables[i] = read_table(reader);
    tree.arrays[i] = tables[i].cells;
  }
  reader.expect(kTreeEnd, "end of a tree");

  // For rows without columns no byte of the file stands.
  tree.nodes = tables[0].columns == 0 ? 0 : static_cast<uint32_t>(tables[0].rows);
  const bool is_float = values.type == Type::Float32 || tree.wide;
  const std::string damage = is_float
                                 ? misfit(tables, values.id)
                                 : concat("expected split values of fl32 or fl64, got ", values.id);
  if (!damage.empty()) {
    tree.damage = std::make_unique<const Error>(ErrorKind::Corrupt, reader.bytes().name(),
                                                concat("tree at byte ", tree.offset, ": ", damage));
  }
  return tree;
}

// The body of an ensemble whose marker has been read.
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
      // Where it ends cannot be told, and trees may be missing.
      reader.fail_at(ErrorKind::Corrupt, at, "ensemble", "expected \"", kTree, "\" or \"",
                     kEnsembleEnd, "\", got ", quoted(marker),
                     marker == kDraftForest
                         ? ", the end of a forest in the format's early draft, which no program is "
                           "known to write"
                         : "");
    }
    ensemble.trees.push_back(read_tree(reader));
  }
}

}  // namespace

std::optional<Object> next_object(HeaderReader& reader) {
  constexpr std::string_view kWhat = "object";
  if (reader.left() == 0) return std::nullopt;
  const uint64_t at = reader.at();
  const uint64_t behind = reader.left();
  const std::string_view marker = reader.next(std::min(behind, kMarkerBytes), kWhat);
  if (marker == kTable) return read_table(reader);
  if (marker == kTree) return read_tree(reader);
  if (marker == kEnsemble) return read_ensemble(reader);
  if (marker == kDraftForest) reader.fail_draft(at, kWhat, quoted(marker));
  reader.fail_at(ErrorKind::Corrupt, at, kWhat, "expected \"", kTable, "\", \"", kTree, "\", \"",
                 kEnsemble, "\" or the end of the file, got ", behind, " bytes that begin with ",
                 quoted(marker));
}

}  // namespace heron::inline v0::balsa
