// The data of a page: the analysis's document in columns, without what the page derives itself, with what it draws and
// with the words of the text report, so that both say the same.
#pragma once

#include "absl/status/status.h"
#include "report/document.h"

namespace hwest {

// Writes JSON: an object with the parts of `document`, of an analysis or of shapes. A table is
//   {"size": rows, "chunk": rows of each chunk but the last, "columns": ["op", ...], "differences": ["group", ...],
//    "chunks": [[chunk of "op", ...], ...]}
// and a chunk of a column an array, or {"of": values, "at": indices into them} where few values repeat, without "at"
// where all rows are the same. Columns of `differences` hold the increment over the previous value; lists start from
// the previous list's first element. A name that begins with "~" continues its module's or node's name ("~~": it begins
// with "~"). Reals of tables have nine digits. Columns that follow from others are left out.
absl::Status WritePageData(const Document& document, Sink sink);

}  // namespace hwest
