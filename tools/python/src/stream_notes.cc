// Reports properties of an Arrow stream's columns that Heron has no type for. Their values are
// imported, and what they mean is lost: callers are warned of it.
#include <cstring>

#include "base/fail.h"
#include "common.h"

namespace heron::python {
namespace {

struct Released {
  ArrowSchema schema{};
  ~Released() {
    if (schema.release != nullptr) schema.release(&schema);
  }
};

// Returns the value of an entry of a schema's metadata, which is an int32 of the number of entries,
// then for each entry the name and the text, both after an int32 of their bytes.
std::string_view entry(const char* metadata, std::string_view key) {
  if (metadata == nullptr) return {};
  const auto number = [&metadata] {
    int32_t next = 0;
    std::memcpy(&next, metadata, sizeof next);
    metadata += sizeof next;
    return next;
  };
  const auto text = [&] {
    const auto bytes = static_cast<size_t>(number());
    const std::string_view found(metadata, bytes);
    metadata += bytes;
    return found;
  };
  for (int32_t left = number(); left > 0; --left) {
    const std::string_view name = text(), value = text();
    if (name == key) return value;
  }
  return {};
}

std::string quoted(std::string_view name) {
  StringSink out;
  append_json_text(out, name);
  return std::string(out.text());
}

class Notes {
 public:
  Notes(std::string column, std::string type, bool stores_zones, std::vector<std::string>& out)
      : column_(std::move(column)),
        type_(std::move(type)),
        stores_zones_(stores_zones),
        out_(out) {}

  // Adds the notes of a column, or of its children.
  void add(const ArrowSchema& schema) {
    if (!entry(schema.metadata, "heron.type").empty()) return;  // import restores it
    const std::string_view format = schema.format;
    const std::string_view extension = entry(schema.metadata, "ARROW:extension:name");
    if (!extension.empty()) {
      note("its type ", extension, " is not stored: its values come back as ", type_);
    } else if (format == "z" || format == "Z" || format == "vz" || format.starts_with("w:")) {
      note("binary is stored as text: bytes that are not UTF-8 come back as U+FFFD, unless the "
           "file is opened with binary_text=True");
    } else if (format.starts_with("ts") && format.size() > 4 && !stores_zones_) {
      note("its time zone ", format.substr(4), " is not stored: times are in UTC, without a zone");
    }
    if (schema.dictionary != nullptr) {
      if ((schema.flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0) {
        note("the order of its categories is not stored");
      }
      add(*schema.dictionary);
    }
    for (int64_t i = 0; i < schema.n_children; ++i) add(*schema.children[i]);
  }

 private:
  template <class... Parts>
  void note(const Parts&... parts) {
    out_.push_back(concat(column_, ": ", parts...));
  }

  const std::string column_, type_;
  const bool stores_zones_;
  std::vector<std::string>& out_;
};

}  // namespace

std::vector<std::string> stream_notes(ArrowArrayStream& stream, const std::string& path) {
  std::vector<std::string> notes;
  Released stored;
  Schema fields;
  if (stream.release == nullptr || stream.get_schema(&stream, &stored.schema) != 0) {
    stored.schema.release = nullptr;
    return notes;
  }
  try {
    fields = import_schema(stored.schema);
  } catch (const Error&) {
    return notes;
  }
  const bool stores_zones = format_by_name(path).format == "arrow";
  for (uint64_t i = 0; i < fields.size(); ++i) {
    if (i >= static_cast<uint64_t>(stored.schema.n_children)) break;
    const ArrowSchema& child = *stored.schema.children[i];
    const std::string_view name = child.name == nullptr ? "" : child.name;
    if (name != fields[i].name) {
      notes.push_back(concat("column ", quoted(name), " is written as ", quoted(fields[i].name)));
    }
    Notes(quoted(fields[i].name), fields[i].type.name(), stores_zones, notes).add(child);
  }
  return notes;
}

}  // namespace heron::python
