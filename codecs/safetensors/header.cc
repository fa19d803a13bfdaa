#include "safetensors/header.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/fail.h"
#include "base/in_quotes.h"
#include "bytes/on_disk.h"
#include "format/json_reader.h"

namespace heron::inline v0::safetensors {
namespace {

// Multiplies; returns false if the product is 2^64 or more.
bool multiply(uint64_t& product, uint64_t by) noexcept {
  return !__builtin_mul_overflow(product, by, &product);
}

// Reads the header's bytes into memory of their own, so that they do not change while they are
// parsed.
std::string header_text(const ByteSource& bytes, const Context& context) {
  if (bytes.size() < kSizeBytes) {
    fail(ErrorKind::Corrupt, bytes.name(), "header at byte 0: expected at least ", kSizeBytes,
         " bytes, got ", bytes.size());
  }
  std::byte stored[kSizeBytes];
  bytes.read(0, stored, context);
  const uint64_t size = load<u64le>(stored);
  const uint64_t left = bytes.size() - kSizeBytes;
  if (size > kMaxHeaderBytes || size > left) {
    fail(ErrorKind::Corrupt, bytes.name(), "header size at byte 0: expected at most ",
         std::min(left, kMaxHeaderBytes), " bytes, got ", size);
  }
  bytes.check_metadata_of(size, "header", kSizeBytes);
  std::string text(size, '\0');
  bytes.read(kSizeBytes, std::as_writable_bytes(std::span(text)), context);
  if (!text.starts_with('{')) {
    fail(ErrorKind::Corrupt, bytes.name(), "header at byte ", kSizeBytes, ": expected '{', got ",
         text.empty() ? "nothing" : in_quotes(text.substr(0, 1)));
  }
  return text;
}

class HeaderParser {
 public:
  HeaderParser(std::string_view text, const ByteSource& bytes, const Context& context)
      : json_(text, bytes.name(), kSizeBytes, "header"),
        file_(bytes.name()),
        buffer_(kSizeBytes + text.size()),
        buffer_bytes_(bytes.size() - buffer_),
        context_(context) {}

  Header parse() {
    Header header;
    bool has_metadata = false;
    json_.open('{');
    for (bool is_first = true; json_.next_item('}', is_first);) {
      if (header.tensors.size() % 1024 == 0) context_.check_cancelled();
      const uint64_t at = json_.at();
      std::string name = json_.name();
      if (name == kMetadata) {
        if (has_metadata) json_.fail_at(at, "expected one ", kMetadata, ", got two");
        has_metadata = true;
        header.metadata = metadata();
      } else {
        header.tensors.push_back(tensor(std::move(name)));
      }
    }
    json_.end();
    check_names(header.tensors);
    check_cover(header.tensors);
    return header;
  }

 private:
  std::vector<std::pair<std::string, std::string>> metadata() {
    std::vector<std::pair<std::string, std::string>> all;
    if (json_.take_null()) return all;
    json_.open('{');
    for (bool is_first = true; json_.next_item('}', is_first);) {
      std::string name = json_.name();
      all.emplace_back(std::move(name), json_.string());
    }
    return all;
  }

  std::vector<uint64_t> naturals() {
    std::vector<uint64_t> all;
    json_.open('[');
    for (bool is_first = true; json_.next_item(']', is_first);) all.push_back(json_.natural());
    return all;
  }

  template <class T>
  const T& require(const Tensor& tensor, const char* key, const std::optional<T>& value) const {
    if (!value) fail_tensor(tensor, "expected \"", key, "\", got none");
    return *value;
  }

  Tensor tensor(std::string name) {
    Tensor tensor;
    tensor.name = std::move(name);
    std::optional<std::string> dtype;
    std::optional<std::vector<uint64_t>> shape, offsets;
    json_.open('{');
    for (bool is_first = true; json_.next_item('}', is_first);) {
      const uint64_t at = json_.at();
      const std::string key = json_.name();
      const auto once = [&](const auto& value) {
        if (value) json_.fail_at(at, "expected one ", in_quotes(key), ", got two");
      };
      if (key == "dtype") {
        once(dtype);
        dtype = json_.string();
      } else if (key == "shape") {
        once(shape);
        shape = naturals();
      } else if (key == "data_offsets") {
        once(offsets);
        offsets = naturals();
      } else {
        json_.skip();
      }
    }
    tensor.dtype_name = require(tensor, "dtype", dtype);
    tensor.dtype = find_dtype(tensor.dtype_name);
    tensor.shape = require(tensor, "shape", shape);
    set_range(tensor, require(tensor, "data_offsets", offsets));
    check_size(tensor);
    return tensor;
  }

