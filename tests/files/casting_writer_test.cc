// Batches of types that a format does not support are written as ones that hold their values.
#include "files/casting_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.h"
#include "heron/heron.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

// Returns a batch of one column, which has a type that Jay does not support.
RowBatch batch_of(std::initializer_list<uint64_t> values) {
  BatchBuilder builder({nullable_field("id", Type::UInt64)});
  for (const uint64_t value : values) builder[0].append(value);
  return builder.finish();
}

TEST(CastingWriter, WritesATypeThatHoldsTheFirstValues) {
  const test::TempFolder folder;
  const RowBatch first = batch_of({1, 2});
  std::string notes;
  Context context;
  context.note = [&](std::string_view note) { notes += note; };
  const auto writer = create_casting(folder / "a.jay", first, {}, context);
  EXPECT_THAT(notes, HasSubstr("id"));
  writer->write(first);
  writer->write(batch_of({3}));
  writer->close();
  writer->publish();
  const auto table = open(folder / "a.jay")->table();
  EXPECT_EQ(table->schema()[0].type, Type::Int64);
  EXPECT_EQ(table->rows(), 3U);
  EXPECT_TRUE(writer->losses().empty());
  EXPECT_GT(writer->bytes_written(), 0U);
}

TEST(CastingWriter, RefusesALaterValueThatTheTypeDoesNotHold) {
  const test::TempFolder folder;
  const RowBatch first = batch_of({1});
  const auto writer = create_casting(folder / "a.jay", first, {}, {});
  writer->write(first);
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { writer->write(batch_of({4, UINT64_MAX})); }),
              HasSubstr("18446744073709551615"));
}

}  // namespace
}  // namespace heron
