// Converts heron::Error to the Python classes of heron/errors.py.
#include <new>
#include <stdexcept>

#include "base/hints.h"
#include "common.h"

namespace heron::python {
namespace {

// Returns what a caller in Python can do about an error.
const char* hint_of(Hint hint) {
  switch (hint) {
    case Hint::None: break;
    case hint::kMaxDecode: return "; open(max_decode=) with more bytes allows it";
    case hint::kWithoutMap: return "; open(mmap=False) reads without";
    case hint::kFormat: return "; open(format=) with the container's name opens it alone";
    case hint::kFormatCsv: return "; if it is CSV, open(format=\"csv\") reads it";
    case hint::kLimit: return "; limit= reads the first rows";
    case hint::kFewerColumns: return "; columns= names fewer, limit= reads fewer rows";
    case hint::kReplace: return "; replace=True replaces it";
    case hint::kCast: return " (cast=True tries other types)";
    case hint::kCastOrDrop:
      return " (cast=True tries other types, drop_unsupported=True leaves them out)";
    case hint::kDropColumns: return " (drop_unsupported=True leaves them out)";
    case hint::kDropUnreadable: return "; drop_unsupported=True leaves out what cannot be read";
    case Hint::BlockRows: return " (block_rows=)";
    case hint::kSparse: return "; to_arrow() shows them as they are stored";
    case Hint::AddressBits: return "";
    case hint::kEntry: return "; open(entry=) names one";
    case hint::kFeatureColumns: return "; columns= names them in the order of the forest";
    case hint::kNullsAsNaN: return "; nulls=\"nan\" takes it for NaN";
    case hint::kMemory: return "; where= reads fewer rows";
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
  const nb::object name = nb::module_::import_("heron.errors").attr(class_of(error));
  const nb::object text = text_object(std::string(error.what()) + hint_of(error.hint()));
  const nb::object made = name(text, text_object(error.file()));
  PyErr_SetObject(made.type().ptr(), made.ptr());
}

// Raises one of the classes of heron/errors.py; nanobind and Python raise their own errors
// themselves.
void raise_named(const char* name, const char* text) {
  PyErr_SetString(nb::module_::import_("heron.errors").attr(name).ptr(), text);
}

}  // namespace

void refuse_argument(std::string_view name, std::string_view kind, nb::handle value) {
  const nb::object made = nb::module_::import_("heron._internal.words")
                              .attr("refusal")(text_object(name), text_object(kind), value);
  PyErr_SetObject(made.type().ptr(), made.ptr());
  throw nb::python_error();
}

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise_error(error);
    } catch (const nb::cast_error&) {
      PyErr_SetString(PyExc_TypeError, "an argument has a type that this call does not take");
    } catch (const std::bad_alloc&) {
      raise_named("OutOfMemoryError", "the system has no memory for what this call asks for");
    } catch (const std::length_error&) {
      raise_named("OutOfMemoryError", "this call asks for more than memory can be addressed");
    } catch (const std::out_of_range&) {
      PyErr_SetString(PyExc_IndexError, "a number is out of range");
    } catch (const std::exception&) {
      raise_named("Error", "Heron failed inside of this call; please report what it was");
    }
  });
}

}  // namespace heron::python
