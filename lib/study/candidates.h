// Changes that may help a model, before anybody has tried them: cuts, older operator sets, other toolchains.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "hwest/analysis.h"
#include "hwest/study.h"
#include "ir/raw.h"

namespace hwest {

// Whether it is no CPU and takes work.
bool IsAccelerator(const Unit& unit);

// The built-in toolchains that are other versions of the unit's own, by name.
std::vector<std::string> OtherVersionsOf(const Unit& unit);

// The built-in toolchains that are the unit's own with one call for many kernels, by name.
std::vector<std::string> FewerLaunchesOf(const Unit& unit);

// Operator sets, latest first, that lack an operator which `rows` refuse, and those that a limit there asks for. `now`
// becomes the latest that these operators have in the file.
std::vector<int> OlderOpsets(const Graph& graph, const std::vector<const RefusalRow*>& rows, int* now);

// The share of the MACs that are known; none when there are none.
std::optional<double> MacsShare(const Analysis& analysis, const std::vector<bool>& nodes);

// A model in two: what stands behind, or before, the network, and the rest.
struct ModelCut {
  bool downstream = true;       // the part cut off stands behind
  std::vector<bool> off;        // nodes of that part
  std::vector<ValueId> values;  // that go from one part to the other
};

// The cut that leaves out `nodes` and all behind them, or before; none where that is no small part of the model.
std::optional<ModelCut> CutAt(const Analysis& base, const std::vector<NodeId>& nodes, bool downstream);
// The same cut with the other part left out.
ModelCut OtherSideOf(const Graph& graph, const ModelCut& cut);
std::string CutText(const Graph& graph, const ModelCut& cut);  // "end the model at x and ..."
// Leaves the part out of `raw`, the model that `base` is an analysis of.
void CutOff(const Analysis& base, const ModelCut& cut, RawModel* raw);
// What the model begins and ends with.
std::vector<std::string> InputNames(const RawModel& raw);
std::vector<std::string> OutputNames(const RawModel& raw);

}  // namespace hwest
