// Shows long text on a terminal a page at a time.
#pragma once

#include "absl/functional/function_ref.h"
#include "cli/cli.h"
#include "cli/options.h"

namespace hwest {

// Like Deliver, but pipes text longer than its terminal through $PAGER, or `less` if that is unset, unless --quiet,
// PAGER= or PAGER=cat say otherwise. Nothing else is ever paged.
absl::Status DeliverPaged(const Options& options, const Streams& streams, absl::FunctionRef<absl::Status(Sink)> write);

}  // namespace hwest
