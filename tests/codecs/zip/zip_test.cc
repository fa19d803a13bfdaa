// zip as an archive: its entries, the offsets of their bytes, and its limits. Damaged archives are
// in data/zip/bad.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/real_files.h"
#include "table/internals.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using test::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;

std::string zip_path(const std::string& name) {
  return data_dir() / "zip" / name;
}

std::vector<std::string> table_names(const File& opened) {
  std::vector<std::string> names;
  for (const auto& table : opened.tables()) names.push_back(table->name());
  return names;
}

TEST(Zip, ListsItsEntriesAndTables) {
  const auto model = open(zip_path("model.zip"));
  EXPECT_EQ(model->format(), "zip");
  EXPECT_THAT(
      table_names(*model),
      ElementsAre("TransformerChain/Transform_001/Dictionary/Terms.idv:data", "Schema:data"));
  const auto entries = model->entries();
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[1].path, "TransformerChain/Transform_001/Model.key");
  EXPECT_EQ(entries[1].bytes, 208U);
  EXPECT_EQ(entries[1].encoding, "deflate");
  EXPECT_EQ(entries[1].format, "");
  EXPECT_EQ(entries[3].encoding, "stored");
  EXPECT_EQ(entries[3].format, "idv");
  EXPECT_EQ(model->table("Schema")->format(), "idv");
}

TEST(Zip, OpensTheEntryOfATableAlone) {
  const auto bad = open(zip_path("bad/checksum.zip"));
  EXPECT_EQ(bad->table()->name(), "a.csv:data");
  EXPECT_EQ(bad->table("a.csv")->rows(), 2U);
  EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { bad->table("b.csv:data"); }),
              HasSubstr("b.csv: data at byte"));
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { bad->table("c.csv:data"); }),
              HasSubstr("its entries are: a.csv, b.csv"));
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { bad->table("a.csv:other"); }),
              HasSubstr("no table"));
}

// Returns an archive whose last entry, b.csv of 204 bytes, has its size in a zip64 field of `bytes`
// bytes.
std::string with_zip64_field(char bytes) {
  const auto stored = read_file(zip_path("bad/no_zip64_field.zip"));
  std::string zip(reinterpret_cast<const char*>(stored.data()), stored.size());
  const size_t entry = zip.rfind("PK\1\2"), end = zip.rfind("PK\5\6");
  const std::string size("\xCC\0\0\0\0\0\0\0", 8);
  const std::string field = concat('\1', '\0', bytes, '\0', size.substr(0, bytes));
  zip[entry + 30] += static_cast<char>(field.size());  // bytes of extra fields
  zip[end + 12] += static_cast<char>(field.size());    // bytes of the directory
  return zip.insert(end, field);
}

TEST(Zip, SizesInAZip64FieldHaveEightBytes) {
  const TempFolder folder;
  const auto opened = [&](char bytes) {
    return open(folder.write("a.zip", with_zip64_field(bytes)));
  };
  EXPECT_EQ(opened(8)->table("b.csv")->rows(), 50U);
  for (char bytes = 0; bytes < 8; ++bytes) {
    EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { opened(bytes); }),
                HasSubstr("entry 1 at byte 144: expected a zip64 field with its sizes, got none"));
  }
}

TEST(Zip, NamesAreInUtf8) {
  EXPECT_THAT(table_names(*open(zip_path("names.zip"))),
              ElementsAre("größe.csv:data", "ab:c.csv:data"));
  EXPECT_THAT(table_names(*open(zip_path("old_names.zip"))), ElementsAre("größe/x.csv:data"));
  EXPECT_EQ(open(zip_path("names.zip"))->table("ab:c.csv:data")->name(), "ab:c.csv:data");
}

TEST(Zip, OneEntryIsOpenedAsIfItLayThereAlone) {
  OpenOptions options;
  options.entry = "folder/b.csv";
  const auto inside = open(zip_path("stored.zip"), options);
  EXPECT_EQ(inside->format(), "csv");
  EXPECT_THAT(inside->containers(), ElementsAre("zip"));
  EXPECT_THAT(table_names(*inside), ElementsAre("data"));
  options.entry = "inner.zip";
  EXPECT_THAT(table_names(*open(zip_path("inside.zip"), options)),
              ElementsAre("a.jay:data", "folder/b.csv:data"));
  options.entry = "TransformerChain/Transform_001/Model.key";
  EXPECT_EQ(open(zip_path("model.zip"), options)->table()->name(), "bytes");
  options.entry = "none";
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { open(zip_path("model.zip"), options); }),
              HasSubstr("no entry \"none\""));
  EXPECT_THAT(
      error_of(ErrorKind::Argument, [&] { open(data_dir() / "jay" / "types_stats.jay", options); }),
      HasSubstr("no archive"));
}

