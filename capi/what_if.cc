// What would help, and why a node is where it is.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "callbacks.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "report/view_parts.h"
#include "study/what_if.h"

namespace hwest::capi {
namespace {

static_assert(static_cast<int>(WhatIfKind::kSupport) == HWEST_CHANGE_SUPPORT &&
              static_cast<int>(WhatIfKind::kMode) == HWEST_CHANGE_MODE);

std::vector<std::string> EditTexts(const std::vector<ModelEdit>& edits) {
  std::vector<std::string> texts;
  for (const ModelEdit& edit : edits) texts.push_back(absl::StrCat(edit.output, " = ", edit.op, "(", edit.input, ")"));
  return texts;
}

void FillChanges(const std::vector<WhatIfRow>& rows, Table<hwest_change>* table) {
  Texts& texts = table->texts;
  for (const WhatIfRow& row : rows) {
    table->rows.push_back({
        .struct_size = sizeof(hwest_change),
        .kind = static_cast<int32_t>(row.kind),
        .change = texts.Keep(row.change),
        .flags = texts.KeepList(row.flags),
        .edits = texts.KeepList(EditTexts(row.edits)),
        .target_text = texts.KeepNonEmpty(row.target_text),
        .batch = row.batch,
        .latency_s = row.latency_s,
        .interval_s = row.interval_s,
        .saving_s = row.saving_s,
        .energy_j = OrUnknown(row.energy_j),
    });
  }
}

void FillFusion(NodeId node, const View& view, Table<hwest_fusion>* table) {
  const FusionRow none;
  const FusionRow& fusion = view.fusion.has_value() ? *view.fusion : none;
  Texts& texts = table->texts;
  table->rows.push_back({
      .struct_size = sizeof(hwest_fusion),
      .reserved = 0,
      .node = static_cast<int64_t>(node.index()),
      .pattern = texts.KeepNonEmpty(fusion.name),
      .words = texts.KeepNonEmpty(fusion.words),
      .expression = texts.KeepNonEmpty(fusion.expression),
      .source = texts.KeepNonEmpty(fusion.source),
  });
}

void FillMissRows(const View& view, Table<hwest_miss>* table) {
  if (!view.misses.has_value()) return;
  const auto keep = [&](const std::string& text) { return table->texts.Keep(text); };
  for (const MissRow& miss : *view.misses) {
    table->rows.push_back({
        .struct_size = sizeof(hwest_miss),
        .reserved = 0,
        .pattern = keep(miss.pattern),
        .node = keep(miss.node),
        .guard = keep(miss.guard),
        .found = keep(miss.found),
        .needed = keep(miss.needed),
        .edit = keep(miss.edit),
    });
  }
}

void FillMoves(const std::vector<MoveRow>& moves, const Target& target, Table<hwest_move>* table) {
  for (const MoveRow& move : moves) {
    table->rows.push_back({
        .struct_size = sizeof(hwest_move),
        .reserved = 0,
        .unit = table->texts.Keep(target.units[move.unit].name),
        .time_s = OrUnknown(move.time_s),
        .latency_s = OrUnknown(move.latency_s),
    });
  }
}

absl::Status NeedsTarget(const hwest_analysis& analysis, absl::string_view what) {
  if (analysis.state->analysis.plan.has_value()) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat(what, " needs a target"), "name one in hwest_options");
}

}  // namespace
}  // namespace hwest::capi

hwest_what_if::hwest_what_if(std::vector<hwest::WhatIfRow> found,
                             std::shared_ptr<const hwest::capi::AnalysisState> base)
    : rows(std::move(found)), of(std::move(base)),
      changes([this](auto* table) { hwest::capi::FillChanges(rows, table); }) {}

hwest_explanation::hwest_explanation(hwest::NodeId explained, std::vector<hwest::MoveRow> found,
                                     std::shared_ptr<const hwest::capi::AnalysisState> base)
    : node(explained), moves(std::move(found)), of(std::move(base)),
      view([this](hwest::View* made) { hwest::FillMisses(of->analysis, node, made); }),
      fusion([this](auto* table) { hwest::capi::FillFusion(node, view.get(), table); }),
      miss_rows([this](auto* table) { hwest::capi::FillMissRows(view.get(), table); }),
      move_rows([this](auto* table) { hwest::capi::FillMoves(moves, *of->analysis.target, table); }) {}

using hwest::capi::CopyOut;
using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_what_if_create(const hwest_analysis* analysis, hwest_progress progress, void* payload,
                                  hwest_what_if** what_if) {
  return Guard([&]() -> absl::Status {
    if (analysis == nullptr) return NullArgument("analysis");
    if (what_if == nullptr) return NullArgument("what_if");
    if (absl::Status status = hwest::capi::NeedsTarget(*analysis, "what-if"); !status.ok()) return status;
    const auto& state = analysis->state;
    const hwest::capi::StudyWatch watch(progress, payload, nullptr);
    auto rows = hwest::WhatIfUntil(state->model->graph, state->analysis, state->model->path, watch.Steps(0),
                                   watch.Stop());
    if (!rows.ok()) return rows.status();
    *what_if = new hwest_what_if(*std::move(rows), state);
    return absl::OkStatus();
  });
}

void hwest_what_if_free(hwest_what_if* what_if) { delete what_if; }

hwest_status hwest_explain(const hwest_analysis* analysis, const char* node, hwest_explanation** explanation) {
  return Guard([&]() -> absl::Status {
    if (analysis == nullptr) return NullArgument("analysis");
    if (node == nullptr) return NullArgument("node");
    if (explanation == nullptr) return NullArgument("explanation");
    if (absl::Status status = hwest::capi::NeedsTarget(*analysis, "explain"); !status.ok()) return status;
    const auto& state = analysis->state;
    const absl::StatusOr<hwest::NodeId> id = hwest::NodeNamed(state->analysis, node);
    if (!id.ok()) return id.status();
    auto moves = hwest::MovesOf(state->model->graph, state->analysis, *id);
    if (!moves.ok()) return moves.status();
    *explanation = new hwest_explanation(*id, *std::move(moves), state);
    return absl::OkStatus();
  });
}

void hwest_explanation_free(hwest_explanation* explanation) { delete explanation; }

hwest_status hwest_explanation_fusion(const hwest_explanation* explanation, hwest_fusion* fusion) {
  return Guard([&]() -> absl::Status {
    if (explanation == nullptr) return NullArgument("explanation");
    if (fusion == nullptr) return NullArgument("fusion");
    return CopyOut("fusion", explanation->fusion.get().rows[0], fusion->struct_size, fusion);
  });
}

HWEST_TABLE(hwest_what_if_change, hwest_what_if, hwest_change, changes)
HWEST_TABLE(hwest_explanation_miss, hwest_explanation, hwest_miss, miss_rows)
HWEST_TABLE(hwest_explanation_move, hwest_explanation, hwest_move, move_rows)
