// Infers a model at the sizes of a request, static exports included, and finds the resulting batch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/analysis.h"
#include "hwest/diagnostic.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "pass/bind.h"

namespace hwest {

class OpRules;

// InferBound is Infer for inputs bound by `request`, at whatever batch it asks for; `dims` is the pool they were bound
// in. A batch of 1 that a static export cannot take leaves `bound` as exported. Errors: kBindConflict when the file
// cannot work on that many images, naming the first node that works at the exported batch only, where it is one.
absl::StatusOr<Facts> InferBound(const Graph& graph, const BindRequest& request, BoundInputs& bound, DimPool& dims,
                                 std::vector<Diagnostic>& diagnostics, const OpRules* rules = nullptr);

struct BatchDecision {
  int64_t images = 1;   // of one run
  std::string missing;  // why the file has no batch; empty when it has one
};

// DecideBatch says how many images the run is for that `facts` and `diagnostics` describe. Where neither the name of
// the dim nor --batch on a static export has stated, it infers once more, at twice the size: a batch is what some
// output follows and what the work follows in proportion.
BatchDecision DecideBatch(const Graph& graph, const BindRequest& request, const BoundInputs& bound, const Facts& facts,
                          const DimPool& dims, const std::vector<Diagnostic>& diagnostics,
                          const OpRules* rules = nullptr);

}  // namespace hwest
