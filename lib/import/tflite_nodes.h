// Nodes of ONNX, and the small constants that they read, as a translation writes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "import/flatbuffer.h"
#include "import/read_context.h"

namespace hwest {

constexpr int64_t kBytesOfAxis = 8;  // that an operator's axes are charged as

// Names in use in all graphs of a model, with how often they were wanted.
struct TfliteNames {
  absl::flat_hash_map<StrId, int64_t> values, nodes;
};

// TfliteNodes gives each node and each value a name that no other has.
class TfliteNodes {
 public:
  TfliteNodes(ReadContext& context, FlatBuffer& flat, TfliteNames& names, RawGraph& graph)
      : context_(context), flat_(flat), names_(names), graph_(graph), strings_(context.model().strings) {}

  // What follows belongs to an operator that makes `tensor`: names of values begin so, those of nodes with its scope.
  void BeginOperator(absl::string_view tensor);

  // `stem`, or with a number behind it where it is taken.
  StrId NameOf(absl::string_view stem) { return Untaken(strings_, names_.values, stem); }
  void Take(StrId value) { names_.values[value] = 1; }
  StrId Fresh(absl::string_view what);
  StrId Ints(absl::string_view what, const std::vector<int64_t>& values);
  StrId Scalar(absl::string_view what, ElemType elem, int64_t value);  // of an integer type
  // One constant for each value.
  StrId Number(float value);

  // Appends a node; the reference is valid until the next one.
  RawNode& Emit(absl::string_view op, std::vector<StrId> inputs, std::vector<StrId> outputs);
  // Attributes of the last node.
  void Set(absl::string_view name, int64_t value);
  void Set(absl::string_view name, float value);
  void Set(absl::string_view name, absl::string_view value);
  void Set(absl::string_view name, std::vector<int64_t> values);
  void Set(absl::string_view name, const std::vector<absl::string_view>& values);
  void Set(absl::string_view name, RawGraph body);
  void EmitCast(StrId from, StrId to, ElemType elem);
  void EmitTranspose(StrId from, StrId to, const std::vector<int64_t>& perm);

  // Little-endian integers of `bytes` each.
  static std::string BytesOf(absl::Span<const int64_t> values, int bytes);

 private:
  static StrId Untaken(StringTable& strings, absl::flat_hash_map<StrId, int64_t>& taken, absl::string_view stem);
  RawAttribute& NewAttribute(absl::string_view name, AttrKind kind);

  ReadContext& context_;
  FlatBuffer& flat_;
  TfliteNames& names_;
  RawGraph& graph_;
  StringTable& strings_;
  std::string stem_, scope_;  // of the operator; the scope has a slash at its end
  absl::flat_hash_map<float, StrId> numbers_;
};

}  // namespace hwest
