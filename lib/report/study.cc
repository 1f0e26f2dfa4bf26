// What studies add to reports: the changes that would help, and the effect of moving a node.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/enumerators.h"
#include "base/text.h"
#include "report/getters.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/view_parts.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr int64_t kDefaultStudyTop = 10;
constexpr size_t kStudyPage = 120;

std::string HowTo(const WhatIfRow& row) {
  const bool is_listed = row.flags.empty() && !row.writes && row.width.empty() && row.precision_of.empty();
  const char* const where = !is_listed || !row.outputs.empty() ? ""
                            : row.edits.empty()                ? ", its text is in --json"
                                                               : ", listed in --json";
  return absl::StrCat(getters::HowText(row), where);
}

absl::string_view TitleOf(ChangeScope scope) {
  switch (scope) {
    case ChangeScope::kSame: return "the network and the board as they are";
    case ChangeScope::kBatch: return "several inputs in one run, which takes longer";
    case ChangeScope::kNetwork: return "another network, to be trained";
    case ChangeScope::kBoard: return "another board, or a compiler that takes more";
  }
  return "";
}

std::string ScopeText(const std::vector<WhatIfRow>& rows, ChangeScope scope, size_t most, double latency_s,
                      const ReportOptions& options, size_t* left_out) {
  const bool is_batch = scope == ChangeScope::kBatch;
  std::vector<Column> columns = {{.title = "saves", .align = Align::kRight},
                                 {.title = "between"},
                                 {.title = "share", .align = Align::kRight},
                                 {.title = "latency", .align = Align::kRight}};
  if (is_batch) columns.push_back({.title = "rate", .align = Align::kRight});
  columns.push_back({.title = "energy", .align = Align::kRight});
  if (!is_batch) columns.push_back({.title = "accuracy"});
  columns.push_back({.title = "change", .squeeze = Squeeze::kWrap});
  columns.push_back({.title = is_batch ? "to see it" : "what it takes", .squeeze = Squeeze::kWrap});
  TextTable table(columns);
  size_t shown = 0;
  for (const WhatIfRow& row : rows) {
    if (row.scope != scope) continue;
    if (most > 0 && shown == most) {
      ++*left_out;
      continue;
    }
    ++shown;
    const std::string per = is_batch ? absl::StrCat(" per ", row.batch) : "";
    std::vector<std::string> cells = {
        FormatSeconds(row.saving_s),
        absl::StrCat(FormatSeconds(row.saving_low_s), " to ", FormatSeconds(row.saving_high_s)),
        latency_s > 0 ? Percent(row.saving_s / latency_s) : "-",
        absl::StrCat(FormatSeconds(row.latency_s + row.beside_s.value_or(0)), per)};
    const double per_s = row.interval_s > 0 ? static_cast<double>(row.batch) / row.interval_s : 0;
    if (is_batch) cells.push_back(per_s > 0 ? absl::StrCat(RateText(per_s), "/s") : "-");
    cells.push_back(row.energy_j ? absl::StrCat(FormatJoules(*row.energy_j), per) : "unknown");
    if (!is_batch) cells.emplace_back(AccuracyRiskName(row.risk));
    cells.push_back(row.change);
    cells.push_back(is_batch ? HowTo(row) : absl::StrCat(row.work, ": ", HowTo(row)));
    table.Add(cells);
  }
  if (shown == 0) return "";
  ReportOptions page = options;
  page.width = options.width == 0 ? kStudyPage : std::min(options.width, kStudyPage);
  return absl::StrCat("  ", TitleOf(scope), "\n", table.Print(page));
}

// The first row that a command makes, and what reading its file again gave.
std::string FirstCommand(const View& view, const std::vector<WhatIfRow>& rows) {
  for (const WhatIfRow& row : rows) {
    const std::optional<std::string> command = getters::CommandOf(row, view);
    if (!command.has_value()) continue;
    std::string text = absl::StrCat("  the first one", row.scope == ChangeScope::kSame ? "" : " that a command makes");
    if (row.as_promised == true) absl::StrAppend(&text, ", whose file was read again and takes what is said");
    // A command is one line, however narrow the terminal, so that it can be pasted.
    return absl::StrCat(text, ":\n  ", *command, "\n");
  }
  return "";
}

}  // namespace

std::string WhatIfText(const View& view, const ReportOptions& options) {
  if (view.what_if == nullptr) return "";
  const std::vector<WhatIfRow>& rows = *view.what_if;
  const auto most = static_cast<size_t>(options.top.value_or(kDefaultStudyTop));
  const double latency_s = view.summary.latency_s.value_or(0);
  const std::string missing = MissingText(view);
  std::string text =
      absl::StrCat(Paint(absl::StrCat("What would help", missing.empty() ? "" : ", of what is known: ", missing),
                         Style::kBold, options.color),
                   "\n");
  if (rows.empty()) return absl::StrCat(text, "  no change that was tried saves time\n");
  size_t left_out = 0;
  for (size_t scope = 0; scope < kNumEnumerators<ChangeScope>; ++scope) {
    absl::StrAppend(&text, ScopeText(rows, static_cast<ChangeScope>(scope), most, latency_s, options, &left_out));
  }
  const std::string more = left_out > 0 ? absl::StrCat("and ", left_out, " more; ") : "";
  const std::string how = absl::StrCat(more,
                                       "rows stand alone, a sum of several is a row of its own; savings are for "
                                       "the inputs of this analysis, rates in inputs");
  return absl::StrCat(text, Wrapped(how, "  ", "  ", options), FirstCommand(view, rows));
}

std::string CuresText(const View& view, const ReportOptions& options) {
  const std::string notes = NotesText(view, options);
  return absl::StrCat(
      HeaderText(view, options), "\n", "  Latency      ",
      view.summary.latency_s ? FormatSeconds(*view.summary.latency_s) : "unknown", "\n\n", WhatIfText(view, options),
      notes.empty() ? "" : absl::StrCat("\n", Paint("Notes", Style::kBold, options.color), "\n", notes));
}

}  // namespace hwest
