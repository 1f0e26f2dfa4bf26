// What the schemas of ONNX and ONNX Runtime say: which element types each version of each operator takes and makes, and
// which of its operands share one; both refuse a file that breaks them. And the attributes of operators.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "op/rule.h"

namespace hwest {

// Names are held in place: pointers to hundreds of them would be relocated at every start of the program.
struct TypeRow {
  uint8_t domain;  // its place in a list, see schemas.cc
  char op[34];
  uint8_t version;
  char operands[33];  // inputs > outputs, a letter each, see OperandAt; empty = the operator is gone
  uint32_t types[7];  // of each letter, a bit for each type; bit 0 for what is no tensor

  bool is_gone() const { return operands[0] == '\0'; }
};

struct OperandTypes {
  char letter = 0;      // 0 = there is none
  bool shares = false;  // all operands of the letter are of one type
  uint32_t types = 0;
};

// All rows, by domain, operator and version.
absl::Span<const TypeRow> AllTypeRows();
absl::string_view DomainOf(const TypeRow& row);
// The versions of an operator, ascending; empty when nobody states its types.
absl::Span<const TypeRow> TypeRowsOf(absl::string_view domain, absl::string_view op);
// The last version up to operator set `opset` (0 = the newest), gone or not; null when there is none.
const TypeRow* TypeRowAt(absl::string_view domain, absl::string_view op, int opset);

enum class Direction : uint8_t { kInput, kOutput };
OperandTypes OperandAt(const TypeRow& row, Direction direction, size_t i);
// Whether a value of `type` may be there; true for what nobody knows.
bool Takes(const OperandTypes& operand, const Type& type);

// What contradicts the row in the types of the node's inputs and outputs, an entry for each operand, such as "input 1
// (w) is float16, input 0 (x) is float: both are of one type".
std::vector<std::string> TypeFaults(const OpView& op, const TypeRow& row);

// The attributes of an operator of ONNX, over all its versions.
struct AttributeRow {
  absl::string_view domain;
  absl::string_view op;
  std::vector<absl::string_view> names;  // sorted
};

// Sorted by domain and operator. Operators that ONNX has no schema of have no row.
absl::Span<const AttributeRow> AllAttributes();
// The row of an operator, null when there is none.
const AttributeRow* AttributesOf(absl::string_view domain, absl::string_view op);

}  // namespace hwest
