// What makes payload bytes of a tree: one kind for trees that look back (chain_decoder.cc), one
// for those that do not (direct_decoder.cc).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "treezip/survey.h"

namespace heron::inline v0::treezip {

// Thread-safe. Bytes of the file may change below it (see BitStream): then what comes out is wrong,
// which the caller finds out by asking the source, but nothing else happens.
class Decoder {
 public:
  virtual ~Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  // A power of two: how many bytes are best decoded at once, at multiples of it, by those who will
  // want most of them. Depends on the file alone.
  virtual uint64_t chunk_bytes() const noexcept = 0;
  // How many steps decoding a chunk takes at most; where the tree looks back, once all before it
  // was decoded. A step is a unit of the decoder's own: a bit here, a branch there.
  virtual uint64_t chunk_cost() const noexcept = 0;

  // Payload bytes from `offset` on, all of which there are, the initial bits among them; answers
  // how many steps that took. Throws Error: Limit, Cancelled.
  virtual uint64_t decode(uint64_t offset, std::span<std::byte> into,
                          const Context& context) const = 0;

  // So far, over all calls. Payload bytes include those that were only passed on the way.
  virtual uint64_t decoded_bytes() const noexcept = 0;
  virtual uint64_t parsed_bits() const noexcept = 0;
  // What is kept beside the payload to find one's way.
  virtual uint64_t index_bytes() const noexcept = 0;
  // Of a tree that looks back, once all was decoded: what chain_decoder() goes by the next time.
  virtual std::vector<std::byte> checkpoints() const { return {}; }

 protected:
  Decoder() = default;
};

// Keep file and survey, both of which are whole. `max_decode` is how many bytes a far read may
// decode that nobody asked for; `checkpoints`, if they are as many as there must be, spare it.
std::unique_ptr<const Decoder> direct_decoder(std::shared_ptr<const TreeFile> file,
                                              std::shared_ptr<const Survey> survey);
std::unique_ptr<const Decoder> chain_decoder(std::shared_ptr<const TreeFile> file,
                                             std::shared_ptr<const Survey> survey,
                                             uint64_t max_decode,
                                             std::span<const std::byte> checkpoints,
                                             const Context& context);

}  // namespace heron::inline v0::treezip
