#include "rewrite/make.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "op/rule.h"
#include "rewrite/figures.h"
#include "rewrite/payload.h"
#include "rewrite/replacement.h"

namespace hwest {
namespace {

constexpr absl::string_view kRootOperator = "Root";  // stands for the operator of the match's last node

// Builder makes the nodes of one replacement; nothing reaches the model before Commit.
class Builder {
 public:
  Builder(const Site& site, EditedModel* model, const Renames& renames)
      : site_(site), model_(*model), renames_(renames), graph_(site.graph()) {}

  bool Build(const Replacement& made) {
    for (const auto& statement : made.statements) {
      const std::vector<StrId> outputs = Expression(made, made.exprs[statement.expr], statement.names.size());
      if (failed_) return false;
      for (size_t i = 0; i < statement.names.size(); ++i) named_[statement.names[i]] = outputs[i];
    }
    for (const uint16_t output : made.outputs) {
      const std::vector<StrId> values = Expression(made, made.exprs[output], 1);
      if (failed_) return false;
      results_.push_back(values[0]);
    }
    return true;
  }

  // Names the results as the root's outputs and puts the nodes before it.
  bool Commit(Renames* renames, std::vector<StrId>* doubtful);

 private:
  std::vector<StrId> Fail() {
    failed_ = true;
    return {StrId()};
  }
  StrId NameOf(ValueId value) {
    const StrId name = model_.Intern(graph_.name(value));
    const auto renamed = renames_.find(name);
    return renamed == renames_.end() ? name : renamed->second;
  }
  bool IsNamed(const std::string& name) const { return named_.contains(name) || site_.ValueOf(name).valid(); }

  std::vector<StrId> Expression(const Replacement& made, const MadeExpr& expr, size_t outputs);
  std::vector<StrId> Node(const Replacement& made, const MadeExpr& expr, size_t outputs);
  bool AddAttribute(const MadeAttribute& made, RawNode* node);
  bool CopyAttributes(NodeId from, RawNode* node);
  bool MoveOperands(RawNode* node);
  bool IsAvailable(absl::string_view domain, absl::string_view op);
  StrId ConstantOf(const Figure& figure);
  StrId NewValue() { return model_.NewName(Stem()); }
  absl::string_view Stem() { return graph_.name(graph_.outputs(site_.root())[0]); }
  void Put(RawNode* node, RawAttribute attribute);

