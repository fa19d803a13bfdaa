#include "format/metadata_bytes.h"

#include <algorithm>

#include "base/arena.h"
#include "base/fail.h"
#include "heron/values.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kOfAnyFile = uint64_t{12} << 20;
constexpr uint64_t kPerByte = 128;
constexpr uint64_t kBytesBesides = 1024;  // per entry with a value: its name, batch and schema

uint64_t bytes_of(const RowBatch& value) {
  return value.memory == nullptr ? 0 : value.memory->held_bytes();
}

uint64_t bytes_of(const Metadata& one) {
  const uint64_t value = one.value == nullptr ? sizeof one : kBytesBesides + bytes_of(*one.value);
  return one.name.size() + one.text.size() + value;
}

}  // namespace

uint64_t most_metadata_bytes(uint64_t file_bytes) noexcept {
  return kOfAnyFile + std::min(file_bytes, UINT64_MAX / 2 / kPerByte) * kPerByte;
}

void MetadataBytes::add(const std::vector<Metadata>& metadata) {
  uint64_t bytes = 0;
  for (const Metadata& one : metadata) bytes += bytes_of(one);
  take(bytes);
}

void MetadataBytes::add(const RowBatch& value) {
  take(kBytesBesides + bytes_of(value));
}

void MetadataBytes::take(uint64_t bytes) {
  uint64_t left = left_.load(std::memory_order_relaxed);
  do {
    if (bytes > left) {
      fail(ErrorKind::Limit, file_.name(), "metadata of columns is too long: ", bytes,
           " bytes more, and only ", left, " are left of what a file of ", file_.size(),
           " bytes may have; columns share metadata");
    }
  } while (!left_.compare_exchange_weak(left, left - bytes, std::memory_order_relaxed));
}

}  // namespace heron::inline v0
