#include "options.h"

namespace heron::cli {
namespace {

std::vector<Option> joined(std::vector<Option> first, std::initializer_list<Option> rest) {
  first.insert(first.end(), rest);
  return first;
}

}  // namespace

std::vector<Option> opening_options(std::initializer_list<Option> own) {
  return joined(own, {kFormat, kValues, kMode, kNoMmap, kNoIndex, kThreads, kCacheMib, kMaxDecode,
                      kExplain, kQuiet, kHelp});
}

std::vector<Option> row_options(std::initializer_list<Option> own) {
  return joined(
      own, {kColumns, kTable, kOutputRows, kRowNumber, kRaw, kSparse, kDtype, kExact, kTo, kFormat,
            kValues, kMode, kNoMmap, kNoIndex, kThreads, kCacheMib, kMaxDecode, kExplain, kQuiet,
            kHelp});
}

std::vector<Option> streaming_options(std::initializer_list<Option> own) {
  std::vector<Option> all = row_options(own);
  all.insert(all.end() - 2, kSkipDamaged);
  return all;
}

}  // namespace heron::cli
