#include <algorithm>

#include "base/fail.h"
#include "bytes/on_disk.h"
#include "bytes/view_reader.h"
#include "columns/fixed_column.h"
#include "columns/null_column.h"
#include "columns/run_column.h"
#include "format/contents.h"
#include "format/table_source.h"
#include "jforests/feature.h"
#include "jforests/header.h"
#include "jforests/jforests.h"
#include "jforests/options.h"

namespace heron::inline v0::jforests {
namespace {

void check_boundary(const ByteSource& bytes, uint64_t offset, uint64_t number, int64_t boundary,
                    int64_t least, int64_t most) {
  if (boundary >= least && boundary <= most) return;
  fail(ErrorKind::Corrupt, bytes.name(), "query boundary ", number, " at byte ", offset,
       ": expected ", least == most ? concat(least) : concat(least, " to ", most), ", got ",
       boundary);
}

// Loads the boundaries: one more than the number of queries, ascending from 0 to the number of
// rows.
std::vector<uint64_t> load_boundaries(const ByteSource& bytes, const Header& header) {
  const uint64_t offset = header.boundaries_offset();
  const uint64_t last = header.queries();
  const uint64_t room = offset > bytes.size() ? 0 : bytes.size() - offset;
  if (room / kBoundaryBytes <= last) {
    fail(ErrorKind::Corrupt, bytes.name(), "query boundaries at byte ", offset, ": expected ",
         (last + 1) * kBoundaryBytes, " bytes for ", last, " queries, got ", room);
  }
  if (last == 0 && header.rows() != 0) {
    fail(ErrorKind::Corrupt, bytes.name(), "query boundaries at byte ", offset,
         ": expected at least one query for ", header.rows(), " rows, got none");
  }
  bytes.check_metadata_of((last + 1) * (kBoundaryBytes + sizeof(uint64_t)), "query boundaries",
                          offset);
  const ByteView stored{&bytes, offset, (last + 1) * kBoundaryBytes};
  Arena arena;
  const std::byte* cells = window(stored, 0, stored.bytes, 1, arena, Context());
  const auto rows = static_cast<int64_t>(header.rows());
  std::vector<uint64_t> starts;
  starts.reserve(last + 1);
  int64_t before = 0;
  for (uint64_t i = 0; i <= last; ++i) {
    const int64_t boundary = loaded_once(load<i32be>(cells + i * kBoundaryBytes));
    check_boundary(bytes, offset + i * kBoundaryBytes, i, boundary, i == last ? rows : before,
                   i == 0 ? 0 : rows);
    starts.push_back(static_cast<uint64_t>(boundary));
    before = boundary;
  }
  bytes.check_lost();
  return starts;
}

// The columns: target, query if there are queries, features.
class Data final : public TableSource {
 public:
  Data(const ByteSource& bytes, GroupMode mode, CodedValues view, const Context& context)
      : bytes_(bytes), header_(bytes, mode, context), view_(view) {
    if (header_.ranking()) {
      queries_ = std::make_shared<const Runs>(header_.queries(), header_.rows(),
                                              [this] { return load_boundaries(bytes_, header_); });
    }
  }

  const Header& header() const noexcept { return header_; }

  uint64_t column_count() const noexcept override { return first_feature() + header_.features(); }
  std::string stored_name(uint64_t column) const override {
    if (column == kTarget) return "target";
    if (is_query(column)) return "query";
    const Context context;
    return name_of(take_apart(feature(column), context), context);
  }
  std::string default_name(uint64_t column) const override {
    return concat('f', feature(column).number);
  }
  ColumnPtr open_column(uint64_t column, const std::string& name) const override {
    if (column == kTarget) return open_target(name);
    if (is_query(column)) {
      return std::make_unique<RunColumn>(header_.rows(), ColumnLabel{name, "boundaries"}, queries_,
                                         RunValue::Run);
    }
    return open_feature(feature(column), view_, name);
  }
  std::vector<Metadata> metadata(uint64_t column) const override {
    if (column < first_feature()) return {};
    return describe_feature(feature(column));
  }
  const Runs* groups() const noexcept override { return queries_.get(); }
  std::optional<uint64_t> label_column() const noexcept override { return kTarget; }
  std::optional<uint64_t> group_column() const noexcept override {
    return header_.ranking() ? std::optional(kQuery) : std::nullopt;
  }

 private:
  static constexpr uint64_t kTarget = 0;
  static constexpr uint64_t kQuery = 1;  // column index, if there are queries

  uint64_t first_feature() const noexcept { return header_.ranking() ? 2 : 1; }
  bool is_query(uint64_t column) const noexcept { return column == kQuery && header_.ranking(); }
  Claim feature(uint64_t column) const noexcept {
    return header_.feature(column - first_feature());
  }

  ColumnPtr open_target(const std::string& name) const {
    ColumnLabel label{name, "DOUBLE"};
    const uint64_t offset = header_.targets_offset();
    const uint64_t room = bytes_.size() - offset;
    if (room / kTargetBytes < header_.rows()) {
      return std::make_unique<UnreadableColumn>(
          Type::Float64, header_.rows(), std::move(label),
          Error(ErrorKind::Corrupt, bytes_.name(),
                concat("targets at byte ", offset, ": expected ", header_.rows() * kTargetBytes,
                       " bytes for ", header_.rows(), " rows, got ", room)));
    }
    FixedCells cells;
    cells.cells = {&bytes_, offset, header_.rows() * kTargetBytes};
    cells.order = std::endian::big;
    return std::make_unique<FixedColumn>(Type::Float64, header_.rows(), std::move(label), cells);
  }

  const ByteSource& bytes_;
  const Header header_;
  const CodedValues view_;
  std::shared_ptr<const Runs> queries_;  // null unless ranking
};

}  // namespace

Match probe(std::span<const std::byte> head, uint64_t) noexcept {
  const bool may_be = head.size() >= kVersionBytes && load<i32be>(head.data()) == kVersion;
  return may_be ? Match::Maybe : Match::No;
}

std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes,
                                    const OpenOptions& options, std::span<const std::byte>,
                                    const Context& context) {
  auto data =
      std::make_unique<const Data>(*bytes, group_mode(options), coded_values(options), context);
  const Header& header = data->header();
  const uint64_t rows = header.rows();

  FileContents parts;
  parts.format = "jforests";
  parts.header = {{"version", std::to_string(kVersion)},
                  {"features", std::to_string(header.features())},
                  {"rows", std::to_string(rows)},
                  {"mode", header.ranking() ? "ranking" : "plain"}};
  if (header.ranking()) parts.header.emplace_back("queries", std::to_string(header.queries()));
  parts.tables.push_back(
      std::make_shared<const Table>(TableContents{"data", rows, bytes, std::move(data)}));
  bytes->check_recently();
  parts.bytes = std::move(bytes);
  return std::make_shared<const File>(std::move(parts));
}

}  // namespace heron::inline v0::jforests
