#include "fit/operator_graph.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "analysis/load.h"
#include "base/status_macros.h"
#include "ir/raw.h"

namespace hwest {
namespace {

using Shape = MeasuredOperator::Shape;

constexpr int64_t kOpset = 23;
constexpr int64_t kIrVersion = 10;

absl::Status NoGraph(absl::string_view why) { return absl::NotFoundError(why); }

// Writes a graph node by node; values are known by name.
class Sketch {
 public:
  Sketch() {
    raw_.ir_version = kIrVersion;
    raw_.opsets.push_back({.domain = Id(""), .version = kOpset});
    raw_.graph.name = Id("operator");
  }

  std::string Input(const Shape& shape, ElemType elem = ElemType::kFloat) {
    const std::string name = absl::StrCat("x", raw_.graph.inputs.size());
    RawValueInfo info{.name = Id(name), .type = {.kind = ValueKind::kTensor, .elem = static_cast<int32_t>(elem)}};
    info.type.has_shape = true;
    for (const int64_t size : shape) info.type.dims.push_back({.has_value = true, .value = size, .param = {}});
    raw_.graph.inputs.push_back(std::move(info));
    return name;
  }

  // Its contents are nowhere: nothing here reads weights.
  std::string Weight(const Shape& shape) {
    return Add({.name = {}, .elem = ElemType::kFloat, .dims = shape, .storage = Storage::kInline});
  }

  std::string Numbers(const std::vector<int64_t>& numbers) { return AddDecoded(numbers, ElemType::kInt64); }
  std::string Reals(const std::vector<float>& numbers) { return AddDecoded(numbers, ElemType::kFloat); }

  struct Ints {
    absl::string_view name;
    std::vector<int64_t> values;
  };
  struct NodeText {
    std::vector<Ints> ints = {};                                      // lists
    std::vector<std::pair<absl::string_view, int64_t>> numbers = {};  // single ones
    std::vector<std::pair<absl::string_view, absl::string_view>> texts = {};
    size_t outputs = 1;
  };

  std::vector<std::string> AddNode(absl::string_view op, const std::vector<std::string>& inputs, const NodeText& text) {
    RawNode node;
    node.domain = Id("");
    node.op = Id(op);
    node.name = Id(absl::StrCat(op, "_", raw_.graph.nodes.size()));
    for (const std::string& input : inputs) node.inputs.push_back(Id(input));
    std::vector<std::string> outputs;
    for (size_t i = 0; i < text.outputs; ++i) {
      outputs.push_back(absl::StrCat("y", values_++));
      node.outputs.push_back(Id(outputs.back()));
    }
    for (const Ints& list : text.ints) {
      RawAttribute attribute{.name = Id(list.name), .kind = AttrKind::kInts, .ref = {}, .s = {}};
      attribute.ints = list.values;
      node.attributes.push_back(std::move(attribute));
    }
    for (const auto& [name, value] : text.numbers) {
      node.attributes.push_back({.name = Id(name), .kind = AttrKind::kInt, .ref = {}, .i = value, .s = {}});
    }
    for (const auto& [name, value] : text.texts) {
      node.attributes.push_back({.name = Id(name), .kind = AttrKind::kString, .ref = {}, .s = Id(value)});
    }
    raw_.graph.nodes.push_back(std::move(node));
    return outputs;
  }
  std::string AddNode(absl::string_view op, const std::vector<std::string>& inputs) {
    return AddNode(op, inputs, NodeText())[0];
  }

  absl::StatusOr<std::shared_ptr<const Graph>> Finish(const std::vector<std::string>& outputs) && {
    for (const std::string& output : outputs) {
      raw_.graph.outputs.push_back(
          {.name = Id(output), .type = {.kind = ValueKind::kTensor, .elem = static_cast<int32_t>(ElemType::kFloat)}});
    }
    return BuildModel(std::move(raw_), {});
  }

 private:
  StrId Id(absl::string_view text) { return raw_.strings.Intern(text); }

  std::string Add(Constant constant) {
    const std::string name = absl::StrCat("w", raw_.graph.initializers.size());
    constant.name = Id(name);
    raw_.graph.initializers.push_back(std::move(constant));
    return name;
  }

