#include "help/hints.h"

#include "base/hints.h"

namespace heron::cli {

std::string_view hint_text(Hint hint) noexcept {
  switch (hint) {
    case Hint::None: break;
    case hint::kMaxDecode: return "; a larger --max-decode allows more";
    case hint::kWithoutMap: return "; --no-mmap reads them without";
    case hint::kFormat: return "; --format NAME opens the outermost alone";
    case hint::kFormatCsv: return "; if it is CSV, --format csv reads it";
    case hint::kLimit: return "; --limit N reads the first ones";
    case hint::kFewerColumns: return "; --columns names fewer, --limit fewer rows";
    case hint::kReplace: return "; --force replaces it";
    case hint::kCast: return " (--cast tries other types)";
    case hint::kCastOrDrop: return " (--cast tries other types, --drop-unsupported leaves them out)";
    case hint::kDropColumns: return " (--drop-unsupported leaves them out)";
    case hint::kDropUnreadable: return "; --drop-unsupported leaves out what cannot be read";
    case Hint::BlockRows: return " (--block-rows)";
    case hint::kSparse: return "; --sparse shows vectors as they are stored";
    case Hint::AddressBits: return ": a larger --addr or --prev may";
    case hint::kEntry: return "; --entry PATH names one";
    case hint::kFeatureColumns: return "; --columns names them in the order of the forest";
    case hint::kNullsAsNaN: return "; --nulls nan takes it for NaN";
    case hint::kMemory: return "; --where reads fewer rows";
    case Hint::EncodingUtf16: return "; if it is, --encoding utf-16 reads it";
    case Hint::EncodingOneByte:
      return ": --encoding latin1 or windows-1252, or iconv -f latin1 -t utf-8";
  }
  return {};
}

}  // namespace heron::cli
