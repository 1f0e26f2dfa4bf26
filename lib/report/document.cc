#include "report/document.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "report/answer.h"
#include "report/writers.h"

namespace hwest {
namespace {

using getters::ShapeCell;

// Members of an object made by hand whose null means that there is none.
Columns RequestColumns() {
  return {{"target", "", true}, {"mode", "", true}, {"precision", "", true}, {"host", "", true}};
}
Cell PairsCell(const std::vector<std::pair<std::string, int64_t>>& pairs) {
  Cell object = Cell::OfObject();
  for (const auto& [name, number] : pairs) object.Set(name, number);
  return object;
}

Cell PortsCell(const std::vector<PortRow>& ports) {
  Cell list = Cell::OfList();
  for (const PortRow& port : ports) {
    list.push_back(Cell{{"name", port.name}, {"dtype", port.dtype}, {"shape", ShapeCell(port.shape)}});
  }
  return list;
}

Cell SearchCell(const std::optional<SearchView>& search) {
  if (!search.has_value()) return nullptr;
  return Cell{{"atoms", search->atoms},
              {"states", search->states},
              {"live", search->live},
              {"exact", search->exact},
              {"gap", search->gap}};
}

Cell CoverageCell(const CoverageView& coverage) {
  return Cell{
      {"nodes", coverage.nodes},
      {"typed", coverage.typed},
      {"counted", coverage.counted},
      {"costed", coverage.costed},
      {"placed", coverage.placed},
      {"classes", PairsCell(coverage.classes)},
      {"origin",
       {{"module", coverage.from_module}, {"function", coverage.from_function}, {"unknown", coverage.from_unknown}}},
      {"unknown_nodes", coverage.unknown_nodes},
      {"data_dependent", coverage.data_dependent},
      {"macs_share", coverage.macs_share},
      {"time_share", coverage.time_share}};
}

Cell RequestCell(const RequestView& request) {
  return Cell{{"model", request.model},
              {"target", request.target},
              {"mode", request.mode},
              {"precision", request.precision},
              {"objective", request.objective == Objective::kEnergy ? "energy" : "latency"},
              {"batch", request.batch},
              {"dims", PairsCell(request.dims)},
              {"host", request.host}};
}

Cell StatsCell(const View& view) {
  Cell stats = Cell::OfObject();
  for (const ToolchainRow& row : view.toolchains) {
    stats.Set(row.stats.toolchain,
              Cell{{"typed", row.stats.typed}, {"noted", row.stats.noted}, {"not_stated", row.stats.not_stated}});
  }
  return stats;
}

// The part of the summary that needs no target.
Part ShapesSummary(const SummaryView& summary) {
  const Columns& columns = ColumnsOf(&summary);
  const Cells cells = CellsOf(summary);
  Cell object = Cell::OfObject();
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].is_of_shapes) object.Set(columns[i].key, cells[i]);
  }
  return {"summary", std::move(object), columns};
}

// Null when nobody asked for it.
template <class Row, class... With>
Part PartIfAsked(std::string key, const std::vector<Row>* rows, const With&... with) {
  if (rows == nullptr) return {std::move(key), Cell()};
  return {std::move(key), TableOfRows(*rows, with...)};
}

}  // namespace

Cell SummaryCellOf(const Analysis& analysis) {
  const SummaryView summary = SummaryOf(analysis);
  return ObjectOf(ColumnsOf(&summary), CellsOf(summary));
}

Cell ModelCell(const View& view) {
  const ModelFacts& model = view.model;
  Cell symbols = Cell::OfList();
  for (const SymbolRow& symbol : view.symbols) symbols.push_back(ObjectOf(ColumnsOf(&symbol), CellsOf(symbol)));
  return Cell{{"name", model.name},
              {"ir_version", model.ir_version},
              {"opsets", PairsCell(model.opsets)},
              {"producer", model.producer},
              {"inputs", PortsCell(model.inputs)},
              {"outputs", PortsCell(model.outputs)},
              {"symbols", symbols},
              {"nodes", model.nodes},
              {"params", model.params.params},
              {"params_by_use", model.params.params_by_use},
              {"buffers", model.params.buffers},
              {"stored_bytes", model.params.stored_bytes},
              {"deployed_bytes", model.deployed_bytes},
              {"constant_bytes", model.constant_bytes}};
}

