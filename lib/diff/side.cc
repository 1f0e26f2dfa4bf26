#include "diff/side.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "op/rule.h"
#include "report/document.h"
#include "report/view_parts.h"

namespace hwest {
namespace {

// Contents up to this length are shown; a hash stands for longer ones, so that rows stay readable.
constexpr size_t kMostTextBytes = 64;

uint64_t HashOf(absl::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return hash;
}

std::string Shortened(std::string text) {
  if (text.size() <= kMostTextBytes) return text;
  return absl::StrCat(text.substr(0, kMostTextBytes / 2), "... ", absl::Hex(HashOf(text), absl::kZeroPad16));
}

std::string ConstantText(const Graph& graph, ConstantId id) {
  const Constant& constant = graph.constant(id);
  std::string text = absl::StrCat(ElemTypeName(constant.elem), "[", absl::StrJoin(constant.dims, "x"), "]");
  if (constant.storage != Storage::kDecoded) return text;
  return absl::StrCat(
      text, " ",
      absl::Hex(HashOf(absl::StrCat(constant.data, absl::StrJoin(constant.strings, "\n"))), absl::kZeroPad16));
}

std::string AttributeText(const Graph& graph, const Attribute& attribute) {
  const auto text = [&](std::string* to, StrId id) { absl::StrAppend(to, graph.str(id)); };
  switch (attribute.kind) {
    case AttrKind::kFloat: return absl::StrCat(attribute.f);
    case AttrKind::kInt: return absl::StrCat(attribute.i);
    case AttrKind::kString: return attribute.s.valid() ? Shortened(std::string(graph.str(attribute.s))) : "";
    case AttrKind::kInts: return Shortened(absl::StrCat("[", absl::StrJoin(attribute.ints, ", "), "]"));
    case AttrKind::kFloats: return Shortened(absl::StrCat("[", absl::StrJoin(attribute.floats, ", "), "]"));
    case AttrKind::kStrings: return Shortened(absl::StrCat("[", absl::StrJoin(attribute.strings, ", ", text), "]"));
    case AttrKind::kTensor:
    case AttrKind::kTensors:
    case AttrKind::kSparseTensor:
    case AttrKind::kSparseTensors: {
      std::vector<std::string> texts;
      for (const ConstantId id : attribute.tensors) texts.push_back(ConstantText(graph, id));
      return absl::StrJoin(texts, ", ");
    }
    default: return "";  // bodies are compared node by node
  }
}

std::string TypeText(const Type& type, const DimPool& dims) {
  if (!type.is_tensor()) return std::string(ValueKindName(type.kind));
  return absl::StrCat(ElemTypeName(type.elem), " ", ToString(type.shape, dims));
}

std::string OpText(absl::string_view domain, absl::string_view op) {
  return domain.empty() || domain == "ai.onnx" ? std::string(op) : absl::StrCat(domain, "::", op);
}

// The side that an analysis makes.
class AnalysisSide {
 public:
  AnalysisSide(const Analysis& analysis, const std::string& model)
      : a_(analysis), graph_(*analysis.graph), plan_(*analysis.plan), traits_(TraitsOfNodes(graph_)) {
    side_.model = model;
  }

  DiffSide Run() {
    side_.target = a_.target->name;
    side_.mode = NonEmpty(a_.mode);
    side_.precision = NonEmpty(a_.precision);
    side_.summary = SummaryCellOf(a_);
    side_.all_typed = a_.coverage.typed == a_.coverage.nodes;
    side_.all_counted = a_.coverage.counted == a_.coverage.nodes;
    side_.all_costed = a_.coverage.costed == a_.coverage.nodes;
    side_.nodes.resize(graph_.nodes().size());
    for (size_t i = 0; i < side_.nodes.size(); ++i) FillNode(NodeId(i), &side_.nodes[i]);
    for (const PlannedGroup& planned : plan_.groups) FillGroup(planned);
    for (const ModuleRow& row : a_.modules) side_.modules.emplace_back(row.path, row.time_s);
    for (const Segment& segment : plan_.segments) side_.segments_s += SegmentSeconds(segment);
    return std::move(side_);
  }

