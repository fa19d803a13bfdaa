// Describes open files.
#include "data.h"

namespace heron::python {
namespace {

nb::tuple field_tuple(const Field& field) {
  nb::dict metadata;
  for (const Metadata& one : field.metadata) {
    metadata[text_object(one.name)] =
        one.value == nullptr ? text_object(one.text) : value_object(one.value->columns[0], 0);
  }
  return nb::make_tuple(text_object(field.name), field.type.name(), text_object(field.encoding),
                        field.nullable, field.readable, text_object(field.reason), metadata);
}

nb::dict table_dict(const Table& table) {
  nb::dict all;
  all["name"] = text_object(table.name());
  all["rows"] = table.rows();
  all["columns"] = table.column_count();
  all["blocks"] = table.block_count();
  return all;
}

}  // namespace

nb::list field_tuples(const Schema& schema) {
  nb::list all;
  for (const Field& field : schema) all.append(field_tuple(field));
  return all;
}

nb::list schema_list(Data& data) {
  const std::shared_ptr<const Table> table = data.of_rows();
  {
    const nb::gil_scoped_release release;
    table->schema();
  }
  return field_tuples(table->schema());
}

nb::dict info(Data& data) {
  const std::shared_ptr<const File> file = data.file();
  const File& opened = *file;
  nb::dict all, header;
  nb::list containers;
  for (const std::string& container : opened.containers()) containers.append(container);
  for (const auto& [name, text] : opened.header()) header[text_object(name)] = text_object(text);
  all["path"] = text_object(opened.path());
  all["format"] = opened.format();
  all["containers"] = containers;
  all["size_bytes"] = opened.size_bytes();
  all["header"] = header;
  return all;
}

nb::list tables(Data& data) {
  const std::shared_ptr<const File> file = data.file();
  {
    const nb::gil_scoped_release release;
    file->tables();  // opens the entries of an archive
  }
  nb::list all;
  for (const auto& table : file->tables()) all.append(table_dict(*table));
  return all;
}

nb::list entries(Data& data) {
  const std::shared_ptr<const File> file = data.file();
  {
    const nb::gil_scoped_release release;
    file->entries();
  }
  nb::list all;
  for (const ArchiveEntry& entry : file->entries()) {
    nb::dict one;
    one["path"] = text_object(entry.path);
    one["bytes"] = entry.bytes;
    one["stored_bytes"] = entry.stored_bytes;
    one["encoding"] = text_object(entry.encoding);
    one["format"] = text_object(entry.format);
    one["reason"] = text_object(entry.reason);
    all.append(one);
  }
  return all;
}

std::vector<std::string> names(Data& data) {
  const std::shared_ptr<const Table> table = data.of_rows();
  std::vector<std::string> all;
  for (uint64_t i = 0; i < table->column_count(); ++i) all.push_back(table->column_name(i));
  return all;
}

}  // namespace heron::python
