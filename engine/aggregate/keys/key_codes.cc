#include "aggregate/keys/key_codes.h"

#include <algorithm>
#include <type_traits>

#include "aggregate/distinct/distinct_set.h"
#include "columns/column_chunk.h"
#include "columns/dictionaries/dictionary.h"
#include "columns/dictionaries/key_column.h"
#include "table/internals.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kMaxCodes = uint64_t{1} << 18;  // a lane's array of them is a megabyte
constexpr uint64_t kMinCodeLimit = 4096;           // worth an array for any number of rows

// How many values a column that is not stored as codes can have; 0: too many.
uint64_t small_range(const Column& column) {
  const Type& type = column.type();
  const auto of_cells = [](const Type& cells) -> uint64_t {
    if (cells.is(Type::Bool)) return 2;
    if (!cells.is_integer() || cells.width() > 2) return 0;
    return uint64_t{1} << (8 * cells.width());
  };
  if (!type.is(Type::Key)) return of_cells(type);
  // A key without values may be stored as a larger number than its count.
  if (column.key_values() == nullptr) return of_cells(type.item());
  return type.size() < kMaxCodes ? type.size() + 1 : 0;
}

// Returns the dictionary of a column of texts if all rows have the same, else null. What cannot be
// read is reported when rows are.
const Dictionary* text_dictionary(const Column& column, const Context& context) {
  if (!column.type().is_text() || column.rows() == 0) return nullptr;
  Arena arena(context.memory);
  const auto of_row = [&](uint64_t row) {
    const auto codes = column.codes({row, row + 1}, arena, context);
    return codes ? codes->dictionary : nullptr;
  };
  try {
    const Dictionary* first = of_row(0);
    return first != nullptr && of_row(column.rows() - 1) == first ? first : nullptr;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled) throw;
    return nullptr;
  }
}

// Returns the dictionary of a column if its codes are small, else null.
const Dictionary* small_dictionary(const Column& column, const Context& context) {
  if (const Dictionary* texts = text_dictionary(column, context)) return texts;
  const std::optional<FlatCells> flat = column.flat();
  if (!flat || flat->dictionary == nullptr || code_type(*flat).is(Type::UInt32)) return nullptr;
  return flat->dictionary;
}

}  // namespace

std::optional<KeyCodes> KeyCodes::make(const Table& table, std::span<const uint64_t> columns,
                                       const Context& context) {
  const uint64_t most = std::min(kMaxCodes, std::max(kMinCodeLimit, table.rows()));
  KeyCodes all;
  for (const uint64_t column : columns) {
    std::optional<KeyColumnCodes> codes = codes_for(table, column, context);
    if (!codes || uint64_t{all.size_} * codes->size > most) return std::nullopt;
    all.size_ *= codes->size;
    all.columns_.push_back(std::move(*codes));
  }
  all.charge_ = std::make_unique<Charge>(context.memory);
  if (!all.charge_->try_grow_to(all.bytes())) return std::nullopt;
  return all;
}

uint64_t KeyCodes::bytes() const {
  uint64_t bytes = 0;
  for (const KeyColumnCodes& column : columns_) {
    if (column.codes.empty()) continue;
    constexpr uint64_t kBytesAText = 64;
    bytes += column.values.bytes() + column.texts.size() * kBytesAText;
    for (const auto& [dictionary, codes] : column.codes) bytes += codes.size() * sizeof(uint32_t);
  }
  return bytes;
}

std::optional<KeyCodes::KeyColumnCodes> KeyCodes::codes_for(const Table& table, uint64_t column,
                                                            const Context& context) {
  KeyColumnCodes codes;
  if (const uint64_t range = small_range(internals(table).column(column)); range != 0) {
    codes.size = static_cast<uint32_t>(range + 1);
    return codes;
  }
  std::vector<const Dictionary*> dictionaries;
  uint64_t values = 0;
  for (const Fragment& fragment : internals(table).fragments()) {
    dictionaries.push_back(small_dictionary(internals(*fragment.table).column(column), context));
    if (dictionaries.back() == nullptr) return std::nullopt;
    values += dictionaries.back()->size();
    if (values > kMaxCodes) return std::nullopt;
  }
  if (dictionaries.front()->texts() != nullptr) return codes_for_texts(dictionaries);
  codes.values.find_or_add(0);  // value 0 has code 0, as stored codes beyond a dictionary do
  for (const Dictionary* dictionary : dictionaries) {
    std::vector<uint32_t>& of_stored = codes.codes[dictionary];
    if (!of_stored.empty()) continue;
    of_stored.resize(std::max<uint64_t>(dictionary->size(), 256));
    visit_cell_type(dictionary->type(), [&]<class T>() {
      const auto* cells = reinterpret_cast<const T*>(dictionary->cells(context));
      for (uint64_t i = 0; i < dictionary->size(); ++i) {
        of_stored[i] = codes.values.find_or_add(distinct_bits(cells[i]));
      }
    });
  }
  codes.size = codes.values.size() + 1;
  return codes;
}

