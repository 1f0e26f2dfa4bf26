// The text report of an analysis: what it costs, where the time goes, what runs where and why.
#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr int64_t kDefaultTop = 10;
constexpr size_t kBarWidth = 20;

class AnalysisWriter {
 public:
  AnalysisWriter(const View& view, const ReportOptions& options) : view_(view), options_(options) {}

  std::string Text() const {
    std::string text = absl::StrCat(HeaderText(view_, options_.color), Idle(), "\n", Summary());
    for (const std::string& section :
         {Convention(), Bounds(), Units(), Costs(), Segments(), Fallback(), WhatIfText(view_, options_), GenerationText(view_, options_),
          Coverage(),
          Notes()}) {
      if (!section.empty()) absl::StrAppend(&text, "\n", section);
    }
    return text;
  }

 private:
  double Total() const { return view_.summary.latency_s.value_or(0); }
  std::string Share(double seconds) const { return Total() > 0 ? Percent(seconds / Total()) : "-"; }
  std::string Title(absl::string_view text) const {
    return absl::StrCat(Paint(text, Style::kBold, options_.color), "\n");
  }
  std::string UnitName(UnitId unit) const { return unit.valid() ? view_.units[unit.index()].name : "none"; }

  std::string Summary() const;
  // What the plan gains over the greedy one.
  std::string Greedy() const {
    const std::optional<double>& greedy_s = view_.summary.greedy_latency_s;
    return greedy_s ? absl::StrCat("; longest segments first would take ", FormatSeconds(*greedy_s)) : "";
  }
  std::string Convention() const {
    const auto& convention = view_.summary.flops_as;
    return convention.has_value() ? ConventionText(*convention, options_.color) : "";
  }
  std::string Idle() const {
    const std::string idle = IdleText(view_);
    return idle.empty() ? "" : Paint(Wrapped(idle, "  ", "  "), Style::kWarn, options_.color);
  }
  std::string Bounds() const;
  std::string Units() const;
  std::string Costs() const;
  std::string Segments() const;
  std::string SegmentTable(const std::vector<size_t>& rows) const;
  std::string Fallback() const;
  std::string Coverage() const { return absl::StrCat(Title("Coverage"), CoverageText(view_)); }
  std::string Notes() const {
    const std::string notes = NotesText(view_);
    return notes.empty() ? "" : absl::StrCat(Title("Notes"), notes);
  }
  std::string GroupTable() const;
  std::string ModuleTable() const;

  const View& view_;
  const ReportOptions& options_;
};

std::string EnergyText(const SummaryView& s) {
  const EnergyParts& parts = *s.energy;
  const auto share = [&](double joules) { return Percent(*s.energy_j > 0 ? joules / *s.energy_j : 0); };
  return absl::StrCat("compute ", share(parts.compute_j), ", on-chip ", share(parts.onchip_j), ", DRAM ",
                      share(parts.dram_j), ", static ", share(parts.static_j), ", moves ", share(s.moves_j));
}