TEST(Zip, ArchivesInsideAreOpenedOnlyOnRequest) {
  const auto outer = open(zip_path("inside.zip"));
  EXPECT_THAT(table_names(*outer), ElementsAre("rows.csv.gz:data"));
  EXPECT_EQ(outer->entries()[1].format, "zip");
}

// A stored entry's values lie in the map of the zip.
TEST(Zip, StoredEntriesAreReadInPlace) {
  const auto stored = open(zip_path("stored.zip"));
  const ByteSource& bytes = bytes_of(*stored->table("a.jay:data"));
  const ByteSource& file = *internals(*stored).bytes;
  EXPECT_EQ(bytes.base(), file.base() + sizeof("a.jay") - 1 + 30);
  EXPECT_EQ(&bytes.lost(), &file.lost());
  EXPECT_TRUE(bytes.may_change());
}

TEST(Zip, DeflatedEntriesAreDecodedOnceEvenBeyondTheCache) {
  for (const uint64_t cache_bytes : {uint64_t{0}, uint64_t{1} << 20}) {
    OpenOptions options;
    options.cache_bytes = cache_bytes;
    const auto model = open(zip_path("model.zip"), options);
    const auto table = model->table("TransformerChain/Transform_001/Dictionary/Terms.idv");
    for (int i = 0; i < 3; ++i) take(Projection(table), std::vector<uint64_t>{1, 50});
    uint64_t decoded = 0;
    for (const Counter& counter : bytes_of(*table).counters()) {
      if (counter.name == "entries_decoded") decoded = counter.value;
    }
    EXPECT_EQ(decoded, 1U) << cache_bytes;
  }
}

TEST(Zip, ATextThatIsNotReadHasAReason) {
  const auto some = open(data_dir() / "regressions" / "zip" / "utf32_entry.zip");
  EXPECT_THAT(table_names(*some), ElementsAre("a.csv:data"));
  EXPECT_THAT(some->entries()[1].reason, HasSubstr("UTF-32"));
  EXPECT_THAT(verify(*some), ElementsAre(HasSubstr("UTF-32")));
  EXPECT_THAT(error_of(ErrorKind::UnknownFormat, [&] { some->table("b.csv"); }),
              HasSubstr("UTF-32"));
}

TEST(Zip, LargerEntriesThanMayBeDecodedAreRefused) {
  OpenOptions options;
  options.max_decode = 207;
  const auto model = open(zip_path("model.zip"), options);
  EXPECT_THAT(model->entries()[1].reason, HasSubstr("more than max_decode allows"));
  EXPECT_EQ(error_of([&] { model->table("TransformerChain/Transform_001/Model.key"); }).kind(),
            ErrorKind::Limit);
}

TEST(Zip, IsVerifiedWithItsChecksums) {
  EXPECT_THAT(verify(*open(zip_path("model.zip"))), testing::IsEmpty());
  EXPECT_THAT(
      error_of(ErrorKind::Corrupt, [&] { verify(*open(zip_path("bad/checksum_stored.zip"))); }),
      HasSubstr("a.csv: data: expected the checksum"));
  EXPECT_THAT(verify(*open(zip_path("bad/encrypted.zip"))), ElementsAre(HasSubstr("b.csv")));
  EXPECT_THAT(error_of(ErrorKind::Unsupported, [&] { verify(*open(zip_path("bad/lzma.zip"))); }),
              HasSubstr("lzma"));
}

TEST(Zip, IsUnpackedByEntry) {
  const TempFolder folder;
  OpenOptions options;
  EXPECT_THAT(error_of(ErrorKind::Argument,
                       [&] { unwrap(zip_path("stored.zip"), folder / "out", {.open = options}); }),
              HasSubstr("a.jay, folder/b.csv"));
  options.entry = "folder/b.csv";
  unwrap(zip_path("stored.zip"), folder / "out", {.open = options});
  EXPECT_EQ(read_file(folder / "out"), read_file(data_dir() / "csv" / "quotes.csv"));
  unwrap(zip_path("info_zip_stream.zip"), folder / "only");
  EXPECT_EQ(read_file(folder / "only"), read_file(data_dir() / "csv" / "quotes.csv"));
}

// Two entries may have tables of one name: the index of one must not be used for the other.
TEST(Zip, AnIndexIsOfAllEntries) {
  const TempFolder folder;
  const std::string path = folder / "model.zip";
  std::filesystem::copy_file(zip_path("model.zip"), path);
  OpenOptions options;
  options.entry = "Schema";
  EXPECT_EQ(error_of([&] { write_index(path, options); }).kind(), ErrorKind::Argument);
  write_index(path);
  const auto model = open(path);
  const auto plain = open(zip_path("model.zip"));
  for (uint64_t i = 0; i < 2; ++i) {
    const Projection mine(model->tables()[i]), theirs(plain->tables()[i]);
    EXPECT_EQ(json_rows(read(mine, {0, mine.table()->rows()})),
              json_rows(read(theirs, {0, theirs.table()->rows()})));
  }
}

}  // namespace
}  // namespace heron
