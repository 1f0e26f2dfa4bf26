#include "fit/folds.h"

#include "fit/study_fixture.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

std::vector<Measurement> Rows() {
  std::vector<Measurement> rows;
  for (const auto& [family, device] : std::vector<std::pair<std::string, std::string>>{
           {"b", "board"}, {"a", "other"}, {"b", "board"}, {"c", "other"}}) {
    rows.push_back(ToyRow());
    rows.back().row = rows.size();
    rows.back().family = family;
    rows.back().device = device;
  }
  return rows;
}

TEST_CASE("names") {
  for (const LeaveOut leave_out :
       {LeaveOut::kNone, LeaveOut::kFamily, LeaveOut::kDevice, LeaveOut::kSource, LeaveOut::kFamilyAndDevice}) {
    CHECK(FindLeaveOut(LeaveOutName(leave_out)) == leave_out);
  }
  CHECK_FALSE(FindLeaveOut("model").has_value());
}

struct FoldCase {
  LeaveOut leave_out;
  std::vector<std::string> names;
  std::vector<size_t> sizes;
};

TEST_CASE("every row is predicted once, without the rows that are like it") {
  const auto c = GENERATE(values<FoldCase>({
      {LeaveOut::kNone, {""}, {4}},
      {LeaveOut::kFamily, {"a", "b", "c"}, {1, 2, 1}},
      {LeaveOut::kDevice, {"board", "other"}, {2, 2}},
      {LeaveOut::kSource, {""}, {4}},
  }));
  const std::vector<Measurement> rows = Rows();
  const std::vector<Fold> folds = FoldsOf(rows, c.leave_out);
  REQUIRE(folds.size() == c.names.size());
  for (size_t i = 0; i < folds.size(); ++i) {
    CHECK(folds[i].name == c.names[i]);
    CHECK(folds[i].rows.size() == c.sizes[i]);
    const size_t others = RowsWithout(rows, c.leave_out, folds[i]).size();
    CHECK(others == (c.leave_out == LeaveOut::kNone ? 0 : rows.size() - folds[i].rows.size()));
  }
}

TEST_CASE("a family on a device is predicted without the rows of either") {
  const std::vector<Measurement> rows = Rows();
  const std::vector<Fold> folds = FoldsOf(rows, LeaveOut::kFamilyAndDevice);
  REQUIRE(folds.size() == 3);
  CHECK(folds[1].name == "b on board");
  CHECK(folds[1].rows.size() == 2);
  CHECK(RowsWithout(rows, LeaveOut::kFamilyAndDevice, folds[0]).size() == 2);  // "a on other" leaves both of "board"
  CHECK(RowsWithout(rows, LeaveOut::kFamilyAndDevice, folds[1]).size() == 2);
}

}  // namespace
}  // namespace hwest::test
