#include "arrow_ipc/contents.h"

#include <algorithm>
#include <cstring>

#include "arrow_ipc/key_types.h"
#include "arrow_ipc/layout.h"
#include "base/fail.h"
#include "base/parallel.h"
#include "columns/prefetch.h"

namespace heron::inline v0::arrow_ipc {
namespace {

constexpr uint64_t kMaxBatches = UINT32_MAX;

// Block and message describe where a batch is.
struct BlockRange {
  uint64_t offset = 0;
  uint64_t metadata_bytes = 0;
  uint64_t body_bytes = 0;
};

// From this many batches on, they are read on several threads, this many at a time on each.
constexpr uint64_t kBatchesOfThread = 1024;

// Record batches in order, with rows, as in Contents.
struct BatchList {
  std::vector<Batch> batches = {};
  std::vector<uint8_t> has_nulls = {};
  std::vector<uint32_t> views = {};
};

class ContentsReader {
 public:
  ContentsReader(const ByteSource& file, const Context& context)
      : file_(file), context_(context), messages_(file) {}

  Contents read() {
    char head[kMagic.size()] = {};
    const uint64_t head_bytes = std::min<uint64_t>(sizeof head, file_.size());
    file_.read(0, std::as_writable_bytes(std::span(head)).first(head_bytes), context_);
    const std::string_view text(head, head_bytes);
    if (text.starts_with(kFeather1)) {
      fail(ErrorKind::Unsupported, file_.name(),
           "signature at byte 0: expected \"ARROW1\", got \"FEA1\", Feather of version 1");
    }
    if (text == kMagic) {
      read_file();
    } else {
      read_stream();
    }
    finish();
    return std::move(contents_);
  }

 private:
  void read_file();
  void read_stream();
  void use_schema(const arrow_fbs::Schema* schema, arrow_fbs::MetadataVersion version);
  std::vector<BlockRange> blocks(const flatbuffers::Vector<const arrow_fbs::Block*>* stored,
                                 uint64_t end) const;
  void prefetch(std::span<const BlockRange> blocks) const;
  void add_dictionaries(std::span<const BlockRange> blocks);
  void add_batches(std::span<const BlockRange> blocks);
  const arrow_fbs::Message& message_of(const BlockRange& block, MessageReader& messages,
                                       const Context& context) const;
  void add_dictionary(const arrow_fbs::DictionaryBatch& stored, uint64_t body, uint64_t body_bytes);
  // `stored` was read by `messages`.
  void add_batch(const arrow_fbs::RecordBatch& stored, const MessageReader& messages, uint64_t body,
                 uint64_t body_bytes, BatchList& list) const;
  void add_views(const arrow_fbs::RecordBatch& stored, Batch& batch,
                 std::vector<uint32_t>& views) const;
  void append(const BatchList& list);
  void finish();
  [[noreturn]] void fail_views() const {
    fail(ErrorKind::Limit, file_.name(), "the batches have more than ", UINT32_MAX,
         " counts of buffers of views");
  }
  BatchList empty_list() const {
    return {.has_nulls = std::vector<uint8_t>(contents_.fields.nodes)};
  }
  [[noreturn]] void fail_other(const arrow_fbs::Message& message, uint64_t body) const {
    fail(ErrorKind::Unsupported, file_.name(), "message with a body at byte ", body,
         ": expected a batch, got message type ", static_cast<int>(message.header_type()));
  }
  void check_counts(const Batch& batch, const Fields& fields) const;

  template <class... Parts>
  [[noreturn]] void corrupt(const Parts&... parts) const {
    fail(ErrorKind::Corrupt, file_.name(), parts...);
  }

