// If with its branches, and float arithmetic between sizes: rules that look beyond one node.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "op/known.h"
#include "op/rule.h"
#include "support/catch.h"

namespace hwest {
namespace {

// A few nodes, written down in order, and what the rules find out about their values.
class SmallModel {
 public:
  explicit SmallModel(int64_t opset) {
    model_.ir_version = 8;
    model_.opsets = {{Str(""), opset}};
  }

  StrId Str(const std::string& text) { return model_.strings.Intern(text); }

  void Input(const std::string& name, ElemType elem, const std::vector<std::string>& dims) {
    RawType type;
    type.kind = ValueKind::kTensor;
    type.elem = static_cast<int32_t>(elem);
    type.has_shape = true;
    for (const std::string& dim : dims) {
      RawDim& raw = type.dims.emplace_back();
      raw.has_value = dim.find_first_not_of("0123456789") == std::string::npos;
      if (raw.has_value) raw.value = std::stoll(dim);
      if (!raw.has_value) raw.param = Str(dim);
    }
    model_.graph.inputs.push_back({Str(name), type});
  }

  void Number(RawGraph& graph, const std::string& name, ElemType elem, std::vector<int64_t> dims, std::string bytes) {
    Constant constant;
    constant.name = Str(name);
    constant.elem = elem;
    constant.dims = std::move(dims);
    constant.storage = Storage::kDecoded;
    constant.data = std::move(bytes);
    graph.initializers.push_back(std::move(constant));
  }

  RawNode Node(const std::string& op, const std::vector<std::string>& inputs, const std::string& output) {
    RawNode node;
    node.domain = Str("");
    node.op = Str(op);
    node.name = Str(output);
    for (const std::string& input : inputs) node.inputs.push_back(Str(input));
    node.outputs = {Str(output)};
    return node;
  }

  void IntAttr(RawNode& node, const std::string& name, int64_t value) {
    RawAttribute attribute;
    attribute.name = Str(name);
    attribute.kind = AttrKind::kInt;
    attribute.i = value;
    node.attributes.push_back(std::move(attribute));
  }

  void Branch(RawNode& node, const std::string& name, RawNode inner) {
    RawGraph graph;
    graph.name = Str(name);
    graph.outputs.push_back({inner.outputs[0], RawType{}});
    graph.nodes.push_back(std::move(inner));
    RawAttribute attribute;
    attribute.name = Str(name);
    attribute.kind = AttrKind::kGraph;
    attribute.graphs.push_back(std::move(graph));
    node.attributes.push_back(std::move(attribute));
  }

  RawGraph& main() { return model_.graph; }
  void Add(RawNode node) { model_.graph.nodes.push_back(std::move(node)); }

  // Builds the graph and runs every rule in order; the status is that of the last node.
  absl::Status Run() {
    graph_ = std::make_unique<Graph>(*BuildGraph(std::move(model_), BuildOptions{}));
    dims_ = std::make_unique<DimPool>(&graph_->dims());
    facts_.values.resize(graph_->values().size());
    for (size_t i = 0; i < graph_->values().size(); ++i) Seed(ValueId(i));
    absl::Status status;
    for (size_t i = 0; i < graph_->nodes().size(); ++i) {
      InferContext context(*graph_, NodeId(i), facts_, *dims_);
      const OpRule* rule = FindRule(context.domain(), context.op());
      status = rule->infer(context);
      if (status.ok() && rule->known != nullptr) rule->known(context);
    }
    return status;
  }

  OpView last() const { return OpView(*graph_, NodeId(graph_->nodes().size() - 1), facts_, *dims_); }
  std::string shape() const { return ToString(last().out(0).shape, *dims_); }
  std::string number() const {
    const Known& known = last().out_known(0);
    if (known == nullptr || known->size() != 1 || !(*known)[0].is_int()) return "none";
    return dims_->ToString((*known)[0].dim());
  }
  const DimPool& dims() const { return *dims_; }

 private:
  void Seed(ValueId id) {
    if (const Type* type = graph_->declared(id)) facts_.values[id].type = *type;
    if (!graph_->value(id).constant.valid()) return;
    const Constant& constant = graph_->constant(graph_->value(id).constant);
    Shape::Dims dims(constant.dims.begin(), constant.dims.end());
    facts_.values[id].type = Type::Tensor(constant.elem, Shape(std::move(dims)));
    facts_.values[id].known = DecodeConstant(constant);
  }

