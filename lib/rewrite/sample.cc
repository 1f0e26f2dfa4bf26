#include "rewrite/sample.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "hwest/diagnostic.h"
#include "rewrite/encode.h"
#include "rewrite/find.h"
#include "rewrite/payload.h"

namespace hwest {
namespace {

constexpr int kSampleOpset = 21;
constexpr int64_t kSampleIr = 10;
constexpr size_t kMostTries = 2000;
constexpr int64_t kSampleSize = 8;  // of every axis, so that most operands fit each other

// Writes a pattern as the replacement that makes what it matches: of alternatives the first, with all that may be left
// out in place.
class PatternText {
 public:
  explicit PatternText(const Pattern& pattern) : pattern_(pattern) {}

  // "" where it cannot be written so.
  std::string Write() {
    std::string result = Term(pattern_.root);
    if (is_wrong_) return "";
    return absl::StrCat(absl::StrJoin(statements_, ""), result);
  }

 private:
  std::string NameOfSlot(int32_t slot) const { return pattern_.slots[static_cast<size_t>(slot)]; }

  std::string Term(uint16_t index) {
    const Expr& expr = pattern_.exprs[index];
    switch (expr.kind) {
      case ExprKind::kLeaf: return expr.slot >= 0 ? NameOfSlot(expr.slot) : absl::StrCat("any", ++others_);
      case ExprKind::kNumber: return FloatText(expr.number);
      case ExprKind::kEither: return expr.args.empty() ? Wrong() : Named(expr, Term(expr.args[0]));
      case ExprKind::kOp: break;
    }
    if (expr.ops.empty() || expr.output != 0) return Wrong();
    std::vector<std::string> args;
    for (const uint16_t arg : expr.args) args.push_back(Term(arg));
    const OpName& op = expr.ops[0];
    return Named(expr, absl::StrCat(op.domain.empty() ? "" : absl::StrCat(op.domain, "::"), op.op, "(",
                                    absl::StrJoin(args, ", "), ")"));
  }

  std::string Named(const Expr& expr, std::string text) {
    if (expr.slot < 0) return text;
    const std::string name = NameOfSlot(expr.slot);
    if (made_.insert(name).second) statements_.push_back(absl::StrCat(name, " = ", text, "; "));
    return name;
  }

  std::string Wrong() {
    is_wrong_ = true;
    return "_";
  }

  const Pattern& pattern_;
  std::vector<std::string> statements_;
  std::set<std::string> made_;
  int others_ = 0;
  bool is_wrong_ = false;
};

// Random numbers that are the same on every machine.
class Draw {
 public:
  double Next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) / 9007199254740992.0;
  }

 private:
  uint64_t state_ = 20240229;
};

std::string PayloadOf(const SampleType& type, SampleNumbers numbers, Draw* draw) {
  int64_t count = 1;
  for (const int64_t dim : type.dims) count *= dim;
  std::string data;
  for (int64_t i = 0; i < count; ++i) {
    const double number = draw->Next();
    const double sign = numbers == SampleNumbers::kSigned && draw->Next() < 0.5 ? -1 : 1;
    if (HoldsNumbers(type.elem)) {
      AppendNumber(sign * (0.5 + number), type.elem, &data);
    } else if (type.elem == ElemType::kBool) {
      data.push_back(number < 0.5 ? '\0' : '\1');
    } else {
      AppendInt(static_cast<int64_t>(number * kSampleSize), ElemBits(type.elem), &data);
    }
  }
  return data;
}

// Writes an ONNX model of a replacement whose free names have the given types.
class SampleWriter {
 public:
  SampleWriter(const Replacement& made, const std::vector<SampleType>& types, SampleNumbers numbers)
      : made_(made), numbers_(numbers) {
    for (const SampleType& type : types) types_[type.name] = type;
  }