  template <class Number>
  std::string AddDecoded(const std::vector<Number>& numbers, ElemType elem) {
    Constant constant{
        .name = {}, .elem = elem, .dims = {static_cast<int64_t>(numbers.size())}, .storage = Storage::kDecoded};
    constant.data.resize(numbers.size() * sizeof(Number));
    if (!numbers.empty()) std::memcpy(constant.data.data(), numbers.data(), constant.data.size());
    return Add(std::move(constant));
  }

  RawModel raw_;
  size_t values_ = 0;
};

// What a row says, and the graph that is drawn from it.
struct GraphDraft {
  const MeasuredOperator& row;
  Sketch sketch = {};
  size_t inputs = 0;  // of the row that are in the graph

  const Shape& in(size_t index = 0) const { return row.inputs[index]; }
  const Shape& out(size_t index = 0) const { return row.outputs[index]; }
  std::string NextInput() { return sketch.Input(row.inputs[inputs++]); }
};

// Outputs of the operator that leads the row.
using OperatorValues = absl::StatusOr<std::vector<std::string>>;

absl::Status NeedShapes(const GraphDraft& draft, size_t num_inputs, size_t num_outputs) {
  if (draft.row.inputs.size() < num_inputs) return NoGraph("input shape not stated");
  if (draft.row.outputs.size() < num_outputs) return NoGraph("output shape not stated");
  return absl::OkStatus();
}

// "3x3" of `axes` sizes; `fallback` for each that is not stated.
std::vector<int64_t> PerAxis(const MeasuredOperator& row, absl::string_view name, size_t axes, int64_t fallback) {
  Shape sizes = SizesIn(row.Attribute(name));
  sizes.resize(axes, fallback);
  return sizes;
}

// Begins, then ends: "1x1,2x2", "1x1x2x2" or "1x1" for both.
std::vector<int64_t> PadsOf(const MeasuredOperator& row, size_t axes) {
  Shape pads;
  for (const absl::string_view side : absl::StrSplit(row.Attribute("pad"), ',')) {
    const Shape part = SizesIn(side);
    pads.insert(pads.end(), part.begin(), part.end());
  }
  if (pads.size() == axes) pads.insert(pads.end(), pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(axes));
  pads.resize(2 * axes, 0);
  return pads;
}

int64_t NumberOf(const MeasuredOperator& row, absl::string_view name, int64_t fallback) {
  int64_t number = 0;
  return absl::SimpleAtoi(row.Attribute(name), &number) ? number : fallback;
}

OperatorValues AddConv(GraphDraft& draft) {
  HWEST_RETURN_IF_ERROR(NeedShapes(draft, 1, 0));
  const MeasuredOperator& row = draft.row;
  if (row.weight.size() < 3) return NoGraph("weight shape not stated");
  if (draft.in().size() != row.weight.size()) return NoGraph("input and weight of other ranks");
  const size_t axes = row.weight.size() - 2;
  const std::string x = draft.NextInput();
  const bool is_transposed = absl::StrContains(row.ops, "ConvTranspose");
  return draft.sketch.AddNode(is_transposed ? "ConvTranspose" : "Conv", {x, draft.sketch.Weight(row.weight)},
                              {.ints = {{"strides", PerAxis(row, "stride", axes, 1)},
                                        {"pads", PadsOf(row, axes)},
                                        {"dilations", PerAxis(row, "dilation", axes, 1)}},
                               .numbers = {{"group", NumberOf(row, "groups", 1)}}});
}

// A product with weights K x N, or N x K as exporters of linear layers keep them. Two inputs are one whose other side
// takes the place of the weights.
OperatorValues AddProduct(GraphDraft& draft) {
  if (draft.row.weight.size() > 2) return AddConv(draft);
  HWEST_RETURN_IF_ERROR(NeedShapes(draft, 1, 0));
  const bool is_pair = draft.row.weight.empty();
  if (is_pair && draft.row.inputs.size() != 2) return NoGraph("weight shape not stated");
  const Shape& weight = is_pair ? draft.in(1) : draft.row.weight;
  if (weight.size() != 2 || draft.in().empty()) return NoGraph("weights are no matrix");
  const int64_t k = draft.in().back();
  if (k != weight[0] && k != weight[1]) return NoGraph("sizes of the product do not fit");
  const std::string x = draft.NextInput();
  const Shape right = k == weight[0] ? weight : Shape{weight[1], weight[0]};
  if (is_pair) draft.inputs = 2;
  return std::vector<std::string>{draft.sketch.AddNode("MatMul", {x, draft.sketch.Weight(right)})};
}

// Sizes are named: q=BATCHxHEADSxQUERIESxSIZE kv_heads=N, keys before the queries as step=N.
OperatorValues AddAttention(GraphDraft& draft) {
  const MeasuredOperator& row = draft.row;
  const Shape q = SizesIn(row.Attribute("q"));
  if (q.size() != 4) return NoGraph("queries of the attention not stated");
  const int64_t kv_heads = NumberOf(row, "kv_heads", q[1]);
  const int64_t window = NumberOf(row, "window", 0);
  int64_t keys = q[2] + std::max<int64_t>(0, NumberOf(row, "step", 0));
  if (window > 0 && window < keys) {
    if (q[2] > 1) return NoGraph("attention within a window is no operator of ONNX");
    keys = window;
  }
  const Shape kv = {q[0], kv_heads, keys, q[3]};
  const bool is_causal = q[2] > 1 && !absl::StrContains(row.type, "encoder");
  const std::string query = draft.sketch.Input(q), key = draft.sketch.Input(kv), value = draft.sketch.Input(kv);
  return draft.sketch.AddNode("Attention", {query, key, value}, {.numbers = {{"is_causal", is_causal ? 1 : 0}}});
}

// The window that leads from `in` to `out` where the row states none: the stride fills it.
OperatorValues AddPool(GraphDraft& draft, absl::string_view op) {
  HWEST_RETURN_IF_ERROR(NeedShapes(draft, 1, 1));
  if (draft.in().size() < 3 || draft.in().size() != draft.out().size()) return NoGraph("pooled values are no images");
  const size_t axes = draft.in().size() - 2;
  std::vector<int64_t> kernel, strides, pads = PadsOf(draft.row, axes);
  for (size_t a = 0; a < axes; ++a) {
    const int64_t in = draft.in()[a + 2], out = draft.out()[a + 2];
    if (out < 1 || in < out) return NoGraph("pooled values are no images");
    strides.push_back(std::max<int64_t>(1, in / out));
    kernel.push_back(strides.back() > 1 ? strides.back() : 3);
    if (draft.row.Attribute("kernel").empty() && strides.back() == 1) pads[a] = pads[a + axes] = 1;
  }
  if (!draft.row.Attribute("kernel").empty()) {
    kernel = PerAxis(draft.row, "kernel", axes, 1);
    strides = PerAxis(draft.row, "stride", axes, 1);
  }
  const std::string x = draft.NextInput();
  return draft.sketch.AddNode(op, {x}, {.ints = {{"kernel_shape", kernel}, {"strides", strides}, {"pads", pads}}});
}
OperatorValues AddMaxPool(GraphDraft& draft) { return AddPool(draft, "MaxPool"); }
OperatorValues AddAveragePool(GraphDraft& draft) { return AddPool(draft, "AveragePool"); }

OperatorValues AddGlobalPool(GraphDraft& draft) {
  HWEST_RETURN_IF_ERROR(NeedShapes(draft, 1, 0));
  return std::vector<std::string>{draft.sketch.AddNode("GlobalAveragePool", {draft.NextInput()})};
}

// The axis along which two shapes of one rank differ.
std::optional<size_t> AxisBetween(const Shape& a, const Shape& b) {
  if (a.size() != b.size()) return std::nullopt;
  const auto differs = std::mismatch(a.begin(), a.end(), b.begin());
  if (differs.first == a.end()) return std::nullopt;
  return differs.first - a.begin();
}

OperatorValues AddConcat(GraphDraft& draft) {
  HWEST_RETURN_IF_ERROR(NeedShapes(draft, 1, 1));
  const std::optional<size_t> axis = AxisBetween(draft.in(), draft.out());
  if (!axis.has_value()) return NoGraph("the axis that is joined does not follow from the shapes");
  std::vector<std::string> parts;
  while (draft.inputs < draft.row.inputs.size()) parts.push_back(draft.NextInput());
  return draft.sketch.AddNode("Concat", parts, {.numbers = {{"axis", static_cast<int64_t>(*axis)}}});
}

OperatorValues AddSplit(GraphDraft& draft) {
  HWEST_RETURN_IF_ERROR(NeedShapes(draft, 1, 1));
  const std::optional<size_t> axis = AxisBetween(draft.in(), draft.out());
  if (!axis.has_value()) return NoGraph("the axis that is split does not follow from the shapes");
  std::vector<int64_t> sizes;
  for (const Shape& part : draft.row.outputs) {
    if (part.size() != draft.in().size()) return NoGraph("parts of other ranks");
    sizes.push_back(part[*axis]);
  }
  const std::string x = draft.NextInput();
  return draft.sketch.AddNode("Split", {x, draft.sketch.Numbers(sizes)},
                              {.numbers = {{"axis", static_cast<int64_t>(*axis)}}, .outputs = sizes.size()});
}

OperatorValues AddSlice(GraphDraft& draft) {
  HWEST_RETURN_IF_ERROR(NeedShapes(draft, 1, 1));
  if (draft.in().size() != draft.out().size()) return NoGraph("parts of other ranks");
  std::vector<int64_t> axes(draft.in().size());
  std::iota(axes.begin(), axes.end(), int64_t{0});
  const std::string x = draft.NextInput();
  const std::string starts = draft.sketch.Numbers(std::vector<int64_t>(axes.size(), 0));
  const std::string ends = draft.sketch.Numbers(draft.out());
  return std::vector<std::string>{draft.sketch.AddNode("Slice", {x, starts, ends, draft.sketch.Numbers(axes)})};
}

OperatorValues AddPad(GraphDraft& draft) {
  HWEST_RETURN_IF_ERROR(NeedShapes(draft, 1, 1));
  const size_t rank = draft.in().size();
  if (rank != draft.out().size()) return NoGraph("padded values of other ranks");
  std::vector<int64_t> pads(2 * rank);
  for (size_t a = 0; a < rank; ++a) {
    const int64_t more = draft.out()[a] - draft.in()[a];
    pads[a] = more / 2;
    pads[a + rank] = more - more / 2;
  }
  const std::string x = draft.NextInput();
  return draft.sketch.AddNode("Pad", {x, draft.sketch.Numbers(pads)}, {.texts = {{"mode", "reflect"}}});
}

OperatorValues AddResize(GraphDraft& draft) {
  HWEST_RETURN_IF_ERROR(NeedShapes(draft, 1, 1));
  const std::string x = draft.NextInput();
  return std::vector<std::string>{draft.sketch.AddNode("Resize", {x, "", "", draft.sketch.Numbers(draft.out())})};
}

OperatorValues AddReshape(GraphDraft& draft) {
  HWEST_RETURN_IF_ERROR(NeedShapes(draft, 1, 1));
  const std::string x = draft.NextInput();
  return std::vector<std::string>{draft.sketch.AddNode("Reshape", {x, draft.sketch.Numbers(draft.out())})};
}

// The first order of axes that leads from one shape to the other.
OperatorValues AddTranspose(GraphDraft& draft) {
  HWEST_RETURN_IF_ERROR(NeedShapes(draft, 1, 1));
  std::vector<int64_t> perm;
  std::vector<uint8_t> taken(draft.in().size(), 0);
  for (const int64_t size : draft.out()) {
    for (size_t a = 0; a < draft.in().size(); ++a) {
      if (taken[a] != 0 || draft.in()[a] != size) continue;
      taken[a] = 1;
      perm.push_back(static_cast<int64_t>(a));
      break;
    }
  }
  if (perm.size() != draft.in().size() || perm.size() != draft.out().size()) return NoGraph("shapes of no transpose");
  return draft.sketch.AddNode("Transpose", {draft.NextInput()}, {.ints = {{"perm", perm}}});
}

OperatorValues AddLayerNorm(GraphDraft& draft) {
  HWEST_RETURN_IF_ERROR(NeedShapes(draft, 1, 0));
  if (draft.in().empty()) return NoGraph("input shape not stated");
  const std::string x = draft.NextInput();
  return draft.sketch.AddNode("LayerNormalization", {x, draft.sketch.Weight({draft.in().back()})},
                              {.numbers = {{"axis", -1}}});
}

OperatorValues AddGather(GraphDraft& draft) {
  HWEST_RETURN_IF_ERROR(NeedShapes(draft, 1, 0));
  if (draft.row.weight.empty()) return NoGraph("weight shape not stated");
  const std::string index = draft.sketch.Input(draft.row.inputs[draft.inputs++], ElemType::kInt64);
  return std::vector<std::string>{draft.sketch.AddNode("Gather", {draft.sketch.Weight(draft.row.weight), index})};
}

// x * sigmoid(x) of the first half of the last axis, times the second half.
OperatorValues AddGatedSilu(GraphDraft& draft) {
  HWEST_RETURN_IF_ERROR(NeedShapes(draft, 1, 0));
  if (draft.in().empty() || draft.in().back() % 2 != 0) return NoGraph("gate and values are not halves");
  const int64_t half = draft.in().back() / 2;
  const std::string x = draft.NextInput();
  const std::vector<std::string> parts =
      draft.sketch.AddNode("Split", {x, draft.sketch.Numbers({half, half})}, {.numbers = {{"axis", -1}}, .outputs = 2});
  const std::string gate = draft.sketch.AddNode("Sigmoid", {parts[0]});
  const std::string silu = draft.sketch.AddNode("Mul", {parts[0], gate});
  return std::vector<std::string>{draft.sketch.AddNode("Mul", {silu, parts[1]})};
}

template <const char* kOp>
OperatorValues AddUnary(GraphDraft& draft) {
  HWEST_RETURN_IF_ERROR(NeedShapes(draft, 1, 0));
  return std::vector<std::string>{draft.sketch.AddNode(kOp, {draft.NextInput()})};
}

template <const char* kOp>
OperatorValues AddBinary(GraphDraft& draft) {
  HWEST_RETURN_IF_ERROR(NeedShapes(draft, 2, 0));
  const std::string a = draft.NextInput(), b = draft.NextInput();
  return std::vector<std::string>{draft.sketch.AddNode(kOp, {a, b})};
}

constexpr char kAdd[] = "Add", kMul[] = "Mul", kSub[] = "Sub", kDiv[] = "Div", kSoftmax[] = "Softmax", kRelu[] = "Relu",
               kSigmoid[] = "Sigmoid", kGelu[] = "Gelu", kTanh[] = "Tanh", kHardSwish[] = "HardSwish",
               kLeakyRelu[] = "LeakyRelu";

// By the words that name it, in ONNX's or TensorFlow's spelling.
struct LeadRow {
  absl::string_view word;
  OperatorValues (*add)(GraphDraft& draft);
};
constexpr LeadRow kLeads[] = {
    {"Conv", AddConv},
    {"Conv_", AddConv},
    {"Conv2D", AddConv},
    {"ConvTranspose", AddConv},
    {"Gemm", AddProduct},
    {"MatMul", AddProduct},
    {"Attention(MatMul", AddAttention},
    {"MaxPool", AddMaxPool},
    {"AveragePool", AddAveragePool},
    {"GlobalAveragePool", AddGlobalPool},
    {"Mean", AddGlobalPool},
    {"Concat", AddConcat},
    {"Split", AddSplit},
    {"Slice", AddSlice},
    {"Pad", AddPad},
    {"Resize", AddResize},
    {"Reshape", AddReshape},
    {"Flatten", AddReshape},
    {"Transpose", AddTranspose},
    {"RMSNorm/LayerNorm", AddLayerNorm},
    {"LayerNormalization", AddLayerNorm},
    {"Gather", AddGather},
    {"SiLU*Mul", AddGatedSilu},
    {"Add", AddBinary<kAdd>},
    {"Sub", AddBinary<kSub>},
    {"Mul", AddBinary<kMul>},
    {"Div", AddBinary<kDiv>},
    {"Softmax", AddUnary<kSoftmax>},
    {"Relu", AddUnary<kRelu>},
    {"LeakyRelu", AddUnary<kLeakyRelu>},
    {"Sigmoid", AddUnary<kSigmoid>},
    {"Tanh", AddUnary<kTanh>},
    {"Gelu", AddUnary<kGelu>},
    {"HardSwish", AddUnary<kHardSwish>},
};

const LeadRow* LeadOf(absl::string_view word) {
  const auto at =
      std::find_if(std::begin(kLeads), std::end(kLeads), [&](const LeadRow& row) { return row.word == word; });
  return at == std::end(kLeads) ? nullptr : &*at;
}

// What a kernel does to the result on its way out.
constexpr absl::string_view kBehind[] = {"Relu",      "LeakyRelu",   "Sigmoid", "Clip",     "Tanh", "Gelu",
                                         "HardSwish", "HardSigmoid", "Elu",     "Softplus", "Mish"};

bool IsAddition(absl::string_view word) { return absl::EqualsIgnoreCase(word, "add"); }

// Adds the words behind the leading one; those that are no operator on the result are names of constants.
std::string AddBehind(GraphDraft& draft, absl::Span<const absl::string_view> words, std::string value) {
  std::string before_sigmoid;
  for (const absl::string_view word : words) {
    const auto known = std::find(std::begin(kBehind), std::end(kBehind), word);
    if (known != std::end(kBehind)) {
      before_sigmoid = word == "Sigmoid" ? value : "";
      value = draft.sketch.AddNode(word, {value});
    } else if (word == "Mul" && !before_sigmoid.empty()) {
      value = draft.sketch.AddNode("Mul", {before_sigmoid, value});
    } else if ((IsAddition(word) || word == "Mul") && draft.inputs < draft.row.inputs.size()) {
      value = draft.sketch.AddNode(word == "Mul" ? "Mul" : "Add", {value, draft.NextInput()});
    }
  }
  return value;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Graph>> OperatorGraph(const MeasuredOperator& row) {
  const std::vector<absl::string_view> words = absl::StrSplit(row.ops, '+', absl::SkipEmpty());
  const auto lead =
      std::find_if(words.begin(), words.end(), [](absl::string_view word) { return LeadOf(word) != nullptr; });
  if (lead == words.end()) {
    return NoGraph(absl::StrCat("no graph for '", row.ops.empty() ? row.type : row.ops, "'"));
  }
  GraphDraft draft{.row = row};
  HWEST_ASSIGN_OR_RETURN(std::vector<std::string> outputs, LeadOf(*lead)->add(draft));
  const absl::Span<const absl::string_view> behind(&*lead + 1, static_cast<size_t>(words.end() - lead) - 1);
  if (*lead != "Attention(MatMul") outputs[0] = AddBehind(draft, behind, outputs[0]);
  return std::move(draft.sketch).Finish(outputs);
}

namespace {

absl::StatusOr<std::shared_ptr<const Graph>> LayerGraph(MeasuredOperator row, absl::string_view activation) {
  const bool is_known = activation.empty() || activation == "SiLU" ||
                        std::find(std::begin(kBehind), std::end(kBehind), activation) != std::end(kBehind);
  if (!is_known) {
    return NoGraph(
        absl::StrCat("no activation is called ", activation, ", known are SiLU, ", absl::StrJoin(kBehind, ", ")));
  }
  if (activation == "SiLU") activation = "Sigmoid+Mul";
  if (!activation.empty()) absl::StrAppend(&row.ops, "+", activation);
  return OperatorGraph(row);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Graph>> ConvGraph(const ConvSizes& sizes, absl::string_view activation) {
  MeasuredOperator row{.ops = "Conv",
                       .inputs = {{sizes.batch, sizes.in_channels, sizes.height, sizes.width}},
                       .weight = {sizes.out_channels, sizes.in_channels / std::max<int64_t>(1, sizes.groups),
                                  sizes.kernel_height, sizes.kernel_width}};
  const auto both = [](int64_t size) { return absl::StrCat(size, "x", size); };
  row.attributes = {{"stride", both(sizes.stride)},
                    {"pad", both(sizes.padding)},
                    {"dilation", both(sizes.dilation)},
                    {"groups", absl::StrCat(sizes.groups)}};
  return LayerGraph(std::move(row), activation);
}

absl::StatusOr<std::shared_ptr<const Graph>> ProductGraph(const ProductSizes& sizes, absl::string_view activation) {
  MeasuredOperator row{.ops = "MatMul", .inputs = {{sizes.batch, sizes.m, sizes.k}}, .weight = {sizes.k, sizes.n}};
  return LayerGraph(std::move(row), activation);
}

}  // namespace hwest
