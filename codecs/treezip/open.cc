#include <algorithm>
#include <optional>

#include "base/fail.h"
#include "exec/whole_read.h"
#include "treezip/header.h"
#include "treezip/read/saved.h"
#include "treezip/read/source.h"
#include "treezip/read/survey.h"
#include "treezip/treezip.h"

namespace heron::inline v0::treezip {
namespace {

// The number of bytes first read of a file without a map, and the factor of further reads until the
// whole tree is in memory.
constexpr uint64_t kFirstBytes = uint64_t{1} << 20;
constexpr uint64_t kGrowth = 8;

struct Opened {
  std::shared_ptr<const TreeFile> file;
  std::shared_ptr<const Survey> survey;
  uint64_t parsed_bits;
  std::span<const std::byte> checkpoints = {};
};

Opened open_tree(const std::shared_ptr<const ByteSource>& bytes, const Context& context) {
  for (uint64_t most = kFirstBytes;; most *= kGrowth) {
    if (most > kFirstBytes) bytes->check_read_of(std::min(most, bytes->size()));
    auto file = std::make_shared<const TreeFile>(bytes, most, context);
    const bool may_be_cut = !file->is_whole() && most <= UINT64_MAX / kGrowth;
    try {
      auto surveyed = std::make_shared<const Survey>(survey(*file, kIndexBits, context));
      return {std::move(file), surveyed, surveyed->tree_bits};
    } catch (const Error& error) {
      if (!may_be_cut || error.kind() != ErrorKind::Corrupt) throw;
    }
  }
}

// Returns nullopt if the saved data does not match.
std::optional<Opened> reopen_tree(const std::shared_ptr<const ByteSource>& bytes,
                                  std::span<const std::byte> saved, const Context& context) {
  const std::optional<uint64_t> most = saved_stream_bytes(saved);
  if (most && *most <= bytes->size()) {
    if (*most > kFirstBytes) bytes->check_read_of(*most);
    auto file = std::make_shared<const TreeFile>(bytes, *most, context);
    if (auto restored = restore(saved, *file)) {
      return Opened{std::move(file), std::make_shared<const Survey>(std::move(restored->survey)), 0,
                    restored->checkpoints};
    }
  }
  if (context.note)
    context.note(concat(bytes->name(), ": the section of the tree in its index is damaged"));
  return std::nullopt;
}

std::unique_ptr<const Decoder> decoder_of(const Opened& tree, const OpenOptions& options,
                                          const Context& context) {
  const bool looks_back = tree.survey->looks_back != 0 && !tree.file->header().is_only_initial();
  return looks_back
             ? chain_decoder(tree.file, tree.survey, options.max_decode, tree.checkpoints, context)
             : direct_decoder(tree.file, tree.survey);
}

}  // namespace

Match probe(std::span<const std::byte> head, uint64_t) noexcept {
  const auto* text = reinterpret_cast<const char*>(head.data());
  return std::string_view(text, head.size()).starts_with(kMagic) ? Match::Yes : Match::No;
}

Unwrapped unwrap(std::shared_ptr<const ByteSource> bytes, const OpenOptions& options,
                 std::span<const std::byte> saved, const Context& context) {
  std::optional<Opened> tree;
  if (!saved.empty()) tree = reopen_tree(bytes, saved, context);
  if (!tree) tree = open_tree(bytes, context);
  const auto& [file, survey, parsed_bits, checkpoints] = *tree;
  auto decoder = decoder_of(*tree, options, context);
  Unwrapped unwrapped;
  unwrapped.header = {{"payload_bytes", concat(file->header().size)},
                      {"feat_addr", concat(file->header().feat_addr)},
                      {"feat_prev", concat(file->header().feat_prev)},
                      {"features_used", concat(survey->used.count())},
                      {"branches", concat(survey->branches)},
                      {"leaves", concat(survey->leaves)},
                      {"depth", concat(survey->depth)},
                      {"tree_bits", concat(survey->tree_bits)},
                      {"looks_back", concat(survey->looks_back)},
                      {"index_bytes", concat(decoder->index_bytes())}};
  unwrapped.block_bytes = decoder->chunk_bytes();
  unwrapped.payload =
      payload_source(file, parsed_bits, std::move(decoder), options, context.memory);
  bytes->check_recently();
  return unwrapped;
}

std::vector<std::byte> index(std::shared_ptr<const ByteSource> bytes, const OpenOptions& options,
                             const Context& context) {
  constexpr uint64_t kStepBytes = uint64_t{1} << 20;
  const Opened tree = open_tree(bytes, context);
  const auto decoder = decoder_of(tree, options, context);
  const uint64_t size = tree.file->header().size;
  if (tree.survey->looks_back != 0 &&
      size <= std::min(options.max_decode, most_indexed(bytes->size()))) {
    std::vector<std::byte> payload(std::min(kStepBytes, size));
    for (uint64_t at = 0; at < size; at += kStepBytes) {
      const std::span piece = std::span(payload).first(std::min(kStepBytes, size - at));
      decoder->decode(at, piece, context);
    }
  }
  bytes->check_unchanged();
  return save(*tree.file, *tree.survey, decoder->checkpoints());
}

}  // namespace heron::inline v0::treezip
