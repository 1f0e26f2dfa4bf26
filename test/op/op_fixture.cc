#include "op/op_fixture.h"

#include <cstring>
#include <stdexcept>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "ir/builder.h"
#include "op/known.h"
#include "op/op_case_model.h"
#include "support/keep_model.h"

namespace hwest {
namespace {

[[noreturn]] void Fail(const std::string& what) { throw std::runtime_error(what); }

enum class Source { kAbsent, kInput, kConstant, kKnown, kDequantized };

// One input of a case after parsing its text.
struct TestInput {
  Source source = Source::kAbsent;
  ValueKind kind = ValueKind::kTensor;
  ElemType elem = ElemType::kUndefined;
  bool ranked = false;
  std::vector<std::string> dims;
  std::vector<double> values;
  std::vector<std::string> contents;  // of an input whose contents are known to inference only
};

std::vector<std::string> SplitList(absl::string_view text) {
  std::vector<std::string> parts;
  for (absl::string_view part : absl::StrSplit(text, ',')) {
    part = absl::StripAsciiWhitespace(part);
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

ElemType ElemFromName(absl::string_view name) {
  for (int number = 0; number <= 26; ++number) {
    if (ElemTypeName(static_cast<ElemType>(number)) == name) return static_cast<ElemType>(number);
  }
  Fail(absl::StrCat("no element type ", name));
}

TestInput ParseInput(absl::string_view text) {
  TestInput input;
  if (text.empty()) return input;
  input.source = absl::ConsumePrefix(&text, "const ") ? Source::kConstant
                 : absl::ConsumePrefix(&text, "dq ")  ? Source::kDequantized
                                                      : Source::kInput;
  if (absl::ConsumePrefix(&text, "map ")) input.kind = ValueKind::kMap;
  const std::vector<absl::string_view> sides = absl::StrSplit(text, absl::MaxSplits('=', 1));
  if (sides.size() == 2) {
    input.source = Source::kKnown;
    const absl::string_view list = absl::StripAsciiWhitespace(sides[1]);
    for (const std::string& value : SplitList(list.substr(1, list.size() - 2))) {
      input.contents.push_back(value);
      if (!absl::SimpleAtod(value, &input.values.emplace_back())) input.source = Source::kInput;
    }
  }
  const absl::string_view type = absl::StripAsciiWhitespace(sides[0]);
  if (sides.size() == 2 && absl::StartsWith(type, "string")) input.source = Source::kKnown;
  const size_t end = type.find_first_of("[?");
  input.elem = ElemFromName(type.substr(0, end));
  input.ranked = end == type.npos || type[end] == '[';
  if (end != type.npos && input.ranked) input.dims = SplitList(type.substr(end + 1, type.size() - end - 2));
  return input;
}

template <class T>
void Append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void AppendElement(std::string& bytes, ElemType elem, double value) {
  switch (elem) {
    case ElemType::kFloat: return Append(bytes, static_cast<float>(value));
    case ElemType::kDouble: return Append(bytes, value);
    case ElemType::kInt64: return Append(bytes, value >= 0x1p63 ? INT64_MAX : static_cast<int64_t>(value));
    case ElemType::kInt32: return Append(bytes, static_cast<int32_t>(value));
    case ElemType::kInt8: return Append(bytes, static_cast<int8_t>(value));
    case ElemType::kUint8:
    case ElemType::kBool: return Append(bytes, static_cast<uint8_t>(value));
    default: Fail(absl::StrCat("no test constants of type ", ElemTypeName(elem)));
  }
}

Constant MakeConstant(const TestInput& input) {
  Constant constant;
  constant.elem = input.elem;
  for (const std::string& dim : input.dims) {
    if (!absl::SimpleAtoi(dim, &constant.dims.emplace_back())) Fail(absl::StrCat("no constant dim ", dim));
  }
  constant.storage = input.source == Source::kKnown ? Storage::kDecoded : Storage::kInline;
  if (input.elem == ElemType::kString) {
    constant.strings = input.contents;
  } else {
    for (const double value : input.values) AppendElement(constant.data, input.elem, value);
  }
  if (input.source == Source::kKnown && constant.Elements() != static_cast<int64_t>(input.values.size())) {
    Fail("a known constant has as many values as elements");
  }
  constant.length = static_cast<int64_t>(constant.data.size());
  return constant;
}

RawType MakeType(StringTable& strings, const TestInput& input) {
  RawType type;
  if (input.kind == ValueKind::kMap) {
    type.kind = ValueKind::kMap;
    type.element = {RawType{.kind = ValueKind::kTensor, .elem = static_cast<int32_t>(input.elem)}};
    return type;
  }
  type.kind = ValueKind::kTensor;
  type.elem = static_cast<int32_t>(input.elem);
  type.has_shape = input.ranked;
  for (const std::string& text : input.dims) {
    RawDim& dim = type.dims.emplace_back();
    dim.has_value = absl::SimpleAtoi(text, &dim.value);
    if (!dim.has_value && text != "?") dim.param = strings.Intern(text);
  }
  return type;
}

RawAttribute MakeAttribute(StringTable& strings, const TestAttr& attr) {
  RawAttribute raw;
  raw.name = strings.Intern(attr.name);
  raw.kind = attr.kind;
  raw.i = attr.i;
  raw.f = attr.f;
  raw.s = strings.Intern(attr.s);
  raw.ints = attr.ints;
  raw.floats = attr.floats;
  for (const std::string& text : attr.strings) raw.strings.push_back(strings.Intern(text));
  if (attr.kind == AttrKind::kTensor) raw.tensors.push_back(attr.tensor);
  return raw;
}

// A value `name` of the given type that DequantizeLinear makes from a quantised graph input.
void AddDequantized(RawModel& model, const std::string& name, const TestInput& input) {
  TestInput quantised = input;
  quantised.elem = ElemType::kInt8;
  const StrId source = model.strings.Intern(name + "_q");
  const StrId scale = model.strings.Intern(name + "_scale");
  model.graph.inputs.push_back({source, MakeType(model.strings, quantised)});
  TestInput scalar;
  scalar.elem = input.elem;
  scalar.ranked = true;
  model.graph.inputs.push_back({scale, MakeType(model.strings, scalar)});
  RawNode node;
  node.domain = model.strings.Intern("");
  node.op = model.strings.Intern("DequantizeLinear");
  node.inputs = {source, scale};
  node.outputs = {model.strings.Intern(name)};
  model.graph.value_info.push_back({node.outputs[0], MakeType(model.strings, input)});
  model.graph.nodes.push_back(std::move(node));
}

void AddInput(RawModel& model, RawNode& node, const std::string& name, const TestInput& input) {
  StringTable& strings = model.strings;
  node.inputs.push_back(strings.Intern(input.source == Source::kAbsent ? "" : name));
  switch (input.source) {
    case Source::kAbsent: return;
    case Source::kInput: model.graph.inputs.push_back({node.inputs.back(), MakeType(strings, input)}); return;
    case Source::kConstant:
    case Source::kKnown: {
      Constant constant = MakeConstant(input);
      constant.name = node.inputs.back();
      model.graph.initializers.push_back(std::move(constant));
      return;
    }
    case Source::kDequantized: AddDequantized(model, name, input);
  }
}

RawModel MakeModel(const OpCase& op_case) {
  RawModel model;
  model.ir_version = 8;
  StringTable& strings = model.strings;
  model.opsets = {{strings.Intern(""), op_case.opset}};
  RawNode node;
  const std::vector<std::string> parts = absl::StrSplit(op_case.op, "::");
  node.domain = strings.Intern(parts.size() == 2 ? parts[0] : "");
  node.op = strings.Intern(parts.back());
  node.name = strings.Intern("node");
  if (parts.size() == 2) model.opsets.push_back({node.domain, op_case.domain_version});
  for (size_t i = 0; i < op_case.inputs.size(); ++i) {
    AddInput(model, node, absl::StrCat("in", i), ParseInput(op_case.inputs[i]));
  }
  for (const TestAttr& attr : op_case.attrs) node.attributes.push_back(MakeAttribute(strings, attr));
  for (int i = 0; i < op_case.outputs; ++i) {
    node.outputs.push_back(strings.Intern(absl::StrCat("out", i)));
    const size_t index = static_cast<size_t>(i);
    if (index >= op_case.declared.size() || op_case.declared[index].empty()) continue;
    model.graph.value_info.push_back({node.outputs.back(), MakeType(strings, ParseInput(op_case.declared[index]))});
  }
  model.graph.nodes.push_back(std::move(node));
  return model;
}

// What is known before any rule ran: declared types of everything but the node's own outputs, and constants.
Facts InputFacts(const Graph& graph, NodeId node) {
  Facts facts;
  facts.values.resize(graph.values().size());
  for (size_t i = 0; i < graph.values().size(); ++i) {
    const ValueId id(i);
    const Value& value = graph.value(id);
    ValueFact& fact = facts.values[id];
    if (value.producer == node) continue;
    if (const Type* declared = graph.declared(id)) fact.type = *declared;
    if (!value.constant.valid()) continue;
    const Constant& constant = graph.constant(value.constant);
    Shape::Dims dims(constant.dims.begin(), constant.dims.end());
    fact.type = Type::Tensor(constant.elem, Shape(std::move(dims)));
    fact.known = DecodeConstant(constant);
  }
  return facts;
}

// Contents that are expressions or unknown cannot be written into a model; they are handed to inference directly.
void AddContents(const OpCase& op_case, OpRun& run) {
  for (size_t i = 0; i < op_case.inputs.size(); ++i) {
    const TestInput input = ParseInput(op_case.inputs[i]);
    if (input.source != Source::kInput || input.contents.empty()) continue;
    std::vector<Scalar> known;
    for (const std::string& text : input.contents) {
      int64_t number = 0;
      const bool constant = absl::SimpleAtoi(text, &number);
      known.push_back(text == "?" ? Scalar() : Scalar::Int(constant ? Dim(number) : run.dims->Parse(text)));
    }
    run.facts.values[run.graph->inputs(run.node)[i]].known = std::make_shared<const std::vector<Scalar>>(known);
  }
}

// Contents that are expressions, which a file makes from the sizes of another input.
void KeepCase(const OpCase& op_case) {
  if (!test::KeepsModels()) return;
  RawModel model = MakeModel(op_case);
  std::vector<ShapeOf> shapes;
  for (size_t i = 0; i < op_case.inputs.size(); ++i) {
    const TestInput input = ParseInput(op_case.inputs[i]);
    if (input.source != Source::kInput || input.contents.empty()) continue;
    const TestInput sizes{.elem = ElemType::kFloat, .ranked = true, .dims = input.contents};
    shapes.push_back({absl::StrCat("in", i), MakeType(model.strings, sizes)});
  }
  test::KeepModel(CaseModelBytes(model, shapes));
}

absl::string_view KindName(ContractionKind kind) {
  switch (kind) {
    case ContractionKind::kConv: return "conv";
    case ContractionKind::kDepthwise: return "depthwise";
    case ContractionKind::kConvTranspose: return "conv_transpose";
    case ContractionKind::kMatMul: return "matmul";
    case ContractionKind::kActivation: return "activation";
    case ContractionKind::kRecurrent: return "recurrent";
  }
  return "?";
}

}  // namespace

TestAttr Int(std::string name, int64_t value) { return {.name = std::move(name), .kind = AttrKind::kInt, .i = value}; }
TestAttr Float(std::string name, float value) {
  return {.name = std::move(name), .kind = AttrKind::kFloat, .f = value};
}
TestAttr Str(std::string name, std::string value) {
  return {.name = std::move(name), .kind = AttrKind::kString, .s = std::move(value)};
}
TestAttr Ints(std::string name, std::vector<int64_t> values) {
  return {.name = std::move(name), .kind = AttrKind::kInts, .ints = std::move(values)};
}
TestAttr Floats(std::string name, std::vector<float> values) {
  return {.name = std::move(name), .kind = AttrKind::kFloats, .floats = std::move(values)};
}
TestAttr Strings(std::string name, std::vector<std::string> values) {
  return {.name = std::move(name), .kind = AttrKind::kStrings, .strings = std::move(values)};
}
TestAttr Tensor(std::string name, Constant value) {
  return {.name = std::move(name), .kind = AttrKind::kTensor, .tensor = std::move(value)};
}

Constant TestConstant(const std::string& type, const std::vector<double>& values) {
  TestInput input = ParseInput(type);
  input.source = Source::kKnown;
  input.values = values;
  return MakeConstant(input);
}

std::string OpRun::type(int output) const {
  const Type& type = view().out(output);
  if (type.kind == ValueKind::kUnknown) return "none";
  const std::string prefix = type.is_tensor() ? "" : absl::StrCat(ValueKindName(type.kind), " of ");
  if (type.is_tensor() && type.shape.ranked() && type.shape.rank() == 0) return ElemTypeName(type.elem) + "[]";
  return absl::StrCat(prefix, ElemTypeName(type.elem), ToString(type.shape, *dims));
}

std::string OpRun::known(int output) const {
  const Known contents = view().out_known(output);
  if (contents == nullptr) return "none";
  std::vector<std::string> texts;
  for (const Scalar& scalar : *contents) {
    texts.push_back(scalar.is_unknown() ? "?" : scalar.is_int() ? text(scalar.dim()) : absl::StrCat(scalar.number()));
  }
  return absl::StrCat("{", absl::StrJoin(texts, ", "), "}");
}

std::string OpRun::ops() const {
  constexpr absl::string_view kNames[] = {"add", "mul", "compare", "transcendental", "integer"};
  std::vector<std::string> texts;
  for (size_t i = 0; i < kNumOpKinds; ++i) {
    const Dim count = work.value().ops[i];
    if (!count.IsConstant(0)) texts.push_back(absl::StrCat(kNames[i], "=", text(count)));
  }
  return absl::StrJoin(texts, " ");
}

std::string OpRun::contractions() const {
  std::vector<std::string> texts;
  for (const Contraction& c : work.value().contractions) {
    texts.push_back(absl::StrCat(KindName(c.kind), " ", text(c.batch), "x", text(c.m), "x", text(c.n), "x", text(c.k)));
  }
  return absl::StrJoin(texts, ", ");
}

OpRun RunOp(const OpCase& op_case) {
  OpRun run;
  KeepCase(op_case);
  absl::StatusOr<Graph> graph = BuildGraph(MakeModel(op_case), BuildOptions{});
  if (!graph.ok()) Fail(std::string(graph.status().message()));
  run.graph = std::make_unique<Graph>(*std::move(graph));
  run.dims = std::make_unique<DimPool>(&run.graph->dims());
  run.node = NodeId(run.graph->nodes().size() - 1);
  run.facts = InputFacts(*run.graph, run.node);
  AddContents(op_case, run);
  run.rule = FindRule(run.graph->domain(run.node), run.graph->op(run.node));
  if (run.rule == nullptr) Fail("no rule for " + op_case.op);
  InferContext context(*run.graph, run.node, run.facts, *run.dims);
  run.inferred = run.rule->infer(context);
  if (!run.inferred.ok()) return run;
  if (run.rule->known != nullptr) run.rule->known(context);
  run.work = run.rule->work == nullptr ? absl::StatusOr<Work>(Work()) : run.rule->work(run.view());
  return run;
}

}  // namespace hwest
