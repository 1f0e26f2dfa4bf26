// Writes a TensorFlow Lite graph as ONNX operators, which the rest of the library reads.
//
// Files hold images with channels last, and their runtimes run them so; ONNX's operators have channels first. No data
// is moved for that: each tensor has one order of axes throughout (tflite_order.h), in which it is declared, and axes
// named by operators follow it. A Transpose is written only where an operator needs the other order, as a flattening
// does. Quantised tensors keep their type; operators that calculate stand between DequantizeLinear and QuantizeLinear.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "import/flatbuffer.h"
#include "import/read_context.h"
#include "import/tflite_file.h"
#include "import/tflite_order.h"

namespace hwest {

// Whether an operator takes or makes the numbers of a quantised tensor, or the real ones they stand for.
enum class TensorForm : uint8_t { kNumbers, kReal };

// TfliteTranslator is what the functions of tflite_ops*.cc write one operator with: inputs and outputs by position, in
// the order of axes and the form that they ask for.
class TfliteTranslator {
 public:
  TfliteTranslator(ReadContext& context, FlatBuffer& flat, const TfliteFile& file);
  // Run fills the graph of the context's model.
  void Run();

  int64_t code() const { return op_->code; }
  size_t num_inputs() const { return op_->inputs.size(); }
  size_t num_outputs() const { return op_->outputs.size(); }
  bool Has(size_t input) const { return input < op_->inputs.size() && op_->inputs[input] >= 0; }
  // A tensor without name and type when left out.
  const TfliteTensor& in(size_t input) const { return TensorOf(op_->inputs, input); }
  const TfliteTensor& out(size_t output) const { return TensorOf(op_->outputs, output); }
  bool IsConstant(size_t input) const;
  Order InOrder(size_t input) const;
  Order OutOrder(size_t output) const;
  int64_t Option(int slot, int bytes, int64_t fallback = 0) {
    return flat_.Signed(op_->options, slot, bytes, fallback);
  }
  bool Flag(int slot) { return flat_.Bool(op_->options, slot); }
  float RealOption(int slot) { return flat_.Float(op_->options, slot); }
  std::vector<int64_t> ListOption(int slot) { return flat_.Ints(flat_.Vector(op_->options, slot, 4), 4); }
  // Contents of a small constant of integers.
  std::optional<std::vector<int64_t>> Values(size_t input);

  // Operands. A constant is stored in the order asked for, another tensor transposed to it where it has another.
  StrId Read(size_t input, Order order, TensorForm form = TensorForm::kReal);
  // In whichever order it has if that is the same row of elements, else as stored.
  StrId ReadRow(size_t input, TensorForm form);
  // Axis i of the result is axis perm[i] as stored; a constant has `dims` if given.
  StrId ReadPermuted(size_t input, const std::vector<int64_t>& perm, const std::vector<int64_t>& dims = {});
  // Images as rows, for weights [O, I] that are all that reads them: channels first, if the image is, and the weights
  // to match. False when the rows must be as stored.
  bool ReadRows(size_t data, size_t weights, StrId* rows, StrId* matrix);
  // True when an image may become rows in the order that it has, as `ReadRows` of its readers says.
  bool MayBeRows(size_t input, size_t output);
  // For an operator that broadcasts to `rank`.
  StrId ReadBroadcast(size_t input, Order order, int rank);
  // As int64, which ONNX wants of sizes and positions.
  StrId ReadSizes(size_t input);
  StrId Ints(absl::string_view what, const std::vector<int64_t>& values);
  // One constant for each value.
  StrId Number(float value);

  // The name that the operator's result is to have; what turns it into the tensor, an activation first, is written
  // behind the operator.
  StrId Write(size_t output, Order order, TensorForm form = TensorForm::kReal, int64_t activation = 0);
  // Zeros around a quantised image that one convolution alone reads are that convolution's: its Read gives the image
  // as it was, and PadsOf the zeros. `pads` are those in front of the inner axes and those behind. False for other
  // readers.
  bool LeavePads(size_t input, size_t output, const std::vector<int64_t>& pads);
  std::vector<int64_t> PadsOf(size_t input) const;
  // The tensor is the numbers that stand for `value`.
  void WriteQuantised(size_t output, Order order, StrId value);
  // The tensor is `value`.
  void Alias(size_t output, StrId value);
  StrId Fresh(absl::string_view what);

