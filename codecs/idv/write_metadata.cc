#include "idv/write_metadata.h"

#include <array>

#include "idv/codec_type.h"

namespace heron::inline v0::idv {
namespace {

// One row of text that owns its memory.
class OneText {
 public:
  explicit OneText(const std::string& text)
      : offsets_{0, static_cast<int64_t>(text.size())}, values_(Type::LargeText, 1) {
    values_.data = {reinterpret_cast<const std::byte*>(text.data()), text.size()};
    values_.offsets = {reinterpret_cast<const std::byte*>(offsets_.data()), sizeof offsets_};
  }
  OneText(const OneText&) = delete;
  OneText& operator=(const OneText&) = delete;

  const Values& values() const noexcept { return values_; }

 private:
  std::array<int64_t, 2> offsets_;
  Values values_;
};

}  // namespace

uint64_t write_metadata(const Field& field, BlockMaker& maker, Appender& out) {
  if (field.metadata.empty()) return 0;
  Bytes contents, block;
  put_leb128(contents, field.metadata.size());
  for (const Metadata& one : field.metadata) {
    const OneText text(one.text);
    const Values& value = one.value != nullptr ? one.value->columns.front() : text.values();
    const auto encoder = make_encoder(value.type);
    encoder->append(value, {0, 1});
    const Compression compression = maker.make_smaller(*encoder, block);

    put_string(contents, one.name);
    put_definition(contents, value.type);
    contents.push_back(static_cast<std::byte>(compression));
    put_cell<i64le>(contents, static_cast<int64_t>(out.end()));
    put_leb128(contents, block.size());
    out.append(block);
  }
  const uint64_t offset = out.end();
  out.append(contents);
  return offset;
}

}  // namespace heron::inline v0::idv
