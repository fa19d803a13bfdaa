#include "view/pager.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "help/hints.h"
#include "heron/error.h"
#include "parsing/arguments.h"
#include "view/clamped.h"

namespace heron::cli {
namespace {

constexpr uint64_t kNone = UINT64_MAX;

bool is_digit(const Key& key) {
  return key.name == Key::Text && key.text.size() == 1 && key.text[0] >= '0' && key.text[0] <= '9';
}

}  // namespace

Pager::Pager(PagerOptions options, RunViewTask run)
    : options_(std::move(options)),
      run_(std::move(run)),
      table_(options_.columns.table()),
      grid_(*options_.columns.schema()),
      page_(options_.columns, options_.form),
      where_(options_.where),
      order_(options_.order),
      rows_(std::make_unique<ShownRows>(query(where_, order_))) {
  position_.row_numbers = options_.row_numbers;
}

Query Pager::query(const std::optional<Predicate>& where,
                   const std::vector<OrderBy>& order) const {
  Query shown(table_, where);
  shown.order = order;
  shown.skip_damaged = options_.skipped;
  return shown;
}

uint32_t Pager::rows_of(ScreenSize size) {
  return static_cast<uint32_t>(std::max<uint64_t>(1, minus(size.height, 2)));
}

bool Pager::press(const Key& key, ScreenSize size) {
  message_.clear();
  page_rows_ = rows_of(size);
  try {
    if (prompt_ != Prompt::None) {
      type(key);
      return true;
    }
    return browse(key);
  } catch (const Error& error) {
    message_ = error.kind() == ErrorKind::Cancelled
                   ? "cancelled"
                   : concat(error.message(), hint_text(error.hint()));
    return true;
  }
}

bool Pager::browse(const Key& key) {
  if (is_digit(key) && !(digits_.empty() && key.text == "0")) {
    digits_ += key.text;
    return true;
  }
  const std::string digits = std::exchange(digits_, {});
  if (key.is_text("q") || key.is_control("c")) {
    if (!help_top_ || key.is_control("c")) return false;
    help_top_.reset();
    return true;
  }
  if (help_top_) {
    if (key.name == Key::Down || key.is_text("j")) {
      ++*help_top_;
    } else if (key.name == Key::Up || key.is_text("k")) {
      help_top_ = minus(*help_top_, 1);
    } else {
      help_top_.reset();
    }
    return true;
  }
  if (!digits.empty() && (key.is_text("G") || key.is_text("g"))) {
    go_to_row(parse_number("row", digits));
    return true;
  }
  const uint64_t count = digits.empty() ? 1 : std::max<uint64_t>(1, parse_number("count", digits));
  if (!move(key, count)) change(key);
  return true;
}

// Moves the cursor, if the key does that.
bool Pager::move(const Key& key, uint64_t count) {
  const auto is = [&](Key::Name name, std::string_view character) {
    return key.name == name || key.is_text(character);
  };
  const uint64_t last_column = minus(grid_.columns(), 1);
  const uint64_t pages = count > UINT64_MAX / page_rows_ ? UINT64_MAX : count * page_rows_;
  if (is(Key::Down, "j") || key.name == Key::Enter) {
    row_ = plus(row_, count);
  } else if (is(Key::Up, "k")) {
    row_ = minus(row_, count);
  } else if (is(Key::Right, "l")) {
    position_.column = std::min(plus(position_.column, count), last_column);
  } else if (is(Key::Left, "h")) {
    position_.column = minus(position_.column, count);
  } else if (is(Key::PageDown, " ") || key.is_control("f")) {
    row_ = plus(row_, pages);
    top_ = plus(top_, pages);
  } else if (is(Key::PageUp, "b") || key.is_control("b")) {
    row_ = minus(row_, pages);
    top_ = minus(top_, pages);
  } else if (key.is_control("d")) {
    row_ = plus(row_, page_rows_ / 2);
    top_ = plus(top_, page_rows_ / 2);
  } else if (key.is_control("u")) {
    row_ = minus(row_, page_rows_ / 2);
    top_ = minus(top_, page_rows_ / 2);
  } else if (is(Key::Home, "g")) {
    row_ = 0;
  } else if (is(Key::End, "G")) {
    run_("finding rows", [this](const Context& context) { rows_->find(UINT64_MAX, context); });
    row_ = minus(rows_->known(), 1);
  } else if (key.is_text("0") || key.is_text("^")) {
    position_.column = 0;
  } else if (key.is_text("$")) {
    position_.column = last_column;
  } else {
    return false;
  }
  return true;
}

// Changes what is shown, if the key does that.
bool Pager::change(const Key& key) {
  if (key.name != Key::Text || key.text.size() != 1) return false;
  switch (key.text[0]) {
    case '?': help_top_ = 0; break;
    case ':': open_prompt(Prompt::Row); break;
    case 'c': open_prompt(Prompt::Column); break;
    case '/': open_prompt(Prompt::Search); break;
    case '&': open_prompt(Prompt::Where, where_ ? where_->text() : std::string()); break;
    case 'n': search(true); break;
    case 'N': search(false); break;
    case 's': sort(Ascending); break;
    case 'S': sort(Descending); break;
    case 'f':
      position_.frozen = position_.frozen == position_.column ? 0 : position_.column;
      position_.left = std::max(position_.left, position_.frozen);
      break;
    case 'w': grid_.toggle_wide(position_.column); break;
    case '#': position_.row_numbers = !position_.row_numbers; break;
    default: message_ = concat("unknown key ", safe_text(key.text), "; ? lists the keys"); break;
  }
  return true;
}

void Pager::open_prompt(Prompt prompt, std::string text) {
  prompt_ = prompt;
  typed_ = LineEdit(std::move(text));
}

void Pager::type(const Key& key) {
  const LineEdit::Outcome outcome = typed_.press(key);
  if (outcome == LineEdit::Outcome::Open) return;
  const Prompt prompt = std::exchange(prompt_, Prompt::None);
  if (outcome == LineEdit::Outcome::Done) answer(prompt, typed_.text());
}

void Pager::answer(Prompt prompt, const std::string& text) {
  const bool is_empty = text.find_first_not_of(' ') == std::string::npos;
  switch (prompt) {
    case Prompt::None: break;
    case Prompt::Row:
      if (!is_empty) go_to_row(parse_number("row", text));
      break;
    case Prompt::Column:
      if (!is_empty) go_to_column(text);
      break;
    case Prompt::Search:
      if (!is_empty) search_ = predicate(text);
      search(true);
      break;
    case Prompt::Where: filter(is_empty ? std::string() : text); break;
  }
}

Predicate Pager::predicate(const std::string& text) {
  Predicate made(table_, text);
  if (!made.notes().empty()) message_ = made.notes().front();
  return made;
}

void Pager::go_to_row(uint64_t row) {
  if (row >= table_->rows()) {
    fail(ErrorKind::Argument, {}, "row ", row, " does not exist: the table has ", table_->rows(),
         table_->rows() == 1 ? " row" : " rows");
  }
  std::optional<uint64_t> position;
  run_("finding rows",
       [&](const Context& context) { position = rows_->position_of(row, context); });
  if (!position) fail(ErrorKind::Argument, {}, "row ", row, " is not among the rows shown");
  go_to(*position);
}

// Moves to the column of that name, else to the next one whose name contains it.
void Pager::go_to_column(std::string_view name) {
  const Schema& schema = *options_.columns.schema();
  uint64_t found = kNone;
  for (uint64_t i = 0; i < schema.size() && found == kNone; ++i) {
    if (schema[i].name == name) found = i;
  }
  for (uint64_t i = 1; i <= schema.size() && found == kNone; ++i) {
    const uint64_t column = (position_.column + i) % schema.size();
    if (schema[column].name.find(name) != std::string::npos) found = column;
  }
  if (found == kNone) fail(ErrorKind::Argument, {}, "no column has \"", name, "\" in its name");
  position_.column = found;
}

// Moves the cursor; a row that is not on the screen is shown in its middle.
void Pager::go_to(uint64_t position) {
  row_ = position;
  if (row_ < top_ || row_ - top_ >= page_rows_) top_ = minus(row_, page_rows_ / 2);
}

void Pager::search(bool forward) {
  if (!search_) fail(ErrorKind::Argument, {}, "nothing to search for; / asks for a predicate");
  std::optional<uint64_t> found;
  bool wrapped = false;
  run_("searching", [&](const Context& context) {
    found = forward ? rows_->next(*search_, plus(row_, 1), context)
                    : rows_->previous(*search_, row_, context);
    if (found) return;
    wrapped = true;
    if (!forward) rows_->find(UINT64_MAX, context);
    found = forward ? rows_->next(*search_, 0, context)
                    : rows_->previous(*search_, UINT64_MAX, context);
  });
  if (!found) fail(ErrorKind::Argument, {}, "no row passes: ", search_->text());
  if (wrapped && *found != row_) {
    message_ = forward ? "searched on from the first row" : "searched on from the last row";
  }
  go_to(*found);
}

void Pager::filter(const std::string& text) {
  std::optional<Predicate> where;
  if (!text.empty()) where = predicate(text);
  show_others(std::move(where), order_);
}

// Sorts by the column of the cursor; if rows are in that order already, shows file order.
void Pager::sort(Direction direction) {
  if (grid_.columns() == 0) return;
  const std::string& name = (*options_.columns.schema())[position_.column].name;
  std::vector<OrderBy> order = {{name, direction}};
  const bool is_set =
      order_.size() == 1 && order_[0].column == name && order_[0].direction == direction;
  if (is_set) order.clear();
  show_others(where_, std::move(order));
}

// Shows other rows. The cursor stays at its row, or moves to the next one that is shown. Does
// nothing if that fails.
void Pager::show_others(std::optional<Predicate> where, std::vector<OrderBy> order) {
  const std::optional<uint64_t> row = current_row();
  auto others = std::make_unique<ShownRows>(query(where, order));
  std::optional<uint64_t> position;
  run_(order.empty() ? "finding rows" : "sorting", [&](const Context& context) {
    others->find(1, context);
    if (row && order.empty()) position = others->position_of(*row, context);
  });
  rows_ = std::move(others);
  where_ = std::move(where);
  order_ = std::move(order);
  stopped_at_.reset();
  grid_.reset();
  top_ = row_ = 0;
  go_to(position.value_or(0));
}

std::optional<uint64_t> Pager::current_row() {
  if (position_.row < page_.rows().size()) return page_.rows()[position_.row];
  return std::nullopt;
}

// Finds the rows of the screen, and puts the cursor on one of them.
void Pager::settle(const Context& context) {
  const uint64_t needed = std::max(plus(top_, page_rows_), plus(row_, 1));
  if (!stopped_at_ || needed > *stopped_at_) {
    stopped_at_ = needed;  // stays set if find() throws
    rows_->find(needed, context);
    stopped_at_.reset();
  }
  const uint64_t known = rows_->known();
  if (known < needed) top_ = std::min(top_, minus(known, page_rows_));
  row_ = std::min(row_, minus(known, 1));
  top_ = std::min(top_, row_);
  if (row_ - top_ >= page_rows_) top_ = row_ - page_rows_ + 1;
  position_.row = row_ - top_;
  page_.show(rows_->rows(top_, std::min<uint64_t>(known - top_, page_rows_), context));
}

}  // namespace heron::cli