  RawModel model_;
  std::unique_ptr<Graph> graph_;
  std::unique_ptr<DimPool> dims_;
  Facts facts_;
};

// x of shape [1, 4], an If that squeezes it or hands it on; the condition is a number or a graph input.
SmallModel SqueezeOrNot(const std::string& condition) {
  SmallModel model(17);
  model.Input("x", ElemType::kFloat, {"1", "4"});
  model.Input("open", ElemType::kBool, {});
  model.Number(model.main(), "true", ElemType::kBool, {}, std::string(1, '\1'));
  model.Number(model.main(), "false", ElemType::kBool, {}, std::string(1, '\0'));
  RawNode node = model.Node("If", {condition}, "y");
  model.Branch(node, "then_branch", model.Node("Squeeze", {"x"}, "a"));
  model.Branch(node, "else_branch", model.Node("Identity", {"x"}, "b"));
  model.Add(std::move(node));
  return model;
}

TEST_CASE("If: a known condition takes one branch, an open one joins both") {
  SmallModel taken = SqueezeOrNot("true");
  REQUIRE(taken.Run().ok());
  CHECK(taken.shape() == "[4]");
  SmallModel skipped = SqueezeOrNot("false");
  REQUIRE(skipped.Run().ok());
  CHECK(skipped.shape() == "[1, 4]");
  SmallModel open = SqueezeOrNot("open");
  REQUIRE(open.Run().ok());
  CHECK(open.shape() == "?");
  CHECK(open.last().out(0).elem == ElemType::kFloat);
}

TEST_CASE("If: sizes that differ become one between the two") {
  SmallModel model(17);
  model.Input("x", ElemType::kFloat, {"3", "4"});
  model.Input("y", ElemType::kFloat, {"9", "4"});
  model.Input("open", ElemType::kBool, {});
  RawNode node = model.Node("If", {"open"}, "z");
  model.Branch(node, "then_branch", model.Node("Identity", {"x"}, "a"));
  model.Branch(node, "else_branch", model.Node("Identity", {"y"}, "b"));
  model.Add(std::move(node));
  REQUIRE(model.Run().ok());
  CHECK(model.shape() == "[branch, 4]");
  const Symbol& symbol = model.dims().symbol(model.dims().AsSymbol(model.last().out(0).shape.dim(0)));
  CHECK(symbol.data_dependent);
  CHECK(symbol.min == 3);
  CHECK(symbol.max == 9);
  CHECK(symbol.cause == "z");
}

TEST_CASE("If: branches have to agree in type and be there") {
  SmallModel model(17);
  model.Input("x", ElemType::kFloat, {"3"});
  model.Input("y", ElemType::kInt64, {"3"});
  model.Input("open", ElemType::kBool, {});
  RawNode node = model.Node("If", {"open"}, "z");
  model.Branch(node, "then_branch", model.Node("Identity", {"x"}, "a"));
  model.Branch(node, "else_branch", model.Node("Identity", {"y"}, "b"));
  model.Add(std::move(node));
  CHECK(absl::IsInvalidArgument(model.Run()));
  SmallModel bare(17);
  bare.Input("open", ElemType::kBool, {});
  bare.Add(bare.Node("If", {"open"}, "z"));
  CHECK(absl::IsInvalidArgument(bare.Run()));
}

TEST_CASE("float arithmetic between sizes ends in whole sizes") {
  struct Row {
    const char* op;  // Div or Mul by `number`
    float number;
    const char* rounding;  // "" = straight into the Cast
    const char* want;
  };
  const Row rows[] = {
      {"Div", 7, "Ceil", "ceildiv(H, 7)"}, {"Div", 2, "Floor", "H//2"},    {"Div", 2, "", "H//2"},
      {"Mul", 0.5f, "Floor", "H//2"},      {"Mul", 1.5f, "", "H + H//2"},  {"Mul", 2, "Floor", "2*H"},
      {"Div", 0.25f, "Ceil", "4*H"},       {"Mul", 0.1f, "Floor", "none"},
  };
  for (const Row& row : rows) {
    INFO(row.op << " " << row.number << " " << row.rounding);
    SmallModel model(17);
    model.Input("x", ElemType::kFloat, {"H"});
    model.Number(model.main(), "number", ElemType::kFloat, {},
                 std::string(reinterpret_cast<const char*>(&row.number), sizeof row.number));
    model.Add(model.Node("Shape", {"x"}, "shape"));
    RawNode to_float = model.Node("Cast", {"shape"}, "size");
    model.IntAttr(to_float, "to", 1);
    model.Add(std::move(to_float));
    model.Add(model.Node(row.op, {"size", "number"}, "scaled"));
    const bool rounds = row.rounding[0] != '\0';
    if (rounds) model.Add(model.Node(row.rounding, {"scaled"}, "rounded"));
    RawNode to_int = model.Node("Cast", {rounds ? "rounded" : "scaled"}, "whole");
    model.IntAttr(to_int, "to", 7);
    model.Add(std::move(to_int));
    REQUIRE(model.Run().ok());
    CHECK(model.number() == row.want);
  }
}

}  // namespace
}  // namespace hwest