  // None where it has no such form, or a free name has no type.
  std::optional<std::string> Write() {
    for (const auto& statement : made_.statements) {
      const MadeExpr& expr = made_.exprs[statement.expr];
      const std::vector<StrId> values = Expression(expr, statement.names.size(), statement.names);
      if (failed_) return std::nullopt;
      for (size_t i = 0; i < statement.names.size() && i < values.size(); ++i) named_[statement.names[i]] = values[i];
    }
    std::vector<StrId> outputs;
    for (const uint16_t output : made_.outputs) {
      outputs.push_back(Expression(made_.exprs[output], 1, {})[0]);
      if (failed_) return std::nullopt;
    }
    std::string graph;
    for (const RawNode& node : nodes_) AppendBytesField(1, EncodeNode(node, strings_), &graph);
    AppendBytesField(2, "sample", &graph);
    for (const std::string& tensor : tensors_) AppendBytesField(5, tensor, &graph);
    for (const std::string& input : inputs_) AppendBytesField(11, input, &graph);
    return Finish(std::move(graph), outputs);
  }

 private:
  std::string Finish(std::string graph, const std::vector<StrId>& outputs) {
    for (const StrId output : outputs) {
      std::string info;
      AppendBytesField(1, strings_[output], &info);
      AppendBytesField(12, info, &graph);
    }
    std::string model;
    AppendIntField(1, kSampleIr, &model);
    AppendBytesField(7, graph, &model);
    domains_.emplace("", kSampleOpset);
    for (const auto& [domain, version] : domains_) {
      std::string import;
      if (!domain.empty()) AppendBytesField(1, domain, &import);
      AppendIntField(2, version, &import);
      AppendBytesField(8, import, &model);
    }
    return model;
  }

  StrId NewSampleName() { return strings_.Intern(absl::StrCat("v", ++count_)); }

  StrId AddTensor(Constant constant) {
    constant.name = NewSampleName();
    constant.storage = Storage::kDecoded;
    tensors_.push_back(
        absl::StrCat(EncodeTensorHead(constant, strings_, static_cast<int64_t>(constant.data.size())), constant.data));
    return constant.name;
  }

  StrId Fail() {
    failed_ = true;
    return StrId();
  }

  StrId Free(const std::string& name) {
    const auto named = named_.find(name);
    if (named != named_.end()) return named->second;
    const auto type = types_.find(name);
    if (type == types_.end()) return Fail();
    StrId id;
    if (type->second.is_constant) {
      Constant constant;
      constant.elem = type->second.elem;
      constant.dims = type->second.dims;
      constant.data = PayloadOf(type->second, numbers_, &draw_);
      id = AddTensor(std::move(constant));
    } else {
      id = strings_.Intern(name);
      RawType raw;
      raw.elem = static_cast<int32_t>(type->second.elem);
      raw.has_shape = true;
      for (const int64_t dim : type->second.dims) raw.dims.push_back({.has_value = true, .value = dim});
      std::string info;
      AppendBytesField(1, name, &info);
      AppendBytesField(2, EncodeType(raw, strings_), &info);
      inputs_.push_back(std::move(info));
    }
    named_[name] = id;
    return id;
  }

  StrId Ints(const std::vector<int64_t>& ints) {
    Constant constant;
    constant.elem = ElemType::kInt64;
    constant.dims = {static_cast<int64_t>(ints.size())};
    for (const int64_t value : ints) AppendInt(value, 64, &constant.data);
    return AddTensor(std::move(constant));
  }

  StrId Number(double number) {
    Constant constant;
    constant.elem = ElemType::kFloat;
    AppendNumber(number, ElemType::kFloat, &constant.data);
    return AddTensor(std::move(constant));
  }

  std::vector<StrId> Expression(const MadeExpr& expr, size_t outputs, const std::vector<std::string>& names) {
    switch (expr.kind) {
      case MadeExpr::Kind::kAbsent: return {strings_.Intern("")};
      case MadeExpr::Kind::kName: return {Free(expr.name)};
      case MadeExpr::Kind::kNumber: return {Number(expr.number)};
      case MadeExpr::Kind::kCall: {
        // Whole numbers alone: other figures are of a match.
        std::vector<int64_t> ints;
        for (const std::string& arg : expr.call.args) {
          int64_t value = 0;
          if (!absl::SimpleAtoi(arg, &value)) return {Fail()};
          ints.push_back(value);
        }
        if (expr.call.name != "ints") return {Fail()};
        return {Ints(ints)};
      }
      case MadeExpr::Kind::kOp: return Node(expr, outputs, names);
    }
    return {Fail()};
  }

