#include "options.h"
#include "output/records.h"
#include "output/values_text.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

// For people "min=1 max=5", in JSON an object.
RecordCell metadata_cell(const std::vector<Metadata>& metadata) {
  StringSink text, json;
  for (const Metadata& one : metadata) {
    if (!text.text().empty()) text.append(' ');
    text.append(one.name);
    text.append('=');
    text.append(one.text);
    json.append(json.text().empty() ? '{' : ',');
    append_json_text(json, one.name, false);
    json.append(':');
    append_json_text(json, one.text, false);
  }
  json.append(metadata.empty() ? "{}" : "}");
  return {std::string(text.text()), std::string(json.text()), metadata.empty()};
}

RecordCell reason_cell(const std::string& reason) {
  if (!reason.empty()) return text_cell(reason);
  RecordCell nothing;
  nothing.text.clear();
  return nothing;
}

void run(Session& session) {
  const Schema& schema = session.table()->schema();
  const auto writer = make_record_writer(session.form(), session.out(),
                                         {{"name", false},
                                          {"type", false},
                                          {"encoding", false},
                                          {"nullable", false},
                                          {"readable", false},
                                          {"reason", false},
                                          {"metadata", false}});
  for (const Field& field : schema) {
    session.context().check_cancelled();
    writer->write({text_cell(field.name), text_cell(field.type.name()), text_cell(field.encoding),
                   bool_cell(field.nullable), bool_cell(field.readable), reason_cell(field.reason),
                   metadata_cell(field.metadata)});
  }
  writer->finish();
}

}  // namespace

Verb schema_verb() {
  return {"schema",
          "one line per column: name, type, encoding, missing allowed, metadata",
          {{"heron schema data.jay", "for people"},
           {"heron schema data.jay -o jsonl", "one object a column"}},
          {kFile},
          opening_options({kTable, kOutputRecords, kTo}),
          run};
}

}  // namespace heron::cli
