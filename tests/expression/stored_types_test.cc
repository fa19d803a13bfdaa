// Expressions over numbers of every stored type, with the null rule of that type, give the same as
// over the same numbers in 64 bits with a bitmap: kernels read stored cells in place.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "base/fail.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/type_of.h"

namespace heron {
namespace {

constexpr uint64_t kRows = 1000;  // some hundred whole words of bits, and a part of one

// Expressions of one number, A.
constexpr const char* kOfOne[] = {"-A",
                                  "abs(A)",
                                  "sign(A)",
                                  "round(A)",
                                  "round(A, 1)",
                                  "trunc(A)",
                                  "trunc(A, 1)",
                                  "round(A, -1)",
                                  "trunc(A, -1)",
                                  "floor(A)",
                                  "ceil(A)",
                                  "sqrt(A)",
                                  "ln(A)",
                                  "log10(A)",
                                  "log2(A)",
                                  "exp(A / 50)",
                                  "A between 20 and 30",
                                  "A in (3, 5, 7.5)",
                                  "A is null",
                                  "hash(A) = hash(A)",
                                  "cast(A as text)",
                                  "cast(A as float64)",
                                  "cast(A as float32)",
                                  "cast(A as int64)",
                                  "cast(A as int16)",
                                  "cast(A as decimal(9,2))",
                                  "cast(A > 10 as int32)",
                                  "7 + A",
                                  "7 - A",
                                  "7 * A",
                                  "7 / A",
                                  "7 < A",
                                  "2.5 - A",
                                  "2.5 / A"};

// Expressions of a column and others. Products of two uint64 are refused: 128 bits may not hold
// them.
std::vector<std::string> expressions_of(const std::string& a, bool is_float, bool is_uint64) {
  std::vector<std::string> all;
  for (std::string expression : kOfOne) {
    for (size_t at = 0; (at = expression.find('A', at)) != std::string::npos; ++at)
      expression[at] = a[0];
    all.push_back(std::move(expression));
  }
  for (const std::string b : {"y", "n", "f", "i", "7", "2.5"}) {
    for (const char* operation : {"+", "-", "/", "<", "<=", "=", "<>", ">", ">="})
      all.push_back(concat(a, ' ', operation, ' ', b));
    if (!is_uint64 || b == "7") all.push_back(concat(a, " * ", b));
    if (!is_float && (b == "y" || b == "i" || b == "7")) all.push_back(concat(a, " % ", b));
    for (const char* function : {"power", "coalesce", "nullif", "least", "greatest"})
      all.push_back(concat(function, '(', a, ", ", b, ')'));
    all.push_back(concat("case when ", a, " > 20 then ", a, " else ", b, " end"));
  }
  return all;
}

template <class T>
class ExpressionsOverStored : public testing::Test {
 protected:
  static constexpr bool kIsFloat = std::is_floating_point_v<T>;

  static constexpr T null_cell() {
    if constexpr (kIsFloat)
      return std::numeric_limits<T>::quiet_NaN();
    else
      return std::is_signed_v<T> ? std::numeric_limits<T>::min() : T{0};
  }
  static constexpr NullEncoding null_rule() {
    return kIsFloat              ? NullEncoding::NaN
           : std::is_signed_v<T> ? NullEncoding::Sentinel
                                 : NullEncoding::Zero;
  }

  // Adds the same numbers to both tables, from 1 to 99 and for floats in quarters.
  template <class Wide>
  static void add(const std::string& name, uint64_t seed, bool nullable, TableMaker& stored,
                  TableMaker& wide) {
    std::mt19937_64 random(seed);
    std::vector<T> cells(kRows);
    std::vector<Wide> wide_cells(kRows);
    std::vector<bool> valid(kRows, true);
    for (uint64_t i = 0; i < kRows; ++i) {
      cells[i] = static_cast<T>(1 + random() % 99);
      if constexpr (kIsFloat) cells[i] = cells[i] / 4;
      wide_cells[i] = static_cast<Wide>(cells[i]);
      // Most words of bits have no null.
      if (nullable && i % 128 < 64 && random() % 5 == 0) {
        valid[i] = false;
        cells[i] = null_cell();
      }
    }
    stored.fixed(name, type_of<T>(), cells, nullable ? null_rule() : NullEncoding::Never);
    wide.fixed(name, kIsFloat ? Type::Float64 : Type::Int64, wide_cells,
               nullable ? NullEncoding::Bitmap : NullEncoding::Never,
               nullable ? valid : std::vector<bool>());
  }

  static void expect_same(std::span<const std::shared_ptr<const Table>> tables,
                          const std::string& expression) {
    RowBatch results[2];
    for (int i = 0; i < 2; ++i) {
      Query query(tables[i]);
      query.columns = {expression + " as r"};
      results[i] = read(query.projection(), {0, kRows});
    }
    for (uint64_t row = 0; row < kRows; ++row) {
      const std::string ours = to_text(results[0].columns[0], row);
      const std::string theirs = to_text(results[1].columns[0], row);
      if (ours == theirs) continue;
      // A float32 has fewer digits.
      const double a = std::strtod(ours.c_str(), nullptr), b = std::strtod(theirs.c_str(), nullptr);
      ASSERT_TRUE(!ours.empty() && !theirs.empty() && std::abs(a - b) <= std::abs(b) * 1e-6)
          << expression << ", row " << row << ": '" << ours << "', not '" << theirs << '\'';
    }
  }
};

using Stored = testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t,
                              uint64_t, float, double>;
TYPED_TEST_SUITE(ExpressionsOverStored, Stored);

TYPED_TEST(ExpressionsOverStored, GiveWhatTheyGiveOverWideNumbers) {
  using Wide = std::conditional_t<TestFixture::kIsFloat, double, int64_t>;
  TableMaker stored(kRows), wide(kRows);
  for (const bool nullable : {false, true}) {
    TestFixture::template add<Wide>(nullable ? "m" : "x", 1, nullable, stored, wide);
    TestFixture::template add<Wide>(nullable ? "n" : "y", 2, nullable, stored, wide);
  }
  for (TableMaker* maker : {&stored, &wide}) {
    std::vector<double> f(kRows);
    std::vector<int64_t> i(kRows);
    for (uint64_t row = 0; row < kRows; ++row)
      f[row] = static_cast<double>(row % 37) / 2, i[row] = static_cast<int64_t>(row % 41) + 1;
    maker->fixed("f", Type::Float64, f).fixed("i", Type::Int64, i);
  }
  const std::shared_ptr<const Table> tables[] = {stored.table(), wide.table()};
  for (const char* a : {"x", "m"}) {
    for (const std::string& expression :
         expressions_of(a, TestFixture::kIsFloat, std::is_same_v<TypeParam, uint64_t>))
      ASSERT_NO_FATAL_FAILURE(this->expect_same(tables, expression));
  }
}

}  // namespace
}  // namespace heron