  std::vector<StrId> Node(const MadeExpr& expr, size_t outputs, const std::vector<std::string>& names) {
    RawNode node;
    const StrId none = strings_.Intern("");
    for (const uint16_t input : expr.inputs) {
      const StrId id = Expression(made_.exprs[input], 1, {})[0];
      if (failed_) return {StrId()};
      node.inputs.push_back(id);
    }
    node.domain = strings_.Intern(expr.domain);
    node.op = strings_.Intern(expr.name);
    node.overload = none;
    if (!expr.domain.empty()) domains_.emplace(expr.domain, 1);
    for (const MadeAttribute& made : expr.attributes) {
      RawAttribute attribute;
      attribute.name = strings_.Intern(made.name);
      attribute.s = none;
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
          attribute.s = strings_.Intern(made.text);
          break;
        default: return {Fail()};
      }
      if (!MovesToInput(expr, attribute, &node)) node.attributes.push_back(std::move(attribute));
    }
    for (size_t i = 0; i < outputs; ++i) {
      node.outputs.push_back(i < names.size() ? strings_.Intern(names[i]) : NewSampleName());
    }
    const std::vector<StrId> made(node.outputs.begin(), node.outputs.end());
    nodes_.push_back(std::move(node));
    return made;
  }

  bool MovesToInput(const MadeExpr& expr, const RawAttribute& attribute, RawNode* node) {
    if (!expr.domain.empty()) return false;
    for (const MovedOperand& operand : MovedOperands()) {
      if (operand.op != expr.name || operand.attribute != strings_[attribute.name] || operand.since > kSampleOpset)
        continue;
      while (node->inputs.size() <= operand.input) node->inputs.push_back(strings_.Intern(""));
      node->inputs[operand.input] = attribute.kind == AttrKind::kInts  ? Ints(attribute.ints)
                                    : attribute.kind == AttrKind::kInt ? Ints({attribute.i})
                                                                       : Number(attribute.f);
      return true;
    }
    return false;
  }

  const Replacement& made_;
  const SampleNumbers numbers_;
  std::map<std::string, SampleType> types_;
  std::map<std::string, StrId> named_;
  std::map<std::string, int64_t> domains_;
  StringTable strings_;
  std::vector<RawNode> nodes_;
  std::vector<std::string> tensors_, inputs_;
  Draw draw_;
  int count_ = 0;
  bool failed_ = false;
};

// Whether the rule has a place in the model, all of which is understood.
bool HasPlace(const UserRule& rule, const std::string& bytes) {
  absl::StatusOr<EditedModel> model = EditedModel::FromMemory(bytes, "sample.onnx");
  if (!model.ok()) return false;
  absl::StatusOr<std::shared_ptr<const Graph>> graph = model->GraphOf();
  if (!graph.ok()) return false;
  const absl::StatusOr<Analysis> analysis = Analyze(*std::move(graph), AnalysisRequest());
  if (!analysis.ok()) return false;
  for (size_t n = 0; n < analysis->graph->nodes().size(); ++n) {
    for (const ValueId output : analysis->graph->outputs(NodeId(n))) {
      if (output.valid() && !analysis->facts.values[output].type.shape.constant()) return false;
    }
  }
  return !FindMatches(*analysis, {&rule.rule}, &*model).empty();
}

// Types that a value may have, likely ones first.
std::vector<SampleType> TypesFor(const std::string& name) {
  constexpr int64_t n = kSampleSize;
  const std::vector<std::pair<ElemType, std::vector<int64_t>>> inputs = {{ElemType::kFloat, {1, n, n, n}},
                                                                         {ElemType::kFloat, {n, n}},
                                                                         {ElemType::kInt64, {n, n}},
                                                                         {ElemType::kBool, {1, n, n, n}}};
  const std::vector<std::pair<ElemType, std::vector<int64_t>>> constants = {
      {ElemType::kFloat, {n}},          {ElemType::kFloat, {}},        {ElemType::kFloat, {n, n, 3, 3}},
      {ElemType::kFloat, {n, n, 1, 1}}, {ElemType::kFloat, {n, 1, 1}}, {ElemType::kFloat, {n, n}},
      {ElemType::kInt64, {n}},          {ElemType::kInt64, {}}};
  std::vector<SampleType> types;
  for (size_t i = 0; i < std::max(inputs.size(), constants.size()); ++i) {
    if (i < inputs.size()) types.push_back({name, inputs[i].first, inputs[i].second, false});
    if (i < constants.size()) types.push_back({name, constants[i].first, constants[i].second, true});
  }
  return types;
}

