// Documents about memory plans: text, tables, a page, and an array of offsets in C.
#include "hwest/memory.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/chart.h"
#include "report/document.h"
#include "report/memory_parts.h"
#include "report/still_page.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr size_t kTensorsAtPeak = 8;
constexpr size_t kTextWidth = 78;  // of the map, where the page is no narrower

std::string Bytes(int64_t bytes) { return FormatBytes(static_cast<double>(bytes)); }

std::string NameOf(const View& view, ValueId value) { return view.values[value.index()].name; }

std::string NodeAtPeak(const MemoryReport& report, const View& view) {
  return report.peak_group.valid() ? view.groups[report.peak_group.index()].label : std::string();
}

const std::string& MemoryName(const MemoryReport& report, const Lifetime& row) {
  return report.analysis->target->memories[row.memory].name;
}

// JSON

const std::vector<std::string> kTensorKeys = {"name", "value", "memory", "offset", "bytes", "first", "last", "place"};

Cells TensorCells(const MemoryReport& report, const View& view, const Lifetime& row) {
  const bool is_known = row.bytes.has_value();
  return {NameOf(view, row.value),
          static_cast<int64_t>(row.value.index()),
          MemoryName(report, row),
          is_known ? Cell(row.offset) : Cell(),
          row.bytes,
          static_cast<int64_t>(row.first.index()),
          static_cast<int64_t>(row.last.index()),
          row.place == row.value ? Cell() : Cell(NameOf(view, row.place))};
}

CellTable TensorTable(const MemoryReport& report, const View& view, const std::vector<Lifetime>& tensors) {
  std::vector<Cells> rows;
  for (const Lifetime& row : tensors) rows.push_back(TensorCells(report, view, row));
  return TableOfCells(kTensorKeys, std::move(rows));
}

CellTable MemoryTable(const MemoryReport& report) {
  std::vector<Cells> rows;
  for (const MemoryUse& use : report.memories) {
    rows.push_back({use.name, use.holds, use.size_bytes, use.used_bytes(), use.fits(), use.weights_bytes,
                    use.activations_bytes, use.least_bytes, use.cache_bytes});
  }
  return TableOfCells({"name", "holds", "size_bytes", "used_bytes", "fits", "weights_bytes", "activations_bytes",
                       "lower_bound_bytes", "cache_bytes"},
                      std::move(rows));
}

Cell PeakCell(const MemoryReport& report, const View& view) {
  Cell tensors = Cell::OfList();
  for (const Lifetime& row : report.at_peak) {
    tensors.push_back(
        Cell{{"name", NameOf(view, row.value)}, {"bytes", row.bytes}, {"memory", MemoryName(report, row)}});
  }
  const bool has_group = report.peak_group.valid();
  return Cell{{"bytes", report.peak_bytes},
              {"node", has_group ? Cell(NodeAtPeak(report, view)) : Cell()},
              {"group", has_group ? Cell(static_cast<int64_t>(report.peak_group.index())) : Cell()},
              {"tensors", std::move(tensors)}};
}

CellTable CureTable(const MemoryReport& report) {
  std::vector<Cells> rows;
  for (const MemoryCure& cure : report.cures) {
    rows.push_back({cure.what, cure.peak_bytes, cure.cost, cure.command.empty() ? Cell() : Cell(cure.command)});
  }
  return TableOfCells({"change", "peak_bytes", "cost", "command"}, std::move(rows));
}

CellTable ArenaTable(const MemoryReport& report) {
  std::vector<Cells> rows;
  for (const ArenaFit& fit : report.arenas) rows.push_back({fit.bytes, FitVerdictName(fit.verdict), fit.advice});
  return TableOfCells({"bytes", "verdict", "advice"}, std::move(rows));
}

Cell RangeCell(const MemoryReport& report) {
  if (!report.range.has_value()) return {};
  const RangeFit& range = *report.range;
  Cell tried = Cell::OfList();
  for (const auto& [value, used] : range.tried) tried.push_back(Cell{{"value", value}, {"used_bytes", used}});
  return Cell{{"dim", range.dim}, {"first", range.first}, {"last", range.last}, {"tried", std::move(tried)}};
}