std::string AnalysisWriter::Summary() const {
  const SummaryView& s = view_.summary;
  const ModelFacts& model = view_.model;
  const auto line = [&](absl::string_view name, const std::string& figure, const std::string& rest) {
    const std::string blanks(figure.size() < 16 ? 16 - figure.size() : 1, ' ');
    return absl::StrCat("  ", absl::StrFormat("%-13s", name), Paint(figure, Style::kBold, options_.color),
                        rest.empty() ? "" : blanks, rest, "\n");
  };
  const auto range = [](const std::optional<double>& low, const std::optional<double>& high, auto format) {
    return low && high ? absl::StrCat(format(*low), " to ", format(*high)) : std::string();
  };
  std::string text;
  if (s.latency_s) {
    absl::StrAppend(&text, line("Latency", FormatSeconds(*s.latency_s),
                                absl::StrCat(range(s.latency_low_s, s.latency_high_s, FormatSeconds), "   ",
                                             s.grade ? GradeText(*s.grade) : "")));
  }
  if (s.overlap_latency_s) {
    absl::StrAppend(&text, line("Overlapped", FormatSeconds(*s.overlap_latency_s),
                                "latency with independent branches side by side; all else here is the serial plan"));
  }
  if (s.throughput_per_s) {
    absl::StrAppend(&text, line("Throughput", RateFigure(view_), RateRest(view_)));
  }
  if (s.energy_j) {
    absl::StrAppend(&text, line("Energy", FormatJoules(*s.energy_j),
                                absl::StrCat(range(s.energy_low_j, s.energy_high_j, FormatJoules),
                                             s.power_w ? absl::StrFormat("   %.3g W on average", *s.power_w) : "")));
    absl::StrAppend(&text, "  ", absl::StrFormat("%-13s", "  by part"), EnergyText(s), "\n");
  } else {
    absl::StrAppend(&text, line("Energy", "unknown", "the target states no energy figures"));
  }
  if (s.peak_memory_bytes) {
    absl::StrAppend(&text, line("Peak memory", FormatBytes(static_cast<double>(*s.peak_memory_bytes)),
                                absl::StrCat("weights ", BytesText(model.deployed_bytes), " as deployed, ",
                                             BytesText(model.params.stored_bytes), " in the file")));
  }
  absl::StrAppend(&text, line("Work", WithUnit(s.macs, "MACs"),
                              absl::StrCat(WithUnit(s.flops, "FLOP"), ", ",
                                           FormatCount(static_cast<double>(model.params.params)), " parameters")));
  const std::string causal = CausalText(s);
  if (!causal.empty()) absl::StrAppend(&text, line("", "", causal));
  if (s.intensity) {
    absl::StrAppend(&text, line("Intensity", absl::StrFormat("%.4g FLOP/B", *s.intensity),
                                absl::StrCat(BytesText(s.moved_bytes), " moved")));
  }
  const auto most = std::max_element(view_.bounds.begin(), view_.bounds.end(),
                                     [](const BoundRow& a, const BoundRow& b) { return a.time_s < b.time_s; });
  if (most != view_.bounds.end() && most->time_s > 0) {
    absl::StrAppend(
        &text, line("Bound", std::string(BoundName(most->bound)), absl::StrCat(Share(most->time_s), " of the time")));
  }
  if (s.gap && view_.segments.size() > 1) {
    absl::StrAppend(&text, line("Placement", *s.gap <= 0 ? "optimal" : absl::StrCat("within ", Percent(*s.gap)),
                                absl::StrCat(*s.gap <= 0 ? "under the cost model" : "of the proven optimum", Greedy())));
  }
  return text;
}

std::string AnalysisWriter::Bounds() const {
  TextTable table({{.title = "bound"},
                   {.title = "share", .align = Align::kRight},
                   {.title = "", .style = Style::kAccent},
                   {.title = "time", .align = Align::kRight},
                   {.title = "groups", .align = Align::kRight},
                   {.title = "FLOP", .align = Align::kRight},
                   {.title = "moved", .align = Align::kRight}});
  for (const BoundRow& row : view_.bounds) {
    table.Add({std::string(BoundName(row.bound)), Share(row.time_s),
               Bar(Total() > 0 ? row.time_s / Total() : 0, kBarWidth), FormatSeconds(row.time_s),
               absl::StrCat(row.groups), FormatCount(static_cast<double>(row.flops)),
               FormatBytes(static_cast<double>(row.bytes))});
  }
  return table.empty() ? "" : absl::StrCat(Title("Time by bound"), table.Print(options_.color));
}

