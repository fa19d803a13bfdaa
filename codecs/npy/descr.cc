#include "npy/descr.h"

#include <algorithm>
#include <charconv>
#include <span>

#include "base/fail.h"
#include "base/in_quotes.h"

namespace heron::inline v0::npy {
namespace {

constexpr std::string_view kKinds = "biufcmMSUVO";
constexpr uint64_t kUcs4Bytes = 4;
constexpr uint64_t kMaxTypeBytes = uint64_t{256} << 20;

// Reads a number at the beginning of a text, and removes it. Without digits returns `otherwise`.
uint64_t take_number(std::string_view& text, uint64_t otherwise) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range || value > kMaxBytes) value = kMaxBytes;
  if (error == std::errc::invalid_argument) value = otherwise;
  text.remove_prefix(static_cast<uint64_t>(end - text.data()));
  return value;
}

// Splits "[25us]".
bool read_unit(std::string_view text, Element& element) {
  if (text.empty()) return true;  // numpy's "generic" unit
  if (text.size() < 3 || text.front() != '[' || text.back() != ']') return false;
  text = text.substr(1, text.size() - 2);
  element.multiple = take_number(text, 1);
  element.unit = text;
  return element.multiple != 0 &&
         std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'z'; });
}

bool is_width_of(char kind, uint64_t width) noexcept {
  const auto among = [width](auto... widths) { return ((width == widths) || ...); };
  switch (kind) {
    case 'b': return width == 1;
    case 'i':
    case 'u': return among(1u, 2u, 4u, 8u);
    case 'f': return among(2u, 4u, 8u, 10u, 12u, 16u);
    case 'c': return among(8u, 16u, 20u, 24u, 32u);
    case 'm':
    case 'M': return width == 8;
    default: return true;
  }
}

// Parses "<f8". Throws Error(Corrupt) if NumPy writes no such text.
Element parse_element(const LiteralScanner& scanner, uint64_t at, std::string text) {
  Element element;
  element.text = std::move(text);
  std::string_view left = element.text;
  const auto refuse = [&] {
    scanner.fail_at(ErrorKind::Corrupt, at, "expected a type such as '<f8', got ",
                    in_quotes(scanner.since(at)));
  };
  if (left.empty()) refuse();
  if (std::string_view("<>|=").find(left[0]) != left.npos) {
    if (left[0] == '>') element.order = std::endian::big;
    left.remove_prefix(1);
  }
  if (left.empty() || kKinds.find(left[0]) == kKinds.npos) refuse();
  element.kind = left[0];
  left.remove_prefix(1);
  if (element.kind == 'O') {
    scanner.fail_at(ErrorKind::Unsupported, at, "the array holds Python objects (pickled, type ",
                    element.text, "), which Heron never loads");
  }
  const bool may_be_empty = element.kind == 'S' || element.kind == 'U' || element.kind == 'V';
  if (left.empty() && !may_be_empty) refuse();
  element.width = take_number(left, may_be_empty ? 0 : kMaxBytes);
  const bool is_time = element.kind == 'm' || element.kind == 'M';
  if (is_time ? !read_unit(left, element) : !left.empty()) refuse();
  if (!is_width_of(element.kind, element.width)) refuse();
  if (element.kind == 'U') element.width = times(element.width, kUcs4Bytes);
  return element;
}

class DescrParser {
 public:
  explicit DescrParser(LiteralScanner& scanner) : scanner_(scanner) {}

  // Appends the fields of a type, with offsets from its own beginning and names behind `prefix`;
  // returns its bytes.
  uint64_t parse(const std::string& prefix, uint64_t depth, std::vector<ItemField>& fields) {
    if (depth > kMaxDepth) {
      scanner_.fail_at(ErrorKind::Limit, scanner_.at(), "expected at most ", kMaxDepth,
                       " types in each other, got more");
    }
    const char next = scanner_.peek();
    if (next == '[') return parse_fields(prefix, depth, fields);
    if (next == '(') return parse_sub_array(prefix, depth, fields);
    const uint64_t at = scanner_.at();
    Element element = parse_element(scanner_, at, scanner_.text());
    const uint64_t bytes = element.width;
    add_bytes(sizeof(ItemField) + prefix.size() + element.text.size());
    fields.push_back({prefix, std::move(element), 0, {}});
    return bytes;
  }

 private:
  // Parses a type with a shape, a tuple.
  uint64_t parse_sub_array(const std::string& prefix, uint64_t depth,
                           std::vector<ItemField>& fields) {
    const uint64_t first = fields.size();
    scanner_.expect('(');
    const uint64_t bytes = parse(prefix, depth + 1, fields);
    scanner_.expect(',');
    const uint64_t all = repeat(parse_sub_shape(), bytes, std::span(fields).subspan(first));
    scanner_.take(',');
    scanner_.expect(')');
    return all;
  }

