#include "output/records.h"

#include <fmt/core.h>

#include <cmath>
#include <optional>
#include <variant>

#include "heron/text.h"
#include "output/csv.h"
#include "output/json_frame.h"
#include "output/vertical_layout.h"

namespace heron::cli {
namespace {

using Headings = std::vector<TableLayout::Heading>;

class JsonRecords final : public RecordWriter {
 public:
  JsonRecords(TextSink& sink, Headings headings, bool lines)
      : sink_(sink), headings_(std::move(headings)), frame_(lines) {}

  void write(std::vector<RecordCell> cells) override {
    frame_.next(sink_);
    for (uint64_t i = 0; i < cells.size(); ++i) {
      sink_.append(i == 0 ? '{' : ',');
      append_json_text(sink_, headings_[i].name, true);
      sink_.append(':');
      sink_.append(cells[i].json);
    }
    sink_.append('}');
    frame_.done(sink_);
  }
  void finish() override { frame_.finish(sink_); }

 private:
  TextSink& sink_;
  Headings headings_;
  JsonFrame frame_;
};

class CsvRecords final : public RecordWriter {
 public:
  CsvRecords(TextSink& sink, const Headings& headings) : sink_(sink) {
    for (const TableLayout::Heading& heading : headings) {
      if (&heading != headings.data()) sink_.append(',');
      append_csv_name(sink_, heading.name);
    }
    sink_.append(kCsvLineEnd);
  }

  void write(std::vector<RecordCell> cells) override {
    for (uint64_t i = 0; i < cells.size(); ++i) {
      if (i > 0) sink_.append(',');
      if (!cells[i].is_null) append_cell(cells[i]);
    }
    sink_.append(kCsvLineEnd);
  }
  void finish() override {}

 private:
  void append_cell(const RecordCell& cell) {
    if (cell.is_text) return append_csv_text(sink_, cell.text, false);
    append_csv_field(sink_, cell.text, false);
  }

  TextSink& sink_;
};

class VerticalRecords final : public RecordWriter {
 public:
  VerticalRecords(TextSink& sink, const Display& display, const Headings& headings)
      : layout_(sink, display, names_of(headings)) {}

  void write(std::vector<RecordCell> cells) override {
    layout_.next_record();
    for (uint64_t i = 0; i < cells.size(); ++i) layout_.field(i, cells[i].text, cells[i].is_null);
  }
  void finish() override {}

 private:
  static std::vector<std::string> names_of(const Headings& headings) {
    std::vector<std::string> names;
    for (const TableLayout::Heading& heading : headings) names.push_back(heading.name);
    return names;
  }

  VerticalLayout layout_;
};

// Holds the first records back: they determine the widths, and whether a terminal is wide enough
// for all columns. If not, records are written one under the other.
class TableRecords final : public RecordWriter {
 public:
  TableRecords(TextSink& sink, const Display& display, Headings headings)
      : sink_(sink),
        display_(display),
        headings_(headings),
        layout_(sink, display, std::move(headings)) {}

  void write(std::vector<RecordCell> cells) override {
    if (started_) return write_record(std::move(cells));
    held_.push_back(std::move(cells));
    if (held_.size() == TableLayout::kMeasuredRows) start();
  }
  void finish() override {
    if (!started_) start();
  }

 private:
  void start() {
    started_ = true;
    for (uint64_t i = 0; i < layout_.shown().size(); ++i) {
      for (const auto& cells : held_) layout_.measure(i, cells[layout_.shown()[i]].text);
    }
    layout_.fit();
    if (layout_.left_out() > 0 && !held_.empty()) {
      vertical_.emplace(sink_, display_, headings_);
    } else {
      layout_.start();
    }
    for (auto& cells : held_) write_record(std::move(cells));
    held_.clear();
  }

  void write_record(std::vector<RecordCell> cells) {
    if (vertical_) return vertical_->write(std::move(cells));
    for (uint64_t i = 0; i < layout_.shown().size(); ++i) {
      const RecordCell& cell = cells[layout_.shown()[i]];
      layout_.cell(i, cell.text, cell.is_null);
    }
    layout_.end_line();
  }

  TextSink& sink_;
  Display display_;
  Headings headings_;
  TableLayout layout_;
  std::optional<VerticalRecords> vertical_;
  bool started_ = false;
  std::vector<std::vector<RecordCell>> held_;
};

template <class Append>
RecordCell cell(bool quoted, Append append) {
  StringSink text, json;
  append(text, false);
  if (quoted) {
    append_json_text(json, text.text(), false);
  } else {
    append(json, true);
  }
  return {std::string(text.text()), std::string(json.text()), false};
}

}  // namespace

RecordCell text_cell(std::string_view text) {
  RecordCell made = cell(true, [&](TextSink& sink, bool) { sink.append(text); });
  made.is_text = true;
  return made;
}

RecordCell number_cell(uint64_t number) {
  return cell(false, [&](TextSink& sink, bool) { append_number(sink, number); });
}

RecordCell number_cell(double number) {
  return cell(false, [&](TextSink& sink, bool json) { append_number(sink, number, json); });
}

RecordCell rounded_cell(const std::optional<double>& number, const OutputForm& form) {
  if (!number) return {};
  RecordCell cell = number_cell(*number);
  if (form.name == "table" && std::isfinite(*number)) cell.text = fmt::format("{:.6g}", *number);
  return cell;
}

RecordCell bool_cell(bool value) {
  return cell(false, [&](TextSink& sink, bool) { sink.append(value ? "true" : "false"); });
}

RecordCell value_cell(const Type& type, const Scalar& value, bool raw) {
  if (std::holds_alternative<std::monostate>(value)) return {};
  if (const auto* text = std::get_if<std::string>(&value)) return text_cell(*text);
  const ValueForm form{.raw = raw};
  return {to_text(type, value, form), to_json(type, value, form), false};
}

RecordCell value_cell(const Values& values, uint64_t row, bool raw) {
  if (values.is_null(row)) return {};
  if (values.type.is_text()) return text_cell(values.text(row));
  const ValueForm form{.raw = raw};
  return {to_text(values, row, form), to_json(values, row, form), false};
}

std::unique_ptr<RecordWriter> make_record_writer(const OutputForm& form, TextSink& sink,
                                                 Headings headings) {
  if (form.name == "csv") return std::make_unique<CsvRecords>(sink, headings);
  if (form.name == "table") {
    return std::make_unique<TableRecords>(sink, form.display, std::move(headings));
  }
  if (form.name == "vertical")
    return std::make_unique<VerticalRecords>(sink, form.display, headings);
  return std::make_unique<JsonRecords>(sink, std::move(headings), form.name == "jsonl");
}

}  // namespace heron::cli