std::string AnalysisWriter::Units() const {
  TextTable table({{.title = "unit"},
                   {.title = "share", .align = Align::kRight},
                   {.title = "", .style = Style::kAccent},
                   {.title = "busy", .align = Align::kRight},
                   {.title = "groups", .align = Align::kRight},
                   {.title = "MACs", .align = Align::kRight},
                   {.title = "energy", .align = Align::kRight},
                   {.title = "toolchain", .squeeze = Squeeze::kShorten}});
  double busy = 0;
  for (const UnitRow& unit : view_.units) {
    if (!unit.placeable && unit.groups == 0) continue;
    busy += unit.busy_s;
    table.Add({unit.name, Share(unit.busy_s), Bar(Total() > 0 ? unit.busy_s / Total() : 0, kBarWidth),
               FormatSeconds(unit.busy_s), absl::StrCat(unit.groups), FormatCount(static_cast<double>(unit.macs)),
               unit.energy_j ? FormatJoules(*unit.energy_j) : "unknown", unit.toolchain.value_or("-")});
  }
  return table.empty() ? "" : absl::StrCat(Title("Units"), table.Print(options_.color));
}

std::string AnalysisWriter::GroupTable() const {
  std::vector<double> costs;
  for (const GroupRow& group : view_.groups) costs.push_back(group.estimate ? group.estimate->time_s : 0);
  const std::vector<size_t> rows = DearestRows(costs, options_.top.value_or(kDefaultTop));
  TextTable table({{.title = "id", .align = Align::kRight, .style = Style::kDim},
                   {.title = "time", .align = Align::kRight},
                   {.title = "share", .align = Align::kRight},
                   {.title = "bound"},
                   {.title = "unit"},
                   {.title = "type"},
                   {.title = "MACs", .align = Align::kRight},
                   {.title = "kernel", .squeeze = Squeeze::kShorten},
                   {.title = "node", .squeeze = Squeeze::kShorten}});
  for (const size_t i : rows) {
    const GroupRow& group = view_.groups[i];
    const Estimate* estimate = group.estimate ? &*group.estimate : nullptr;
    table.Add({absl::StrCat(group.id.index()), estimate ? FormatSeconds(estimate->time_s) : "unknown",
               estimate ? Share(estimate->time_s) : "-", estimate ? std::string(BoundName(estimate->bound)) : "-",
               UnitName(group.unit), group.precision.value_or("-"),
               group.macs ? FormatCount(static_cast<double>(*group.macs)) : "unknown", group.pattern, group.label});
  }
  const std::string title = rows.size() < view_.groups.size()
                                ? absl::StrCat("Top ", rows.size(), " of ", view_.groups.size(), " groups")
                                : absl::StrCat("All ", rows.size(), " groups");
  return absl::StrCat(Title(title), table.Print(options_.color));
}

std::string AnalysisWriter::ModuleTable() const {
  std::vector<double> costs;
  for (const ModuleView& module : view_.modules) costs.push_back(module.time_s.value_or(0));
  const std::vector<size_t> rows = DearestRows(costs, options_.top.value_or(kDefaultTop));
  TextTable table({{.title = "time", .align = Align::kRight},
                   {.title = "share", .align = Align::kRight},
                   {.title = "nodes", .align = Align::kRight},
                   {.title = "MACs", .align = Align::kRight},
                   {.title = "params", .align = Align::kRight},
                   {.title = "energy", .align = Align::kRight},
                   {.title = "module", .squeeze = Squeeze::kShorten},
                   {.title = "class", .squeeze = Squeeze::kShorten}});
  for (const size_t i : rows) {
    const ModuleView& module = view_.modules[i];
    table.Add({module.time_s ? FormatSeconds(*module.time_s) : "unknown", module.time_s ? Share(*module.time_s) : "-",
               absl::StrCat(module.nodes), CountText(module.macs), FormatCount(static_cast<double>(module.params)),
               module.energy_j ? FormatJoules(*module.energy_j) : "unknown",
               module.path.empty() ? "(root)" : module.path, module.class_name.value_or("-")});
  }
  if (rows.empty()) return absl::StrCat(Title("Modules"), "  the file names no modules\n");
  return absl::StrCat(Title(absl::StrCat("Top ", rows.size(), " of ", view_.modules.size(), " modules")),
                      table.Print(options_.color));
}

