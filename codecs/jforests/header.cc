#include "jforests/header.h"

#include <algorithm>

#include "base/fail.h"
#include "bytes/on_disk.h"
#include "bytes/view_reader.h"

namespace heron::inline v0::jforests {
namespace {

constexpr const char* mode_name(bool ranking) {
  return ranking ? "ranking" : "plain";
}

uint64_t boundaries_bytes(uint64_t queries) {
  return (queries + 1) * kBoundaryBytes;
}

std::string difference(uint64_t expected, uint64_t got) {
  return got > expected
             ? concat(got - expected, got - expected == 1 ? " byte" : " bytes", " too many")
             : concat(expected - got, expected - got == 1 ? " byte" : " bytes", " missing");
}

}  // namespace

Header::Header(const ByteSource& bytes, GroupMode mode, const Context& context) : bytes_(bytes) {
  read_counts(context);
  read_tables(context);
  const std::optional<int32_t> queries = stored_queries(context);
  if (mode == GroupMode::Infer) {
    infer_mode(queries, context);
  } else {
    take_mode(mode, queries, context);
  }
}

void Header::read_counts(const Context& context) {
  const uint64_t head_bytes = std::min(kCountsBytes, bytes_.size());
  Arena arena;
  const std::byte* head = window({&bytes_, 0, head_bytes}, 0, head_bytes, 1, arena, context);
  if (head_bytes >= kVersionBytes && load<i32be>(head) != kVersion) {
    fail(ErrorKind::Unsupported, bytes_.name(), "version at byte 0: expected ", kVersion, ", got ",
         load<i32be>(head));
  }
  if (head_bytes < kCountsBytes) {
    fail(ErrorKind::Corrupt, bytes_.name(), "header at byte 0: expected ", kCountsBytes,
         " bytes, got ", head_bytes);
  }
  const auto count = [&](uint64_t at, const char* of) {
    const int32_t stored = loaded_once(load<i32be>(head + at));
    if (stored < 0) {
      fail(ErrorKind::Corrupt, bytes_.name(), "number of ", of, " at byte ", at,
           ": expected 0 or more, got ", stored);
    }
    return static_cast<uint64_t>(stored);
  };
  const uint64_t features = count(4, "features");
  rows_ = count(8, "rows");
  const uint64_t room = (bytes_.size() - kCountsBytes) / (kSizeBytes + kTypeBytes);
  if (features > room) {
    fail(ErrorKind::Corrupt, bytes_.name(), "number of features at byte 4: expected at most ", room,
         ", whose sizes and types fill the ", bytes_.size(), " bytes of the file, got ", features);
  }
  const uint64_t starts_bytes = (features + 1) * sizeof(uint64_t);
  bytes_.check_metadata_of(features * (kSizeBytes + kTypeBytes) + starts_bytes + features,
                           "sizes and types of features", kCountsBytes);
  tables_ = std::make_unique<Arena>(context.memory, starts_bytes + features + 4 * Arena::kSlack);
  starts_ = {tables_->allocate_array<uint64_t>(features + 1), features + 1};
  types_ = {tables_->allocate_array<uint8_t>(features), features};
}

void Header::read_tables(const Context& context) {
  const uint64_t table_bytes = features() * (kSizeBytes + kTypeBytes);
  Arena arena(context.memory);
  const std::byte* sizes =
      window({&bytes_, kCountsBytes, table_bytes}, 0, table_bytes, 1, arena, context);
  starts_[0] = 0;
  for (uint64_t i = 0; i < features(); ++i) {
    const int32_t size = loaded_once(load<i32be>(sizes + i * kSizeBytes));
    if (size < 0) {
      fail(ErrorKind::Corrupt, bytes_.name(), "size of feature ", i + 1, " at byte ",
           kCountsBytes + i * kSizeBytes, ": expected ", kSmallestRecordBytes, " or more, got ",
           size);
    }
    starts_[i + 1] = starts_[i] + static_cast<uint64_t>(size);
  }
  if (features() != 0) std::memcpy(types_.data(), sizes + features() * kSizeBytes, features());
}

std::optional<int32_t> Header::stored_queries(const Context& context) const {
  if (bytes_.size() - end_of_tables() < kQueriesBytes) return std::nullopt;
  Arena arena;
  return load<i32be>(
      window({&bytes_, end_of_tables(), kQueriesBytes}, 0, kQueriesBytes, 1, arena, context));
}

// The file's length decides, unless a ranking file was cut to the length of a plain one, or a plain
// one has grown: a record must begin where the mode puts it.
void Header::infer_mode(std::optional<int32_t> queries, const Context& context) {
  const uint64_t size = bytes_.size();
  ranking_ = queries && *queries >= 0 &&
             size == end_of_features(true) + boundaries_bytes(static_cast<uint64_t>(*queries));
  const bool has_length = ranking_ || size == end_of_features(false);
  const std::string wrong = fault(ranking_, context);
  if (has_length && wrong.empty()) {
    if (ranking_) {
      queries_ = checked_queries(queries);
      check_outer_boundaries(context);
    }
    return;
  }
  const bool may_be_other = fault(!ranking_, context).empty();
  if (wrong.empty() != may_be_other) throw_wrong_length(ranking_ != may_be_other, queries);
  if (has_length) fail(ErrorKind::Corrupt, bytes_.name(), wrong);
  throw_no_mode();
}

void Header::take_mode(GroupMode mode, std::optional<int32_t> queries, const Context& context) {
  ranking_ = mode == GroupMode::Ranking;
  const std::string wrong = fault(ranking_, context);
  if (!wrong.empty() && fault(!ranking_, context).empty()) {
    fail(ErrorKind::Corrupt, bytes_.name(), "opened in mode ", mode_name(ranking_),
         ", but its records lie as in a ", mode_name(!ranking_), " file; ", wrong);
  }
  if (ranking_) queries_ = checked_queries(queries);
}

uint64_t Header::checked_queries(std::optional<int32_t> queries) const {
  if (!queries) {
    fail(ErrorKind::Corrupt, bytes_.name(), "number of queries at byte ", end_of_tables(),
         ": expected ", kQueriesBytes, " bytes, got a file that ends at byte ", bytes_.size());
  }
  if (*queries < 0) {
    fail(ErrorKind::Corrupt, bytes_.name(), "number of queries at byte ", end_of_tables(),
         ": expected 0 or more, got ", *queries);
  }
  return static_cast<uint64_t>(*queries);
}

void Header::check_outer_boundaries(const Context& context) const {
  const auto check = [&](uint64_t boundary, uint64_t expected) {
    const uint64_t offset = boundaries_offset() + boundary * kBoundaryBytes;
    std::byte stored[kBoundaryBytes];
    bytes_.read(offset, stored, context);  // a read avoids touching a page of the map
    if (load<u32be>(stored) != expected) {
      fail(ErrorKind::Corrupt, bytes_.name(), "query boundary ", boundary, " at byte ", offset,
           ": expected ", expected, ", got ", load<i32be>(stored));
    }
  };
  check(0, 0);
  check(queries_, rows_);
}

void Header::throw_wrong_length(bool ranking, std::optional<int32_t> queries) const {
  uint64_t expected = end_of_features(ranking);
  std::string and_queries;
  if (ranking) {
    const uint64_t count = checked_queries(queries);
    expected += boundaries_bytes(count);
    and_queries = concat(", ", count, " queries");
  }
  fail(ErrorKind::Corrupt, bytes_.name(), "expected ", expected, " bytes for a ",
       mode_name(ranking), " file of ", features(), " features, ", rows_, " rows", and_queries,
       ", got ", bytes_.size(), ": ", difference(expected, bytes_.size()), "; in mode ",
       mode_name(ranking), " what remains can be read");
}

void Header::throw_no_mode() const {
  const uint64_t plain = end_of_features(false);
  fail(ErrorKind::Corrupt, bytes_.name(), "expected ", plain, " bytes for a plain file of ",
       features(), " features, ", rows_, " rows, or ", end_of_features(true) + boundaries_bytes(0),
       " and ", kBoundaryBytes, " a query for a ranking one, got ", bytes_.size(), ": ",
       difference(plain, bytes_.size()));
}

uint64_t Header::end_of_tables() const noexcept {
  return kCountsBytes + features() * (kSizeBytes + kTypeBytes);
}

uint64_t Header::targets_offset(bool ranking) const noexcept {
  return end_of_tables() + (ranking ? kQueriesBytes : 0);
}

uint64_t Header::end_of_features(bool ranking) const noexcept {
  return targets_offset(ranking) + rows_ * kTargetBytes + starts_.back();
}

Claim Header::feature(uint64_t index, bool ranking) const noexcept {
  Claim claim;
  claim.source = &bytes_;
  claim.number = index + 1;
  claim.rows = rows_;
  claim.type = types_[index];
  claim.type_offset = kCountsBytes + features() * kSizeBytes + index * kTypeBytes;
  claim.offset = targets_offset(ranking) + rows_ * kTargetBytes + starts_[index];
  claim.bytes = starts_[index + 1] - starts_[index];
  return claim;
}

std::string Header::fault(bool ranking, const Context& context) const {
  for (uint64_t i = 0; i < features(); ++i) {
    const Claim claim = feature(i, ranking);
    if (!claim.has_known_type()) continue;
    const Record record = take_apart(claim, context);
    return record.fault.empty() ? std::string() : concat("feature ", i + 1, ": ", record.fault);
  }
  return {};
}

}  // namespace heron::inline v0::jforests
