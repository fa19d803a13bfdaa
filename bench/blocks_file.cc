#include "blocks_file.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "columns/column.h"
#include "table/internals.h"

namespace heron::bench {
namespace {

constexpr uint64_t kSignature = 0x00425644'004C4D43;

// A cold cache holds this fraction of the decoded measured columns.
constexpr uint64_t kColdPart = 16;

std::vector<uint64_t> measured_columns(const Projection& all) {
  std::vector<uint64_t> columns;
  std::optional<uint64_t> text;
  for (uint64_t i = 0; i < all.size(); ++i) {
    const Type& type = internals(all).columns()[i]->type();
    if (type.is(Type::Float32) && columns.size() < kMaxFloats) columns.push_back(all.indices()[i]);
    if (type.is(Type::Text) && !text) text = all.indices()[i];
  }
  if (columns.empty() || !text) {
    fail(ErrorKind::Argument, bytes_of(*all.table()).name(),
         "expected columns of float32 and one of text, got ", columns.size(), " and ",
         text ? "one" : "none");
  }
  columns.push_back(*text);
  return columns;
}

const PlainMap& checked(const PlainMap& map, const std::string& path) {
  if (load<uint64_t>(map.base()) != kSignature) {
    fail(ErrorKind::Argument, path, "expected a file of IDV, the only blocks whose bound is known");
  }
  return map;
}

uint64_t decoded_bytes(const Contents& contents, const std::vector<uint64_t>& columns) {
  uint64_t bytes = 0;
  for (const uint64_t column : columns) bytes += contents.decoded_bytes(column);
  return bytes;
}

void decode_all(const Projection& columns) {
  RowBatch batch;
  for (uint64_t k = 0; k < columns.block_count(); ++k) {
    take(columns, {columns.block(k).first}, batch);
  }
}

}  // namespace

BlocksFile::BlocksFile(std::string file_path, const OpenOptions& open_options)
    : MeasuredFile(std::move(file_path), open_options),
      contents(checked(map, path)),
      columns(measured_columns(all)),
      warm(opened->table(), columns),
      cold_options(with_cache(options, decoded_bytes(contents, columns) / kColdPart)),
      cold_file(open(path, cold_options)),
      cold(cold_file->table(), columns) {
  touch(*internals(*cold_file).bytes);
  decode_all(warm);
}

bool is_blocks(const File& file) {
  return file.format() == "idv";
}

}  // namespace heron::bench
