// The model in another tool's convention: view, JSON and text.
#include "absl/strings/str_cat.h"
#include "base/text.h"
#include "report/document.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/view_parts.h"

namespace hwest {

void FillConvention(const Analysis& analysis, View* view) {
  if (!analysis.flops_as.has_value()) return;
  const ConventionTable& table = *analysis.flops_as;
  const ConventionInfo& info = InfoOf(table.convention);
  const auto count = [&](Dim dim) { return CountOf(*analysis.dims, dim); };
  ConventionView to{.name = std::string(info.name),
                    .version = std::string(info.version),
                    .counts = std::string(info.counts),
                    .total = count(table.total),
                    .rows = {}};
  for (const ConventionRow& row : table.rows) {
    to.rows.push_back({.op = row.op,
                       .nodes = row.nodes,
                       .native_macs = count(row.native_macs),
                       .native_flops = count(row.native_flops),
                       .theirs = count(row.theirs),
                       .reason = row.reason});
  }
  view->summary.flops_as = std::move(to);
}

Cell getters::ConventionCell(const std::optional<ConventionView>& view) {
  if (!view.has_value()) return nullptr;
  Cell rows = Cell::OfList();
  for (const ConventionRowView& row : view->rows) {
    rows.push_back(Cell{{"op", row.op},
                        {"nodes", row.nodes},
                        {"native_macs", CountCell(row.native_macs)},
                        {"native_flops", CountCell(row.native_flops)},
                        {"theirs", CountCell(row.theirs)},
                        {"reason", row.reason}});
  }
  return Cell{{"convention", view->name},
              {"version", view->version},
              {"counts", view->counts},
              {"total", CountCell(view->total)},
              {"rows", std::move(rows)}};
}

std::string ConventionText(const ConventionView& view, const ReportOptions& options) {
  const Count none = int64_t{0};
  TextTable table({{.title = "op"},
                   {.title = "nodes", .align = Align::kRight},
                   {.title = "MACs", .align = Align::kRight, .squeeze = Squeeze::kWrap},
                   {.title = "FLOP", .align = Align::kRight, .squeeze = Squeeze::kWrap},
                   {.title = view.name, .align = Align::kRight, .squeeze = Squeeze::kWrap, .style = Style::kAccent},
                   {.title = "because", .squeeze = Squeeze::kWrap, .least = 24}});
  for (const ConventionRowView& row : view.rows) {
    if (row.native_flops == none && row.theirs == none) continue;
    table.Add({row.op, absl::StrCat(row.nodes), CountText(row.native_macs), CountText(row.native_flops),
               CountText(row.theirs), row.reason});
  }
  std::string text =
      absl::StrCat(Paint(absl::StrCat("Counted as ", view.name, " does"), Style::kBold, options.color), "\n");
  absl::StrAppend(&text, Wrapped(absl::StrCat(view.version, ": ", view.counts), "  ", "    ", options));
  absl::StrAppend(&text, Wrapped(absl::StrCat("total ", CountText(view.total)), "  ", "    ", options));
  if (!table.empty()) absl::StrAppend(&text, table.Print(options));
  return text;
}

}  // namespace hwest
