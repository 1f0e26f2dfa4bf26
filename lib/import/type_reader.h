// Reads ValueInfoProto and TypeProto.
#pragma once

#include "import/read_context.h"
#include "import/wire.h"
#include "ir/raw.h"

namespace hwest {

// ReadValueInfo fills a new `info`. Types nested beyond max_depth and shapes beyond max_rank are recorded as errors.
void ReadValueInfo(ReadContext& context, Span range, RawValueInfo* info);

}  // namespace hwest
