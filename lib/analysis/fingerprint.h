// Fingerprint: which graph a figure is about, whatever its weights are.
#pragma once

#include <string>

#include "hwest/graph.h"

namespace hwest {

// FingerprintOf returns the SHA-256 of the graph as an analysis sees it: nodes with their attributes, names, declared
// types, opsets, and of tensors the type and dims. Contents count only where the reader decodes them (what shapes may
// depend on: at most 64 KiB of integers, 1 KiB of others). Equal fingerprints mean equal reports but for the model's
// name and producer; a model keeps its fingerprint when it is trained on, unless that changes one of its small tensors.
std::string FingerprintOf(const Graph& graph);

}  // namespace hwest
