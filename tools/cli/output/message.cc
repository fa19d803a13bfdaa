#include "output/message.h"

#include <unistd.h>

#include <array>
#include <new>
#include <span>

#include "bytes/system_call.h"
#include "output/printable.h"
#include "output/sink.h"

namespace heron::cli {
namespace {

// A sink with a fixed buffer; a longer line is written in pieces.
class MessageSink final : public TextSink {
 public:
  MessageSink() {
    next_ = memory_.data();
    end_ = memory_.data() + memory_.size();
  }
  void flush() noexcept {
    const std::span text(memory_.data(), static_cast<size_t>(next_ - memory_.data()));
    write_all(STDERR_FILENO, std::as_bytes(text));
    next_ = memory_.data();
  }

 private:
  void make_room(size_t) override { flush(); }
  std::array<char, 2 * kRoom> memory_;
};

}  // namespace

void write_message(std::initializer_list<std::string_view> parts) noexcept {
  MessageSink line;
  line.append("heron: ");
  for (const std::string_view part : parts) {
    try {
      append_printable(line, part);
    } catch (const std::bad_alloc&) {
      for (const char c : part) line.append(c >= 0x20 && c < 0x7F ? c : '?');
    }
  }
  line.append('\n');
  line.flush();
}

}  // namespace heron::cli