 private:
  std::string LeafText(ValueId id) const {
    const Value& value = graph_.value(id);
    if (value.constant.valid() && !value.is_input) return ConstantText(graph_, value.constant);
    const ValueFact& fact = a_.facts.values[id];
    return absl::StrCat(value.is_input ? "input " : "value ", TypeText(fact.type, *a_.dims));
  }

  DiffEdge EdgeOf(ValueId id) const {
    if (!id.valid()) return {-1, 0, "absent"};
    const Value& value = graph_.value(id);
    if (!value.producer.valid()) return {-1, 0, LeafText(id)};
    const auto outputs = graph_.outputs(value.producer);
    const auto at = std::find(outputs.begin(), outputs.end(), id);
    return {static_cast<int64_t>(value.producer.index()), static_cast<uint32_t>(at - outputs.begin()), ""};
  }

  void FillNode(NodeId id, DiffNode* row) const {
    row->name = graph_.Label(id);
    row->op = OpText(graph_.domain(id), graph_.op(id));
    const ScopeId scope = graph_.node(id).scope;
    if (scope.valid()) row->module = std::string(graph_.str(graph_.scope(scope).path));
    row->traits = traits_[id];
    for (const ValueId input : graph_.inputs(id)) {
      row->inputs.push_back(EdgeOf(input));
      if (row->inputs.back().node < 0) {
        row->details.emplace_back(absl::StrCat("input ", row->inputs.size() - 1), row->inputs.back().leaf);
      }
    }
    for (const Attribute& attribute : graph_.attributes(id)) {
      row->details.emplace_back(absl::StrCat("attribute ", graph_.str(attribute.name)),
                                AttributeText(graph_, attribute));
    }
    std::sort(row->details.begin(), row->details.end());
    size_t index = 0;
    for (const ValueId output : graph_.outputs(id)) {
      row->outputs.emplace_back(output.valid() ? graph_.name(output) : "");
      if (output.valid()) {
        row->details.emplace_back(absl::StrCat("output ", index), TypeText(a_.facts.values[output].type, *a_.dims));
        row->makes_output |= graph_.value(output).is_output;
      }
      ++index;
    }
  }

  void FillGroup(const PlannedGroup& planned) {
    const NodeId root = planned.group.root.valid() ? planned.group.root : planned.group.nodes.back();
    for (const NodeId id : planned.group.nodes) {
      DiffNode& row = side_.nodes[id.index()];
      row.pattern = std::string(planned.group.pattern);
      if (planned.unit.valid()) row.unit = a_.target->units[planned.unit].name;
      if (planned.work.precision.act != Num::kUnset) row.precision = PrecisionName(planned.work.precision);
      row.is_root = id == root;
      if (row.is_root && planned.estimate.has_value()) row.time_s = planned.estimate->time_s;
    }
  }

  double SegmentSeconds(const Segment& segment) const {
    double seconds = segment.transfer_s + segment.invoke_s;
    if (segment.contexts == 0) return seconds;
    seconds += segment.time_s;
    for (const GroupId group : segment.groups) {
      const auto& estimate = plan_.groups[group.index()].estimate;
      if (estimate.has_value()) seconds -= estimate->time_s;
    }
    return seconds;
  }

  const Analysis& a_;
  const Graph& graph_;
  const Plan& plan_;
  const IdMap<NodeId, Traits> traits_;
  DiffSide side_;
};

}  // namespace

const ColumnInfo& SummaryFigure(absl::string_view key) {
  static const auto* const other = new ColumnInfo;
  const Columns& columns = ColumnsOf(static_cast<const SummaryView*>(nullptr));
  const auto has_key = [&](const ColumnInfo& column) { return column.key == key; };
  const auto found = std::find_if(columns.begin(), columns.end(), has_key);
  return found != columns.end() ? *found : *other;
}

bool IsWhole(const DiffSide& side, const ColumnInfo& figure) {
  const auto is_met = [&](uint8_t what, bool all) { return (figure.needs & what) == 0 || all; };
  return is_met(need::kTypes, side.all_typed) && is_met(need::kCounts, side.all_counted) &&
         is_met(need::kTimes, side.all_costed);
}

DiffSide SideOf(const Analysis& analysis, const std::string& model) { return AnalysisSide(analysis, model).Run(); }

}  // namespace hwest
