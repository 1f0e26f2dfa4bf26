// A TensorFlow Lite file as it is written: tensors and operators by number, weights by their place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hwest/type.h"
#include "import/flatbuffer.h"
#include "import/read_context.h"
#include "import/tflite_nodes.h"

namespace hwest {

// How the numbers of a tensor stand for real ones: real = scale * (number - zero point).
struct TfliteQuantization {
  FlatVector scales;       // float; one, or one for each index of `axis`; none = not quantised
  FlatVector zero_points;  // int64
  int axis = 0;
  float first_scale = 0;
  int64_t first_zero_point = 0;
};

struct TfliteTensor {
  StrId name;  // distinct among the tensors
  ElemType elem = ElemType::kUndefined;
  bool ranked = true;
  std::vector<int64_t> dims;  // -1 = known at run time
  Span data;                  // none when not constant
  bool is_variable = false;
  bool is_sparse = false;
  bool is_complex = false;  // its last axis holds the real and the imaginary part, floats both
  TfliteQuantization quantization;

  int rank() const { return static_cast<int>(dims.size()); }
  bool is_quantised() const { return quantization.scales.count > 0 && IsInteger(elem); }
};

struct TfliteOperator {
  int64_t code = 0;
  StrId custom_name;  // of a custom operator
  FlatTable options;
  std::vector<int64_t> inputs, outputs;  // tensors; -1 = left out
};

struct TfliteFile {
  std::vector<TfliteTensor> tensors;
  std::vector<TfliteOperator> operators;
  std::vector<int64_t> inputs, outputs;
  std::string description;
  StrId name;
};

// TfliteFileReader reads subgraphs: the first is the model, others are bodies of control flow or other entry points.
class TfliteFileReader {
 public:
  // Names of tensors are none of `taken`.
  TfliteFileReader(ReadContext& context, FlatBuffer& flat, const TfliteNames& taken);
  ~TfliteFileReader();
  int64_t num_graphs() const;
  // Every call gives the tensors names of their own. Numbers of tensors lie in the table when it returns without an
  // error in the window.
  TfliteFile Read(int64_t graph);

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

// SettleVariables makes inputs of the variables that the graph reads before it assigns them, and results of what it
// assigns, as other formats have states.
void SettleVariables(FlatBuffer& flat, TfliteFile* file);

// How many elements dims have; -1 when one of them is open, or it is too large a number.
int64_t ElementsOf(const std::vector<int64_t>& dims);

// Element type of a TensorType; kUndefined for handles of resources and numbers outside the list.
ElemType ElemTypeOfTflite(int64_t type);

}  // namespace hwest
