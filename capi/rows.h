// The tables of an analysis in C, from the same view that reports print.
#pragma once

#include <vector>

#include "fill_rows.h"
#include "hwest.h"
#include "hwest/analysis.h"
#include "report/view.h"
#include "table.h"

namespace hwest::capi {

// A row of the table for each of `rows`.
template <class Rows, class Struct, class... Context>
void FillTable(const Rows& rows, Table<Struct>* table, const Context&... context) {
  table->rows.reserve(rows.size());
  for (const auto& row : rows) {
    table->rows.emplace_back();
    FillRow(row, context..., &table->texts, &table->rows.back());
  }
}

// The analysis outlives the tables.
void FillTotals(const Analysis& analysis, const View& view, Table<hwest_totals>* table);
void FillGroups(const Analysis& analysis, const View& view, Table<hwest_group>* table);
void FillSegments(const Analysis& analysis, const View& view, Table<hwest_segment>* table);
void FillUnits(const Analysis& analysis, const View& view, Table<hwest_unit>* table);
void FillEvents(const Analysis& analysis, const View& view, Table<hwest_event>* table);
void FillLifetimes(const Analysis& analysis, const View& view, Table<hwest_lifetime>* table);
void FillBounds(const Analysis& analysis, const View& view, Table<hwest_bound_total>* table);
void FillSupport(const Analysis& analysis, const View& view, Table<hwest_support>* table);
void FillNodes(const Analysis& analysis, const View& view, Table<hwest_node>* table);
void FillValues(const Analysis& analysis, const View& view, Table<hwest_value>* table);
void FillInputs(const Analysis& analysis, const View& view, Table<hwest_value>* table);
void FillOutputs(const Analysis& analysis, const View& view, Table<hwest_value>* table);
void FillSymbols(const Analysis& analysis, const View& view, Table<hwest_symbol>* table);
void FillMeasured(const Analysis& analysis, const View& view, Table<hwest_measured_entry>* table);
void FillModules(const Analysis& analysis, const View& view, Table<hwest_module>* table);

}  // namespace hwest::capi
