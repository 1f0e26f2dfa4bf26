// Files for other tools. Each shows an analysis with a target, and nothing else.
#pragma once

#include "absl/status/status.h"
#include "report/document.h"
#include "report/report.h"

namespace hwest {

// Trace events in JSON, for Perfetto and chrome://tracing: a thread per unit, arrows where values cross units, and the
// bytes of live activations as a counter. Times in microseconds to the nanosecond.
absl::Status WritePerfetto(const Document& document, const ReportOptions& options, Sink sink);

// An attachment for Netron, opened after the model: the figures of every node, by name. Nodes without a unique name
// cannot be addressed.
absl::Status WriteNetron(const Document& document, const ReportOptions& options, Sink sink);

// Node data for Model Explorer: for every node what options.picture.color_by names, by default the time. Where names
// cannot tell nodes apart, a separate graph with the figures as attributes.
absl::Status WriteModelExplorer(const Document& document, const ReportOptions& options, Sink sink);

// A profile for speedscope: the latency by module, group and overhead outside them.
absl::Status WriteSpeedscope(const Document& document, const ReportOptions& options, Sink sink);

}  // namespace hwest
