// Makes the tables of a file from one walk over its headers.
#include <algorithm>

#include "balsa/balsa.h"
#include "balsa/tables.h"
#include "base/fail.h"
#include "format/contents.h"

namespace heron::inline v0::balsa {
namespace {

using HeaderTexts = std::vector<std::pair<std::string, std::string>>;

// A table without rows claims columns for which the file has no cells. Each column takes a name and
// some hundred bytes of memory. This limit on all such columns of a file is more than real files
// need, and cheap.
constexpr uint64_t kMaxColumnsWithoutRows = 16'384;

std::endian read_byte_order(HeaderReader& reader) {
  const std::string_view head = reader.peek(std::min(reader.left(), kSignatureBytes), "signature");
  if (!head.starts_with(kSignature)) {
    reader.fail_at(ErrorKind::UnknownFormat, 0, "signature", "expected ", quoted(kSignature),
                   ", got ", quoted(head.substr(0, kSignature.size())));
  }
  const std::string_view order = head.substr(kSignature.size());
  if (order != kLittleEndian && order != kBigEndian) {
    reader.fail_at(ErrorKind::Corrupt, kSignature.size(), "byte order", "expected ",
                   quoted(kLittleEndian), " or ", quoted(kBigEndian), ", got ", quoted(order));
  }
  reader.skip(head.size());
  return order == kLittleEndian ? std::endian::little : std::endian::big;
}

// Refuses the early draft, which has objects in place of the dictionary.
void refuse_draft_header(HeaderReader& reader) {
  if (reader.left() < kMarkerBytes) return;
  const std::string_view marker = reader.peek(kMarkerBytes, "header");
  for (const std::string_view object : {kTable, kTree, kDraftForest}) {
    if (marker == object) {
      reader.fail_draft(reader.at(), "header", concat(quoted(marker), " without a dictionary"));
    }
  }
}

// Returns the header's entries as stored. The reference writes a creator's major version under the
// key of the minor one, and vice versa.
HeaderTexts read_header(HeaderReader& reader) {
  reader.order = read_byte_order(reader);
  HeaderTexts texts{{"byte_order", reader.order == std::endian::little ? "little" : "big"}};
  refuse_draft_header(reader);
  const uint64_t at = reader.at();
  constexpr std::string_view kWhat = "header";
  DictionaryReader dictionary(reader, kWhat);
  std::optional<uint8_t> major, minor, creator_version;
  std::optional<std::string> creator_name;
  for (Entry entry; dictionary.next(entry);) {
    dictionary.match(entry, "file_major_version", major);
    dictionary.match(entry, "file_minor_version", minor);
    dictionary.match(entry, "creator_name", creator_name);
    for (const char* key :
         {"creator_major_version", "creator_minor_version", "creator_patch_version"}) {
      dictionary.match(entry, key, creator_version);
    }
    texts.emplace_back(entry.key, entry.text(reader.order));
  }
  if (const unsigned version = dictionary.require("file_major_version", major);
      version != kMajorVersion) {
    reader.fail_at(ErrorKind::Unsupported, at, kWhat, "expected file_major_version ", kMajorVersion,
                   ", got ", version);
  }
  dictionary.require("file_minor_version", minor);
  return texts;
}

// Builds the tables of a dataset from objects in file order.
class Tables {
 public:
  Tables(std::shared_ptr<const ByteSource> bytes, std::endian order)
      : bytes_(std::move(bytes)), order_(order) {}

  void add(CellTable&& table) {
    if (table.rows == 0) {
      if (table.columns > kMaxColumnsWithoutRows - columns_without_rows_) {
        fail(ErrorKind::Limit, bytes_->name(), "table at byte ", table.offset,
             ": expected at most ", kMaxColumnsWithoutRows,
             " columns in a file's tables without rows, got ", columns_without_rows_, " and ",
             table.columns, " more");
      }
      columns_without_rows_ += table.columns;
    }
    add(concat("table[", tables_++, ']'), table.rows, cell_table(*bytes_, order_, table));
  }

  void add(Tree&& tree) {
    Ensemble alone{tree.offset, tree.class_count, tree.feature_count, true, {}};
    alone.trees.push_back(std::move(tree));
    auto forest = std::make_shared<const Forest>(*bytes_, order_, std::move(alone));
    const uint64_t nodes = forest->nodes();
    add(concat("tree[", trees_++, ']'), nodes, node_table(std::move(forest)));
  }

  void add(Ensemble&& ensemble) {
    const auto forest = std::make_shared<const Forest>(*bytes_, order_, std::move(ensemble));
    const std::string number = forests_ == 0 ? "" : concat('[', forests_, ']');
    ++forests_;
    add("nodes" + number, forest->nodes(), node_table(forest));
    add("trees" + number, forest->trees().size(), tree_table(forest));
  }

  std::vector<std::shared_ptr<const Table>> take() { return std::move(made_); }

 private:
  void add(std::string name, uint64_t rows, std::unique_ptr<const TableSource> source) {
    made_.push_back(std::make_shared<const Table>(
        TableContents{std::move(name), rows, bytes_, std::move(source)}));
  }

  std::shared_ptr<const ByteSource> bytes_;
  std::endian order_;
  std::vector<std::shared_ptr<const Table>> made_;
  uint64_t tables_ = 0;
  uint64_t trees_ = 0;
  uint64_t forests_ = 0;
  uint64_t columns_without_rows_ = 0;
};

}  // namespace

Match probe(std::span<const std::byte> head, uint64_t) noexcept {
  const auto* text = reinterpret_cast<const char*>(head.data());
  return std::string_view(text, head.size()).starts_with(kSignature) ? Match::Yes : Match::No;
}

std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes, const OpenOptions&,
                                    std::span<const std::byte>, const Context& context) {
  HeaderReader reader(*bytes, context);
  FileContents parts;
  parts.format = "balsa";
  parts.header = read_header(reader);
  Tables tables(bytes, reader.order);
  for (Object& object : all_objects(reader)) {
    std::visit([&]<class Kind>(Kind&& one) { tables.add(std::forward<Kind>(one)); },
               std::move(object));
  }
  parts.tables = tables.take();
  bytes->check_recently();
  parts.bytes = std::move(bytes);
  return std::make_shared<const File>(std::move(parts));
}

}  // namespace heron::inline v0::balsa
