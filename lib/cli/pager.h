// Long text on a terminal, a page at a time.
#pragma once

#include "absl/functional/function_ref.h"
#include "cli/cli.h"
#include "cli/options.h"

namespace hwest {

// As Deliver. Text that is longer than the terminal it goes to is shown by $PAGER, `less` where that is not set, unless
// --quiet, PAGER= or PAGER=cat say otherwise. Nothing else is ever paged.
absl::Status DeliverPaged(const Options& options, const Streams& streams, absl::FunctionRef<absl::Status(Sink)> write);

}  // namespace hwest
