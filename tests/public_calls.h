// The table that tests of numbers and pointers out of range use, and what they expect of a call.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "base/fail.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "temp_folder.h"

namespace heron::test {

inline constexpr uint64_t kCount = 4;  // rows, columns, blocks and groups of the table
inline constexpr std::array<uint64_t, 4> kOut = {kCount, 99, uint64_t{1} << 61, UINT64_MAX};

// Expects that the call ends in Error(Argument) whose text contains `saying`.
template <class Call>
void expect_refused(std::string_view what, Call&& call, const std::string& saying = "") {
  SCOPED_TRACE(what);
  try {
    call();
    ADD_FAILURE() << "no Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Argument) << error.what();
    EXPECT_THAT(error.what(), testing::HasSubstr(saying));
    EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
  }
}

// Expects that the call answers or ends in an Error.
template <class Call>
void expect_survives(std::string_view what, Call&& call) {
  SCOPED_TRACE(what);
  try {
    call();
  } catch (const Error&) {
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
  }
}

inline TableMaker four_rows() {
  TableMaker maker(kCount);
  maker.block_rows = 1;
  maker.group_starts = {0, 1, 2, 3, 4};
  maker.fixed<int32_t>("i", Type::Int32, {1, 2, 3, 4}, NullEncoding::Bitmap,
                       {true, true, false, true});
  maker.fixed<double>("f", Type::Float64, {0.5, -1, 2, 9});
  maker.texts("t", {"a", "b", std::nullopt, "d"});
  maker.bits("b", {true, false, true, true});
  return maker;
}

// The parameter is whether the table is mapped.
class PublicCalls : public testing::TestWithParam<bool> {
 protected:
  const std::shared_ptr<const File> data_ = four_rows().file(GetParam());
  const std::shared_ptr<const Table> table_ = data_->table();
  const Projection all_{table_};
  const RowBatch batch_ = read(all_, {0, kCount});
  const TempFolder folder_{memory_folder()};
};

}  // namespace heron::test
