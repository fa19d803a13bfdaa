#include "output/json_writer.h"

#include <gtest/gtest.h>

#include <string>

namespace heron::cli {
namespace {

std::string written(bool indented, void (*write)(JsonWriter&)) {
  StringSink sink;
  JsonWriter writer(sink, indented);
  write(writer);
  return std::string(sink.text());
}

void document(JsonWriter& to) {
  to.begin_object();
  to.member("text", "a \"b\"\n\xFF");
  to.name("none").begin_array();
  to.end_array();
  to.name("of").begin_object();
  to.end_object();
  to.name("list").begin_array();
  to.value(uint64_t{18446744073709551615u});
  to.begin_object();
  to.member("is", true);
  to.member("too", false);
  to.end_object();
  to.value("x");
  to.end_array();
  to.end_object();
}

TEST(JsonWriter, OneLine) {
  EXPECT_EQ(written(false, document),
            "{\"text\":\"a \\\"b\\\"\\n\xEF\xBF\xBD\",\"none\":[],\"of\":{},"
            "\"list\":[18446744073709551615,{\"is\":true,\"too\":false},\"x\"]}");
}

TEST(JsonWriter, Indented) {
  EXPECT_EQ(written(true, document), R"({
  "text": "a \"b\"\n)"
                                     "\xEF\xBF\xBD"
                                     R"(",
  "none": [],
  "of": {},
  "list": [
    18446744073709551615,
    {
      "is": true,
      "too": false
    },
    "x"
  ]
})");
}

}  // namespace
}  // namespace heron::cli
