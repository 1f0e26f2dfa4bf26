// What studies add to reports: the changes that would help, and the effect of moving a node.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/text.h"
#include "report/getters.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/view_parts.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr int64_t kDefaultStudyTop = 10;

std::string HowTo(const WhatIfRow& row) {
  const char* const where = !row.flags.empty()  ? ""
                            : row.edits.empty() ? ", its text is in --json"
                                                : ", listed in --json";
  return absl::StrCat(getters::HowText(row), where);
}

}  // namespace

std::string WhatIfText(const View& view, const ReportOptions& options) {
  if (view.what_if == nullptr) return "";
  const std::vector<WhatIfRow>& rows = *view.what_if;
  TextTable table({{.title = "saves", .align = Align::kRight},
                   {.title = "share", .align = Align::kRight},
                   {.title = "latency", .align = Align::kRight},
                   {.title = "rate", .align = Align::kRight},
                   {.title = "energy", .align = Align::kRight},
                   {.title = "change", .squeeze = Squeeze::kWrap},
                   {.title = "to see it", .squeeze = Squeeze::kWrap}});
  const auto most = static_cast<size_t>(options.top.value_or(kDefaultStudyTop));
  const double latency_s = view.summary.latency_s.value_or(0);
  size_t shown = 0;
  for (const WhatIfRow& row : rows) {
    if (most > 0 && shown == most) break;
    ++shown;
    const std::string per = row.kind == WhatIfKind::kBatch ? absl::StrCat(" per batch of ", row.batch) : "";
    const double per_s = row.interval_s > 0 ? static_cast<double>(row.batch) / row.interval_s : 0;
    table.Add({FormatSeconds(row.saving_s), latency_s > 0 ? Percent(row.saving_s / latency_s) : "-",
               absl::StrCat(FormatSeconds(row.latency_s), per), per_s > 0 ? absl::StrCat(RateText(per_s), "/s") : "-",
               row.energy_j ? absl::StrCat(FormatJoules(*row.energy_j), per) : "unknown", row.change, HowTo(row)});
  }
  const std::string missing = MissingText(view);
  const std::string title =
      absl::StrCat(Paint(absl::StrCat("What would help", missing.empty() ? "" : ", of what is known: ", missing),
                         Style::kBold, options.color),
                   "\n");
  if (shown == 0) return absl::StrCat(title, "  no change that was tried saves time\n");
  const std::string more = shown < rows.size() ? absl::StrCat("and ", rows.size() - shown, " more; ") : "";
  const std::string how =
      absl::StrCat(more, "each change was tried alone; savings are for the inputs of this analysis, rates in inputs");
  return absl::StrCat(title, table.Print(options), Wrapped(how, "  ", "  ", options));
}

}  // namespace hwest
