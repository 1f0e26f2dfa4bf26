// What a page carries of an analysis: its document in columns, without what the page finds itself, with what it draws
// and with the words of the text report, so that no page finds other ones.
#pragma once

#include "absl/status/status.h"
#include "report/document.h"

namespace hwest {

// Writes JSON: an object with the parts of `document`, of an analysis or of shapes. A table is
//   {"size": rows, "chunk": rows of each chunk but the last, "columns": ["op", ...], "differences": ["group", ...],
//    "chunks": [[chunk of "op", ...], ...]}
// and a chunk of a column an array, or {"of": values, "at": places among them} where few values come often, without
// places where all rows are the same. Columns of `differences` hold what is added to the value before, lists likewise
// from their first element. A name that begins with "~" goes on where its module's or node's ends ("~~": it begins with
// "~"). Reals of tables have nine digits. What follows from other columns is left out.
absl::Status WritePageData(const Document& document, Sink sink);

}  // namespace hwest
