// Functions of bytes, those of texts and of binary.
#include <cstring>
#include <string_view>

#include "expression/functions/cell_kernels.h"
#include "expression/functions/function.h"
#include "values/hex.h"

namespace heron::inline v0 {
namespace {

using Text = std::string_view;

void octet_length_kernel(const KernelCall& call) {
  map_each([](Text bytes) { return static_cast<int64_t>(bytes.size()); }, call.rows,
           call.result<int64_t>(), call.argument<Text>(0));
}

void hex_kernel(const KernelCall& call) {
  const Text* from = call.argument<Text>(0);
  Text* to = call.result<Text>();
  uint64_t bytes = 0;
  call.each([&](uint64_t i) { bytes += 2 * from[i].size(); });
  char* out = call.text_room(bytes);
  call.each([&](uint64_t i) {
    char* const end = put_hex(out, from[i]);
    to[i] = {out, static_cast<size_t>(end - out)};
    out = end;
  });
}

void unhex_kernel(const KernelCall& call) {
  const Text* from = call.argument<Text>(0);
  Text* to = call.result<Text>();
  uint64_t bytes = 0;
  call.each([&](uint64_t i) { bytes += from[i].size() / 2; });
  char* out = call.text_room(bytes);
  call.each([&](uint64_t i) {
    char* const end = read_hex(from[i], out);
    if (end == nullptr) {
      call.fail("expected hexadecimal digits, two a byte, got \"", from[i].substr(0, 40),
                from[i].size() > 40 ? "...\"" : "\"");
    }
    to[i] = {out, static_cast<size_t>(end - out)};
    out = end;
  });
}

void shape_unhex(Expression& call, const SourceText&) {
  call.type = Type::Binary;
  call.value = ValueKind::Text;
}

using P = Parameter;
constexpr Function kByteFunctions[] = {
    {"octet_length", "text or binary", {P::Bytes}, 1, 1, Result::Int64, octet_length_kernel,
     "how many bytes it has"},
    {"hex", "text or binary", {P::Bytes}, 1, 1, Result::Text, hex_kernel,
     "its bytes as hexadecimal digits, two a byte"},
    {"unhex", "text", {P::Text}, 1, 1, Result::Shaped, unhex_kernel,
     "the bytes that hexadecimal digits stand for, a binary", false, shape_unhex},
};

}  // namespace

std::span<const Function> byte_functions() {
  return kByteFunctions;
}

}  // namespace heron::inline v0