  // Appends a node; the reference is valid until the next one.
  RawNode& Emit(absl::string_view op, std::vector<StrId> inputs, std::vector<StrId> outputs);
  void Set(absl::string_view name, int64_t value);
  void Set(absl::string_view name, float value);
  void Set(absl::string_view name, absl::string_view value);
  void Set(absl::string_view name, std::vector<int64_t> values);
  void EmitCast(StrId from, StrId to, ElemType elem);
  void EmitTranspose(StrId from, StrId to, const std::vector<int64_t>& perm);
  // The operator as it is, of a domain that nothing is known of.
  void EmitOpaque();

 private:
  struct Pending {
    enum Kind { kTranspose, kQuantize, kActivation } kind;
    StrId from, to;
    int64_t tensor = 0;
    int64_t activation = 0;
    Order order = Order::kStored;  // of `from`
  };

  const TfliteTensor& TensorOf(const std::vector<int64_t>& numbers, size_t at) const;
  const TfliteTensor& tensor(int64_t number) const { return file_.tensors[static_cast<size_t>(number)]; }
  bool IsConstantTensor(int64_t number) const { return constant_[static_cast<size_t>(number)]; }
  void FindConstants();
  void FindRows();
  static StrId Untaken(StringTable& strings, absl::flat_hash_map<StrId, int64_t>& taken, absl::string_view stem);
  StrId NameOf(absl::string_view stem) { return Untaken(strings_, values_, stem); }
  StrId Ordered(int64_t number, Order order);
  void Reorder(int64_t number, StrId from, Order have, StrId to);
  StrId ConstantOf(int64_t number, const std::vector<int64_t>& perm, const std::vector<int64_t>& dims);
  StrId ConstantOf(int64_t number, const std::vector<int64_t>& view, const std::vector<int64_t>& perm,
                   const std::vector<int64_t>& dims);
  void Fill(const TfliteTensor& from, const std::vector<int64_t>& view, const std::vector<int64_t>& perm,
            Constant* constant);
  StrId Dequantised(StrId value, int64_t number, const std::vector<int64_t>& perm);
  std::vector<StrId> QuantizationOf(int64_t number);
  void EmitQuantization(absl::string_view op, StrId from, StrId to, int64_t number, const std::vector<int64_t>& perm);
  void EmitActivation(StrId from, StrId to, int64_t activation);
  void Flush();
  void Declare(int64_t number, Order order, std::vector<RawValueInfo>* infos);
  RawAttribute& NewAttribute(absl::string_view name, AttrKind kind);

  ReadContext& context_;
  FlatBuffer& flat_;
  const TfliteFile& file_;
  RawGraph& graph_;
  StringTable& strings_;
  const TfliteOperator* op_ = nullptr;
  std::string scope_;  // of the operator's nodes, with a slash at its end
  std::vector<Order> orders_;
  std::vector<bool> constant_;
  std::vector<StrId> names_;  // by tensor
  std::vector<StrId> other_;  // by tensor: in the other order, none before it is asked for
  std::vector<std::vector<StrId>> quantization_;
  absl::flat_hash_map<std::string, StrId> constants_;
  absl::flat_hash_map<StrId, int64_t> values_, nodes_;  // names in use, with how often they were wanted
  struct Padded {
    int64_t from = 0;
    std::vector<int64_t> pads;
  };
  std::vector<int64_t> num_readers_;             // by tensor
  std::vector<const TfliteOperator*> readers_;   // by tensor: the last one
  absl::flat_hash_map<int64_t, Padded> padded_;  // by tensor that is not made
  std::vector<bool> feeds_weights_;              // by tensor: rows that products with weights alone read
  std::vector<bool> is_result_, is_declared_;    // by tensor
  std::vector<int64_t> images_;  // by tensor: of rows that are in the order of an image, which it is, else -1
  std::vector<Pending> pending_;
  bool has_opaque_ = false;
};

}  // namespace hwest
