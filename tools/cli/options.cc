#include "options.h"

namespace heron::cli {
namespace {

std::vector<Option> joined(std::vector<Option> first, std::initializer_list<Option> rest) {
  first.insert(first.end(), rest);
  return first;
}

}  // namespace

std::vector<Option> opening_options(std::initializer_list<Option> own) {
  return joined(own, {kEntry, kFormat, kSeparator, kNoHeader, kTypes, kNullWords, kEncoding,
                      kValues, kMode, kNoMmap, kAccess, kNoIndex, kThreads, kCacheMib, kMaxDecode,
                      kExplain, kQuiet, kVerbose, kHelp});
}

std::vector<Option> row_options(std::initializer_list<Option> own) {
  return joined(own, {kColumns,  kTable,     kOutputRows, kRowNumber, kRaw,         kSparse,
                      kDtype,    kExact,     kTo,         kForce,     kSkipDamaged, kEntry,
                      kFormat,   kSeparator, kNoHeader,   kTypes,     kNullWords,   kEncoding,
                      kValues,   kMode,      kNoMmap,     kAccess,    kNoIndex,     kThreads,
                      kCacheMib, kMaxDecode, kExplain,    kQuiet,     kVerbose,     kHelp});
}

}  // namespace heron::cli
