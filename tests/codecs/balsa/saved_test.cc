// What a sidecar has of a file's objects: with it the same tables are there, without a walk over
// headers; a damaged one is left aside; of a forged one nothing is read that is not there.
#include "balsa/saved.h"

#include <gmock/gmock.h>

#include <cstring>

#include "asked.h"
#include "balsa/balsa.h"
#include "heron/index.h"
#include "skip/checksum.h"
#include "skip/sidecar.h"
#include "temp_folder.h"

namespace heron::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Bytes = std::vector<std::byte>;

// A root and leaves behind it, two at most.
BalsaTree small_tree(uint32_t nodes, const std::string& type = "fl32") {
  BalsaTree tree{3, 4, type, {}, {}, {}, {}, {}};
  for (uint32_t node = 0; node < nodes; ++node) {
    tree.left.push_back(node == 0 && nodes > 1 ? 1 : 0);
    tree.right.push_back(node == 0 && nodes > 1 ? nodes - 1 : 0);
    tree.feature.push_back(static_cast<uint8_t>(node));
    tree.value.push_back(node + 0.5);
    tree.label.push_back(2);
  }
  return tree;
}

// Every kind of object, trees of the usual shape and of another.
std::string every_object(std::endian order) {
  const BalsaFile file(order);
  const BalsaTree tree = small_tree(2);
  const std::string other_keys = file.table(
      BalsaFile::dictionary({file.ui32("column_count", 1), file.ui32("row_count", 2),
                             file.ui32("more", 5), BalsaFile::strn("scalar_type_id", "ui08")}),
      tree.label);
  const std::string unusual =
      BalsaFile::tree(tree, file.array("ui32", tree.left) + file.array("ui32", tree.right) +
                                file.array("ui08", tree.feature) + file.values(tree) + other_keys);
  return file.header() + file.table<double>("fl64", 2, 1, {1.5, 2.5}) +
         BalsaFile::ensemble(file.tree(tree) + unusual + file.tree(small_tree(3, "fl64"))) +
         file.table<uint8_t>("ui08", 0, 2, {}) + file.tree(small_tree(1)) + BalsaFile::ensemble("");
}

struct Reopened {
  std::shared_ptr<const Dataset> dataset;
  std::vector<std::string> notes;
};

Reopened reopened(const std::shared_ptr<const ByteSource>& source, const Bytes& saved) {
  Reopened reopened;
  Context context;
  context.note = [&](std::string_view note) { reopened.notes.emplace_back(note); };
  reopened.dataset = balsa::open(source, {}, saved, context);
  return reopened;
}

Bytes index_of(const std::string& file) {
  return balsa::index(source_of(file), {}, {});
}

// Every table's name and rows.
Rows all_of(const Dataset& dataset) {
  Rows all;
  for (const std::string& name : table_names(dataset)) {
    all.push_back(name);
    for (std::string& row : rows_of(dataset, name)) all.push_back(std::move(row));
  }
  return all;
}

void set_checksum(Bytes& saved) {
  const uint64_t sum = checksum(std::span<const std::byte>(saved).subspan(sizeof(uint64_t)));
  std::memcpy(saved.data(), &sum, sizeof sum);
}

// Whether what is read of a file with such a forgery is an answer or an Error.
bool is_harmless(const std::shared_ptr<const ByteSource>& source, Bytes forged) {
  set_checksum(forged);
  try {
    const auto dataset = reopened(source, forged).dataset;
    for (const std::string& name : table_names(*dataset)) {
      try {
        rows_of(*dataset, name);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::Corrupt) return false;
      }
    }
  } catch (const Error& error) {
    return error.kind() == ErrorKind::Limit;
  }
  return true;
}

class SavedObjects : public ::testing::TestWithParam<std::endian> {
 protected:
  const std::string file_ = every_object(GetParam());
  const Bytes saved_ = index_of(file_);
  const Rows rows_ = all_of(*opened(file_));
};
INSTANTIATE_TEST_SUITE_P(Balsa, SavedObjects,
                         ::testing::Values(std::endian::little, std::endian::big));

TEST_P(SavedObjects, GiveTheSameTables) {
  for (const bool mapped : {true, false}) {
    const auto [dataset, notes] = reopened(source_of(file_, mapped), saved_);
    EXPECT_THAT(notes, IsEmpty());
    EXPECT_EQ(all_of(*dataset), rows_);
  }
}

