// Documents about targets, about this program, and errors.
#include <cmath>
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/view_parts.h"
#include "report/writers.h"
#include "target/names.h"
#include "target/params.h"
#include "target/schema.h"
#include "target/settable.h"

namespace hwest {
namespace {

Cell NoRequest(absl::string_view target, const ReportOptions& options) {
  return Cell{{"model", NonEmpty(options.model_path)},
              {"target", NonEmpty(target)},
              {"mode", nullptr},
              {"precision", nullptr},
              {"objective", nullptr},
              {"batch", nullptr},
              {"dims", Cell::OfObject()},
              {"host", nullptr}};
}

Document DocumentOf(ReportKind kind, absl::string_view target, const ReportOptions& options) {
  Document document;
  document.kind = kind;
  Part request{"request", NoRequest(target, options)};
  for (const Cell::Member& member : *std::get<Cell>(request.content).object()) {
    request.columns.push_back({member.first, "", true});  // nothing of an analysis is asked for here
  }
  document.parts.push_back(std::move(request));
  document.parts.push_back({"diagnostics", CellTable{}});
  return document;
}

// One line each, cut only at the edge of a terminal.
std::string TargetLines(absl::Span<const TargetSummary> targets, const ReportOptions& options) {
  TextTable table(
      {{.title = "name", .style = Style::kAccent}, {.title = "summary", .squeeze = Squeeze::kCut, .least = 8}});
  for (const TargetSummary& target : targets) {
    const std::string aliases = absl::StrJoin(target.aliases, ", ");
    table.Add({target.name, aliases.empty() ? target.summary : absl::StrCat(target.summary, "; also ", aliases)});
  }
  const std::string more =
      absl::StrCat(targets.size(), " targets; --json has units and modes, `targets show NAME` all figures");
  return absl::StrCat(table.Print(options), Wrapped(more, "  ", "  ", options));
}

}  // namespace

absl::Status WriteTargets(absl::Span<const TargetSummary> targets, const ReportOptions& options, Sink sink) {
  if (options.format == Format::kText) return sink(TargetLines(targets, options));
  Document document = DocumentOf(ReportKind::kTargets, "", options);
  document.parts.push_back({"targets", TableOfRows(targets)});
  document.tables = {"targets"};
  return WriteDocument(document, options, sink);
}

namespace {

// What a field means, in the words of target.proto.
std::string MeaningOf(absl::string_view message, absl::string_view field) {
  static const auto* const format = new std::vector<FormatRow>(TargetFormat());
  for (const FormatRow& row : *format) {
    if (row.in == message && row.name == field) return row.meaning;
  }
  return "";
}

std::string MeaningOf(const Settable& figure) {
  constexpr std::pair<absl::string_view, absl::string_view> kOwn[] = {
      {"rows", "of the array of multipliers: input channels; CONTRACTION rates follow in proportion"},
      {"columns", "of the array of multipliers: output channels; CONTRACTION rates follow in proportion"},
      {"macs", "a cycle and core at the usual precision; other CONTRACTION rates follow in proportion"}};
  const std::string word = figure.path.substr(figure.path.find('.') + 1);
  for (const auto& [name, meaning] : kOwn) {
    if (word == name) return std::string(meaning);
  }
  const std::string part = figure.fact.substr(0, figure.fact.find('/'));
  const std::string field = figure.fact.empty() ? word : figure.fact.substr(figure.fact.rfind('/') + 1);
  return MeaningOf(part == "memory" ? "Memory" : part == "link" ? "Link" : "Unit", field);
}

// A row for each figure that --set and --vary take; those of the cost models with what applies where the file is
// silent.
CellTable ParametersTable(const Target& target) {
  std::vector<Cells> rows;
  const std::vector<ParamInEffect> params = ParamsOf(target);
  for (const Settable& figure : SettablesOf(target)) {
    if (absl::StrContains(figure.fact, "/param/")) continue;
    rows.push_back({figure.path, Cell(figure.value), NonEmpty(figure.measure), false, Cell(figure.min),
                    std::isfinite(figure.max) ? Cell(figure.max) : Cell(), Cell(), MeaningOf(figure)});
  }
  for (const ParamInEffect& param : params) {
    const bool is_number = param.words.empty() && std::isfinite(param.value);
    rows.push_back({param.set, is_number ? Cell(param.value) : Cell(), NonEmpty(param.measure), param.is_default,
                    param.min, param.max, param.default_text, param.meaning});
  }
  CellTable table =
      TableOfCells({"set", "value", "unit", "is_default", "min", "max", "default", "meaning"}, std::move(rows));
  for (ColumnInfo& column : table.columns) column.has_none = true;
  return table;
}

// Everything by which two targets may differ, by path.
std::map<std::string, Cell> EverythingOf(const Target& target) {
  std::map<std::string, Cell> all;
  for (const TargetFact& fact : FactsOf(target)) all[fact.path] = fact.value;
  for (const ParamInEffect& param : ParamsOf(target)) {
    if (param.is_default) all[param.path] = param.words.empty() ? Cell(param.value) : Cell(param.words);
  }
  for (const Unit& unit : target.units) {
    const std::string at = absl::StrCat("unit/", unit.name, "/");
    all[at + "kind"] = std::string(UnitKindName(unit.kind));
    all[at + "toolchain"] = NonEmpty(unit.toolchain);
    all[at + "precision"] = NonEmpty(NumName(unit.precision));
    all[at + "cores"] = unit.cores;
    all[at + "instances"] = unit.instances;
    for (size_t t = 0; t < unit.tiles.size(); ++t) {
      const Tile& tile = unit.tiles[t];
      all[absl::StrCat(at, "tile/", t)] = absl::StrCat(tile.m, " x ", tile.n, " x ", tile.k);
    }
  }
  return all;
}

CellTable DifferencesTable(const Target& a, const Target& b) {
  const std::map<std::string, Cell> of_a = EverythingOf(a), of_b = EverythingOf(b);
  std::vector<Cells> rows;
  const auto add = [&](const std::string& path, const Cell& one, const Cell& other) {
    if (DumpJson(one) == DumpJson(other)) return;
    const bool are_numbers = one.is_number() && other.is_number() && one.figure() != 0;
    rows.push_back(
        {path, one, other, NonEmpty(MeasureOf(path)), are_numbers ? Cell(other.figure() / one.figure()) : Cell()});
  };
  for (const auto& [path, value] : of_a) {
    const auto other = of_b.find(path);
    add(path, value, other == of_b.end() ? Cell() : other->second);
  }
  for (const auto& [path, value] : of_b) {
    if (of_a.count(path) == 0) add(path, Cell(), value);
  }
  CellTable table = TableOfCells({"path", "a", "b", "unit", "ratio"}, std::move(rows));
  for (ColumnInfo& column : table.columns) column.has_none = true;
  return table;
}

}  // namespace

absl::Status WriteTargetDiff(const Target& a, const Target& b, const ReportOptions& options, Sink sink) {
  Document document = DocumentOf(ReportKind::kTarget, a.name, options);
  document.parts.push_back(PartOfRow("a", SummaryOf(a)));
  document.parts.push_back(PartOfRow("b", SummaryOf(b)));
  document.parts.push_back({"differences", DifferencesTable(a, b)});
  document.tables = {"differences"};
  return WriteDocument(document, options, sink);
}

absl::Status WriteTarget(const Target& target, const ReportOptions& options, Sink sink) {
  const std::vector<TargetFact> facts = FactsOf(target);
  Document document = DocumentOf(ReportKind::kTarget, target.name, options);
  document.parts.push_back(PartOfRow("target", SummaryOf(target)));
  document.parts.push_back({"facts", TableOfRows(facts)});
  document.parts.push_back({"parameters", ParametersTable(target)});
  document.tables = {"facts", "parameters"};
  return WriteDocument(document, options, sink);
}

absl::Status WriteLint(absl::Span<const LintReport> reports, const ReportOptions& options, Sink sink) {
  std::vector<Cells> files, shares, problems;
  for (const LintReport& report : reports) {
    Cell trust = Cell::OfObject();
    for (const TrustShare& row : report.trust) {
      const std::string name(TrustName(row.trust));
      trust.Set(name, row.count);
      shares.push_back({report.origin, name, row.count, row.share});
    }
    files.push_back({report.origin, ErrorsIn(report), report.problems.size() - ErrorsIn(report), report.facts,
                     std::move(trust), report.noted});
    for (const LintProblem& problem : report.problems) {
      problems.push_back({report.origin, getters::WordCell(problem.severity),
                          problem.line > 0 ? Cell(problem.line) : Cell(), NonEmpty(problem.path), problem.message,
                          NonEmpty(problem.remedy)});
    }
  }
  Document document = DocumentOf(ReportKind::kLint, "", options);
  document.parts.push_back(
      {"files", TableOfCells({"file", "problems", "warnings", "facts", "trust", "noted"}, std::move(files))});
  document.parts.push_back({"trust", TableOfCells({"file", "trust", "facts", "share"}, std::move(shares))});
  CellTable found = TableOfCells({"file", "severity", "line", "path", "message", "remedy"}, std::move(problems));
  for (ColumnInfo& column : found.columns) column.has_none = true;  // a null line, path or remedy: there is none
  document.parts.push_back({"problems", std::move(found)});
  document.tables = {"files", "trust", "problems"};
  return WriteDocument(document, options, sink);
}

absl::Status WriteListing(ReportKind kind, const Listing& listing, const ReportOptions& options, Sink sink) {
  std::vector<Cells> rows;
  for (const Listing::Row& texts : listing.rows) {
    Cells row;
    for (size_t i = 0; i < listing.columns.size(); ++i) {
      const std::vector<std::string> none;
      const std::vector<std::string>& cell = i < texts.size() ? texts[i] : none;
      row.push_back(listing.columns[i].is_list ? Cell(cell) : cell.empty() ? Cell() : Cell(cell[0]));
    }
    rows.push_back(std::move(row));
  }
  std::vector<std::string> columns;
  for (const Listing::Column& column : listing.columns) columns.push_back(column.name);
  Document document = DocumentOf(kind, "", options);
  document.parts.push_back({listing.key, TableOfCells(columns, std::move(rows))});
  document.tables = {listing.key};
  return WriteDocument(document, options, sink);
}

absl::Status WriteError(const Diagnostic& error, const ReportOptions& options, Sink sink) {
  Document document;
  document.kind = ReportKind::kError;
  document.parts.push_back({"request", NoRequest("", options)});
  const std::vector<Diagnostic> diagnostics = {error};
  document.parts.push_back({"diagnostics", TableOfRows(diagnostics)});
  document.tables = {"diagnostics"};
  return WriteDocument(document, options, sink);
}

}  // namespace hwest
