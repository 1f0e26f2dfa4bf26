// Laws of every model, however it is written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/strings/string_view.h"
#include "hwest/analysis.h"

namespace hwest::test {

// LoadChecked loads a model of up to a few thousand nodes; null when it is refused, as a model.
std::shared_ptr<const Graph> LoadChecked(absl::string_view bytes);

// AnalyzeChecked analyses the graph; none when an error with a code ends it. Without a target and bindings it may not
// fail. What it finds is sane: sizes are not negative, contents are as many as elements, counts are not negative.
std::optional<Analysis> AnalyzeChecked(const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request);

// Sizes for every symbol of the inputs, `least` and a little more.
BindRequest SmallBind(const Analysis& unbound, int64_t least);

// CheckBindLaw requires that what `unbound` says at the sizes of `bound` never contradicts `bound`.
void CheckBindLaw(const Analysis& unbound, const Analysis& bound);

// CheckReports writes the analysis in every text format: JSON parses, terminals get no control bytes.
void CheckReports(const Analysis& analysis);

}  // namespace hwest::test
