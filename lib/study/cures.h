// Finds what ends refusals: changes that are made in memory, after which the model is analysed again.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "analysis/load.h"
#include "hwest/study.h"
#include "ir/raw.h"
#include "rewrite/edited_model.h"

namespace hwest {

// The file of a model, for changes of it; null = the model cannot be read again, so that no such change is tried.
struct CureSource {
  std::shared_ptr<const EditedModel> model;
  std::function<absl::StatusOr<RawModel>()> read;
  LoadOptions limits;  // of the first reading
};
// Of a file; one that cannot be read once more, as standard input, is no source.
CureSource SourceOf(const ModelSource& source);
// Of a model in memory; `bytes` must outlive the source.
CureSource SourceOfBytes(absl::string_view bytes, const std::string& name, const LoadOptions& limits);

// FindCures fills `cure` of rows that RefusalsOf made of `base`, an analysis of `graph`. Changes that keep the function
// of the model are preferred, shorter ones among those that help as many nodes. `progress` and `stop` may be null.
// Errors: kInterrupted after `stop` returned true.
absl::Status FindCures(const std::shared_ptr<const Graph>& graph, const Analysis& base, const CureSource& source,
                       const StudyProgress& progress, const std::function<bool()>& stop, std::vector<RefusalRow>* rows);

}  // namespace hwest
