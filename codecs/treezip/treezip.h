// TreeZip files: any file, compressed as a decision tree over the addresses of its bits and the
// bits before them. A container: its payload is opened in turn.
//
//   read/:   open -> header, survey -> direct_decoder (range_fill, canvas) or, for trees that test
//            previous bits, chain_decoder (node_table, checkpoints, chain_walk) -> source, which
//            caches chunks; saved: a sidecar's copy of a survey and of checkpoints
//   write/:  wrap -> encode -> encode_dense (labels) or, with previous bits, encode_columns
//            (payload_columns, column_group, small_tree) -> tree_writer
#pragma once

#include "format/format.h"

namespace heron::inline v0::treezip {

Match probe(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
// Checks the whole tree, unless `saved` is the result of index() for it. Throws Error: Unsupported,
// Corrupt, Limit, Cancelled.
Unwrapped unwrap(std::shared_ptr<const ByteSource>, const OpenOptions&,
                 std::span<const std::byte> saved, const Context&);
// Surveys the tree, and decodes the payload of a tree with previous bits unless it exceeds
// max_decode.
std::vector<std::byte> index(std::shared_ptr<const ByteSource>, const OpenOptions&, const Context&);
// Compresses a payload. Throws Error: Argument, Limit, Cancelled, and what payload and file throw.
uint64_t wrap(const ByteSource& payload, OutputFile& out, const WrapOptions& options,
              const Context& context);

}  // namespace heron::inline v0::treezip
