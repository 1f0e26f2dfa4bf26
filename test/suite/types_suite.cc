// Checks of types against libonnx's schemas: every operator version of libonnx, through the whole inference.
//
// A node whose inputs have types that its schema allows is not refused for its types; with one input of a type outside
// its constraint, or of another type than one that shares its constraint, it is.
#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hwest/analysis.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"

namespace hwest {
namespace {

using onnx::OpSchema;

constexpr int kNewest = 16;  // element types of libonnx 1.12

// Versions that later releases of ONNX corrected: the grid has a type of its own, integers have no error function.
constexpr const char* kCorrected[] = {"GridSample 16", "Erf 13"};

bool IsCorrected(const OpSchema& schema) {
  const std::string version = absl::StrCat(schema.Name(), " ", schema.SinceVersion());
  return std::find(std::begin(kCorrected), std::end(kCorrected), version) != std::end(kCorrected);
}

std::string TypeText(int elem) { return absl::StrCat("tensor(", ElemTypeName(static_cast<ElemType>(elem)), ")"); }

std::vector<int> Allowed(const OpSchema::FormalParameter& formal) {
  std::vector<int> elems;
  for (int elem = 1; elem <= kNewest; ++elem) {
    const auto& types = formal.GetTypes();
    const auto is_it = [&](const auto* type) { return *type == TypeText(elem); };
    if (std::any_of(types.begin(), types.end(), is_it)) elems.push_back(elem);
  }
  return elems;
}

std::string ModelOf(const OpSchema& schema, const std::vector<int>& elems) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  const auto import = [&](const std::string& domain, int version) {
    auto* entry = model.add_opset_import();
    entry->set_domain(domain);
    entry->set_version(version);
  };
  import(schema.domain(), schema.SinceVersion());
  if (!schema.domain().empty()) import("", 17);
  onnx::NodeProto* node = model.mutable_graph()->add_node();
  node->set_op_type(schema.Name());
  node->set_domain(schema.domain());
  for (size_t i = 0; i < elems.size(); ++i) {
    auto* input = model.mutable_graph()->add_input();
    input->set_name(absl::StrCat("x", i));
    input->mutable_type()->mutable_tensor_type()->set_elem_type(elems[i]);
    node->add_input(input->name());
  }
  for (const char* name : {"dtype", "to"}) {  // the type of the result, where it is stated
    if (schema.attributes().count(name) == 0) continue;
    auto* attribute = node->add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto::INT);
    attribute->set_i(Allowed(schema.outputs()[0])[0]);
  }
  for (size_t i = 0; i < schema.outputs().size(); ++i) {
    node->add_output(absl::StrCat("y", i));
    model.mutable_graph()->add_output()->set_name(node->output(static_cast<int>(i)));
  }
  return model.SerializeAsString();
}

// Whether something is said of the types of operands.
bool IsRefused(const OpSchema& schema, const std::vector<int>& elems) {
  const auto graph = LoadModelFromMemory(ModelOf(schema, elems), "node.onnx");
  if (!graph.ok()) return false;
  const auto analysis = Analyze(*graph, {});
  if (!analysis.ok()) return false;
  return std::any_of(analysis->diagnostics.begin(), analysis->diagnostics.end(), [&](const Diagnostic& diagnostic) {
    const std::string& said = diagnostic.message;
    return absl::StrContains(said, "it has to be ") || absl::StrContains(said, "of one type") ||
           absl::StrContains(said, "one more than");
  });
}

struct Tally {
  int schemas = 0, allowed = 0, refused = 0, wrong = 0;

  void Expect(const OpSchema& schema, const std::vector<int>& elems, bool refused_wanted) {
    ++(refused_wanted ? refused : allowed);
    if (IsRefused(schema, elems) == refused_wanted) return;
    ++wrong;
    std::string types;
    for (const int elem : elems) absl::StrAppend(&types, " ", ElemTypeName(static_cast<ElemType>(elem)));
    std::printf("%s %s %d:%s should %sbe refused\n", schema.domain().c_str(), schema.Name().c_str(),
                schema.SinceVersion(), types.c_str(), refused_wanted ? "" : "not ");
  }
};

// One input changed at a time: to every type of its constraint with all that share it, to those outside, to others
// alone.
void CheckSchema(const OpSchema& schema, Tally& tally) {
  std::vector<std::vector<int>> allowed;
  std::vector<int> base;
  for (const auto& formal : schema.inputs()) {
    allowed.push_back(Allowed(formal));
    if (allowed.back().empty()) return;  // takes sequences or maps
    base.push_back(allowed.back()[0]);
  }
  if (base.empty()) return;
  ++tally.schemas;
  for (size_t i = 0; i < base.size(); ++i) {
    const auto shares = [&](size_t k) { return schema.inputs()[k].GetTypeStr() == schema.inputs()[i].GetTypeStr(); };
    const bool heterogeneous = !schema.inputs()[i].GetIsHomogeneous();
    for (const int elem : allowed[i]) {
      std::vector<int> elems = base;
      for (size_t k = 0; k < elems.size(); ++k) elems[k] = shares(k) ? elem : elems[k];
      tally.Expect(schema, elems, false);
    }
    for (int elem = 1; elem <= kNewest; ++elem) {
      std::vector<int> elems = base;
      elems[i] = elem;
      const bool inside = std::count(allowed[i].begin(), allowed[i].end(), elem) > 0;
      bool alone = true;
      for (size_t k = 0; k < base.size(); ++k) alone = alone && (k == i || !shares(k));
      if (!inside || (!alone && !heterogeneous && elem != base[i])) tally.Expect(schema, elems, true);
    }
  }
}

int Run() {
  Tally tally;
  for (const OpSchema& schema : onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    const bool is_preview = absl::StartsWith(schema.domain(), "ai.onnx.preview");
    if (!schema.Deprecated() && !is_preview && !IsCorrected(schema)) CheckSchema(schema, tally);
  }
  std::printf("%d versions of operators: %d nodes with types they take, %d with others; %d wrong\n", tally.schemas,
              tally.allowed, tally.refused, tally.wrong);
  return tally.wrong == 0 && tally.schemas > 400 ? 0 : 1;
}

}  // namespace
}  // namespace hwest

int main() { return hwest::Run(); }
