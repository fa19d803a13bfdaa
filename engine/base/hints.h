// The hints of errors (Error::hint()) that several files use, and how a program shows one. A codec
// keeps the hints at its own options beside these options.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace heron::inline v0::hint {

inline constexpr char kMaxDecode[] = "; a larger {max_decode} allows more";
inline constexpr char kWithoutMap[] = "; {mmap=false} reads them without";
inline constexpr char kFormat[] = "; {format=NAME} opens the outermost alone";
inline constexpr char kFormatCsv[] = "; if it is CSV, {format=csv} reads it";
inline constexpr char kLimit[] = "; {limit=N} reads the first ones";
inline constexpr char kReduceColumns[] = "; {columns} names fewer, {limit} fewer rows";
inline constexpr char kReplace[] = "; {replace=true} replaces it";
inline constexpr char kCast[] = " ({cast=true} tries other types)";
inline constexpr char kCastOrDrop[] =
    " ({cast=true} tries other types, {drop_unsupported=true} leaves them out)";
inline constexpr char kDropColumns[] = " ({drop_unsupported=true} leaves them out)";
inline constexpr char kDropUnreadable[] =
    "; {drop_unsupported=true} leaves out what cannot be read";
inline constexpr char kSparse[] = "; {sparse=true} shows vectors as they are stored";
inline constexpr char kEntry[] = "; {entry=PATH} names one";
inline constexpr char kMemory[] = "; {where} reads fewer rows";
inline constexpr char kFeatureColumns[] = "; {features} names them in the order of the forest";
inline constexpr char kNullsAsNaN[] = "; {nulls_as_nan=true} takes it for NaN";

// Returns the hint with each option in braces as `show(name, value)` writes it; the value is what
// follows `=`, or empty.
template <class Show>
std::string shown(std::string_view hint, Show show) {
  std::string out;
  for (size_t open; (open = hint.find('{')) != hint.npos;) {
    out += hint.substr(0, open);
    hint.remove_prefix(open + 1);
    const std::string_view option = hint.substr(0, hint.find('}'));
    const size_t equals = std::min(option.find('='), option.size());
    out += show(option.substr(0, equals), option.substr(std::min(equals + 1, option.size())));
    hint.remove_prefix(std::min(option.size() + 1, hint.size()));
  }
  return out.append(hint);
}

}  // namespace heron::inline v0::hint
