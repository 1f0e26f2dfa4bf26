#include "fit/folds.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/enumerators.h"

namespace hwest {
namespace {

using Field = std::string Measurement::*;

struct LeaveOutRow {
  absl::string_view name;
  std::vector<Field> fields;  // what rows of one fold agree in
};

const LeaveOutRow kLeaveOuts[] = {
    {"none", {}},
    {"family", {&Measurement::family}},
    {"device", {&Measurement::device}},
    {"source", {&Measurement::source}},
    {"family,device", {&Measurement::family, &Measurement::device}},
};
static_assert(std::size(kLeaveOuts) == kNumEnumerators<LeaveOut>);

const LeaveOutRow& RowOf(LeaveOut leave_out) { return kLeaveOuts[static_cast<size_t>(leave_out)]; }

}  // namespace

absl::string_view LeaveOutName(LeaveOut leave_out) { return RowOf(leave_out).name; }

std::optional<LeaveOut> FindLeaveOut(absl::string_view name) {
  for (size_t i = 0; i < std::size(kLeaveOuts); ++i) {
    if (kLeaveOuts[i].name == name) return static_cast<LeaveOut>(i);
  }
  return std::nullopt;
}

std::vector<Fold> FoldsOf(const std::vector<Measurement>& rows, LeaveOut leave_out) {
  const auto text = [leave_out](const Measurement& row) {
    return absl::StrJoin(RowOf(leave_out).fields, " on ",
                         [&row](std::string* out, Field field) { absl::StrAppend(out, row.*field); });
  };
  std::map<std::string, Fold> folds;
  for (const Measurement& row : rows) {
    const std::string name = text(row);
    Fold& fold = folds[name];
    fold.name = name;
    fold.rows.push_back(&row);
  }
  std::vector<Fold> list;
  for (auto& [name, fold] : folds) list.push_back(std::move(fold));
  return list;
}

std::vector<Measurement> RowsWithout(const std::vector<Measurement>& rows, LeaveOut leave_out, const Fold& fold) {
  std::vector<Measurement> others;
  if (fold.rows.empty()) return others;
  const std::vector<Field>& fields = RowOf(leave_out).fields;
  for (const Measurement& row : rows) {
    const bool agrees =
        std::any_of(fields.begin(), fields.end(), [&](Field field) { return row.*field == fold.rows.front()->*field; });
    if (!agrees && !fields.empty()) others.push_back(row);
  }
  return others;
}

}  // namespace hwest
