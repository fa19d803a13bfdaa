#include "generate/preset.h"

#include "generate/peers.h"
#include "heron/error.h"

namespace heron::generate {

std::unique_ptr<Preset> make_preset(std::string_view name, uint64_t seed) {
  if (name == "peers") return std::make_unique<Peers>(seed);
  fail(ErrorKind::Argument, {}, "no preset \"", name, "\"; there are: ", kPresets);
}

}  // namespace heron::generate