  // Parses a list of fields.
  uint64_t parse_fields(const std::string& prefix, uint64_t depth, std::vector<ItemField>& fields) {
    uint64_t offset = 0;
    scanner_.expect('[');
    for (uint64_t index = 0; scanner_.peek() != ']'; ++index) {
      const uint64_t first = fields.size();
      const uint64_t bytes = parse_field(prefix, index, depth, fields);
      for (ItemField& field : std::span(fields).subspan(first)) field.offset += offset;
      offset = std::min(offset + bytes, kMaxBytes);
      if (!scanner_.take(',')) break;
    }
    scanner_.expect(']');
    return offset;
  }

  uint64_t parse_field(const std::string& prefix, uint64_t index, uint64_t depth,
                       std::vector<ItemField>& fields) {
    scanner_.expect('(');
    std::string name = parse_name();
    scanner_.expect(',');
    const uint64_t first = fields.size();
    const std::string shown = name.empty() ? concat('f', index) : name;
    uint64_t bytes = parse(prefix.empty() ? shown : concat(prefix, '.', shown), depth + 1, fields);
    if (scanner_.take(',') && scanner_.peek() != ')') {
      bytes = repeat(parse_sub_shape(), bytes, std::span(fields).subspan(first));
      scanner_.take(',');
    }
    scanner_.expect(')');
    const bool is_padding = name.empty() && fields.size() == first + 1 &&
                            fields[first].element.kind == 'V' && fields[first].axes.empty();
    if (is_padding) fields.pop_back();
    return bytes;
  }

  // Parses a name, or a tuple of title and name.
  std::string parse_name() {
    if (!scanner_.take('(')) return scanner_.text();
    scanner_.text();
    scanner_.expect(',');
    std::string name = scanner_.text();
    scanner_.take(',');
    scanner_.expect(')');
    return name;
  }

  std::vector<uint64_t> parse_sub_shape() {
    if (scanner_.peek() == '(') return parse_shape(scanner_);
    return {scanner_.number()};
  }

  // Gives fields of a type of that size the axes of an array of the type; returns the array's size.
  uint64_t repeat(const std::vector<uint64_t>& shape, uint64_t bytes, std::span<ItemField> fields) {
    std::vector<SlotAxis> axes(shape.size());
    for (uint64_t i = shape.size(); i-- > 0;) {
      axes[i] = {shape[i], bytes};
      bytes = times(bytes, shape[i]);
    }
    add_bytes(times(fields.size(), axes.size() * sizeof(SlotAxis)));
    for (ItemField& field : fields) {
      field.axes.insert(field.axes.begin(), axes.begin(), axes.end());
      if (field.axes.size() > kMaxAxes) fail_axes(field.axes.size());
    }
    return bytes;
  }
  [[noreturn]] void fail_axes(uint64_t axes) const {
    scanner_.fail_at(ErrorKind::Limit, scanner_.at(), "expected at most ", kMaxAxes, " axes, got ",
                     axes);
  }

  // Counts memory: names and axes of outer types are repeated in all fields inside.
  void add_bytes(uint64_t bytes) {
    if (bytes > kMaxTypeBytes - bytes_) {
      scanner_.fail_at(ErrorKind::Limit, scanner_.at(), "expected fields that take at most ",
                       kMaxTypeBytes, " bytes of memory, got more");
    }
    bytes_ += bytes;
  }

  LiteralScanner& scanner_;
  uint64_t bytes_ = 0;
};

}  // namespace

uint64_t times(uint64_t a, uint64_t b) noexcept {
  uint64_t product = 0;
  const bool overflows = __builtin_mul_overflow(a, b, &product);
  return overflows ? kMaxBytes : std::min(product, kMaxBytes);
}

ItemType parse_descr(LiteralScanner& scanner) {
  ItemType item;
  item.is_structured = scanner.peek() == '[';
  item.bytes = DescrParser(scanner).parse("", 0, item.fields);
  return item;
}

std::vector<uint64_t> parse_shape(LiteralScanner& scanner) {
  const uint64_t at = scanner.at();
  std::vector<uint64_t> shape;
  scanner.expect('(');
  while (scanner.peek() != ')') {
    shape.push_back(scanner.number());
    if (shape.size() > kMaxAxes) {
      scanner.fail_at(ErrorKind::Limit, at, "expected at most ", kMaxAxes, " axes, got more");
    }
    if (!scanner.take(',')) break;
  }
  scanner.expect(')');
  return shape;
}

}  // namespace heron::inline v0::npy