// Names of a replacement that nothing in it makes, in order.
std::vector<std::string> FreeNames(const Replacement& made) {
  std::set<std::string> made_names, seen;
  for (const auto& statement : made.statements) made_names.insert(statement.names.begin(), statement.names.end());
  std::vector<std::string> free;
  for (const MadeExpr& expr : made.exprs) {
    if (expr.kind != MadeExpr::Kind::kName || made_names.contains(expr.name)) continue;
    if (seen.insert(expr.name).second) free.push_back(expr.name);
  }
  return free;
}

// Calls `take` with indices below `choices` for each of `places`, in the order of their sum, until it returns true.
bool InOrderOfSum(size_t places, size_t choices, absl::FunctionRef<bool(const std::vector<size_t>&)> take) {
  size_t tries = 0;
  std::vector<size_t> at(places, 0);
  for (size_t sum = 0; sum <= places * (choices - 1); ++sum) {
    // Every vector of that sum.
    const auto fill = [&](auto&& self, size_t place, size_t left) -> bool {
      if (tries > kMostTries) return false;
      if (place == places) {
        if (left != 0) return false;
        ++tries;
        return take(at);
      }
      if (place + 1 == places) {
        if (left >= choices) return false;
        at[place] = left;
        return self(self, place + 1, 0);
      }
      for (size_t each = 0; each <= left && each < choices; ++each) {
        at[place] = each;
        if (self(self, place + 1, left - each)) return true;
      }
      return false;
    };
    if (fill(fill, 0, sum)) return true;
    if (tries > kMostTries) return false;
  }
  return false;
}

absl::Status NoSample(const UserRule& rule, absl::string_view what) {
  return MakeError(Code::kUsage, absl::StrCat("line ", rule.line, ": ", what, " the rule ", rule.rule.name),
                   "add `sample EXPRESSION` and `of NAME TYPE` to it, see `onnx-hwest describe rules`");
}

}  // namespace

absl::StatusOr<std::string> SampleOf(const UserRule& rule, SampleNumbers numbers) {
  const std::string text = rule.sample.empty() ? PatternText(rule.pattern).Write() : rule.sample;
  absl::StatusOr<Replacement> made = ParseReplacement(text);
  if (text.empty() || !made.ok()) return NoSample(rule, "no small model can be made of");
  std::vector<SampleType> types = rule.types;
  std::vector<std::string> open;
  for (const std::string& name : FreeNames(*made)) {
    const auto is_same = [&](const SampleType& type) { return type.name == name; };
    if (std::none_of(types.begin(), types.end(), is_same)) open.push_back(name);
  }
  std::string found;
  const auto tries = [&](const std::vector<SampleType>& all) {
    std::optional<std::string> bytes = SampleWriter(*made, all, numbers).Write();
    if (!bytes.has_value() || !HasPlace(rule, *bytes)) return false;
    found = *std::move(bytes);
    return true;
  };
  if (open.empty()) {
    if (!tries(types)) return NoSample(rule, "the sample has no place for");
    return found;
  }
  std::vector<std::vector<SampleType>> choices;
  for (const std::string& name : open) choices.push_back(TypesFor(name));
  const bool is_found = InOrderOfSum(open.size(), choices[0].size(), [&](const std::vector<size_t>& at) {
    std::vector<SampleType> all = types;
    for (size_t i = 0; i < at.size(); ++i) all.push_back(choices[i][at[i]]);
    return tries(all);
  });
  if (!is_found) return NoSample(rule, "no small model was found for");
  return found;
}

}  // namespace hwest