absl::StatusOr<std::vector<size_t>> ColumnsNamed(const Columns& columns, const std::vector<std::string>& names) {
  std::vector<size_t> indices;
  std::vector<std::string> keys;
  for (const ColumnInfo& column : columns) keys.push_back(column.key);
  for (const std::string& name : names.empty() ? keys : names) {
    const auto at = std::find(keys.begin(), keys.end(), name);
    if (at == keys.end()) {
      const std::vector<std::string> nearest = NearestNames(name, keys, 3);
      return MakeError(Code::kUsage, absl::StrCat("--columns: there is no column '", EscapeControl(name), "'"),
                       nearest.empty() ? absl::StrCat("use ", absl::StrJoin(keys, ", "))
                                       : absl::StrCat("did you mean ", absl::StrJoin(nearest, ", "), "?"),
                       {"--columns"});
    }
    indices.push_back(static_cast<size_t>(at - keys.begin()));
  }
  return indices;
}

Cell ObjectOf(const Columns& columns, Cells cells) {
  Cell::Object object;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (columns[i].is_asked && cells[i].is_null()) continue;
    object.emplace_back(columns[i].key, std::move(cells[i]));
  }
  return Cell::OfObject(std::move(object));
}

CellTable TableOfCells(const std::vector<std::string>& keys, std::vector<Cells> rows) {
  Columns columns;
  for (const std::string& key : keys) columns.push_back({key});
  auto shared = std::make_shared<const std::vector<Cells>>(std::move(rows));
  const size_t size = shared->size();
  return CellTable{std::move(columns), size, [shared](size_t i) { return (*shared)[i]; }};
}

Document HeadOf(ReportKind kind, const View& view) {
  Document document;
  document.kind = kind;
  document.view = &view;
  document.parts.push_back({"request", RequestCell(view.request), RequestColumns()});
  document.parts.push_back({"diagnostics", TableOfRows(view.diagnostics)});
  return document;
}

Document AnalysisDocument(const View& view) {
  Document document = HeadOf(ReportKind::kAnalysis, view);
  auto& parts = document.parts;
  parts.push_back({"model", ModelCell(view)});
  parts.push_back({"verdict", view.request.target.has_value() ? Cell(VerdictText(view)) : Cell(nullptr)});
  parts.push_back(PartOfRow("summary", view.summary));
  parts.push_back({"bounds", TableOfRows(view.bounds, view)});
  parts.push_back({"search", SearchCell(view.search)});
  parts.push_back({"coverage", CoverageCell(view.coverage)});
  parts.push_back({"units", TableOfRows(view.units)});
  parts.push_back({"memory_needs", TableOfRows(view.memory_needs)});
  parts.push_back({"nodes", TableOfRows(view.nodes, view)});
  parts.push_back({"groups", TableOfRows(view.groups, view)});
  parts.push_back({"segments", TableOfRows(view.segments, view)});
  parts.push_back({"modules", TableOfRows(view.modules)});
  parts.push_back(PartIfAsked("what_if", view.what_if, view));
  parts.push_back(PartIfAsked("generation", view.generation));
  parts.push_back({"rewritten", RewrittenCell(view.rewritten, view.rewrite_command)});
  parts.push_back({"measured", MeasuredCell(view)});
  document.tables = {"groups", "bounds", "units", "segments", "modules", "nodes"};
  return document;
}

Document ShapesDocument(const View& view) {
  Document document = HeadOf(ReportKind::kShapes, view);
  auto& parts = document.parts;
  parts.push_back({"model", ModelCell(view)});
  parts.push_back(ShapesSummary(view.summary));
  parts.push_back({"nodes", TableOfRows(view.nodes, view)});
  parts.push_back({"symbols", TableOfRows(view.symbols)});
  parts.push_back({"values", TableOfRows(view.values)});
  document.tables = {"values", "symbols", "nodes"};
  return document;
}

Document SupportStatsDocument(const View& view) {
  Document document = HeadOf(ReportKind::kSupport, view);
  document.parts.push_back({"stats", TableOfRows(view.toolchains)});
  document.tables = {"stats"};
  return document;
}

Document CuresDocument(const View& view) {
  Document document = HeadOf(ReportKind::kCures, view);
  document.parts.push_back(PartOfRow("summary", view.summary));
  document.parts.push_back(PartIfAsked("what_if", view.what_if, view));
  document.tables = {"what_if"};
  return document;
}

Document SupportDocument(const View& view) {
  Document document = HeadOf(ReportKind::kSupport, view);
  document.parts.push_back({"rows", TableOfRows(view.support, view)});
  document.parts.push_back(view.refusals == nullptr ? Part{"refusals", Cell()}
                                                    : Part{"refusals", TableOfRows(*view.refusals, view)});
  document.parts.push_back({"stats", StatsCell(view)});
  document.tables = {"rows"};
  return document;
}

}  // namespace hwest