Document DocumentOf(const MemoryReport& report, const View& view) {
  Document document = HeadOf(ReportKind::kMemory, view);
  auto& parts = document.parts;
  const std::optional<int64_t> from = report.range.has_value() ? report.range->from : std::nullopt;
  parts.push_back(
      {"verdict", Cell{{"word", FitVerdictName(report.verdict)}, {"from", from}, {"reason", report.reason}}});
  parts.push_back({"peak", PeakCell(report, view)});
  parts.push_back({"lower_bound_bytes", report.lower_bound_bytes});
  parts.push_back({"memories", MemoryTable(report)});
  parts.push_back({"tensors", TensorTable(report, view, report.analysis->plan->lifetimes)});
  parts.push_back({"cures", CureTable(report)});
  parts.push_back({"arenas", ArenaTable(report)});
  parts.push_back({"range", RangeCell(report)});
  document.tables = {"tensors", "memories", "cures", "arenas"};
  return document;
}

// Text

std::string VerdictText(const MemoryReport& report) {
  switch (report.verdict) {
    case FitVerdict::kFits: return absl::StrCat("Fits", report.reason.empty() ? "" : ": ", report.reason, ".");
    case FitVerdict::kDoesNotFit: {
      const bool has_from = report.range.has_value() && report.range->from.has_value();
      return absl::StrCat("Does not fit",
                          has_from ? absl::StrCat(" from ", report.range->dim, " = ", *report.range->from, " on") : "",
                          ": ", report.reason, ".");
    }
    case FitVerdict::kUnknown: break;
  }
  return absl::StrCat("Not known whether it fits: ", report.reason, ".");
}

std::string RangeText(const MemoryReport& report) {
  if (!report.range.has_value()) return "";
  return absl::StrCat("For ", report.range->dim, " from ", report.range->first, " to ", report.range->last, ": ");
}

