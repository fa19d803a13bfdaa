// Makes the table of an array from its header.
#include "base/fail.h"
#include "format/contents.h"
#include "npy/header.h"
#include "npy/literal.h"
#include "npy/npy.h"
#include "npy/table.h"

namespace heron::inline v0::npy {

Match probe(std::span<const std::byte> head, uint64_t) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  return text.starts_with(kMagic) ? Match::Yes : Match::No;
}

std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes, const OpenOptions&,
                                 std::span<const std::byte>, const Context& context) {
  Header header = read_header(*bytes, context);
  FileContents parts;
  parts.format = "npy";
  parts.header = {{"version", header.version},
                  {"descr", header.descr},
                  {"fortran_order", header.fortran_order ? "True" : "False"},
                  {"shape", python_tuple(header.shape)}};
  const uint64_t rows = header.rows();
  parts.tables.push_back(std::make_shared<const Table>(
      TableContents{"data", rows, bytes, array_table(*bytes, std::move(header))}));
  bytes->check_recently();
  parts.bytes = std::move(bytes);
  return std::make_shared<const File>(std::move(parts));
}

}  // namespace heron::inline v0::npy