  const Site& site_;
  EditedModel& model_;
  const Renames& renames_;
  const Graph& graph_;
  std::map<std::string, StrId> named_;
  std::vector<RawNode> nodes_;
  std::vector<std::pair<Constant, std::shared_ptr<const Derived>>> constants_;
  std::vector<std::string> domains_;  // not imported yet
  std::vector<StrId> results_;
  bool failed_ = false;
};

void Builder::Put(RawNode* node, RawAttribute attribute) {
  const auto same = std::find_if(node->attributes.begin(), node->attributes.end(),
                                 [&](const RawAttribute& each) { return each.name == attribute.name; });
  if (same != node->attributes.end()) {
    *same = std::move(attribute);
  } else {
    node->attributes.push_back(std::move(attribute));
  }
}

// The operator exists in the operator set that the model imports; a domain that it does not import is added.
bool Builder::IsAvailable(absl::string_view domain, absl::string_view op) {
  const OpRule* rule = FindRule(domain, op);
  if (rule == nullptr) return false;
  int64_t version = 0;
  for (const OpsetImport& opset : graph_.info().opsets) {
    const absl::string_view imported = graph_.str(opset.domain);
    if (imported == domain || (domain.empty() && imported == "ai.onnx")) version = opset.version;
  }
  if (version == 0) {
    if (domain.empty()) return false;
    domains_.emplace_back(domain);
    return true;
  }
  const size_t space = rule->versions.find(' ');
  int first = 0;
  if (!rule->versions.empty() && !absl::SimpleAtoi(rule->versions.substr(0, space), &first)) return false;
  return first <= version;
}

StrId Builder::ConstantOf(const Figure& figure) {
  Constant constant;
  constant.name = NewValue();
  constant.storage = Storage::kDecoded;
  if (figure.kind == Figure::Kind::kInts || figure.kind == Figure::Kind::kInt) {
    constant.elem = ElemType::kInt64;
    if (figure.kind == Figure::Kind::kInts) constant.dims = {static_cast<int64_t>(figure.ints.size())};
    for (const int64_t value : figure.ints) AppendInt(value, 64, &constant.data);
  } else {
    constant.elem = figure.elem == ElemType::kUndefined ? site_.elem() : figure.elem;
    const bool is_byte = constant.elem == ElemType::kInt8 || constant.elem == ElemType::kUint8;
    const bool is_integer = is_byte || constant.elem == ElemType::kInt32;
    if (!is_integer && !HoldsNumbers(constant.elem)) return StrId();
    constant.dims = figure.dims;
    if (figure.derived != nullptr) {
      constant.storage = Storage::kInline;
      constant.length = figure.derived->payload.length;
    }
    for (const double number : figure.numbers) {
      if (is_integer)
        AppendInt(static_cast<int64_t>(number), ElemBits(constant.elem), &constant.data);
      else
        AppendNumber(number, constant.elem, &constant.data);
    }
  }
  if (constant.storage == Storage::kDecoded) constant.length = static_cast<int64_t>(constant.data.size());
  const StrId name = constant.name;
  constants_.emplace_back(std::move(constant), figure.derived);
  return name;
}

std::vector<StrId> Builder::Expression(const Replacement& made, const MadeExpr& expr, size_t outputs) {
  switch (expr.kind) {
    case MadeExpr::Kind::kAbsent: return {model_.Intern("")};
    case MadeExpr::Kind::kName: {
      const auto named = named_.find(expr.name);
      if (named != named_.end()) return {named->second};
      const ValueId value = site_.ValueOf(expr.name);
      return {value.valid() ? NameOf(value) : model_.Intern("")};
    }
    case MadeExpr::Kind::kNumber: {
      const StrId name = ConstantOf(Figure::Tensor({expr.number}, {}));
      return name.valid() ? std::vector<StrId>{name} : Fail();
    }
    case MadeExpr::Kind::kCall: {
      const Computed figure = ComputeFigure(site_, expr.call);
      const StrId name = figure.has_value() ? ConstantOf(*figure) : StrId();
      return name.valid() ? std::vector<StrId>{name} : Fail();
    }
    case MadeExpr::Kind::kOp: return Node(made, expr, outputs);
  }
  return Fail();
}

bool Builder::CopyAttributes(NodeId from, RawNode* node) {
  for (const Attribute& attribute : graph_.attributes(from)) {
    RawAttribute copy;
    copy.name = model_.Intern(graph_.str(attribute.name));
    copy.kind = attribute.kind;
    copy.i = attribute.i;
    copy.f = attribute.f;
    copy.s = attribute.s.valid() ? model_.Intern(graph_.str(attribute.s)) : model_.Intern("");
    copy.ints = attribute.ints;
    copy.floats = attribute.floats;
    for (const StrId text : attribute.strings) copy.strings.push_back(model_.Intern(graph_.str(text)));
    if (!attribute.tensors.empty() || !attribute.graphs.empty()) return false;
    Put(node, std::move(copy));
  }
  return true;
}

bool Builder::AddAttribute(const MadeAttribute& made, RawNode* node) {
  if (made.kind == MadeAttribute::Kind::kCopied) {
    const NodeId from = site_.NodeOf(made.name);
    return from.valid() && CopyAttributes(from, node);
  }
  RawAttribute attribute;
  attribute.name = model_.Intern(made.name);
  attribute.s = model_.Intern("");
  switch (made.kind) {
    case MadeAttribute::Kind::kInt:
      attribute.kind = AttrKind::kInt;
      attribute.i = static_cast<int64_t>(made.number);
      break;
    case MadeAttribute::Kind::kFloat:
      attribute.kind = AttrKind::kFloat;
      attribute.f = static_cast<float>(made.number);
      break;
    case MadeAttribute::Kind::kInts:
      attribute.kind = AttrKind::kInts;
      attribute.ints = made.ints;
      break;
    case MadeAttribute::Kind::kText:
      attribute.kind = AttrKind::kString;
      attribute.s = model_.Intern(made.text);
      break;
    default: {
      const Computed figure = ComputeFigure(site_, made.call);
      if (!figure.has_value()) return false;
      switch (figure->kind) {
        case Figure::Kind::kInt:
          attribute.kind = AttrKind::kInt;
          attribute.i = figure->ints[0];
          break;
        case Figure::Kind::kInts:
          attribute.kind = AttrKind::kInts;
          attribute.ints = figure->ints;
          break;
        case Figure::Kind::kFloat:
          attribute.kind = AttrKind::kFloat;
          attribute.f = static_cast<float>(figure->numbers[0]);
          break;
        case Figure::Kind::kText:
          attribute.kind = AttrKind::kString;
          attribute.s = model_.Intern(figure->text);
          break;
        case Figure::Kind::kTensor: return false;
      }
    }
  }
  Put(node, std::move(attribute));
  return true;
}

// Attributes that the operator takes as inputs in the model's version become constants.
bool Builder::MoveOperands(RawNode* node) {
  const absl::string_view op = model_.text(node->op);
  if (!model_.text(node->domain).empty()) return true;
  for (const MovedOperand& operand : MovedOperands()) {
    if (operand.op != op || site_.opset() < operand.since) continue;
    const auto found =
        std::find_if(node->attributes.begin(), node->attributes.end(),
                     [&](const RawAttribute& attribute) { return model_.text(attribute.name) == operand.attribute; });
    if (found == node->attributes.end()) continue;
    const Figure figure = found->kind == AttrKind::kFloat ? Figure::Tensor({found->f}, {}) : Figure::Ints(found->ints);
    node->attributes.erase(found);
    while (node->inputs.size() <= operand.input) node->inputs.push_back(model_.Intern(""));
    node->inputs[operand.input] = ConstantOf(figure);
    if (!node->inputs[operand.input].valid()) return false;
  }
  return true;
}

std::vector<StrId> Builder::Node(const Replacement& made, const MadeExpr& expr, size_t outputs) {
  RawNode node;
  std::string domain = expr.domain, op = expr.name;
  if (op == kRootOperator) {
    op = std::string(graph_.op(site_.root()));
    domain = std::string(graph_.domain(site_.root()));
  }
  for (const uint16_t input : expr.inputs) {
    const std::vector<StrId> values = Expression(made, made.exprs[input], 1);
    if (failed_) return Fail();
    node.inputs.push_back(values[0]);
  }
  if (expr.is_optional && std::any_of(node.inputs.begin() + 1, node.inputs.end(), Absent)) return {node.inputs[0]};
  if (!IsAvailable(domain, op)) return Fail();
  node.domain = model_.Intern(domain);
  node.op = model_.Intern(op);
  node.overload = model_.Intern("");
  for (const MadeAttribute& attribute : expr.attributes) {
    if (!AddAttribute(attribute, &node)) return Fail();
  }
  if (!MoveOperands(&node)) return Fail();
  while (!node.inputs.empty() && Absent(node.inputs.back())) node.inputs.pop_back();
  for (size_t i = 0; i < outputs; ++i) node.outputs.push_back(NewValue());
  node.name = node.outputs[0];
  nodes_.push_back(node);
  return {node.outputs.begin(), node.outputs.end()};
}

bool Builder::Commit(Renames* renames, std::vector<StrId>* doubtful) {
  const auto outputs = graph_.outputs(site_.root());
  const int64_t root = model_.MakerOf(model_.Intern(graph_.name(outputs[0])));
  // Outputs that somebody reads have to be there.
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].valid() || graph_.name(outputs[i]).empty()) continue;
    const bool is_made = i < results_.size() && !Absent(results_[i]);
    const bool is_read = !graph_.uses(outputs[i]).empty() || graph_.value(outputs[i]).is_output ||
                         model_.IsCaptured(model_.Intern(graph_.name(outputs[i])));
    if (is_read && !is_made) return false;
  }
  const auto at = static_cast<size_t>(root);
  const int32_t like =
      model_.node_origins()[at].file >= 0 ? model_.node_origins()[at].file : model_.node_origins()[at].like;
  const RawNode& old = model_.raw().graph.nodes[at];
  const StrId name = old.name;
  const RawMetadata metadata = old.metadata;
  for (size_t i = 0; i < outputs.size() && i < results_.size(); ++i) {
    if (!outputs[i].valid() || Absent(results_[i]) || graph_.name(outputs[i]).empty()) continue;
    const StrId was = model_.Intern(graph_.name(outputs[i]));
    bool is_renamed = false;
    for (RawNode& node : nodes_) {
      for (StrId& output : node.outputs) {
        if (output != results_[i]) continue;
        output = was;
        if (i == 0) node.name = name;
        is_renamed = true;
      }
    }
    if (is_renamed) {
      for (RawNode& node : nodes_) std::replace(node.inputs.begin(), node.inputs.end(), results_[i], was);
      continue;
    }
    if (model_.IsGraphOutput(was) || model_.IsCaptured(was)) {
      if (graph_.op(site_.root()) == kIdentityOperator) return false;  // it stands there already
      RawNode same;
      same.domain = same.overload = model_.Intern("");
      same.op = model_.Intern(kIdentityOperator);
      same.inputs = {results_[i]};
      same.outputs = {was};
      same.name = name;
      nodes_.push_back(std::move(same));
    } else {
      model_.Rewire(was, results_[i]);
      for (auto& [from, to] : *renames) {
        if (to == was) to = results_[i];
      }
      (*renames)[was] = results_[i];
    }
  }
  for (const std::string& domain : domains_) {
    const auto& imports = model_.new_opsets();
    if (std::none_of(imports.begin(), imports.end(),
                     [&](const OpsetImport& opset) { return model_.text(opset.domain) == domain; })) {
      model_.ImportOpset(domain, 1);
    }
  }
  for (auto& [constant, derived] : constants_) {
    doubtful->push_back(constant.name);
    model_.AddInitializer(std::move(constant), std::move(derived));
  }
  for (RawNode& node : nodes_) {
    node.metadata = metadata;
    doubtful->insert(doubtful->end(), node.outputs.begin(), node.outputs.end());
    model_.InsertBefore(at, std::move(node), like);
  }
  for (const NodeId node : site_.place().match.nodes) {
    for (const ValueId value : graph_.inputs(node)) {
      if (value.valid()) doubtful->push_back(model_.Intern(graph_.name(value)));
    }
    for (const ValueId value : graph_.outputs(node)) {
      if (value.valid() && node != site_.root()) doubtful->push_back(model_.Intern(graph_.name(value)));
    }
  }
  model_.Remove(at);
  return true;
}