struct Section {
  std::string heading;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

Section MemorySection(const MemoryReport& report) {
  Section section{"Memories",
                  {{.title = "memory"},
                   {.title = "kind"},
                   {.title = "size", .align = Align::kRight},
                   {.title = "weights", .align = Align::kRight},
                   {.title = "activations", .align = Align::kRight},
                   {.title = "used", .align = Align::kRight},
                   {.title = "fits"}},
                  {}};
  for (const MemoryUse& use : report.memories) {
    const std::string caches = use.cache_bytes > 0 ? absl::StrCat(", ", Bytes(use.cache_bytes), " of them caches") : "";
    section.rows.push_back({use.name, use.holds, BytesText(use.size_bytes), Bytes(use.weights_bytes),
                            absl::StrCat(Bytes(use.activations_bytes), caches), Bytes(use.used_bytes()),
                            !use.fits().has_value() ? "unknown"
                            : *use.fits()           ? "yes"
                                                    : "no"});
  }
  return section;
}

std::string PeakHeading(const MemoryReport& report, const View& view) {
  const int64_t gaps = report.peak_bytes - report.lower_bound_bytes;
  return absl::StrCat(
      "Peak: ", Bytes(report.peak_bytes), " of activations",
      report.peak_group.valid()
          ? absl::StrCat(" in g", report.peak_group.index(), " ", EscapeControl(NodeAtPeak(report, view)))
          : "",
      gaps > 0 ? absl::StrCat(", ", Bytes(gaps), " of them unused between tensors") : ", as much as is alive at once");
}

std::vector<Column> TensorColumns() {
  return {{.title = "tensor", .squeeze = Squeeze::kShorten},
          {.title = "bytes", .align = Align::kRight},
          {.title = "memory"},
          {.title = "offset", .align = Align::kRight},
          {.title = "groups"},
          {.title = "in place with", .squeeze = Squeeze::kShorten, .spare = 1}};
}

std::vector<std::string> TensorRow(const MemoryReport& report, const View& view, const Lifetime& row) {
  const bool is_known = row.bytes.has_value();
  return {EscapeControl(NameOf(view, row.value)),
          is_known ? absl::StrCat(*row.bytes) : "unknown",
          MemoryName(report, row),
          is_known ? absl::StrCat(row.offset) : "unknown",
          row.first == row.last ? absl::StrCat("g", row.first.index())
                                : absl::StrCat("g", row.first.index(), " to g", row.last.index()),
          row.place == row.value ? "" : EscapeControl(NameOf(view, row.place))};
}

Section PeakSection(const MemoryReport& report, const View& view) {
  Section section{PeakHeading(report, view), TensorColumns(), {}};
  for (size_t i = 0; i < report.at_peak.size() && i < kTensorsAtPeak; ++i) {
    section.rows.push_back(TensorRow(report, view, report.at_peak[i]));
  }
  const size_t more = report.at_peak.size() - section.rows.size();
  if (more > 0) section.rows.push_back({absl::StrCat("and ", more, " more"), "", "", "", "", ""});
  return section;
}

Section CureSection(const MemoryReport& report) {
  Section section{"What takes less",
                  {{.title = "change", .squeeze = Squeeze::kWrap},
                   {.title = "peak", .align = Align::kRight},
                   {.title = "less", .align = Align::kRight},
                   {.title = "costs", .squeeze = Squeeze::kWrap},
                   {.title = "flag"}},
                  {}};
  for (const MemoryCure& cure : report.cures) {
    const double share = 1 - static_cast<double>(cure.peak_bytes) / static_cast<double>(report.peak_bytes);
    section.rows.push_back(
        {EscapeControl(cure.what), Bytes(cure.peak_bytes), Percent(share), EscapeControl(cure.cost), cure.command});
  }
  return section;
}

Section ArenaSection(const MemoryReport& report) {
  Section section{
      "Arenas for activations",
      {{.title = "size", .align = Align::kRight}, {.title = "fits"}, {.title = "", .squeeze = Squeeze::kWrap}},
      {}};
  for (const ArenaFit& fit : report.arenas) {
    section.rows.push_back(
        {Bytes(fit.bytes), fit.verdict == FitVerdict::kFits ? "yes" : "no", EscapeControl(fit.advice)});
  }
  return section;
}

Section PlanSection(const MemoryReport& report, const View& view) {
  Section section{"Plan", TensorColumns(), {}};
  for (const Lifetime& row : ByAddress(report)) section.rows.push_back(TensorRow(report, view, row));
  return section;
}

std::vector<Section> SectionsOf(const MemoryReport& report, const View& view, PlanRows rows) {
  std::vector<Section> sections = {MemorySection(report), PeakSection(report, view), CureSection(report),
                                   ArenaSection(report)};
  if (rows == PlanRows::kYes) sections.push_back(PlanSection(report, view));
  return sections;
}

std::string MemoryText(const MemoryReport& report, const View& view, PlanRows rows, const ReportOptions& options) {
  std::string text = absl::StrCat(HeaderText(view, options), "\n",
                                  Wrapped(absl::StrCat(RangeText(report), VerdictText(report)), "", "", options));
  for (const Section& section : SectionsOf(report, view, rows)) {
    if (section.rows.empty()) continue;
    TextTable table(section.columns);
    for (const std::vector<std::string>& row : section.rows) table.Add(row);
    const std::string heading = Wrapped(section.heading, "", "", options);
    absl::StrAppend(&text, "\n", Paint(absl::StripSuffix(heading, "\n"), Style::kBold, options.color), "\n",
                    table.Print(options));
  }
  if (rows == PlanRows::kYes) {
    const size_t width = std::min(kTextWidth, LineWidth(options));
    absl::StrAppend(&text, "\n", MemoryMapText(report, view, width));
  }
  return text;
}

std::string MemoryPage(const MemoryReport& report, const View& view) {
  StillPage page(absl::StrCat("Memory of ", view.request.model, " on ", view.request.target.value_or("")));
  page.Paragraph(absl::StrCat(RangeText(report), VerdictText(report)));
  page.Picture(MemoryMap(report, view));
  for (const Section& section : SectionsOf(report, view, PlanRows::kYes)) {
    if (section.rows.empty()) continue;
    std::vector<std::string> titles;
    for (const Column& column : section.columns) titles.push_back(column.title);
    page.Heading(section.heading);
    page.Table(titles, section.rows);
  }
  return page.Finish();
}

// C

std::string Identifier(absl::string_view name, std::set<std::string>* taken) {
  std::string word;
  for (const char c : name) word += absl::ascii_isalnum(static_cast<unsigned char>(c)) ? absl::ascii_toupper(c) : '_';
  std::string unique = absl::StrCat("TENSOR_", word);
  for (int i = 2; !taken->insert(unique).second; ++i) unique = absl::StrCat("TENSOR_", word, "_", i);
  return unique;
}

std::string CommentText(absl::string_view name) {
  std::string text = EscapeControl(name);
  for (size_t at = text.find("*/"); at != std::string::npos; at = text.find("*/")) text.replace(at, 2, "* /");
  return text;
}

std::string MemoryC(const MemoryReport& report, const View& view) {
  std::string text = absl::StrCat("/* Offsets of the activations of ", CommentText(view.request.model), " on ",
                                  CommentText(view.request.target.value_or("")), ". */\n#include <stdint.h>\n\n");
  for (const MemoryUse& use : report.memories) {
    if (use.activations_bytes == 0) continue;
    absl::StrAppend(&text, "#define ARENA_", absl::AsciiStrToUpper(use.name), "_BYTES ", use.activations_bytes, "\n");
  }
  std::set<std::string> taken;
  std::vector<std::string> names;
  const std::vector<Lifetime> rows = ByAddress(report);
  absl::StrAppend(&text, "\nenum {\n");
  for (const Lifetime& row : rows) {
    names.push_back(Identifier(NameOf(view, row.value), &taken));
    absl::StrAppend(&text, "  ", names.back(), ",\n");
  }
  absl::StrAppend(&text, "  TENSOR_COUNT\n};\n\n",
                  "/* Groups of the plan are counted from 0; a tensor has its bytes from `first` to `last`. */\n",
                  "typedef struct {\n  uint8_t memory;\n  uint64_t offset, bytes;\n  uint32_t first, last;\n",
                  "} tensor_place;\n\nstatic const tensor_place tensor_places[TENSOR_COUNT] = {\n");
  for (size_t i = 0; i < rows.size(); ++i) {
    absl::StrAppendFormat(&text, "  [%s] = {%d, %d, %d, %d, %d}, /* %s in %s */\n", names[i], rows[i].memory,
                          rows[i].offset, rows[i].bytes.value_or(0), rows[i].first.index(), rows[i].last.index(),
                          CommentText(NameOf(view, rows[i].value)), MemoryName(report, rows[i]));
  }
  return absl::StrCat(text, "};\n");
}

}  // namespace

