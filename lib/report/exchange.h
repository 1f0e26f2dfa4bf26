// Files for the tools beside this one. Each shows an analysis with a target, and nothing else.
#pragma once

#include "absl/status/status.h"
#include "report/document.h"
#include "report/report.h"

namespace hwest {

// Trace events in JSON, for Perfetto and chrome://tracing: a thread per unit, arrows where values cross units, and the
// bytes of live activations as a counter. Times in microseconds to the nanosecond.
absl::Status WritePerfetto(const Document& document, const ReportOptions& options, Sink sink);

// An attachment for Netron, opened after the model: figures of every node, by its name. Nodes whose name is missing or
// not theirs alone cannot be addressed.
absl::Status WriteNetron(const Document& document, const ReportOptions& options, Sink sink);

// Node data for Model Explorer: what options.picture.color_by names of every node, the time when it names nothing.
// Where names cannot tell nodes apart, a graph of its own with the figures as attributes.
absl::Status WriteModelExplorer(const Document& document, const ReportOptions& options, Sink sink);

// A profile for speedscope: the latency by module, group and what is beside them.
absl::Status WriteSpeedscope(const Document& document, const ReportOptions& options, Sink sink);

}  // namespace hwest
