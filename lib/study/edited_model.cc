#include "study/edited_model.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "analysis/load.h"
#include "base/status_macros.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

absl::Status Apply(const std::vector<ModelEdit>& edits, RawModel& model) {
  absl::flat_hash_map<StrId, RawNode*> makers;
  for (RawNode& node : model.graph.nodes) {
    for (const StrId output : node.outputs) makers[output] = &node;
  }
  for (const ModelEdit& edit : edits) {
    const auto maker = makers.find(model.strings.Intern(edit.output));
    if (maker == makers.end()) {
      return MakeError(Code::kUsage, absl::StrCat("no node of the main graph makes ", edit.output),
                       "edit nodes outside functions and bodies");
    }
    RawNode& node = *maker->second;
    node.domain = model.strings.Intern("");
    node.overload = node.domain;
    node.op = model.strings.Intern(edit.op);
    node.inputs = {model.strings.Intern(edit.input)};
    node.attributes.clear();
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Graph>> LoadEdited(const CureSource& source, const std::vector<ModelEdit>& edits) {
  HWEST_ASSIGN_OR_RETURN(RawModel raw, source.read());
  HWEST_RETURN_IF_ERROR(Apply(edits, raw));
  return BuildModel(std::move(raw), source.limits);
}

}  // namespace hwest
