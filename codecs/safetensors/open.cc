// Makes the tables of a file from its header.
#include <algorithm>

#include "base/fail.h"
#include "bytes/on_disk.h"
#include "format/contents.h"
#include "safetensors/safetensors.h"
#include "safetensors/tables.h"

namespace heron::inline v0::safetensors {
namespace {

// Returns `data`, or the next free name if a tensor has it.
std::string joint_name(const std::vector<Tensor>& tensors) {
  std::string name = "data";
  const auto is_taken = [&] {
    return std::ranges::any_of(tensors, [&](const Tensor& one) { return one.name == name; });
  };
  for (uint64_t suffix = 1; is_taken(); ++suffix) name = concat("data.", suffix);
  return name;
}

bool have_equal_rows(const std::vector<Tensor>& tensors) {
  return std::ranges::all_of(
      tensors, [&](const Tensor& one) { return one.rows() == tensors.front().rows(); });
}

}  // namespace

Match probe(std::span<const std::byte> head, uint64_t file_bytes) noexcept {
  if (head.size() <= kSizeBytes || head[kSizeBytes] != std::byte{'{'}) return Match::No;
  const uint64_t size = load<u64le>(head.data());
  const bool fits = size <= file_bytes - kSizeBytes && size <= kMaxHeaderBytes;
  return fits && size >= kMinHeaderBytes ? Match::Maybe : Match::No;
}

std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes, const OpenOptions&,
                                 std::span<const std::byte>, const Context& context) {
  Header header = read_header(*bytes, context);
  FileContents parts;
  parts.format = "safetensors";
  parts.header = std::move(header.metadata);
  const auto tensors = std::make_shared<const std::vector<Tensor>>(std::move(header.tensors));
  const auto add = [&](std::string name, uint64_t rows, std::unique_ptr<const TableSource> source) {
    parts.tables.push_back(std::make_shared<const Table>(
        TableContents{std::move(name), rows, bytes, std::move(source)}));
  };
  if (have_equal_rows(*tensors)) {
    add(joint_name(*tensors), tensors->empty() ? 0 : tensors->front().rows(),
        joint_table(*bytes, tensors));
  }
  for (uint64_t i = 0; i < tensors->size(); ++i) {
    const Tensor& tensor = (*tensors)[i];
    add(tensor.name, tensor.rows(), tensor_table(*bytes, tensors, i));
  }
  bytes->check_recently();
  parts.bytes = std::move(bytes);
  return std::make_shared<const File>(std::move(parts));
}

}  // namespace heron::inline v0::safetensors
