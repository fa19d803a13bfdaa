#include "output/report.h"

#include <fmt/core.h>

#include <cmath>
#include <utility>
#include <variant>

#include "heron/text.h"
#include "heron/writer.h"
#include "output/table_layout.h"
#include "output/vertical_layout.h"

namespace heron::cli {
namespace {

// Holds the first rows back: they determine the widths, and whether a terminal is wide enough for
// all columns. If not, rows are written one under the other.
class ReportTable final : public RowWriter {
 public:
  ReportTable(TextSink& sink, const OutputForm& form, const Schema& schema)
      : form_(form), table_(sink, form.display, headings(schema)), sink_(sink) {
    for (const Field& field : schema) names_.push_back(field.name);
  }

  void write(const RowBatch& batch) override {
    std::vector<ColumnText> columns;
    for (const Values& values : batch.columns) columns.emplace_back(values, form_.values);
    for (uint64_t row = 0; row < batch.rows; ++row) {
      if (started_) {
        write_row(texts(columns, row));
      } else {
        held_.push_back(texts(columns, row));
        if (held_.size() == TableLayout::kMeasuredRows) start();
      }
    }
  }
  void finish() override {
    if (!started_) start();
  }

 private:
  using Texts = std::vector<std::optional<std::string>>;  // nullopt: null
  static constexpr std::string_view kNull = "null";

  static std::vector<TableLayout::Heading> headings(const Schema& schema) {
    std::vector<TableLayout::Heading> all;
    for (const Field& field : schema) {
      all.push_back({field.name, !field.type.is_text() && !field.type.is(Type::Bool)});
    }
    return all;
  }

  static Texts texts(const std::vector<ColumnText>& columns, uint64_t row) {
    Texts all;
    StringSink text;
    for (const ColumnText& column : columns) {
      text.clear();
      if (!column.is_null(row)) column.append_plain(text, row);
      all.push_back(column.is_null(row) ? std::nullopt : std::optional(std::string(text.text())));
    }
    return all;
  }

  void start() {
    started_ = true;
    for (uint64_t i = 0; i < table_.shown().size(); ++i) {
      for (const Texts& row : held_) {
        const auto& text = row[table_.shown()[i]];
        table_.measure(i, text ? *text : kNull);
      }
    }
    table_.fit();
    if (table_.left_out() > 0 && !held_.empty()) {
      vertical_.emplace(sink_, form_.display, names_);
    } else {
      table_.start();
    }
    for (const Texts& row : std::exchange(held_, {})) write_row(row);
  }

  void write_row(const Texts& row) {
    if (vertical_) {
      vertical_->next_record();
      for (uint64_t i = 0; i < row.size(); ++i) {
        vertical_->field(i, row[i] ? *row[i] : kNull, !row[i]);
      }
      return;
    }
    for (uint64_t i = 0; i < table_.shown().size(); ++i) {
      const auto& text = row[table_.shown()[i]];
      table_.cell(i, text ? *text : kNull, !text);
    }
    table_.end_line();
  }

  const OutputForm form_;
  TableLayout table_;
  std::optional<VerticalLayout> vertical_;
  TextSink& sink_;
  std::vector<std::string> names_;
  std::vector<Texts> held_;
  bool started_ = false;
};

}  // namespace

Field text_column(std::string name) {
  return nullable_field(std::move(name), Type::Text);
}
Field number_column(std::string name) {
  return nullable_field(std::move(name), Type::Float64);
}
Field json_column(std::string name) {
  Field field = text_column(std::move(name));
  field.encoding = kJsonText;
  return field;
}

// A key without values is its number.
Cell::Cell(const Type& of, Scalar from) : value(std::move(from)) {
  if (!std::holds_alternative<std::monostate>(value)) type = of.is(Type::Key) ? Type::UInt64 : of;
}

Cell rounded(const std::optional<double>& number, const OutputForm& form) {
  if (!number || form.name != "table" || !std::isfinite(*number)) return number;
  return fmt::format("{:.6g}", *number);
}

RowBatch row_of(const std::vector<Cell>& cells) {
  Schema schema;
  for (const Cell& cell : cells) schema.push_back(nullable_field({}, cell.type));
  BatchBuilder row(std::move(schema));
  for (uint64_t i = 0; i < cells.size(); ++i) {
    const auto append = [&]<class Value>(const Value& value) {
      if constexpr (std::is_same_v<Value, std::monostate>) {
        row[i].append_null();
      } else if constexpr (std::is_same_v<Value, int64_t>) {
        if (!cells[i].type.is(Type::DateTimeOffset)) return row[i].append(value);
        row[i].append(DateTimeOffset{.ticks = value});
      } else {
        row[i].append(value);
      }
    };
    std::visit(append, cells[i].value);
  }
  return row.finish();
}

std::unique_ptr<RowWriter> make_report_writer(const OutputForm& form, TextSink& sink,
                                              const Schema& schema) {
  if (form.name == "table") return std::make_unique<ReportTable>(sink, form, schema);
  return make_row_writer(form, sink, schema, 0);
}

}  // namespace heron::cli
