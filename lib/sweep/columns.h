// The columns of SweepRow. Written by lib/report/tables/generate.py from the .table files there.
#pragma once

#include "report/getters.h"
#include "sweep/row.h"

namespace hwest {

const Columns& ColumnsOf(const SweepRow*);  // sweep_row
Cells CellsOf(const SweepRow& row);
// Reads the columns that a row holds as JSON shows them; the others stay as they are.
void ReadColumns(const Cell& from, SweepRow* to);

}  // namespace hwest
