// A compiler's log beside a plan: what both say, and where they disagree.
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "complog/compare.h"
#include "partition/support.h"
#include "report/columns.h"
#include "report/document.h"
#include "report/getters.h"
#include "report/report.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/view_parts.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr int64_t kMostListed = 20;

std::string SharePart(int64_t part, int64_t all) {
  if (all == 0) return "";
  return absl::StrCat(" (", Percent(static_cast<double>(part) / static_cast<double>(all)), ")");
}

std::string LogTotalsText(const LogComparison& log, const ReportOptions& options) {
  const auto nodes = static_cast<int64_t>(log.nodes.size());
  std::vector<std::string> lines = {
      absl::StrCat(log.agree, " of ", nodes, " nodes run where the log puts them", SharePart(log.agree, nodes))};
  if (log.unnamed > 0) lines.push_back(absl::StrCat(log.unnamed, " nodes of the plan are not in the log"));
  if (log.unmatched > 0) lines.push_back(absl::StrCat(log.unmatched, " kernels of the log name no node of the model"));
  if (log.edges.has_value()) {
    lines.push_back(absl::StrCat(
        *log.log_kernels, " kernels in the log, ", *log.plan_groups, " in the plan; ", *log.edges_agree, " of ",
        *log.edges, " edges lie inside one kernel in both or in neither", SharePart(*log.edges_agree, *log.edges)));
  }
  if (log.log_segments.has_value()) {
    lines.push_back(absl::StrCat(*log.log_segments, " segments of the accelerator in the log, ", *log.plan_segments,
                                 " in the plan"));
  }
  std::string text;
  for (const std::string& line : lines) absl::StrAppend(&text, Wrapped(line, "  ", "    ", options));
  return text;
}

std::string DisagreementsText(const LogComparison& log, const View& view, const ReportOptions& options) {
  TextTable table({{.title = "node", .squeeze = Squeeze::kShorten},
                   {.title = "op"},
                   {.title = "compiler"},
                   {.title = "here"},
                   {.title = "why", .squeeze = Squeeze::kWrap, .style = Style::kWarn}});
  const int64_t most = options.top.value_or(kMostListed);
  int64_t left_out = 0, shown = 0;
  for (const LogNode& node : log.nodes) {
    if (node.agrees) continue;
    if (most > 0 && shown == most) {
      ++left_out;
      continue;
    }
    ++shown;
    const std::optional<std::string> refusal = getters::RefusalIn(node.node, view);
    std::vector<std::string> why;
    if (refusal.has_value()) why.push_back(absl::StrCat("here: ", *refusal));
    if (!node.reason.empty()) why.push_back(absl::StrCat("compiler: ", EscapeControl(node.reason)));
    table.Add({getters::LabelOf(node.node, view), std::string(view.graph->op(node.node)), EscapeControl(node.log_unit),
               view.units[node.unit.index()].name, absl::StrJoin(why, "; ")});
  }
  if (table.empty()) return "";
  const std::string more = left_out > 0 ? absl::StrCat("  and ", left_out, " more, see --json\n") : "";
  return absl::StrCat("\n", table.Print(options), more);
}

std::string ImportLogText(const LogComparison& log, const View& view, const ReportOptions& options) {
  return absl::StrCat(HeaderText(view, options),
                      Wrapped(absl::StrCat("beside the log of ", EscapeControl(log.program)), "  ", "  ", options),
                      "\n", LogTotalsText(log, options), DisagreementsText(log, view, options));
}

}  // namespace

absl::Status WriteLogComparison(const LogComparison& log, const Analysis& analysis, const ReportOptions& options,
                                Sink sink) {
  const View view = MakeView(analysis, {.model_path = options.model_path});
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kImportLog, options.format));
  if (options.format == Format::kText) return sink(ImportLogText(log, view, options));
  Document document = HeadOf(ReportKind::kImportLog, view);
  document.parts.push_back(PartOfRow("totals", log));
  document.parts.push_back({"nodes", TableOfRows(log.nodes, view)});
  document.tables = {"nodes"};
  return WriteDocument(document, options, sink);
}

namespace getters {

// The first accelerator that takes work, if it refuses the node.
UnitId RefusedBy(NodeId node, const View& view) {
  for (uint32_t u = 0; u < view.units.size(); ++u) {
    if (view.units[u].is_cpu || !view.units[u].placeable) continue;
    const Support* support = view.support_of(node, UnitId(u));
    return support != nullptr && support->verdict == Verdict::kNo ? UnitId(u) : UnitId();
  }
  return UnitId();
}

std::optional<std::string> RefusalIn(NodeId node, const View& view) {
  const UnitId unit = RefusedBy(node, view);
  if (!unit.valid()) return std::nullopt;
  return SupportText(*view.support_of(node, unit), view.evidence_of(node, unit));
}

std::optional<EvidenceKind> EvidenceIn(NodeId node, const View& view) {
  const UnitId unit = RefusedBy(node, view);
  return unit.valid() ? view.evidence_of(node, unit) : std::nullopt;
}

std::optional<double> EdgesShare(const LogComparison& log) {
  if (!log.edges.has_value()) return std::nullopt;
  return RatioOf(static_cast<double>(*log.edges_agree), static_cast<double>(*log.edges));
}

}  // namespace getters
}  // namespace hwest