  void set_range(Tensor& tensor, const std::vector<uint64_t>& offsets) const {
    if (offsets.size() != 2) {
      fail_tensor(tensor, "expected two data_offsets, got ", offsets.size());
    }
    if (offsets[0] > offsets[1] || offsets[1] > buffer_bytes_) {
      fail_tensor(tensor, "expected ascending data_offsets of at most ", buffer_bytes_, ", got ",
                  offsets[0], " and ", offsets[1]);
    }
    tensor.offset = buffer_ + offsets[0];
    tensor.bytes = offsets[1] - offsets[0];
  }

  // Checks that the elements fill the bytes. Elements of an undefined dtype take at least a bit.
  void check_size(const Tensor& tensor) const {
    uint64_t elements = 1;
    for (const uint64_t size : tensor.shape) {
      if (!multiply(elements, size)) {
        fail_tensor(tensor, "expected fewer than 2^64 elements, got shape ", tensor.shape_text());
      }
    }
    if (tensor.dtype == nullptr) {
      if (elements / 8 > tensor.bytes) {
        fail_tensor(tensor, "expected at most 8 elements a byte, got shape ", tensor.shape_text(),
                    " in ", tensor.bytes, " bytes");
      }
      return;
    }
    uint64_t bits = elements;
    if (!multiply(bits, tensor.dtype->bits) || bits % 8 != 0 || bits / 8 != tensor.bytes) {
      fail_tensor(tensor, "expected the bytes of ", elements, " elements of ", tensor.dtype->bits,
                  " bits, got ", tensor.bytes, " bytes");
    }
  }

  void check_names(const std::vector<Tensor>& tensors) const {
    std::unordered_set<std::string_view> names;
    for (const Tensor& tensor : tensors) {
      if (!names.insert(tensor.name).second) {
        fail_tensor(tensor, "expected one tensor of the name, got two");
      }
    }
  }

  void check_cover(const std::vector<Tensor>& tensors) const {
    std::vector<const Tensor*> order;
    order.reserve(tensors.size());
    for (const Tensor& tensor : tensors) order.push_back(&tensor);
    std::sort(order.begin(), order.end(), [](const Tensor* a, const Tensor* b) {
      return std::pair(a->offset, a->bytes) < std::pair(b->offset, b->bytes);
    });
    uint64_t end = buffer_;
    for (const Tensor* tensor : order) {
      if (tensor->offset != end) {
        fail_tensor(*tensor, "expected data_offsets from ", end - buffer_,
                    ", where the tensors before it end, got ", tensor->offset - buffer_);
      }
      end += tensor->bytes;
    }
    if (end - buffer_ != buffer_bytes_) {
      fail(ErrorKind::Corrupt, file_, "buffer at byte ", buffer_, ": expected ", end - buffer_,
           " bytes, where the tensors end, got ", buffer_bytes_);
    }
  }

  template <class... Parts>
  [[noreturn]] void fail_tensor(const Tensor& tensor, const Parts&... parts) const {
    fail(ErrorKind::Corrupt, file_, "tensor ", in_quotes(tensor.name), ": ", parts...);
  }

  JsonReader json_;
  const std::string& file_;
  const uint64_t buffer_;  // offset in the file
  const uint64_t buffer_bytes_;
  const Context& context_;
};

}  // namespace

uint64_t Tensor::rows() const noexcept {
  if (std::ranges::find(shape, uint64_t{0}) != shape.end()) return 0;
  return shape.empty() ? 1 : shape.front();
}

std::string Tensor::shape_text() const {
  std::string text = "[";
  for (const uint64_t size : shape) text += concat(text.size() == 1 ? "" : ", ", size);
  return text + ']';
}

Header read_header(const ByteSource& bytes, const Context& context) {
  const std::string text = header_text(bytes, context);
  return HeaderParser(text, bytes, context).parse();
}

}  // namespace heron::inline v0::safetensors
