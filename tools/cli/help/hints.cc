#include "help/hints.h"

namespace heron::cli {

std::string_view hint_text(Hint hint) noexcept {
  switch (hint) {
    case Hint::None: break;
    case Hint::MaxDecode: return "; a larger --max-decode allows more";
    case Hint::WithoutMap: return "; --no-mmap reads them without";
    case Hint::Format: return "; --format NAME opens the outermost alone";
    case Hint::FormatCsv: return "; if it is CSV, --format csv reads it";
    case Hint::Limit: return "; --limit N reads the first ones";
    case Hint::FewerColumns: return "; --columns names fewer, --limit fewer rows";
    case Hint::Replace: return "; --force replaces it";
    case Hint::Cast: return " (--cast tries other types)";
    case Hint::CastOrDrop: return " (--cast tries other types, --drop-unsupported leaves them out)";
    case Hint::DropColumns: return " (--drop-unsupported leaves them out)";
    case Hint::DropUnreadable: return "; --drop-unsupported leaves out what cannot be read";
    case Hint::BlockRows: return " (--block-rows)";
    case Hint::Sparse: return "; --sparse shows vectors as they are stored";
    case Hint::AddressBits: return ": a larger --addr or --prev may";
    case Hint::Entry: return "; --entry PATH names one";
    case Hint::FeatureColumns: return "; --columns names them in the order of the forest";
    case Hint::NullsAsNaN: return "; --nulls nan takes it for NaN";
    case Hint::Memory: return "; --where reads fewer rows";
    case Hint::EncodingUtf16: return "; if it is, --encoding utf-16 reads it";
    case Hint::EncodingOneByte:
      return ": --encoding latin1 or windows-1252, or iconv -f latin1 -t utf-8";
  }
  return {};
}

}  // namespace heron::cli
