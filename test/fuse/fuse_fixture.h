// A small model taken through import, inference and classification, ready to fuse.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "fuse/fuse.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/group.h"
#include "hwest/target.h"

namespace hwest::test {

struct Analysed {
  Graph graph;
  std::unique_ptr<DimPool> dims;
  Facts facts;
  IdMap<NodeId, NodeClass> classes;

  NodeId Find(absl::string_view label) const;  // first node of that name, output name or operator
};

// Body of a graph in ONNX text at `opset`; ports like "float[1, 8] x", initialisers like "float[8] w".
struct Source {
  std::string inputs;
  std::string outputs;
  std::string weights;  // "" = none
  std::string body;
  int opset = 17;
};
Analysed Analyse(const Source& source);

// A toolchain that picks exactly the named fusions (space separated).
Toolchain Picking(absl::string_view picks);
// All fusions of the table.
Toolchain PickingAll();

Overlay FuseWith(const Analysed& model, const Toolchain& toolchain);
// Groups per pattern.
std::map<std::string, int> Patterns(const Overlay& overlay);
// "pattern: Op Op ..." per group, in order.
std::vector<std::string> Rows(const Analysed& model, const Overlay& overlay);

}  // namespace hwest::test
