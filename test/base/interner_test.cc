#include "base/interner.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("ids are dense, and the empty string comes first") {
  StringTable table;
  CHECK(table.size() == 1);
  CHECK(table[StrId(0u)] == "");
  CHECK(table.Intern("") == StrId(0u));
  CHECK(table.Intern("conv") == StrId(1u));
  CHECK(table.Intern("relu") == StrId(2u));
  CHECK(table.Intern(std::string("conv")) == StrId(1u));
  CHECK(table.Find("relu") == StrId(2u));
  CHECK_FALSE(table.Find("Relu").valid());
  CHECK(table.size() == 3);
}

TEST_CASE("bytes of any kind are kept apart") {
  StringTable table;
  const std::string with_zero("a\0b", 3);
  CHECK(table.Intern(with_zero) != table.Intern("a"));
  CHECK(table[table.Find(with_zero)].size() == 3);
}

TEST_CASE("views stay valid while the table grows and moves") {
  StringTable table;
  std::vector<absl::string_view> views;
  const std::string large(100000, 'x');
  for (int i = 0; i < 5000; ++i) views.push_back(table[table.Intern(absl::StrCat("node_", i))]);
  const absl::string_view large_view = table[table.Intern(large)];
  const StringTable moved = std::move(table);
  for (int i = 0; i < 5000; ++i) {
    REQUIRE(views[static_cast<size_t>(i)] == absl::StrCat("node_", i));
    REQUIRE(moved[moved.Find(absl::StrCat("node_", i))].data() == views[static_cast<size_t>(i)].data());
  }
  CHECK(large_view == large);
}

}  // namespace
}  // namespace hwest
