#include "plan/operator_class.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "cost/model_view.h"
#include "op/rule.h"
#include "pass/work.h"

namespace hwest {
namespace {

// Where what decides the time changes: launches, then on-chip memory and filled arrays, then DRAM and steady rates.
constexpr double kSmallMacs = 3e6, kLargeMacs = 3e8;
constexpr double kSmallBytes = 1e5, kLargeBytes = 3e6;
constexpr int kSpatialRank = 5;  // of values of 3-D convolutions

char SizeOf(double size, double small, double large) { return size < small ? 's' : size < large ? 'm' : 'l'; }

// The type of what the group is for; null when it is no tensor of known rank.
const Type* RankedOutput(const ModelView& model, NodeId node) {
  const auto outputs = model.graph.outputs(node);
  if (outputs.empty() || !outputs[0].valid()) return nullptr;
  const Type& type = model.facts.values[outputs[0]].type;
  return type.is_tensor() && type.shape.ranked() ? &type : nullptr;
}

int64_t ImagesOf(const Type* type, DimPool& dims) {
  if (type == nullptr || type->shape.rank() == 0) return 1;
  return std::max<int64_t>(1, Evaluate(type->shape.dim(0), dims).value_or(1));
}

absl::string_view ConvName(const ModelView& model, const Group& group, const ContractionSize& size) {
  const Type* type = RankedOutput(model, group.root);
  if (type != nullptr && type->shape.rank() == kSpatialRank) return "conv_3d";
  if (size.batch > ImagesOf(type, model.dims)) return "conv_grouped";
  return size.kernel_elements == 1 ? "conv_1x1" : "conv";
}

absl::string_view ContractionName(const ModelView& model, const Group& group, const ContractionSize& size) {
  switch (size.kind) {
    case ContractionKind::kConv: return ConvName(model, group, size);
    case ContractionKind::kDepthwise: return "conv_depthwise";
    case ContractionKind::kConvTranspose: return "conv_transpose";
    case ContractionKind::kMatMul: return "matmul";
    case ContractionKind::kActivation: return "matmul_activations";
    case ContractionKind::kRecurrent: return "recurrent";
  }
  return "matmul";
}

// The first node that does more than to compute element by element; none when all do.
NodeId LeadingNode(const ModelView& model, const Group& group) {
  for (const NodeId node : group.nodes) {
    if (IsKernel(model.classes[node]) && !HasTrait(model, node, trait::kElementwise)) return node;
  }
  return NodeId();
}

struct ClassText {
  absl::string_view name;
  absl::string_view text;
};
constexpr ClassText kTexts[] = {
    {"conv", "convolution"},
    {"conv_1x1", "1 x 1 convolution"},
    {"conv_3d", "3-D convolution"},
    {"conv_depthwise", "depthwise convolution"},
    {"conv_grouped", "grouped convolution"},
    {"conv_transpose", "transposed convolution"},
    {"elementwise", "element-wise"},
    {"matmul", "product with weights"},
    {"matmul_activations", "product of activations"},
    {"recurrent", "recurrent layer"},
};

}  // namespace

std::string OperatorClassOf(const ModelView& model, const Group& group, const GroupWork& work) {
  if (!work.contractions.empty()) {
    const auto largest =
        std::max_element(work.contractions.begin(), work.contractions.end(),
                         [](const ContractionSize& a, const ContractionSize& b) { return a.macs() < b.macs(); });
    const char size[] = {'.', SizeOf(static_cast<double>(work.macs), kSmallMacs, kLargeMacs), '\0'};
    return absl::StrCat(ContractionName(model, group, *largest), size);
  }
  const double bytes = static_cast<double>(work.in_bytes) + static_cast<double>(work.out_bytes);
  const char size[] = {'.', SizeOf(bytes, kSmallBytes, kLargeBytes), '\0'};
  const NodeId node = LeadingNode(model, group);
  if (!node.valid()) return absl::StrCat("elementwise", size);
  const Type* type = RankedOutput(model, node);
  const bool moves = model.classes[node] == NodeClass::kLayout && type != nullptr;
  return moves ? absl::StrCat(model.graph.op(node), ":", type->shape.rank(), size)
               : absl::StrCat(model.graph.op(node), size);
}

std::string OperatorClassText(absl::string_view operator_class) {
  const absl::string_view name = operator_class.substr(0, operator_class.rfind('.'));
  const auto at =
      std::find_if(std::begin(kTexts), std::end(kTexts), [&](const ClassText& row) { return row.name == name; });
  if (at != std::end(kTexts)) return std::string(at->text);
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(name, absl::MaxSplits(':', 1));
  return parts.second.empty() ? std::string(parts.first) : absl::StrCat(parts.first, " ", parts.second, "-D");
}

}  // namespace hwest
