// Reads GraphProto, NodeProto and AttributeProto, which contain each other.
#pragma once

#include "import/read_context.h"
#include "import/wire.h"
#include "ir/raw.h"

namespace hwest {

// Each appends to or merges into its result. `depth` counts the graphs around the message, the main graph included.
void ReadGraph(ReadContext& context, Span range, int depth, RawGraph* graph);
void ReadNode(ReadContext& context, Span range, int depth, RawNode* node);
void ReadAttribute(ReadContext& context, Span range, int depth, RawAttribute* attribute);

}  // namespace hwest
