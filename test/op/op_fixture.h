// One-node models for tests of operator rules, written as text.
//
//   const OpRun run = RunOp({.op = "Conv", .inputs = {"float[1, 3, 8, 8]", "const float[4, 3, 3, 3]"},
//                            .attrs = {Ints("pads", {1, 1, 1, 1})}});
//   CHECK(run.type(0) == "float[1, 4, 8, 8]");
//   CHECK(run.macs() == "6912");
//
// Inputs: "float[1, N, ?]" (integers, symbols, unknown), "float?" (unranked), "" (absent), "int64[2] = {N, ?}" (an
// activation whose contents inference knows, as far as written), "const float[4]" (an initialiser whose contents are
// not known), "int64[2] = {1, 2}" or "string[2] = {a b, c}" (a known initialiser), "dq float[4]" (an activation that
// comes straight from DequantizeLinear), "map float" (a map with float values).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hwest/facts.h"
#include "hwest/graph.h"
#include "ir/raw.h"
#include "op/rule.h"

namespace hwest {

struct TestAttr {
  std::string name;
  AttrKind kind = AttrKind::kUndefined;
  int64_t i = 0;
  float f = 0;
  std::string s;
  std::vector<int64_t> ints;
  std::vector<float> floats;
  std::vector<std::string> strings;
  Constant tensor;
};
TestAttr Int(std::string name, int64_t value);
TestAttr Float(std::string name, float value);
TestAttr Str(std::string name, std::string value);
TestAttr Ints(std::string name, std::vector<int64_t> values);
TestAttr Floats(std::string name, std::vector<float> values);
TestAttr Strings(std::string name, std::vector<std::string> values);
TestAttr Tensor(std::string name, Constant value);

struct OpCase {
  std::string op;  // "Conv", or "com.microsoft::FusedConv"
  int opset = 17;  // of the default domain
  std::vector<std::string> inputs;
  std::vector<TestAttr> attrs;
  int outputs = 1;
  std::vector<std::string> declared;  // declared types of outputs, "" = none
  int domain_version = 1;             // of the operator's domain when that is not the default one
};

// OpRun is the node of an OpCase with everything its rule found out.
struct OpRun {
  std::unique_ptr<Graph> graph;
  std::unique_ptr<DimPool> dims;
  Facts facts;
  NodeId node;
  const OpRule* rule = nullptr;
  absl::Status inferred;
  absl::StatusOr<Work> work;

  OpView view() const { return OpView(*graph, node, facts, *dims); }
  // "float[1, N, ?]", "float?" when unranked; "none" when the rule set nothing.
  std::string type(int output) const;
  // "{1, N, 2.5, ?}", "none" when nothing is known.
  std::string known(int output) const;
  std::string text(Dim dim) const { return dims->ToString(dim); }
  // Of a Work that has to be there.
  std::string macs() const { return text(work.value().macs); }
  std::string int_macs() const { return text(work.value().int_macs); }
  // "add=4 compare=2", kinds that are 0 left out.
  std::string ops() const;
  // "conv 1x64x32x27" (batch, m, n, k), one a contraction, joined by ", ".
  std::string contractions() const;
};

// RunOp builds the model, takes types and contents of the inputs as given, and calls infer, known and work. An error of
// infer is kept in `inferred`; work is then not called. The rule has to exist.
OpRun RunOp(const OpCase& op_case);

// A constant of the given type and elements, e.g. TestConstant("int64[2]", {1, 2}).
Constant TestConstant(const std::string& type, const std::vector<double>& values);

}  // namespace hwest
