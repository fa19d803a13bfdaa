#include <algorithm>

#include "treezip/header.h"
#include "treezip/source.h"
#include "treezip/survey.h"
#include "treezip/treezip.h"

namespace heron::inline v0::treezip {
namespace {

// Of a file without a map, so much is read at first, and then so many times more, until the whole
// tree is there.
constexpr uint64_t kFirstBytes = uint64_t{1} << 20;
constexpr uint64_t kGrowth = 8;

struct Opened {
  std::shared_ptr<const TreeFile> file;
  std::shared_ptr<const Survey> survey;
};

Opened open_tree(const std::shared_ptr<const ByteSource>& bytes, const Context& context) {
  for (uint64_t most = kFirstBytes;; most *= kGrowth) {
    if (most > kFirstBytes) bytes->check_read_of(std::min(most, bytes->size()));
    auto file = std::make_shared<const TreeFile>(bytes, most, context);
    const bool may_be_cut = !file->is_whole() && most <= UINT64_MAX / kGrowth;
    try {
      auto surveyed = std::make_shared<const Survey>(survey(*file, kIndexBits, context));
      return {std::move(file), std::move(surveyed)};
    } catch (const Error& error) {
      if (!may_be_cut || error.kind() != ErrorKind::Corrupt) throw;
    }
  }
}

}  // namespace

Match probe(std::span<const std::byte> head, uint64_t) noexcept {
  const auto* text = reinterpret_cast<const char*>(head.data());
  return std::string_view(text, head.size()).starts_with(kMagic) ? Match::Yes : Match::No;
}

Unwrapped unwrap(std::shared_ptr<const ByteSource> bytes, const OpenOptions& options,
                 const Context& context) {
  auto [file, survey] = open_tree(bytes, context);
  const bool looks_back = survey->looks_back != 0 && !file->header().is_only_initial();
  auto decoder = looks_back ? chain_decoder(file, survey, options.max_decode, context)
                            : direct_decoder(file, survey);
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
      payload_source(std::move(file), *survey, std::move(decoder), options, context.memory);
  bytes->check_recently();
  return unwrapped;
}

}  // namespace heron::inline v0::treezip