absl::string_view FitVerdictName(FitVerdict verdict) {
  switch (verdict) {
    case FitVerdict::kFits: return "FITS";
    case FitVerdict::kDoesNotFit: return "DOES_NOT_FIT";
    case FitVerdict::kUnknown: break;
  }
  return "UNKNOWN";
}

std::vector<Lifetime> ByAddress(const MemoryReport& report) {
  std::vector<Lifetime> rows = report.analysis->plan->lifetimes;
  std::stable_sort(rows.begin(), rows.end(), [](const Lifetime& a, const Lifetime& b) {
    return std::tie(a.memory, a.offset, a.first) < std::tie(b.memory, b.offset, b.first);
  });
  return rows;
}

absl::Status WriteMemory(const MemoryReport& report, PlanRows rows, const ReportOptions& options, Sink sink) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kMemory, options.format));
  const View view = MakeView(*report.analysis, {.model_path = options.model_path});
  switch (options.format) {
    case Format::kText: return sink(MemoryText(report, view, rows, options));
    case Format::kHtml: return sink(MemoryPage(report, view));
    case Format::kC: return sink(MemoryC(report, view));
    case Format::kSvg:
    case Format::kPng:
    case Format::kPdf: {
      HWEST_ASSIGN_OR_RETURN(const std::string picture,
                             PictureBytes(WithDarkScheme(MemoryMap(report, view).Svg()), options.format));
      return sink(picture);
    }
    default: return WriteDocument(DocumentOf(report, view), options, sink);
  }
}

}  // namespace hwest
