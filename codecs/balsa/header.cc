#include "balsa/header.h"

#include <algorithm>

#include "base/fail.h"
#include "bytes/on_disk.h"

namespace heron::inline v0::balsa {
namespace {

// The keys of the early draft, whose dictionaries have no count: the first key follows the marker
// at once.
constexpr std::string_view kDraftKeys[] = {"MAJORVERSION", "MINORVERSION", "PATCH", "classcount",
                                           "featurecount"};

template <class Little, class Big>
auto number(std::string_view bytes, std::endian order) noexcept {
  const auto* at = reinterpret_cast<const std::byte*>(bytes.data());
  return order == std::endian::little ? load<Little>(at) : load<Big>(at);
}

uint64_t byte_of(char c) noexcept {
  return static_cast<unsigned char>(c);
}

}  // namespace

std::string_view HeaderReader::peek(uint64_t count, std::string_view what) {
  if (count > left()) {
    fail_at(ErrorKind::Corrupt, at_, what, "expected ", count, " more bytes, got ", left(),
            "; the file is cut short or damaged");
  }
  const bool kept = at_ >= start_ && at_ - start_ <= kept_ && count <= kept_ - (at_ - start_);
  if (!kept) {
    context_.check_cancelled();
    const bool near = at_ >= start_ && at_ - start_ <= kNear;
    start_ = at_;
    kept_ = std::min(near ? kNear : std::max(count, kDefault), left());
    bytes_.read(start_, std::as_writable_bytes(std::span(buffer_)).first(kept_), context_);
  }
  return {buffer_.data() + (at_ - start_), count};
}

void HeaderReader::expect(std::string_view marker, std::string_view what) {
  const uint64_t at = at_;
  const std::string_view got = next(marker.size(), what);
  if (got != marker) {
    fail_at(ErrorKind::Corrupt, at, what, "expected \"", marker, "\", got ", quoted(got));
  }
}

void HeaderReader::fail_draft(uint64_t at, std::string_view what, std::string_view met) const {
  fail_at(ErrorKind::Unsupported, at, what, "met ", met,
          ": the layout of the format's early draft, which no program is known to write");
}

uint32_t Entry::ui32(std::endian order) const noexcept {
  return number<u32le, u32be>(value, order);
}

std::string Entry::text(std::endian order) const {
  if (type_id == kString) return std::string(value);
  if (type_id == "bool") return value[0] != 0 ? "true" : "false";
  if (type_id == "ui08") return concat(byte_of(value[0]));
  if (type_id == "in08") return concat(static_cast<int>(static_cast<signed char>(value[0])));
  if (type_id == "ui16") return concat(number<u16le, u16be>(value, order));
  if (type_id == "in16") return concat(number<i16le, i16be>(value, order));
  if (type_id == "ui32") return concat(ui32(order));
  if (type_id == "in32") return concat(number<i32le, i32be>(value, order));
  if (type_id == "fl32") return concat(number<f32le, f32be>(value, order));
  return concat(number<f64le, f64be>(value, order));
}

DictionaryReader::DictionaryReader(HeaderReader& reader, std::string_view what)
    : reader_(reader), what_(what), at_(reader.at()) {
  reader.expect(kDictionary, what);
  refuse_draft();
  left_ = static_cast<uint32_t>(byte_of(reader.next(1, what)[0]));
}

void DictionaryReader::refuse_draft() {
  const std::string_view counted = reader_.peek(std::min<uint64_t>(reader_.left(), 16), what_);
  for (const std::string_view key : kDraftKeys) {
    if (counted.substr(0, key.size() + 1) == concat(static_cast<char>(key.size()), key)) {
      reader_.fail_draft(at_, what_, concat("a key ", quoted(key), " instead of a count"));
    }
  }
}

bool DictionaryReader::next(Entry& entry) {
  if (left_ == 0) {
    reader_.expect(kDictionaryEnd, what_);
    return false;
  }
  --left_;
  entry.at = reader_.at();
  const uint64_t key_bytes = byte_of(reader_.peek(1, what_)[0]);
  uint64_t bytes = 1 + key_bytes + kMarkerBytes;
  const std::string_view type_id = reader_.peek(bytes, what_).substr(1 + key_bytes);
  uint64_t value_bytes = 0;
  if (type_id == kString) {
    value_bytes = byte_of(reader_.peek(++bytes, what_).back());
  } else if (const Scalar* scalar = find_scalar(type_id)) {
    value_bytes = scalar->bytes;
  } else {
    reader_.fail_at(ErrorKind::Unsupported, entry.at + 1 + key_bytes, what_,
                    "expected the type of a value, got ", quoted(type_id));
  }
  const std::string_view all = reader_.next(bytes + value_bytes, what_);
  entry.key = all.substr(1, key_bytes);
  entry.type_id = all.substr(1 + key_bytes, kMarkerBytes);
  entry.value = all.substr(bytes);
  return true;
}

bool DictionaryReader::is(const Entry& entry, std::string_view key,
                          std::string_view type_id) const {
  if (entry.key != key) return false;
  if (entry.type_id != type_id) {
    reader_.fail_at(ErrorKind::Corrupt, entry.at, what_, "expected \"", key, "\" as ", type_id,
                    ", got it as ", entry.type_id);
  }
  return true;
}

void DictionaryReader::match(const Entry& entry, std::string_view key,
                             std::optional<uint8_t>& ui08) const {
  if (is(entry, key, "ui08")) ui08 = static_cast<uint8_t>(byte_of(entry.value[0]));
}

void DictionaryReader::match(const Entry& entry, std::string_view key,
                             std::optional<uint32_t>& ui32) const {
  if (is(entry, key, "ui32")) ui32 = entry.ui32(reader_.order);
}

void DictionaryReader::match(const Entry& entry, std::string_view key,
                             std::optional<std::string>& strn) const {
  if (is(entry, key, kString)) strn = entry.value;
}

std::string quoted(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : bytes) {
    if (c >= ' ' && c <= '~') {
      out += c;
    } else {
      out += concat("\\x", kDigits[byte_of(c) >> 4], kDigits[byte_of(c) & 15]);
    }
  }
  return out + '"';
}

}  // namespace heron::inline v0::balsa
