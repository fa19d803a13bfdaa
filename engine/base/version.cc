#include "heron/library.h"

namespace heron::inline v0 {

std::string_view version() noexcept {
  return HERON_VERSION;
}

}  // namespace heron::inline v0
