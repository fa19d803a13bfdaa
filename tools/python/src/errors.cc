// heron::Error as the Python classes of heron/_errors.py.
#include "common.h"

namespace heron::python {
namespace {

// What a caller in Python can do about it.
const char* hint_of(Hint hint) {
  switch (hint) {
    case Hint::None: break;
    case Hint::MaxDecode: return "; open(max_decode=) with more bytes allows it";
    case Hint::WithoutMap: return "; open(mmap=False) reads without";
    case Hint::Format: return "; open(format=) with the container's name opens it alone";
    case Hint::FormatCsv: return "; if it is CSV, open(format=\"csv\") reads it";
    case Hint::Limit: return "; limit= reads the first rows";
    case Hint::FewerColumns: return "; columns= names fewer, limit= reads fewer rows";
    case Hint::Replace: return "; replace=True replaces it";
    case Hint::CastOrDrop:
      return " (cast=True tries other types, drop_unsupported=True leaves them out)";
    case Hint::DropColumns: return " (drop_unsupported=True leaves them out)";
    case Hint::DropUnreadable: return "; drop_unsupported=True leaves out what cannot be read";
    case Hint::BlockRows: return " (block_rows=)";
    case Hint::Sparse: return "; to_arrow() shows them as they are stored";
    case Hint::AddressBits: return "";
    case Hint::Entry: return "; open(entry=) names one";
    case Hint::Memory: return "; where= reads fewer rows";
    case Hint::EncodingUtf16: return "; if it is, open(csv_encoding=\"utf-16\") reads it";
    case Hint::EncodingOneByte:
      return "; open(csv_encoding=\"latin1\" or \"windows-1252\") reads others";
  }
  return "";
}

const char* class_of(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::Io: return "IoError";
    case ErrorKind::Write: return "WriteError";
    case ErrorKind::Changed: return "ChangedError";
    case ErrorKind::UnknownFormat: return "UnknownFormatError";
    case ErrorKind::Unsupported: return "UnsupportedError";
    case ErrorKind::Corrupt: return "CorruptError";
    case ErrorKind::Argument:
      return error.message().starts_with("no column \"") ||
                     error.message().find("no column \"") != std::string_view::npos
                 ? "UnknownColumnError"
                 : "ArgumentError";
    case ErrorKind::Limit: return "LimitError";
    case ErrorKind::Cancelled: return "CancelledError";
  }
  return "Error";
}

void raise_error(const Error& error) {
  const nb::object name = nb::module_::import_("heron._errors").attr(class_of(error));
  const nb::object text = text_object(std::string(error.what()) + hint_of(error.hint()));
  const nb::object made = name(text, text_object(error.file()));
  PyErr_SetObject(made.type().ptr(), made.ptr());
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise_error(error);
    }
  });
}

}  // namespace heron::python