std::optional<KeyCodes::KeyColumnCodes> KeyCodes::codes_for_texts(
    std::span<const Dictionary* const> dictionaries) {
  KeyColumnCodes codes;
  constexpr uint32_t kNull = UINT32_MAX;  // until the number of texts is known
  for (const Dictionary* dictionary : dictionaries) {
    const Values* texts = dictionary->texts();
    if (texts == nullptr) return std::nullopt;
    std::vector<uint32_t>& of_stored = codes.codes[dictionary];
    if (!of_stored.empty()) continue;
    of_stored.assign(dictionary->size(), kNull);
    for (uint64_t i = 0; i < texts->rows; ++i) {
      if (texts->is_null(i)) continue;
      const auto next = static_cast<uint32_t>(codes.texts.size());
      of_stored[i] = codes.texts.try_emplace(texts->text(i), next).first->second;
    }
  }
  codes.size = static_cast<uint32_t>(codes.texts.size()) + 1;
  for (auto& [dictionary, of_stored] : codes.codes) {
    std::replace(of_stored.begin(), of_stored.end(), kNull, codes.size - 1);
  }
  return codes;
}

// Calls use(code_of), where code_of(row) is the code of a value that is not null.
template <class Use>
void KeyCodes::visit(const KeyColumnCodes& column, const Values& values,
                     const Dictionary* dictionary, Use use) {
  if (dictionary != nullptr) {
    const uint32_t* of_stored = column.codes.at(dictionary).data();
    with_codes(values, [&](auto code_of) {
      use([of_stored, code_of](uint32_t row) { return of_stored[code_of(row)]; });
    });
  } else if (values.type.is_text()) {
    // A text that has changed in the file since the dictionary was read is not found.
    use([&](uint32_t row) {
      const auto found = column.texts.find(values.text(row));
      return found == column.texts.end() ? column.size - 1 : found->second;
    });
  } else if (values.type.is(Type::Bool)) {
    use([&](uint32_t row) { return uint32_t{values.get_bool(row)}; });
  } else {
    visit_cell_type(values.type, [&]<class T>() {
      const T* cells = values.data.as<T>();
      if (!column.codes.empty()) {
        use([&column, cells](uint32_t row) {
          return column.values.find(distinct_bits(cells[row])).value_or(0);
        });
      } else if constexpr (std::is_integral_v<T>) {
        use([cells, last = column.size - 1](uint32_t row) {
          return static_cast<uint32_t>(
              std::min<uint64_t>(static_cast<std::make_unsigned_t<T>>(cells[row]), last));
        });
      }
    });
  }
}

std::span<const uint32_t> KeyCodes::codes_of(const SelectedRows& selected, Arena& arena) const {
  const std::span<const uint32_t> rows = selected.rows;
  auto* codes = arena.allocate_array<uint32_t>(rows.size());
  std::fill_n(codes, rows.size(), 0);
  for (uint64_t c = 0; c < columns_.size(); ++c) {
    const Values& values = selected.columns[c];
    const uint32_t size = columns_[c].size;
    visit(columns_[c], values, selected.dictionaries[c], [&](auto code_of) {
      if (values.null_count == 0) {
        for (uint64_t i = 0; i < rows.size(); ++i) codes[i] = codes[i] * size + code_of(rows[i]);
        return;
      }
      for (uint64_t i = 0; i < rows.size(); ++i) {
        const uint32_t code = values.is_null(rows[i]) ? size - 1 : code_of(rows[i]);
        codes[i] = codes[i] * size + code;
      }
    });
  }
  return {codes, rows.size()};
}

}  // namespace heron::inline v0
