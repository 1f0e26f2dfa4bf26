// Rows for tables.cc that take more than an expression to make.
#pragma once

#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "fill_rows.h"
#include "fit/summary.h"
#include "hwest.h"
#include "hwest/analysis.h"
#include "hwest/target.h"
#include "report/view.h"
#include "table.h"

namespace hwest::capi {

// Fills the table with a row for each of `rows`.
template <class Rows, class Struct, class... Context>
void FillTable(const Rows& rows, Table<Struct>* table, const Context&... context) {
  table->rows.reserve(rows.size());
  for (const auto& row : rows) {
    table->rows.emplace_back();
    FillRow(row, context..., &table->texts, &table->rows.back());
  }
}
template <class Rows, class Struct>
void FillTable(const std::optional<Rows>& rows, Table<Struct>* table) {
  if (rows.has_value()) FillTable(*rows, table);
}

template <class Row, class Struct, class... Context>
void FillOne(const Row& row, Table<Struct>* table, const Context&... context) {
  FillTable(absl::MakeConstSpan(&row, 1), table, context...);
}

// Rows that need a profile or a target.
absl::Span<const MeasuredEntry> MeasuredEntriesOf(const View& view);
std::vector<TrafficRow> TrafficRowsOf(const View& view);
absl::Span<const Lifetime> LifetimesOf(const Analysis& analysis);

// As the report of an analysis has them.
std::vector<Diagnostic> DiagnosticsOf(const Analysis& analysis);

// Rows that only the C ABI has.
std::vector<ValueRow> InputsAsDeclared(const Graph& graph);
std::vector<ValueRow> OutputsAsDeclared(const Graph& graph);
std::vector<SymbolRow> FreeSymbols(const Graph& graph);
std::vector<ValueRow> ValuesOf(const View& view, const std::vector<ValueId>& ids);

// Tables whose rows come from several C++ types.
void FillEvents(const Analysis& analysis, const View& view, Table<hwest_event>* table);
void FillUnits(const Target& stated, Table<hwest_target_unit>* table);
void FillPools(const std::vector<Pool>& pools, Table<hwest_accuracy>* table);
void FillDevices(const std::vector<ValidationRow>& devices, Table<hwest_accuracy>* table);

}  // namespace hwest::capi
