#include "base/fail.h"
#include "heron/error.h"
#include "heron/text.h"
#include "options.h"
#include "output/records.h"
#include "session.h"
#include "verbs.h"

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
RecordCell metadata_cell(const std::vector<Metadata>& metadata, const OutputForm& form) {
  const bool for_programs = form.name == "json" || form.name == "jsonl";
  return {for_programs ? "" : metadata_text(metadata),
          for_programs ? metadata_json(metadata, form.values) : "", metadata.empty()};
}

// A table is for people: the reason why a column cannot be read replaces its metadata.
bool shows_reason_as_metadata(const OutputForm& form) {
  return form.name == "table";
}

RecordCell reason_cell(const std::string& reason) {
  if (!reason.empty()) return text_cell(reason);
  RecordCell nothing;
  nothing.text.clear();
  return nothing;
}

std::vector<TableLayout::Heading> schema_headings(const OutputForm& form) {
  std::vector<TableLayout::Heading> all = {
      {"name", false}, {"type", false}, {"encoding", false}, {"nullable", false}};
  if (!shows_reason_as_metadata(form))
    all.insert(all.end(), {{"readable", false}, {"reason", false}});
  all.push_back({"metadata", false});
  return all;
}

std::vector<RecordCell> schema_record(const Field& field, const OutputForm& form) {
  std::vector<RecordCell> cells = {text_cell(field.name), text_cell(field.type.name()),
                                   text_cell(field.encoding), bool_cell(field.nullable)};
  if (!shows_reason_as_metadata(form)) {
    cells.push_back(bool_cell(field.readable));
    cells.push_back(reason_cell(field.reason));
  } else if (!field.readable) {
    cells.push_back(text_cell(concat("unreadable: ", field.reason)));
    return cells;
  }
  cells.push_back(metadata_cell(field.metadata, form));
  return cells;
}

void run_schema(Session& session) {
  const Schema& schema = session.table()->schema();
  const OutputForm form = session.form();
  const auto writer = make_record_writer(form, session.out(), schema_headings(form));
  for (const Field& field : schema) {
    session.context().check_cancelled();
    writer->write(schema_record(field, form));
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
