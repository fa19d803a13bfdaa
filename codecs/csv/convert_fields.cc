#include "csv/convert_fields.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "csv/field.h"
#include "csv/number_parser.h"
#include "values/bitmap.h"
#include "values/cells.h"
#include "values/copy_short.h"
#include "values/times.h"
#include "values/validity.h"

namespace heron::inline v0::csv {
namespace {

// Each parser has bool parse(field, cell), which returns false if the field does not fit the type.

// Parses bools into a byte each, which are packed later.
struct BoolParser {
  using Cell = uint8_t;
  static constexpr bool kIsNumber = false;
  HERON_INLINE bool parse(std::string_view field, uint8_t& cell) const {
    auto value = bool_word(field);
    if (field == "0" || field == "1") value = field == "1";
    if (!value) value = yes_or_no(field);
    if (value) cell = *value;
    return value.has_value();
  }
};

template <class T>
struct TimeParser {
  using Cell = T;
  static constexpr bool kIsNumber = false;
  Type type;

  bool parse(std::string_view field, T& cell) const {
    auto units = parse_time(type, field);
    if (!units && type.is(Type::Timestamp)) units = parse_utc_timestamp(type.unit(), field);
    if (!units || !std::in_range<T>(*units)) return false;
    cell = static_cast<T>(*units);
    return true;
  }
};

class Conversion {
 public:
  Conversion(const TextPosition& position, const Records& records, const FieldColumn& column,
             const FieldRules& rules, Arena& arena)
      : position_(position),
        records_(records),
        column_(column),
        rules_(rules),
        arena_(arena),
        values_(column.type, records.size()) {}

  Values run() {
    if (column_.type.is(Type::Null)) {
      nothing();
    } else if (column_.type.is(Type::Text)) {
      texts();
    } else if (column_.type.is(Type::Bool)) {
      const std::byte* bools = cells(BoolParser{});
      values_.data = {pack_bools(bools, records_.size(), arena_), bitmap_bytes(records_.size())};
    } else {
      visit_cell_type(column_.type, [&]<class T>() { fixed<T>(); });
    }
    return std::move(values_);
  }

 private:
  template <class T>
  void fixed() {
    const std::byte* data;
    if constexpr (std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>) {
      data = is_time(column_.type) ? cells(TimeParser<T>{column_.type}) : cells(NumberParser<T>{});
    } else {
      data = cells(NumberParser<T>{});
    }
    values_.data = {data, records_.size() * sizeof(T)};
  }

  // Returns a cell for each field; also sets the validity of the values.
  template <class Parser>
  const std::byte* cells(const Parser& parser) {
    using Cell = typename Parser::Cell;
    auto* cells = arena_.allocate_array<Cell>(records_.size());
    auto* valid = arena_.allocate_array<uint8_t>(records_.size());
    for (uint64_t i = 0; i < records_.size(); ++i) {
      const std::string_view field = rules_.trimmed(records_.field(i, column_.index));
      std::string_view text = field;
      valid[i] = take_quotes(text) || !rules_.nulls.contain(text);
      cells[i] = Cell{};
      if (valid[i] == 0) continue;
      const bool is_usual = !Parser::kIsNumber || !rules_.decimal_comma;
      if (!(is_usual && parser.parse(text, cells[i])) && !parse_unusual(parser, text, cells[i]))
        refuse(field);
    }
    set_validity_from_flags(values_, valid, arena_);
    return reinterpret_cast<const std::byte*>(cells);
  }

  // Parses a text with blanks around it, or with a decimal comma.
  template <class Parser>
  bool parse_unusual(const Parser& parser, std::string_view text,
                     typename Parser::Cell& cell) const {
    const std::string_view inner = without_blanks(text);
    const bool has_comma = Parser::kIsNumber && rules_.decimal_comma;
    if (!has_comma && inner.size() == text.size()) return false;
    std::optional<CommaNumber> number;
    if (has_comma) number.emplace(inner);
    return parser.parse(number ? number->text() : inner, cell);
  }

  void nothing() {
    values_.null_count = records_.size();
    for (uint64_t i = 0; i < records_.size(); ++i) {
      const std::string_view field = rules_.trimmed(records_.field(i, column_.index));
      if (!rules_.nulls.contain(field)) refuse(field);
    }
  }

  void texts() {
    uint64_t most = 0;
    for (uint64_t i = 0; i < records_.size(); ++i) most += records_.field(i, column_.index).size();
    auto* characters = arena_.allocate(most);
    auto* offsets = arena_.allocate_array<int32_t>(records_.size() + 1);
    auto* valid = arena_.allocate_array<uint8_t>(records_.size());
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < records_.size(); ++i) {
      offsets[i] = static_cast<int32_t>(bytes);
      std::string_view text = rules_.trimmed(records_.field(i, column_.index));
      valid[i] = true;
      if (take_quotes(text)) {
        bytes += copy_unquoted(text, reinterpret_cast<char*>(characters + bytes));
      } else if (rules_.nulls.contain(text)) {
        valid[i] = false;
      } else {
        copy_short(reinterpret_cast<const std::byte*>(text.data()), Tokens::kSlack, text.size(),
                   characters + bytes);
        bytes += text.size();
      }
    }
    offsets[records_.size()] = static_cast<int32_t>(bytes);
    values_.data = {characters, bytes};
    values_.offsets = {reinterpret_cast<const std::byte*>(offsets),
                       (records_.size() + 1) * sizeof(int32_t)};
    set_validity_from_flags(values_, valid, arena_);
  }

  [[noreturn]] void refuse(std::string_view field) const;

  const TextPosition& position_;
  const Records& records_;
  const FieldColumn& column_;
  const FieldRules& rules_;
  Arena& arena_;
  Values values_;
};

void Conversion::refuse(std::string_view field) const {
  const std::string_view expected = expected_time(column_.type);
  const std::string name = column_.type.name();
  position_.fail_at(field, ", column ", column_.index + 1, " (\"", column_.name, "\"): expected ",
                    expected.empty() ? std::string_view(name) : expected, ", got ", shown(field));
}

}  // namespace

bool is_field_type(const Type& type) {
  return type.is(Type::Null) || type.is(Type::Bool) || type.is(Type::Text) || type.is_integer() ||
         type.is_float() || (is_time(type) && !type.is(Type::DateTimeOffset));
}

Values convert_fields(const TextPosition& position, const Records& records,
                      const FieldColumn& column, const FieldRules& rules, Arena& arena) {
  return Conversion(position, records, column, rules, arena).run();
}

}  // namespace heron::inline v0::csv
