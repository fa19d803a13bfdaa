// Decodes payload bytes from a tree, with one decoder for trees that test previous bits
// (chain_decoder.cc), and one for trees that do not (direct_decoder.cc).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "treezip/read/survey.h"

namespace heron::inline v0::treezip {

// Thread-safe. If bytes of the file change (see BitStream) the decoded bytes are wrong, which the
// caller detects by checking the source, but nothing else happens.
class Decoder {
 public:
  virtual ~Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  // Returns the best number of bytes to decode at once, at multiples of it, for callers that need
  // most of them: a power of two, which depends on the file alone.
  virtual uint64_t chunk_bytes() const noexcept = 0;
  // Returns the most steps that decoding a chunk takes; in a tree with previous bits, once
  // everything before it was decoded. A step is a bit or a branch, depending on the decoder.
  virtual uint64_t chunk_cost() const noexcept = 0;

  // Decodes existing payload bytes from `offset` on, including initial bits; returns the steps it
  // took. Throws Error: Limit, Cancelled.
  virtual uint64_t decode(uint64_t offset, std::span<std::byte> into,
                          const Context& context) const = 0;

  // Adds the ranges of the file that hold the parts of the tree that decoding existing payload
  // bytes parses; nothing if all of the tree is used all the time.
  virtual void locate(ByteRange /*payload*/, std::vector<ByteRange>& /*tree*/) const {}

  // Totals over all calls. Decoded bytes include those only decoded to reach others.
  virtual uint64_t decoded_bytes() const noexcept = 0;
  virtual uint64_t parsed_bits() const noexcept = 0;
  // Returns the memory kept to decode from the middle.
  virtual uint64_t index_bytes() const noexcept = 0;
  // Returns, for a tree with previous bits that was decoded completely, the checkpoints to pass to
  // chain_decoder() the next time.
  virtual std::vector<std::byte> checkpoints() const { return {}; }

 protected:
  Decoder() = default;
};

// The decoders keep file and survey, both complete. `max_decode` limits the bytes that a distant
// read may decode before its own; `checkpoints`, if complete, make this unnecessary.
std::unique_ptr<const Decoder> direct_decoder(std::shared_ptr<const TreeFile> file,
                                              std::shared_ptr<const Survey> survey);
std::unique_ptr<const Decoder> chain_decoder(std::shared_ptr<const TreeFile> file,
                                             std::shared_ptr<const Survey> survey,
                                             uint64_t max_decode,
                                             std::span<const std::byte> checkpoints,
                                             const Context& context);

}  // namespace heron::inline v0::treezip
