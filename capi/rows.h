// The rows of the C ABI, made from the same view that reports print.
#pragma once

#include <vector>

#include "hwest.h"
#include "hwest/analysis.h"
#include "report/view.h"
#include "table.h"

namespace hwest::capi {

// Rows of an analysis, whose view this is. The analysis outlives the tables.
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
void FillModules(const Analysis& analysis, const View& view, Table<hwest_module>* table);

uint32_t ValueFlagsOf(const Value& value);  // HWEST_VALUE_IS_*
hwest_symbol SymbolRowOf(const SymbolRow& symbol, Texts* texts);
hwest_diagnostic DiagnosticRowOf(const Diagnostic& diagnostic, Texts* texts);
void FillDiagnostics(const std::vector<Diagnostic>& diagnostics, Table<hwest_diagnostic>* table);

// Ids in memory as the C ABI hands them out.
template <class Ids>
const uint32_t* IdsOf(const Ids& ids) {
  static_assert(sizeof(ids[0]) == sizeof(uint32_t));
  return reinterpret_cast<const uint32_t*>(ids.data());
}

}  // namespace hwest::capi
