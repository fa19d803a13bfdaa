#include "filter/text_table.h"

namespace heron::inline v0 {

TextTable::TextTable(const std::vector<std::string_view>& texts)
    : slots_(std::bit_ceil(4 * texts.size() + 4)),
      shift_(static_cast<unsigned>(64 - std::countr_zero(slots_.size()))) {
  for (const std::string_view text : texts) {
    const TextEnds ends(text, text.size());
    uint64_t at = hash(ends) >> shift_;
    while (slots_[at].text.data() != nullptr) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {text, ends};
  }
}

}  // namespace heron::inline v0
