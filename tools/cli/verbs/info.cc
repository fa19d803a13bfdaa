#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <string>

#include "options.h"
#include "output/printable.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

using Json = nlohmann::ordered_json;

Json document(const Dataset& dataset) {
  Json tables = Json::array();
  for (const auto& table : dataset.tables()) {
    tables.push_back({{"name", table->name()},
                      {"rows", table->rows()},
                      {"columns", table->column_count()},
                      {"blocks", table->block_count()}});
  }
  Json header = Json::object();
  for (const auto& [name, value] : dataset.header()) header[name] = value;
  return {{"path", dataset.path()},
          {"format", dataset.format()},
          {"containers", dataset.containers()},
          {"size_bytes", dataset.size_bytes()},
          {"tables", std::move(tables)},
          {"header", std::move(header)}};
}

std::string plural(uint64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

void print_line(Sink& sink, std::string_view name, std::string_view text) {
  sink.append(fmt::format("{:<12} ", name));
  append_printable(sink, text);
  sink.append('\n');
}

void print_text(Sink& sink, const Dataset& dataset) {
  print_line(sink, "path", dataset.path());
  print_line(sink, "format", dataset.format());
  for (const std::string& container : dataset.containers()) print_line(sink, "inside", container);
  print_line(sink, "size", plural(dataset.size_bytes(), "byte"));
  for (const auto& table : dataset.tables()) {
    print_line(sink, "table",
               fmt::format("{}: {}, {}, {}", table->name(), plural(table->rows(), "row"),
                           plural(table->column_count(), "column"),
                           plural(table->block_count(), "block")));
  }
  for (const auto& [name, value] : dataset.header()) print_line(sink, name, value);
}

void run(Session& session) {
  const Dataset& dataset = session.dataset();
  const std::string& form = session.request().output;
  if (form == "table") return print_text(session.out(), dataset);
  const int indent = form == "json" ? 2 : -1;
  session.out().append(document(dataset).dump(indent, ' ', false, Json::error_handler_t::replace));
  session.out().append('\n');
}

}  // namespace

Verb info_verb() {
  return {"info",
          "format, size, tables with rows, columns and blocks, what the header says",
          {{"heron info data.jay", "for people"}, {"heron info data.jay -o json", "for programs"}},
          {kFile},
          opening_options({kOutputDocument}),
          run};
}

}  // namespace heron::cli
