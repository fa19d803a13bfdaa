// Arrow files that claim much: what a small file may become in memory is limited.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "arrow_ipc/views_column.h"
#include "bytes/memory_source.h"
#include "error_of.h"
#include "files/open.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/real_files.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

// A buffer of LZ4 begins with the length of what it decompresses to.
TEST(ArrowClaims, ABufferIsAtMost256TimesItsCompressedBytes) {
  constexpr uint64_t kRows = 1000, kClaimed = uint64_t{1} << 40;
  const test::TempFolder folder;
  const std::string path = folder / "zeros.arrow";
  BatchBuilder builder({nullable_field("zero", Type::Int64)});
  for (uint64_t i = 0; i < kRows; ++i) builder[0].append(int64_t{0});
  const RowBatch batch = builder.finish();
  WriteOptions options;
  options.set("body_compression", "lz4");
  const auto writer = create(path, *batch.schema, options);
  writer->write(batch);
  writer->close();
  writer->publish();

  std::vector<std::byte> file = read_file(path);
  const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
  const size_t frame = bytes.find("\x04\x22\x4D\x18");
  ASSERT_NE(frame, std::string_view::npos);
  uint64_t length = 0;
  std::memcpy(&length, file.data() + frame - sizeof length, sizeof length);
  ASSERT_EQ(length, kRows * sizeof(int64_t));
  std::memcpy(file.data() + frame - sizeof length, &kClaimed, sizeof kClaimed);

  const auto opened = open_source(std::make_shared<MemorySource>("claims", file), {}, {});
  const Projection all(opened->table());
  EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { read(all, {0, kRows}); }),
              HasSubstr("compressed buffer at byte"));
}

// Views may share characters.
TEST(ArrowClaims, TextsOfViewsAreAtMost1024TimesTheirBuffers) {
  constexpr uint32_t kRows = 4096, kCharacters = 128 << 10;
  Pieces pieces;
  std::vector<uint32_t> views;
  for (uint32_t row = 0; row < kRows; ++row) views.insert(views.end(), {kCharacters, 0, 0, 0});
  const Piece view = pieces.add(views), characters = pieces.add(std::vector<char>(kCharacters));
  const auto source = pieces.source(true);
  const arrow_ipc::ViewsColumn column(Type::LargeText, kRows, {"text", ""}, view.in(*source),
                                      {characters.in(*source)}, {});
  Arena arena;
  EXPECT_EQ(column.read({0, 3}, arena, {}).text(2).size(), kCharacters);
  EXPECT_THAT(error_of(ErrorKind::Limit, [&] { column.read({0, kRows}, arena, {}); }),
              HasSubstr("read fewer rows at once"));
}

// A view is a length, four characters, a buffer and an offset in it.
TEST(ArrowClaims, AViewEndsInItsBuffer) {
  constexpr uint32_t kCharacters = 16, kMax32 = UINT32_MAX;
  struct View {
    uint32_t length, first_characters, buffer, offset;
  };
  const View good[] = {{16, 0, 0, 0}, {13, 0, 0, 3}};
  const View bad[] = {{17, 0, 0, 0},     {13, 0, 0, 4},          {13, 0, 0, 16},
                      {13, 0, 0, 17},    {13, 0, 0, kMax32 - 4}, {INT32_MAX, 0, 0, 0},
                      {kMax32, 0, 0, 0}, {13, 0, 1, 0},          {13, 0, kMax32, 0}};
  for (const bool mapped : {true, false}) {
    const auto expect_of = [&](const View& view, auto expect) {
      Pieces pieces;
      const Piece views = pieces.add(std::vector<View>{good[0], view});
      const Piece characters = pieces.add(std::vector<char>(kCharacters, 'c'));
      pieces.add(std::vector<char>(kCharacters, 'x'));  // what a view beyond the end would find
      const auto source = pieces.source(mapped);
      expect(arrow_ipc::ViewsColumn(Type::LargeText, 2, {"text", ""}, views.in(*source),
                                    {characters.in(*source)}, {}));
    };
    Arena arena;
    const uint64_t taken[] = {1};
    for (const View& view : good) {
      expect_of(view, [&](const arrow_ipc::ViewsColumn& column) {
        const std::string text(view.length, 'c');
        EXPECT_EQ(column.read({0, 2}, arena, {}).text(1), text);
        EXPECT_EQ(column.take(taken, arena, {}).text(0), text);
      });
    }
    for (const View& view : bad) {
      expect_of(view, [&](const arrow_ipc::ViewsColumn& column) {
        const auto says = HasSubstr("row 1: expected a view into 1 buffers");
        EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { column.read({0, 2}, arena, {}); }), says);
        EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { column.take(taken, arena, {}); }), says);
        EXPECT_EQ(column.read({0, 1}, arena, {}).text(0).size(), kCharacters);
      });
    }
  }
}

}  // namespace
}  // namespace heron
