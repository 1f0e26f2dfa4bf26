#include "report/view.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/view_parts.h"

namespace hwest {
namespace {

std::vector<std::string> FlagsOf(const Analysis& analysis) {
  const AnalysisRequest& asked = analysis.request;
  std::vector<std::string> flags;
  if (analysis.target != nullptr) flags = {"--target", asked.target.empty() ? analysis.target->name : asked.target};
  for (const auto& [name, size] : asked.bind.dims) {
    flags.insert(flags.end(), {"--dim", absl::StrCat(name, "=", size)});
  }
  for (const auto& [name, shape] : asked.bind.shapes) {
    flags.insert(flags.end(), {"--shape", absl::StrCat(name, "=", absl::StrJoin(shape, "x"))});
  }
  if (asked.bind.batch.has_value()) flags.insert(flags.end(), {"--batch", absl::StrCat(*asked.bind.batch)});
  if (!asked.mode.empty()) flags.insert(flags.end(), {"--mode", asked.mode});
  if (asked.precision != "auto") flags.insert(flags.end(), {"--precision", asked.precision});
  return flags;
}

RequestView RequestOf(const Analysis& analysis, const ViewOptions& options) {
  RequestView request;
  request.model = options.model_path.empty() ? analysis.graph->info().name : options.model_path;
  if (analysis.target != nullptr) {
    request.target = analysis.target->name;
    request.mode = NonEmpty(analysis.mode);
    request.precision = NonEmpty(analysis.precision);
    request.host = NonEmpty(analysis.target->host);
    request.batch = analysis.batch;
  } else {
    request.batch = analysis.request.bind.batch;
  }
  request.asked_precision = analysis.request.precision;
  request.objective = analysis.request.objective;
  const BindRequest& bind = analysis.request.bind;
  request.dims = bind.dims;
  request.dims.insert(request.dims.end(), bind.resized.begin(), bind.resized.end());
  std::sort(request.dims.begin(), request.dims.end());
  request.flags = FlagsOf(analysis);
  return request;
}

// Whether a node that is a kernel or part of one has unknown MACs.
bool AnyMacsUnknown(const Analysis& analysis) {
  for (size_t n = 0; n < analysis.counts.size(); ++n) {
    if (analysis.plan->group_of[NodeId(n)].valid() && !analysis.counts[NodeId(n)].macs.has_value()) return true;
  }
  return false;
}

void FillCoverage(const Analysis& analysis, View* view) {
  const Coverage& from = analysis.coverage;
  CoverageView& to = view->coverage;
  to.nodes = from.nodes;
  to.typed = from.typed;
  to.counted = from.counted;
  if (analysis.plan.has_value()) {
    to.costed = from.costed;
    to.placed = from.placed;
    if (!AnyMacsUnknown(analysis)) to.macs_share = from.macs_share;
    to.time_share = from.time_share;
  }
  std::array<int64_t, kNodeClasses> classes{};
  for (size_t n = 0; n < analysis.classes.size(); ++n) {
    ++classes[static_cast<size_t>(analysis.classes[NodeId(n)])];
    if (analysis.classes[NodeId(n)] == NodeClass::kDead) continue;
    const Origin origin = analysis.graph->OriginOf(NodeId(n));
    ++(origin == Origin::kModule ? to.from_module : origin == Origin::kFunction ? to.from_function : to.from_unknown);
  }
  for (size_t i = 0; i < classes.size(); ++i) {
    to.classes.emplace_back(std::string(NodeClassName(static_cast<NodeClass>(i))), classes[i]);
  }
  for (const NodeId node : from.unknown_nodes) to.unknown_nodes.push_back(analysis.graph->Label(node));
  for (const SymbolId symbol : from.data_dependent) to.data_dependent.push_back(analysis.dims->symbol(symbol).name);
}

void FillModules(const Analysis& analysis, View* view) {
  std::unordered_map<std::string, int64_t> index_of;  // by path; a parent comes before its children
  for (const ModuleRow& row : analysis.modules) {
    ModuleView module;
    module.path = row.path;
    if (row.scope.valid() && analysis.graph->scope(row.scope).parent.valid()) module.parent = row.parent;
    const auto parent = module.parent.has_value() ? index_of.find(*module.parent) : index_of.end();
    if (parent != index_of.end()) module.parent_index = parent->second;
    index_of.emplace(row.path, static_cast<int64_t>(view->modules.size()));
    module.class_name = NonEmpty(row.class_name);
    module.nodes = row.nodes;
    module.macs = CountOf(*analysis.dims, row.macs);
    module.flops = CountOf(*analysis.dims, row.flops);
    module.params = row.params;
    module.time_s = row.time_s;
    if (row.energy_j && row.time_s) module.energy_j = KnownEnergy(*row.energy_j, *row.time_s);
    view->modules.push_back(std::move(module));
  }
}

bool Matches(const NodeRow& node, absl::string_view text) {
  if (text.empty()) return false;
  return node.name == text || std::find(node.outputs.begin(), node.outputs.end(), text) != node.outputs.end();
}

// "g12" -> 12.
std::optional<uint32_t> GroupNumber(absl::string_view text) {
  uint32_t index;
  const bool is_id = text.size() > 1 && text[0] == 'g' && absl::ascii_isdigit(static_cast<unsigned char>(text[1])) &&
                     absl::SimpleAtoi(text.substr(1), &index);
  return is_id ? std::optional<uint32_t>(index) : std::nullopt;
}

absl::StatusOr<NodeId> RootOfGroup(const View& view, uint32_t index) {
  if (index < view.groups.size()) return view.groups[index].root;
  return MakeError(Code::kUsage, absl::StrCat("no group g", index, " in a plan of ", view.groups.size(), " groups"),
                   "use an id of the report's table of groups; --top 0 lists them all", {{"--top", {"0"}}});
}

}  // namespace

std::optional<std::string> NonEmpty(absl::string_view text) {
  return text.empty() ? std::nullopt : std::optional<std::string>(std::string(text));
}

std::optional<double> KnownEnergy(double energy_j, double time_s) {
  return energy_j == 0 && time_s > 0 ? std::nullopt : std::optional<double>(energy_j);
}

Count CountOf(const DimPool& pool, Dim dim) {
  if (dim.is_unknown()) return std::monostate();
  if (dim.is_constant()) return dim.value();
  return pool.ToString(dim);
}

ShapeText ShapeTextOf(const DimPool& pool, const Shape& shape) {
  if (!shape.ranked()) return std::nullopt;
  std::vector<Count> dims;
  for (const Dim dim : shape.dims()) dims.push_back(CountOf(pool, dim));
  return dims;
}

View MakeView(const Analysis& analysis, const ViewOptions& options) {
  View view;
  view.graph = analysis.graph.get();
  view.reading = analysis.reading.get();
  view.request = RequestOf(analysis, options);
  view.diagnostics = analysis.diagnostics;
  FillNodes(analysis, &view);
  FillModel(analysis, &view);
  FillCoverage(analysis, &view);
  FillModules(analysis, &view);
  FillSymbols(analysis, &view);
  FillPlan(analysis, &view);
  view.memory_needs = analysis.memory_needs;
  view.summary = SummaryOf(analysis);
  FillConvention(analysis, &view);
  FillSupport(analysis, &view);
  FillValues(analysis, &view);
  FillGraph(analysis, &view);
  return view;
}

absl::StatusOr<NodeId> FindNode(const View& view, absl::string_view text) {
  uint32_t index;
  if (!text.empty() && text[0] == '#' && absl::SimpleAtoi(text.substr(1), &index)) {
    if (index < view.nodes.size()) return NodeId(index);
    return MakeError(Code::kUsage, absl::StrCat("no node ", text, " in a model of ", view.nodes.size(), " nodes"),
                     "use an id that `--level node --top 0` lists, or gN for group N", {"--level", {"--top", {"0"}}});
  }
  for (const NodeRow& node : view.nodes) {
    if (Matches(node, text)) return node.id;
  }
  if (const std::optional<uint32_t> group = GroupNumber(text)) return RootOfGroup(view, *group);
  std::vector<std::string> names;
  for (const NodeRow& node : view.nodes) names.push_back(node.label);
  const std::vector<std::string> nearest = NearestNames(text, names, 3);
  return MakeError(Code::kUsage, absl::StrCat("no node or output is called '", EscapeControl(text), "'"),
                   nearest.empty() ? std::string("list the names with `--level node --top 0`, or use #id or gN")
                                   : absl::StrCat("did you mean ", EscapeControl(absl::StrJoin(nearest, ", ")), "?"),
                   {"--level", {"--top", {"0"}}});
}

absl::StatusOr<std::vector<NodeId>> FindNodes(const View& view, absl::string_view text) {
  HWEST_ASSIGN_OR_RETURN(const NodeId node, FindNode(view, text));
  std::vector<NodeId> nodes = {node};
  if (!GroupNumber(text).has_value() || Matches(view.nodes[node.index()], text)) return nodes;
  for (const NodeId member : view.groups[view.nodes[node.index()].group.index()].nodes) {
    if (member != node) nodes.push_back(member);
  }
  return nodes;
}

std::string Incompleteness(const View& view) {
  const CoverageView& coverage = view.coverage;
  std::vector<std::string> parts;
  const auto add = [&](int64_t missing, absl::string_view what) {
    if (missing > 0) parts.push_back(absl::StrCat(missing, missing == 1 ? " node" : " nodes", " without ", what));
  };
  add(coverage.nodes - coverage.typed, "known types");
  add(coverage.nodes - coverage.counted, "counts");
  if (coverage.costed.has_value()) add(coverage.nodes - *coverage.costed, "a time");
  if (coverage.placed.has_value()) add(coverage.nodes - *coverage.placed, "a unit");
  if (!coverage.unknown_nodes.empty()) {
    const size_t shown = std::min<size_t>(coverage.unknown_nodes.size(), 5);
    const std::vector<std::string> first(coverage.unknown_nodes.begin(),
                                         coverage.unknown_nodes.begin() + static_cast<ptrdiff_t>(shown));
    parts.push_back(absl::StrCat("unknown: ", EscapeControl(absl::StrJoin(first, ", ")),
                                 shown < coverage.unknown_nodes.size() ? ", ..." : ""));
  }
  for (const Diagnostic& diagnostic : view.diagnostics) {
    const CodeInfo& info = InfoOf(diagnostic.code);
    if (info.exit_code != 7 || info.code == Code::kUnknownOp || info.code == Code::kDoesNotFit) continue;
    parts.push_back(EscapeControl(diagnostic.message));
    break;
  }
  return absl::StrJoin(parts, ", ");
}

absl::string_view OriginName(Origin origin) {
  return origin == Origin::kModule ? "module" : origin == Origin::kFunction ? "function" : "unknown";
}

absl::string_view VerdictName(Verdict verdict) {
  return verdict == Verdict::kYes ? "yes" : verdict == Verdict::kNoted ? "noted" : "no";
}

std::string TypeText(const ValueRow& value) {
  if (!value.dtype && !value.shape) return "?";
  const std::string dtype = value.dtype.value_or("?");
  const std::string tensor = absl::StrCat(dtype, " ", ShapeToText(value.shape));
  const bool is_tensor = value.kind == ValueKind::kUnknown || value.kind == ValueKind::kTensor;
  return is_tensor ? tensor : absl::StrCat(ValueKindName(value.kind), " of ", tensor);
}

std::string ShapeToText(const ShapeText& shape) {
  if (!shape.has_value()) return "?";
  if (shape->empty()) return "scalar";
  std::vector<std::string> dims;
  bool numbers = true;
  for (const Count& dim : *shape) {
    const auto* number = std::get_if<int64_t>(&dim);
    const auto* formula = std::get_if<std::string>(&dim);
    dims.push_back(number != nullptr ? absl::StrCat(*number) : formula != nullptr ? *formula : "?");
    numbers = numbers && number != nullptr;
  }
  return numbers ? absl::StrJoin(dims, "x") : absl::StrCat("[", absl::StrJoin(dims, ", "), "]");
}

}  // namespace hwest
