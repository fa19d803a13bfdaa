#include "base/fail.h"
#include "heron/error.h"
#include "heron/text.h"
#include "output/report.h"
#include "parsing/options.h"
#include "session.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

// Returns "min=1 slots=["a","b", ... 1000 in all]", for example.
std::string metadata_text(const std::vector<Metadata>& metadata) {
  constexpr ValueForm kBrief{.max_items = 8};
  StringSink text;
  for (const Metadata& one : metadata) {
    if (&one != &metadata.front()) text.append(' ');
    text.append(one.name);
    text.append('=');
    if (one.value == nullptr) {
      text.append(one.text);
      continue;
    }
    const ColumnText value(one.value->columns.front(), kBrief);
    if (value.is_null(0)) {
      text.append("null");
    } else {
      value.append_plain(text, 0);
    }
  }
  return std::string(text.text());
}

std::string metadata_json(const std::vector<Metadata>& metadata, const ValueForm& form) {
  StringSink json;
  json.append('{');
  for (const Metadata& one : metadata) {
    if (&one != &metadata.front()) json.append(',');
    append_json_text(json, one.name, false);
    json.append(':');
    if (one.value == nullptr) {
      append_json_text(json, one.text, false);
    } else {
      ColumnText(one.value->columns.front(), form).append_json(json, 0);
    }
  }
  json.append('}');
  return std::string(json.text());
}

// Returns only the part that the output form shows: lists of names may be long.
Cell metadata_cell(const std::vector<Metadata>& metadata, const OutputForm& form) {
  if (form.name == "json" || form.name == "jsonl") return metadata_json(metadata, form.values);
  if (metadata.empty() && !is_for_people(form.name)) return {};
  return metadata_text(metadata);
}

// People see an empty text if there is no reason.
Cell reason_cell(const std::string& reason, const OutputForm& form) {
  return reason.empty() && !is_for_people(form.name) ? Cell() : Cell(reason);
}

// A table is for people: the reason why a column cannot be read replaces its metadata.
bool shows_reason_as_metadata(const OutputForm& form) {
  return form.name == "table";
}

Schema schema_columns(const OutputForm& form) {
  Schema all;
  for (const char* name : {"name", "type", "encoding", "nullable"}) {
    all.push_back(text_column(name));
  }
  if (!shows_reason_as_metadata(form)) {
    for (const char* name : {"readable", "reason"}) all.push_back(text_column(name));
  }
  all.push_back(json_column("metadata"));
  return all;
}

std::vector<Cell> schema_cells(const Field& field, const OutputForm& form) {
  std::vector<Cell> cells = {field.name, field.type.name(), field.encoding, field.nullable};
  if (!shows_reason_as_metadata(form)) {
    cells.push_back(field.readable);
    cells.push_back(reason_cell(field.reason, form));
  } else if (!field.readable) {
    cells.push_back(concat("unreadable: ", field.reason));
    return cells;
  }
  cells.push_back(metadata_cell(field.metadata, form));
  return cells;
}

void run_schema(Session& session) {
  const Schema& schema = session.table()->schema();
  const OutputForm form = session.form();
  const auto writer = make_report_writer(form, session.out(), schema_columns(form));
  for (const Field& field : schema) {
    session.context().check_cancelled();
    writer->write(row_of(schema_cells(field, form)));
  }
  writer->finish();
}

}  // namespace

Verb schema_verb() {
  return {"schema",
          "print a line per column: name, type, encoding, nullable, metadata",
          {{"heron schema data.jay", "for people"},
           {"heron schema data.jay -o jsonl", "one object per column"}},
          {kFile},
          opening_options({kTable, kOutputRecords, kSparse, kTo, kForce}),
          run_schema,
          {},
          {{"headers columns dtypes types names fields", "to list the columns",
            "heron schema FILE"}}};
}

}  // namespace heron::cli