std::string AnalysisWriter::Costs() const {
  switch (options_.level.value_or(Level::kGroup)) {
    case Level::kNode:
      return NodeTableText(view_, options_, kDefaultTop);
    case Level::kGroup:
      return GroupTable();
    case Level::kModule:
      return ModuleTable();
    case Level::kSegment:  // these two tables are always there
    case Level::kUnit:
      break;
  }
  return "";
}

std::string AnalysisWriter::SegmentTable(const std::vector<size_t>& rows) const {
  TextTable table({{.title = "id", .align = Align::kRight, .style = Style::kDim},
                   {.title = "unit"},
                   {.title = "groups", .align = Align::kRight},
                   {.title = "time", .align = Align::kRight},
                   {.title = "invoke", .align = Align::kRight},
                   {.title = "transfer", .align = Align::kRight},
                   {.title = "in", .align = Align::kRight},
                   {.title = "starts here because", .squeeze = Squeeze::kWrap}});
  for (const size_t i : rows) {
    const SegmentRow& segment = view_.segments[i];
    table.Add({absl::StrCat(segment.id.index()), UnitName(segment.unit), absl::StrCat(segment.groups.size()),
               FormatSeconds(segment.time_s), FormatSeconds(segment.invoke_s), FormatSeconds(segment.transfer_s),
               BytesText(segment.in_bytes), segment.reason});
  }
  return table.Print(options_.color);
}

// In order of execution; with more segments than --top the dearest, still in order.
std::string AnalysisWriter::Segments() const {
  if (view_.segments.empty()) return "";
  std::vector<double> costs;
  for (const SegmentRow& segment : view_.segments) {
    costs.push_back(segment.time_s + segment.invoke_s + segment.transfer_s);
  }
  std::vector<size_t> rows = DearestRows(costs, options_.top.value_or(kDefaultTop));
  std::sort(rows.begin(), rows.end());
  const std::string title = rows.size() < costs.size() ? absl::StrCat("Segments, the ", rows.size(), " dearest of ",
                                                                      costs.size(), " (--top 0 for all)")
                                                       : absl::StrCat("Segments");
  return absl::StrCat(Title(title), SegmentTable(rows));
}

std::string AnalysisWriter::Fallback() const {
  struct Row {
    size_t groups = 0;
    std::optional<double> time_s;
    std::string example;
  };
  const bool has_accelerator = std::any_of(view_.units.begin(), view_.units.end(),
                                           [](const UnitRow& unit) { return !unit.is_cpu && unit.placeable; });
  std::map<std::pair<std::string, std::string>, Row> rows;  // (kernel, why)
  for (const GroupRow& group : view_.groups) {
    const bool on_cpu = group.unit.valid() && view_.units[group.unit.index()].is_cpu;
    if (group.unit.valid() && !(on_cpu && has_accelerator)) continue;
    Row& row = rows[{group.pattern, WhyNotText(view_, group)}];
    if (row.groups++ == 0) row.example = group.label;
    if (group.estimate) row.time_s = row.time_s.value_or(0) + group.estimate->time_s;
  }
  if (rows.empty()) return "";
  TextTable table({{.title = "kernel", .squeeze = Squeeze::kShorten},
                   {.title = "groups", .align = Align::kRight},
                   {.title = "time", .align = Align::kRight},
                   {.title = "first node", .squeeze = Squeeze::kShorten},
                   {.title = "why", .squeeze = Squeeze::kWrap, .style = Style::kWarn}});
  for (const auto& [key, row] : rows) {
    table.Add({Shorten(key.first, 20), absl::StrCat(row.groups), row.time_s ? FormatSeconds(*row.time_s) : "unknown",
               Shorten(EscapeControl(row.example), 24), key.second});
  }
  return absl::StrCat(Title(has_accelerator ? "Not on an accelerator" : "Not placed"), table.Print(options_.color));
}

}  // namespace

std::string AnalysisText(const View& view, const ReportOptions& options) {
  return AnalysisWriter(view, options).Text();
}

}  // namespace hwest