  const ByteSource& file_;
  const Context& context_;
  MessageReader messages_;
  Contents contents_;
};

void ContentsReader::read_file() {
  if (file_.size() < kSmallestFile) {
    corrupt("expected at least ", kSmallestFile, " bytes, the smallest Arrow file, got ",
            file_.size());
  }
  std::byte tail[kTailBytes];
  file_.read(file_.size() - kTailBytes, tail, context_);
  const std::string_view signature(reinterpret_cast<const char*>(tail) + 4, kMagic.size());
  if (signature != kMagic) {
    corrupt("signature at byte ", file_.size() - kMagic.size(),
            ": expected \"ARROW1\" as the last bytes; the file is cut short or damaged");
  }
  const uint64_t bytes = load<u32le>(tail);
  const uint64_t most = file_.size() - kSmallestFile;
  if (bytes == 0 || bytes > most) {
    corrupt("length of the footer at byte ", file_.size() - kTailBytes, ": expected 1 to ", most,
            ", got ", bytes);
  }
  const uint64_t offset = file_.size() - kTailBytes - bytes;
  contents_.schema_bytes.resize(bytes / sizeof(uint64_t) + 1);
  const auto memory = std::as_writable_bytes(std::span(contents_.schema_bytes)).first(bytes);
  file_.read(offset, memory, context_);
  const auto* footer = verified<arrow_fbs::Footer>(memory);
  if (footer == nullptr) {
    corrupt("footer at byte ", offset, " of ", bytes,
            " bytes: expected a FlatBuffers footer, got tables or offsets that do not lie inside "
            "it");
  }
  use_schema(footer->schema(), footer->version());
  add_dictionaries(blocks(footer->dictionaries(), offset));
  add_batches(blocks(footer->record_batches(), offset));
}

// The batches of a file may be in any order, and anywhere in front of the footer.
std::vector<BlockRange> ContentsReader::blocks(
    const flatbuffers::Vector<const arrow_fbs::Block*>* stored, uint64_t end) const {
  std::vector<BlockRange> ranges;
  if (stored == nullptr) return ranges;
  const auto* first = reinterpret_cast<const std::byte*>(stored->Data());
  ranges.reserve(stored->size());
  uint64_t left = end;  // blocks do not overlap, so that a small file has few batches
  for (uint64_t i = 0; i < stored->size(); ++i) {
    StoredBlock block;
    std::memcpy(&block, first + i * sizeof block, sizeof block);
    const BlockRange range{block.offset, block.metadata_bytes, block.body_bytes};
    if (range.offset > end || range.metadata_bytes > end - range.offset ||
        range.body_bytes > end - range.offset - range.metadata_bytes) {
      corrupt("footer, block ", i, ": expected ", range.metadata_bytes, " + ", range.body_bytes,
              " bytes from byte ", range.offset, " to lie in front of the footer at byte ", end);
    }
    const uint64_t bytes = range.metadata_bytes + range.body_bytes;
    if (bytes > left) {
      corrupt("footer, block ", i, ": expected blocks of at most ", end, " bytes together");
    }
    left -= bytes;
    ranges.push_back(range);
  }
  prefetch(ranges);
  return ranges;
}

const arrow_fbs::Message& ContentsReader::message_of(const BlockRange& block,
                                                     MessageReader& messages,
                                                     const Context& context) const {
  const arrow_fbs::Message* message =
      messages.read(block.offset, block.offset + block.metadata_bytes, context);
  if (message == nullptr) {
    corrupt("message at byte ", block.offset,
            ": expected a batch, as the footer says, got the end of a stream");
  }
  if (static_cast<uint64_t>(message->body_length()) != block.body_bytes) {
    corrupt("message at byte ", block.offset, ": expected a body of ", block.body_bytes,
            " bytes, as the footer says, got ", message->body_length());
  }
  return *message;
}

void ContentsReader::add_dictionaries(std::span<const BlockRange> blocks) {
  for (const BlockRange& block : blocks) {
    const arrow_fbs::Message& message = message_of(block, messages_, context_);
    const uint64_t body = block.offset + block.metadata_bytes;
    const auto* dictionary = message.header_as_DictionaryBatch();
    if (dictionary == nullptr) fail_other(message, body);
    add_dictionary(*dictionary, body, block.body_bytes);
  }
}

void ContentsReader::add_batches(std::span<const BlockRange> blocks) {
  const uint64_t count = (blocks.size() + kBatchesOfThread - 1) / kBatchesOfThread;
  std::vector<BatchList> lists(count, empty_list());
  parallel_for(count, context_, [&](uint64_t i, const Context& context) {
    const auto some = blocks.subspan(i * kBatchesOfThread);
    MessageReader messages(file_);
    context.check_cancelled();
    for (const BlockRange& block : some.first(std::min(kBatchesOfThread, some.size()))) {
      const arrow_fbs::Message& message = message_of(block, messages, context);
      const uint64_t body = block.offset + block.metadata_bytes;
      const auto* batch = message.header_as_RecordBatch();
      if (batch == nullptr) fail_other(message, body);
      add_batch(*batch, messages, body, block.body_bytes, lists[i]);
    }
  });
  contents_.batches.reserve(blocks.size());
  for (const BatchList& list : lists) append(list);
}

// Starts to read the metadata of all batches together.
void ContentsReader::prefetch(std::span<const BlockRange> blocks) const {
  if (blocks.size() < 2 || !file_.may_be_cold()) return;
  Prefetch pages;
  for (const BlockRange& block : blocks) {
    pages.add({&file_, block.offset, block.metadata_bytes}, 0, block.metadata_bytes);
  }
  if (pages.any_cold()) pages.start();
}

void ContentsReader::read_stream() {
  contents_.is_stream = true;
  const arrow_fbs::Message* first = messages_.read(0, file_.size(), context_);
  if (first == nullptr || first->header_as_Schema() == nullptr) {
    fail(ErrorKind::UnknownFormat, file_.name(),
         "message at byte 0: expected the schema of an Arrow stream");
  }
  // The reader's memory is used again, so that the schema is read a second time, into its own.
  const uint64_t end = messages_.metadata_end(), bytes = end - messages_.metadata_offset();
  contents_.schema_bytes.resize(bytes / sizeof(uint64_t) + 1);
  const auto memory = std::as_writable_bytes(std::span(contents_.schema_bytes)).first(bytes);
  file_.read(end - bytes, memory, context_);
  const auto* message = verified<arrow_fbs::Message>(memory);
  if (message == nullptr) corrupt("message at byte 0: expected the schema of an Arrow stream");
  use_schema(message->header_as_Schema(), message->version());
  uint64_t offset = end;
  BatchList list = empty_list();
  while (const arrow_fbs::Message* next = messages_.read(offset, file_.size(), context_)) {
    const uint64_t body = messages_.metadata_end();
    const auto body_bytes = static_cast<uint64_t>(next->body_length());
    if (body_bytes > file_.size() - body) {
      corrupt("message at byte ", offset, ": expected a body of at most ", file_.size() - body,
              " bytes, got ", next->body_length());
    }
    if (const auto* batch = next->header_as_RecordBatch()) {
      add_batch(*batch, messages_, body, body_bytes, list);
    } else if (const auto* dictionary = next->header_as_DictionaryBatch()) {
      add_dictionary(*dictionary, body, body_bytes);
      contents_.dictionaries[dictionary->id()].back().first_batch = list.batches.size();
    } else {
      fail_other(*next, body);
    }
    offset = body + body_bytes;
    if (list.batches.size() % 4096 == 0) context_.check_cancelled();
  }
  append(list);
}

void ContentsReader::use_schema(const arrow_fbs::Schema* schema,
                                arrow_fbs::MetadataVersion version) {
  if (schema == nullptr) corrupt("expected a schema, got none");
  if (version < arrow_fbs::MetadataVersion::V4 || version > arrow_fbs::MetadataVersion::V5) {
    fail(ErrorKind::Unsupported, file_.name(), "expected metadata of version 4 or 5, got ",
         static_cast<int>(version) + 1);
  }
  if (schema->endianness() != arrow_fbs::Endianness::Little) {
    fail(ErrorKind::Unsupported, file_.name(), "the file is big-endian: expected little-endian");
  }
  contents_.schema = schema;
  contents_.version = version;
  contents_.fields = read_fields(*schema, version, file_.name());
  contents_.has_nulls.resize(contents_.fields.nodes);
}

void ContentsReader::add_dictionary(const arrow_fbs::DictionaryBatch& stored, uint64_t body,
                                    uint64_t body_bytes) {
  if (stored.data() == nullptr) corrupt("dictionary before byte ", body, ": expected values");
  DictionaryPart part;
  part.batch = messages_.batch(*stored.data(), body, body_bytes);
  add_views(*stored.data(), part.batch, contents_.views);
  part.is_delta = stored.is_delta();
  if (part.batch.node_count != 0) {
    const auto* node = reinterpret_cast<const std::byte*>(stored.data()->nodes()->Data());
    part.has_nulls = load<u64le>(node + sizeof(uint64_t)) != 0;  // of the values, not of their items
  }
  contents_.dictionaries[stored.id()].push_back(part);
}

void ContentsReader::check_counts(const Batch& batch, const Fields& fields) const {
  const bool has_enough = batch.node_count >= fields.nodes && batch.buffer_count >= fields.buffers;
  const bool has_more =
      batch.node_count > fields.nodes || (fields.views == 0 && batch.buffer_count > fields.buffers);
  if (has_enough && (!has_more || !fields.are_counted)) return;
  corrupt("batch with its body at byte ", batch.body, ": expected ", fields.nodes, " nodes and ",
          fields.buffers, fields.views == 0 ? " buffers" : " or more buffers", ", got ",
          batch.node_count, " and ", batch.buffer_count);
}

void ContentsReader::add_batch(const arrow_fbs::RecordBatch& stored, const MessageReader& messages,
                               uint64_t body, uint64_t body_bytes, BatchList& list) const {
  Batch batch = messages.batch(stored, body, body_bytes);
  check_counts(batch, contents_.fields);
  if (batch.rows == 0) return;
  if (contents_.fields.views != 0) add_views(stored, batch, list.views);
  if (batch.view_count < contents_.fields.views) {
    corrupt("batch with its body at byte ", body, ": expected ", contents_.fields.views,
            " counts of buffers of views, got ", batch.view_count);
  }
  if (contents_.fields.nodes != 0) {
    const auto* nodes = reinterpret_cast<const std::byte*>(stored.nodes()->Data());
    for (uint32_t i = 0; i < contents_.fields.nodes; ++i) {
      const uint64_t nulls = load<u64le>(nodes + i * sizeof(StoredNode) + sizeof(uint64_t));
      list.has_nulls[i] |= static_cast<uint8_t>(nulls != 0);
    }
  }
  list.batches.push_back(batch);
}

// The buffers themselves are counted when they are read.
void ContentsReader::add_views(const arrow_fbs::RecordBatch& stored, Batch& batch,
                               std::vector<uint32_t>& views) const {
  const auto* counts = stored.variadic_buffer_counts();
  if (counts == nullptr) return;
  if (counts->size() > UINT32_MAX - std::min<uint64_t>(views.size(), UINT32_MAX)) {
    fail_views();
  }
  batch.first_view = static_cast<uint32_t>(views.size());
  batch.view_count = counts->size();
  const auto* first = reinterpret_cast<const std::byte*>(counts->Data());
  for (uint32_t i = 0; i < counts->size(); ++i) {
    const uint64_t count = load<u64le>(first + i * sizeof(uint64_t));
    if (count > batch.buffer_count) {
      corrupt("batch with its body at byte ", batch.body, ": expected at most ", batch.buffer_count,
              " buffers of views, got ", count);
    }
    views.push_back(static_cast<uint32_t>(count));
  }
}

void ContentsReader::append(const BatchList& list) {
  if (list.batches.size() > kMaxBatches - contents_.batches.size()) {
    fail(ErrorKind::Limit, file_.name(), "more than ", kMaxBatches, " batches");
  }
  const uint64_t views = contents_.views.size();
  if (list.views.size() > UINT32_MAX - std::min<uint64_t>(views, UINT32_MAX)) fail_views();
  for (Batch batch : list.batches) {
    batch.first_view += static_cast<uint32_t>(views);
    contents_.batches.push_back(batch);
  }
  contents_.views.insert(contents_.views.end(), list.views.begin(), list.views.end());
  for (uint64_t i = 0; i < list.has_nulls.size(); ++i) contents_.has_nulls[i] |= list.has_nulls[i];
}

void ContentsReader::finish() {
  file_.check_lost();
  set_key_types(contents_);
  std::vector<uint64_t> starts = {0};
  starts.reserve(contents_.batches.size() + 1);
  for (const Batch& batch : contents_.batches) {
    if (batch.rows > UINT64_MAX - 1 - starts.back()) {
      fail(ErrorKind::Limit, file_.name(), "the batches together have 2^64 rows or more");
    }
    starts.push_back(starts.back() + batch.rows);
  }
  contents_.rows = std::make_shared<const Runs>(std::move(starts));
}

// Returns whether a FlatBuffers table with the fields of a message may begin there.
bool is_message_at(std::span<const std::byte> metadata, uint64_t root) noexcept {
  constexpr uint64_t kMinVtable = 10, kMaxVtable = 14;  // of three to five fields
  if (metadata.size() < sizeof(uint32_t) || root > metadata.size() - sizeof(uint32_t)) return false;
  const uint64_t before = load<u32le>(metadata.data() + root);  // from the table to its vtable
  if (before > root - sizeof(uint32_t) || before < kMinVtable) return false;
  const uint64_t bytes = load<u16le>(metadata.data() + root - before);
  return bytes % 2 == 0 && bytes >= kMinVtable && bytes <= kMaxVtable && bytes <= before;
}

}  // namespace

Contents read_contents(const ByteSource& file, const Context& context) {
  return ContentsReader(file, context).read();
}

// The schema's root offset and the vtable before it would be random in other formats.
bool is_like_stream(std::span<const std::byte> head, uint64_t file_bytes) noexcept {
  if (head.size() < kPrefixBytes + sizeof(uint32_t)) return false;
  const bool has_mark = load<u32le>(head.data()) == kContinuation;
  const uint64_t prefix = has_mark ? kPrefixBytes : kOldPrefixBytes;
  const uint64_t bytes = load<u32le>(head.data() + prefix - sizeof(uint32_t));
  const auto metadata = head.subspan(prefix);
  const uint64_t root = load<u32le>(metadata.data());
  if (bytes == 0 || bytes > file_bytes - prefix || root < sizeof(uint32_t) || root >= bytes) {
    return false;
  }
  return has_mark || ((prefix + bytes) % kMessageAlignment == 0 && is_message_at(metadata, root));
}

}  // namespace heron::inline v0::arrow_ipc
