#include "view/line_edit.h"

#include "base/utf8.h"

namespace heron::cli {

size_t LineEdit::previous() const noexcept {
  size_t at = cursor_;
  if (at > 0) --at;
  while (at > 0 && continues_utf8(text_[at])) --at;
  return at;
}

size_t LineEdit::next() const noexcept {
  size_t at = cursor_;
  if (at < text_.size()) ++at;
  while (at < text_.size() && continues_utf8(text_[at])) ++at;
  return at;
}

void LineEdit::erase(size_t first, size_t last) {
  text_.erase(first, last - first);
  cursor_ = first;
}

LineEdit::Outcome LineEdit::press(const Key& key) {
  switch (key.name) {
    case Key::Text:
      text_.insert(cursor_, key.text);
      cursor_ += key.text.size();
      break;
    case Key::Enter: return Outcome::Done;
    case Key::Escape: return Outcome::Dropped;
    case Key::Backspace:
      if (text_.empty()) return Outcome::Dropped;
      erase(previous(), cursor_);
      break;
    case Key::Delete: erase(cursor_, next()); break;
    case Key::Left: cursor_ = previous(); break;
    case Key::Right: cursor_ = next(); break;
    case Key::Home: cursor_ = 0; break;
    case Key::End: cursor_ = text_.size(); break;
    case Key::Control:
      if (key.text == "c") return Outcome::Dropped;
      if (key.text == "a") cursor_ = 0;
      if (key.text == "e") cursor_ = text_.size();
      if (key.text == "k") text_.resize(cursor_);
      if (key.text == "u") erase(0, cursor_);
      if (key.text == "w") {
        size_t first = cursor_;
        while (first > 0 && text_[first - 1] == ' ') --first;
        while (first > 0 && text_[first - 1] != ' ') --first;
        erase(first, cursor_);
      }
      break;
    default: break;
  }
  return Outcome::Open;
}

}  // namespace heron::cli
