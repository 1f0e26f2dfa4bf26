// What a profile from another runtime adds to a report: measured beside predicted times.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/text.h"
#include "profile/match.h"
#include "report/document.h"
#include "report/getters.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr int64_t kUsualSets = 5;

std::string RatioText(const std::optional<double>& ratio) {
  return ratio ? absl::StrFormat("%.3g", *ratio) : "unknown";
}

std::string PartText(double part_s, double of_s) {
  const std::optional<double> share = getters::RatioOf(part_s, of_s);
  return share ? Percent(*share) : "-";
}

std::string GroupsText(const std::vector<GroupId>& groups) {
  const std::string first = absl::StrCat("g", groups.front().index());
  return groups.size() == 1 ? first : absl::StrCat(first, " and ", groups.size() - 1, " more");
}

std::string TotalLine(absl::string_view name, double time_s, const std::string& rest, const ReportOptions& options) {
  return Wrapped(rest, absl::StrFormat("  %-13s%-14s", name, FormatSeconds(time_s)), std::string(29, ' '), options);
}

std::string TotalLines(const View& view, const ReportOptions& options) {
  const MeasuredTimes& times = *view.measured;
  const MeasuredTotals totals = TotalsOf(times);
  const std::optional<double> ratio =
      totals.predicted_s ? getters::RatioOf(totals.matched_s, *totals.predicted_s) : std::nullopt;
  const std::string predicted = totals.predicted_s ? FormatSeconds(*totals.predicted_s) : "unknown";
  const auto share = [&](double part_s) { return absl::StrCat(PartText(part_s, totals.time_s), "; "); };
  std::string text = TotalLine(
      "Profile", totals.time_s,
      absl::StrCat(times.entries.size(), " kernels", times.runs ? absl::StrCat(", runs ", *times.runs) : ""), options);
  absl::StrAppend(&text, TotalLine("measured", totals.matched_s,
                                   absl::StrCat(share(totals.matched_s), totals.groups, " of ", view.groups.size(),
                                                " groups, predicted ", predicted, ", ratio ", RatioText(ratio)),
                                   options));
  if (totals.no_kernel_s > 0) {
    absl::StrAppend(&text,
                    TotalLine("no kernel", totals.no_kernel_s,
                              absl::StrCat(share(totals.no_kernel_s), "nodes that cost nothing in the plan"), options));
  }
  if (totals.unmatched > 0) {
    const char* const kernels = totals.unmatched == 1 ? " kernel" : " kernels";
    const std::string rest = absl::StrCat(share(totals.unmatched_s), totals.unmatched, kernels, ", see the notes");
    absl::StrAppend(&text, TotalLine("unmatched", totals.unmatched_s, rest, options));
  }
  return text;
}

// The sets furthest off, in seconds.
std::string SetTable(const View& view, const ReportOptions& options) {
  const std::vector<MeasuredSet>& sets = view.measured->sets;
  std::vector<double> errors;
  for (const MeasuredSet& set : sets) errors.push_back(std::fabs(set.time_s - set.predicted_s.value_or(0)));
  TextTable table({{.title = "measured", .align = Align::kRight},
                   {.title = "predicted", .align = Align::kRight},
                   {.title = "ratio", .align = Align::kRight},
                   {.title = "group", .style = Style::kDim},
                   {.title = "kernel", .squeeze = Squeeze::kShorten},
                   {.title = "node", .squeeze = Squeeze::kShorten}});
  for (const size_t i : CostliestRows(errors, options.top.value_or(kUsualSets))) {
    const MeasuredSet& set = sets[i];
    const GroupRow group = view.groups[set.groups.front().index()];
    table.Add({FormatSeconds(set.time_s), set.predicted_s ? FormatSeconds(*set.predicted_s) : "unknown",
               RatioText(group.measured_ratio), GroupsText(set.groups), EscapeControl(group.pattern),
               EscapeControl(group.label)});
  }
  return table.Print(options);
}

}  // namespace

std::string MeasuredText(const View& view, const ReportOptions& options) {
  if (view.measured == nullptr) return "";
  const std::string title = absl::StrCat("Measured by ", view.measured->program, ", furthest off first");
  return absl::StrCat(Paint(title, Style::kBold, options.color), "\n", TotalLines(view, options),
                      view.measured->sets.empty() ? "" : SetTable(view, options));
}

Cell MeasuredCell(const View& view) {
  if (view.measured == nullptr) return nullptr;
  const MeasuredTimes& times = *view.measured;
  const MeasuredTotals totals = TotalsOf(times);
  Cell entries = Cell::OfList();
  for (const MeasuredEntry& entry : times.entries) {
    entries.push_back(ObjectOf(ColumnsOf(&entry), CellsOf(entry, view)));
  }
  return Cell{{"program", times.program},          {"runs", times.runs},
              {"time_s", totals.time_s},           {"matched_s", totals.matched_s},
              {"no_kernel_s", totals.no_kernel_s}, {"unmatched_s", totals.unmatched_s},
              {"unmatched", totals.unmatched},     {"groups", totals.groups},
              {"predicted_s", totals.predicted_s}, {"entries", std::move(entries)}};
}

}  // namespace hwest
