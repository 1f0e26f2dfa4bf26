#include "fit/folds.h"

#include <iterator>
#include <map>

namespace hwest {
namespace {

struct LeaveOutRow {
  absl::string_view name;
  std::string Measurement::*field;  // what rows of one fold agree in; null = nothing
};

constexpr LeaveOutRow kLeaveOuts[] = {
    {"none", nullptr},
    {"family", &Measurement::family},
    {"device", &Measurement::device},
    {"source", &Measurement::source},
};

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
  const auto field = RowOf(leave_out).field;
  std::map<std::string, Fold> folds;
  for (const Measurement& row : rows) {
    const std::string name = field == nullptr ? "" : row.*field;
    Fold& fold = folds[name];
    fold.name = name;
    fold.rows.push_back(&row);
  }
  std::vector<Fold> list;
  for (auto& [name, fold] : folds) list.push_back(std::move(fold));
  return list;
}

std::vector<Measurement> RowsWithout(const std::vector<Measurement>& rows, LeaveOut leave_out, const Fold& fold) {
  const auto field = RowOf(leave_out).field;
  std::vector<Measurement> others;
  for (const Measurement& row : rows) {
    if (field != nullptr && row.*field != fold.name) others.push_back(row);
  }
  return others;
}

}  // namespace hwest