// Whether the node is one of the file's main graph, not of a function or a body.
bool IsOfFile(const Analysis& analysis, const EditedModel& model, NodeId node) {
  const Graph& graph = *analysis.graph;
  if (graph.node(node).graph != GraphId(0u)) return false;
  for (const ValueId output : graph.outputs(node)) {
    if (!output.valid() || graph.name(output).empty()) continue;
    const StrId name = model.raw().strings.Find(graph.name(output));
    const int64_t maker = name.valid() ? model.MakerOf(name) : -1;
    return maker >= 0 && model.text(model.raw().graph.nodes[static_cast<size_t>(maker)].op) == graph.op(node);
  }
  return false;
}

// Values of a function's body have names that the file does not.
bool IsNamedInFile(const EditedModel& model, absl::string_view name) {
  const StrId id = model.raw().strings.Find(name);
  return id.valid();
}

absl::Status CheckNames(const RewriteRule& rule, const Replacement& replacement) {
  const auto wrong = [&](absl::string_view what, absl::string_view name) {
    return absl::InvalidArgumentError(absl::StrCat(rule.name, ": there is no ", what, " '", name, "'"));
  };
  std::vector<std::string> names = PatternOf(rule).slots;
  names.push_back("root");
  for (const auto& statement : replacement.statements) {
    names.insert(names.end(), statement.names.begin(), statement.names.end());
  }
  const auto is_name = [&](const std::string& name) {
    return absl::StartsWith(name, "root.") || std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const MadeExpr& expr : replacement.exprs) {
    if (expr.kind == MadeExpr::Kind::kName && !is_name(expr.name)) return wrong("value", expr.name);
    if (expr.kind == MadeExpr::Kind::kCall && FindFigure(expr.call.name) == nullptr)
      return wrong("figure", expr.call.name);
    if (expr.kind == MadeExpr::Kind::kOp && expr.name != kRootOperator) {
      if (FindRule(expr.domain, expr.name) == nullptr) return wrong("operator", expr.name);
    }
    for (const MadeAttribute& attribute : expr.attributes) {
      const bool is_copy = attribute.kind == MadeAttribute::Kind::kCopied;
      if (is_copy && !is_name(attribute.name)) return wrong("value", attribute.name);
      if (attribute.kind == MadeAttribute::Kind::kCall && FindFigure(attribute.call.name) == nullptr) {
        return wrong("figure", attribute.call.name);
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ParsedRule> ParseRule(const RewriteRule& rule) {
  ParsedRule parsed;
  HWEST_ASSIGN_OR_RETURN(parsed.checks, ParseCalls(rule.holds));
  if (rule.compose == nullptr && rule.whole == nullptr) {
    HWEST_ASSIGN_OR_RETURN(parsed.replacement, ParseReplacement(rule.make));
  }
  if (!rule.otherwise.empty()) {
    HWEST_ASSIGN_OR_RETURN(parsed.otherwise, ParseReplacement(rule.otherwise));
  }
  return parsed;
}

absl::Status CheckRule(const RewriteRule& rule) {
  HWEST_ASSIGN_OR_RETURN(const ParsedRule parsed, ParseRule(rule));
  if (!rule.undoes.empty() && FindRewriteRule(rule.undoes) == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(rule.name, ": there is no rule '", rule.undoes, "'"));
  }
  for (const absl::string_view figure : absl::StrSplit(rule.figures, ' ', absl::SkipEmpty())) {
    if (FindFigure(figure) != nullptr) continue;
    return absl::InvalidArgumentError(absl::StrCat(rule.name, ": there is no figure '", figure, "'"));
  }
  for (const Call& check : parsed.checks) {
    if (FindCheck(check.name) != nullptr) continue;
    return absl::InvalidArgumentError(absl::StrCat(rule.name, ": there is no check '", check.name, "'"));
  }
  if (parsed.otherwise.has_value()) HWEST_RETURN_IF_ERROR(CheckNames(rule, *parsed.otherwise));
  return CheckNames(rule, parsed.replacement);
}

const ParsedRule& ParsedOf(const RewriteRule& rule) {
  if (rule.parsed != nullptr) return *rule.parsed;
  static auto* const parsed = new std::map<const RewriteRule*, std::unique_ptr<const ParsedRule>>();
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<const ParsedRule>& entry = (*parsed)[&rule];
  if (entry == nullptr) {
    absl::StatusOr<ParsedRule> made = ParseRule(rule);
    entry = std::make_unique<const ParsedRule>(made.ok() ? *std::move(made) : ParsedRule());
  }
  return *entry;
}

bool Applies(const Analysis& analysis, const EditedModel* model, const Place& place) {
  if (model != nullptr) {
    for (const NodeId node : place.match.nodes) {
      if (!IsOfFile(analysis, *model, node)) return false;
    }
    for (const ValueId value : place.values) {
      if (value.valid() && !IsNamedInFile(*model, analysis.graph->name(value))) return false;
    }
  }
  const Site site(analysis, model, place);
  for (const Call& check : ParsedOf(*place.rule).checks) {
    if (!CheckHolds(site, check)) return false;
  }
  return true;
}

bool MakePlace(const Analysis& analysis, const Place& place, EditedModel* model, Renames* renames,
               std::vector<StrId>* doubtful) {
  const Site site(analysis, model, place);
  Builder builder(site, model, *renames);
  if (place.rule->compose != nullptr) {
    const std::string text = place.rule->compose(site);
    if (text.empty()) return false;
    const absl::StatusOr<Replacement> made = ParseReplacement(text);
    return made.ok() && builder.Build(*made) && builder.Commit(renames, doubtful);
  }
  const ParsedRule& parsed = ParsedOf(*place.rule);
  if (builder.Build(parsed.replacement)) return builder.Commit(renames, doubtful);
  if (!parsed.otherwise.has_value()) return false;
  Builder again(site, model, *renames);
  return again.Build(*parsed.otherwise) && again.Commit(renames, doubtful);
}

}  // namespace hwest
