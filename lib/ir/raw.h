// RawModel: a model file as it was read, names unresolved. Readers fill it, BuildGraph (builder.h) consumes it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "base/interner.h"
#include "hwest/diagnostic.h"
#include "hwest/graph.h"
#include "hwest/type.h"

namespace hwest {

// "" and none both mean that an optional name was left out.
inline bool Absent(StrId name) { return !name.valid() || name.index() == 0; }

// One axis of a declared shape. Neither member set = unknown.
struct RawDim {
  bool has_value = false;
  int64_t value = 0;
  StrId param;  // none or "" when absent
};

struct RawType {
  ValueKind kind = ValueKind::kUnknown;
  int32_t elem = 0;
  bool has_shape = false;
  std::vector<RawDim> dims;
  std::vector<RawType> element;  // of a sequence, optional or map value: exactly one
};

struct RawValueInfo {
  StrId name;
  RawType type;
};

struct RawGraph;

struct RawAttribute {
  StrId name;
  AttrKind kind = AttrKind::kUndefined;
  StrId ref;  // ref_attr_name inside a function body; none or "" otherwise
  int64_t i = 0;
  float f = 0;
  StrId s;
  std::vector<int64_t> ints;
  std::vector<float> floats;
  std::vector<StrId> strings;
  std::vector<Constant> tensors;
  std::vector<RawGraph> graphs;
};

// Exporter metadata of a node; only the keys that say where the node comes from are kept.
struct RawMetadata {
  StrId namespace_text;       // "namespace"
  StrId class_hierarchy;      // "pkg.torch.onnx.class_hierarchy" or "pkg.onnxscript.class_hierarchy"
  StrId name_scopes;          // "pkg.torch.onnx.name_scopes" or "pkg.onnxscript.name_scopes"
  StrId source_line;          // of "pkg.torch.onnx.stack_trace", in short
  bool plain_scopes = false;  // name_scopes holds plain attribute names (onnxscript), not cumulative paths
};

struct RawNode {
  StrId domain, op, name, overload;
  absl::InlinedVector<StrId, 4> inputs, outputs;  // "" = absent
  std::vector<RawAttribute> attributes;
  RawMetadata metadata;
};

struct RawGraph {
  StrId name;
  std::vector<RawNode> nodes;
  std::vector<Constant> initializers;  // sparse ones included, named by their values tensor
  std::vector<RawValueInfo> inputs, outputs, value_info;
  std::string range_constraints;  // metadata of the exporter, "" when absent
};

struct RawFunction {
  StrId domain, name, overload;
  std::vector<StrId> inputs, outputs;
  std::vector<StrId> required_attributes;
  std::vector<RawAttribute> default_attributes;
  std::vector<RawNode> nodes;
  std::vector<OpsetImport> opsets;
  std::vector<RawValueInfo> value_info;
};

struct RawModel {
  StringTable strings;
  RawGraph graph;
  std::vector<RawFunction> functions;
  std::vector<OpsetImport> opsets;
  std::string producer_name, producer_version;
  int64_t ir_version = 0;  // 0 = absent
  int64_t file_bytes = 0;
  int64_t metadata_bytes = 0;
  std::vector<Diagnostic> diagnostics;
};

}  // namespace hwest
