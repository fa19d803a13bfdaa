// Compares the column indexes of a sidecar with the content of the file.
#include "base/fail.h"
#include "skip/sidecar.h"

#include <algorithm>
#include <bit>

namespace heron::inline v0 {
namespace {

// Returns a zone's bound as a value; for texts and row ids, its first eight bytes.
std::string text_of_bound(uint64_t bound, ZoneOrder order) {
  constexpr uint64_t kSign = uint64_t{1} << 63;  // flipped by in_order()
  switch (order) {
    case ZoneOrder::Signed:
    case ZoneOrder::Decimal: return concat(static_cast<int64_t>(bound ^ kSign));
    case ZoneOrder::Float:
      return concat(std::bit_cast<double>((bound & kSign) != 0 ? bound ^ kSign : ~bound));
    case ZoneOrder::Text:
    case ZoneOrder::RowId: return checksum_text(bound);
    default: return concat(bound);
  }
}

class ClaimsOfColumn {
 public:
  ClaimsOfColumn(const std::string& index, const ColumnIndex& claimed, const ColumnIndex& found)
      : index_(index), claimed_(claimed), found_(found) {}

  void run() const {
    check("type", found_.type, claimed_.type);
    check("encoding", found_.encoding, claimed_.encoding);
    check("rows", found_.rows, claimed_.rows);
    check("order", static_cast<uint32_t>(found_.order), static_cast<uint32_t>(claimed_.order));
    check("rows of a zone", found_.zone_rows, claimed_.zone_rows);
    check("zones", found_.zones.size(), claimed_.zones.size());
    for (uint64_t zone = 0; zone < claimed_.zones.size(); ++zone) run(zone);
    if (claimed_.distinct && found_.distinct) {
      check("distinct values", *found_.distinct, *claimed_.distinct);
    }
  }

 private:
  void run(uint64_t zone) const {
    const Zone& claimed = claimed_.zones[zone];
    const Zone& found = found_.zones[zone];
    const std::string of = concat(" of zone ", zone);
    check("nulls" + of, found.null_count, claimed.null_count);
    check("NaNs" + of, found.nans, claimed.nans);
    if (!found.has_bounds() && !claimed.has_bounds()) return;
    if (found.has_bounds() != claimed.has_bounds()) {
      fail_claim("values" + of, found.has_bounds() ? "some" : "none",
                 claimed.has_bounds() ? "some" : "none");
    }
    check_bound("least value" + of, found.low, claimed.low);
    check_bound("greatest value" + of, found.high, claimed.high);
  }
  void check_bound(const std::string& what, uint64_t found, uint64_t claimed) const {
    if (found == claimed) return;
    fail_claim(what, text_of_bound(found, found_.order), text_of_bound(claimed, found_.order));
  }
  template <class Claim>
  void check(const std::string& what, const Claim& found, const Claim& claimed) const {
    if (!(found == claimed)) fail_claim(what, concat(found), concat(claimed));
  }
  [[noreturn]] void fail_claim(const std::string& what, const std::string& found,
                               const std::string& claimed) const {
    fail(ErrorKind::Corrupt, index_, what, " in column \"", claimed_.column, "\" of table \"",
         claimed_.table, "\": expected ", found, ", as in the file, got ", claimed);
  }

  const std::string& index_;
  const ColumnIndex& claimed_;
  const ColumnIndex& found_;
};

}  // namespace

void compare_columns(const std::string& index, std::span<const ColumnIndex> claimed,
                     std::span<const ColumnIndex> found) {
  for (const ColumnIndex& claim : claimed) {
    const auto at = std::ranges::find_if(found, [&](const ColumnIndex& column) {
      return column.table == claim.table && column.column == claim.column;
    });
    if (at == found.end()) {
      fail(ErrorKind::Corrupt, index, "column \"", claim.column, "\" of table \"", claim.table,
           "\": expected no index, because the file has no such readable column, got one");
    }
    ClaimsOfColumn(index, claim, *at).run();
  }
}

}  // namespace heron::inline v0