TEST_P(SavedObjects, ThatAreDamagedAreLeftAside) {
  const auto source = source_of(file_);
  Bytes saved = saved_;
  for (uint64_t bit = 0; bit < saved.size() * 8; ++bit) {
    saved[bit / 8] ^= std::byte{1} << bit % 8;
    const auto [dataset, notes] = reopened(source, saved);
    ASSERT_THAT(notes, SizeIs(1)) << "bit " << bit;
    ASSERT_EQ(all_of(*dataset), rows_) << "bit " << bit;
    saved[bit / 8] ^= std::byte{1} << bit % 8;
  }
  for (uint64_t size = 1; size < saved.size(); ++size) {
    EXPECT_THAT(reopened(source, Bytes(saved.begin(), saved.begin() + size)).notes, SizeIs(1));
  }
}

TEST_P(SavedObjects, ThatAreForgedHarmNobody) {
  const auto source = source_of(file_, false);
  for (uint64_t bit = 64; bit < saved_.size() * 8; ++bit) {
    Bytes saved = saved_;
    saved[bit / 8] ^= std::byte{1} << bit % 8;
    ASSERT_TRUE(is_harmless(source, saved)) << "bit " << bit;
  }
  for (uint64_t at = 8; at < saved_.size(); at += 8) {
    for (const uint64_t number : {uint64_t{0}, uint64_t{UINT32_MAX}, uint64_t{file_.size()},
                                  uint64_t{1} << 61, UINT64_MAX - 3, UINT64_MAX}) {
      Bytes saved = saved_;
      std::memcpy(saved.data() + at, &number, sizeof number);
      ASSERT_TRUE(is_harmless(source, saved)) << number << " at byte " << at;
    }
  }
  for (uint64_t size = 16; size < saved_.size(); ++size) {
    ASSERT_TRUE(is_harmless(source, Bytes(saved_.begin(), saved_.begin() + size))) << size;
  }
}

TEST_P(SavedObjects, OfAnotherFileAreLeftAside) {
  const auto [dataset, notes] =
      reopened(source_of(file_), index_of(file_ + BalsaFile::ensemble("")));
  EXPECT_THAT(notes, ::testing::ElementsAre("made: what its index has of its objects is damaged"));
  EXPECT_EQ(all_of(*dataset), rows_);
}

const BalsaFile kLittle;

TEST(SavedTrees, AreHeldAgainstTheirHeadersAtFirstUse) {
  const std::string file = kLittle.header() + kLittle.tree(small_tree(3));
  Bytes saved = index_of(file);
  saved[16 + 1] = std::byte{9};  // its class_count
  set_checksum(saved);
  const auto [dataset, notes] = reopened(source_of(file), saved);
  EXPECT_THAT(notes, IsEmpty());
  EXPECT_THAT(error_of([&opened = *dataset] { rows_of(opened, "tree[0]"); }).what(),
              HasSubstr("expected its tables where its shape, or the file's index, says"));
}

TEST(SavedTrees, AreNotReadByOpening) {
  std::string trees;
  for (int i = 0; i < 100; ++i) trees += kLittle.tree(small_tree(200));
  const std::string file = kLittle.header() + BalsaFile::ensemble(trees);
  const auto reads = [&](const Bytes& saved) {
    const auto bytes = std::as_bytes(std::span(file));
    const auto source = std::make_shared<CopyingSource>("made", Bytes(bytes.begin(), bytes.end()));
    EXPECT_THAT(reopened(source, saved).notes, IsEmpty());
    return source->reads();
  };
  EXPECT_GT(reads({}), 100);
  EXPECT_LT(reads(index_of(file)), 5);
}

TEST(SavedTrees, OfAFileWithADamagedOneAreNone) {
  const BalsaTree tree = small_tree(2);
  BalsaTree damaged = tree;
  damaged.right.push_back(0);
  EXPECT_FALSE(index_of(kLittle.header() + kLittle.tree(tree)).empty());
  EXPECT_THAT(index_of(kLittle.header() + kLittle.tree(tree) + kLittle.tree(damaged)), IsEmpty());
  EXPECT_THAT(index_of(kLittle.header() + BalsaFile::ensemble(kLittle.tree(damaged))), IsEmpty());
}

TEST(SavedTrees, StandInTheSidecar) {
  const TempFolder folder;
  const std::string path = folder.write("f.balsa", kLittle.header() + kLittle.tree(small_tree(3)));
  std::vector<std::string> notes;
  Context context;
  context.note = [&](std::string_view note) { notes.emplace_back(note); };
  EXPECT_EQ(write_index(path, {}, {}).formats, 1);
  const Rows rows = all_of(*open(path, {}, context));
  EXPECT_THAT(notes, IsEmpty());
  Sidecar::write(*open_file(path, true), {{}, {{"balsa[0]", Bytes(100)}}, {}}, {});
  EXPECT_EQ(all_of(*open(path, {}, context)), rows);
  EXPECT_THAT(notes, SizeIs(1));
}

}  // namespace
}  // namespace heron::test
