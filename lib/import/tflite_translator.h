// Writes a TensorFlow Lite graph as ONNX operators, which the rest of the library reads.
//
// Files hold images with channels last, and their runtimes run them so; ONNX's operators have channels first. No data
// is moved for that: each tensor has one order of axes throughout (tflite_order.h), in which it is declared, and axes
// named by operators follow it. Where an operator needs the other order, as a flattening does, stands a Reorder of the
// domain "tflite.order": a view, since the file has that order. Quantised tensors keep their type; operators that
// calculate stand between DequantizeLinear and QuantizeLinear.
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
#include "import/tflite_constants.h"
#include "import/tflite_file.h"
#include "import/tflite_nodes.h"
#include "import/tflite_order.h"

namespace hwest {

// Whether an operator takes or makes the numbers of a quantised tensor, or the real ones they stand for.
enum class TensorForm : uint8_t { kNumbers, kReal };

// ActivationFunctionType.
namespace tflite_activation {
enum { kNone, kRelu, kReluMinus1To1, kRelu6, kTanh, kSignBit };
}

// What operators around a convolution add to its window, by inner axis.
struct AddedWindow {
  std::vector<int64_t> pads;       // zeros in front of the axes, then those behind them
  std::vector<int64_t> dilations;  // by which its own are multiplied; none = 1
};

// TfliteTranslator is what the functions of tflite_ops*.cc write one operator with: inputs and outputs by position, in
// the order of axes and the form that they ask for.
class TfliteTranslator : public TfliteNodes {
 public:
  // `depth` is that of the bodies around the graph.
  TfliteTranslator(ReadContext& context, FlatBuffer& flat, TfliteFileReader& graphs, const TfliteFile& file,
                   TfliteNames& names, RawGraph& graph, int depth = 0);
  // Run fills the graph of the context's model.
  void Run();
  // Writes subgraph `number` into `body`, and gives the names of its results, in the order of the file as all of a
  // body. Its inputs are the values of `inputs`, or with `is_loop` inputs of `body`; with `is_whole` its results are
  // those of `body`. None when there is no such subgraph with so many inputs, or it lies too deep.
  std::optional<std::vector<StrId>> WriteBody(int64_t number, const std::vector<StrId>& inputs, bool is_loop,
                                              bool is_whole, RawGraph* body);
  RawGraph& graph() { return graph_; }

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

  // Operands. A constant is stored in the order asked for, another tensor read in it through a Reorder.
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

  // The name that the operator's result is to have; what turns it into the tensor, an activation first, is written
  // behind the operator.
  StrId Write(size_t output, Order order, TensorForm form = TensorForm::kReal, int64_t activation = 0);
  // Zeros around a quantised image that one convolution alone reads are that convolution's: its Read gives the image
  // as it was, and AddedTo the zeros. `pads` are those in front of the inner axes and those behind. False for other
  // readers.
  bool LeavePads(size_t input, size_t output, const std::vector<int64_t>& pads);
  // An image that is cut into the positions that lie `steps` apart, with zeros around it (a pair for each axis), put
  // together again behind one convolution, is that convolution with these steps between its taps: its Read gives the
  // image, its Write is the result put together, for which IsMade says that nothing is left to do.
  bool LeaveSteps(const std::vector<int64_t>& steps, const std::vector<int64_t>& pads);
  bool IsMade(size_t input) const { return Has(input) && made_by_.contains(op_->inputs[input]); }
  const AddedWindow* AddedTo(size_t input) const;  // null = nothing
  // The tensor is the numbers that stand for `value`.
  void WriteQuantised(size_t output, Order order, StrId value);
  // The tensor is `value`.
  void Alias(size_t output, StrId value);
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
  bool IsConstantTensor(int64_t number) const { return is_constant_[static_cast<size_t>(number)]; }
  bool HasComplex(const TfliteOperator& op) const;
  void Prepare();
  void Translate();
  void BindInput(int64_t number, StrId given);
  std::vector<StrId> Results();
  void FindConstants();
  void FindRows();
  std::optional<std::vector<int64_t>> ValuesOf(int64_t number);
  const TfliteOperator* OnlyReader(int64_t number) const;  // that has it first; null = others read it, too
  bool TakesWindow(int64_t number);                        // a convolution without padding alone reads it
  int64_t MadeBy(int64_t number) const;                    // the tensor that what makes this one makes instead
  bool IsLeftOut(int64_t number) const { return left_out_.contains(number) || made_by_.contains(number); }
  StrId Ordered(int64_t number, Order order);
  StrId Domain(absl::string_view name);  // of operators that ONNX does not have
  void Reorder(int64_t number, StrId from, Order have, StrId to);
  void EmitReorder(StrId from, StrId to, const std::vector<int64_t>& perm);
  StrId Dequantised(StrId value, int64_t number, const std::vector<int64_t>& perm);
  void EmitQuantization(absl::string_view op, StrId from, StrId to, int64_t number, const std::vector<int64_t>& perm);
  void EmitActivation(StrId from, StrId to, int64_t activation);
  void Flush();
  void Declare(int64_t number, Order order, std::vector<RawValueInfo>* infos);

  ReadContext& context_;
  FlatBuffer& flat_;
  TfliteFileReader& graphs_;
  const TfliteFile& file_;
  TfliteNames& all_names_;
  RawGraph& graph_;
  StringTable& strings_;
  const int depth_;
  TfliteConstants constants_;
  const TfliteOperator* op_ = nullptr;
  std::vector<Order> orders_;
  std::vector<bool> is_constant_;
  std::vector<StrId> names_;  // by tensor
  std::vector<StrId> other_;  // by tensor: in the other order, none before it is asked for
  struct LeftOut {
    int64_t from = 0;
    AddedWindow added;
  };
  std::vector<int64_t> num_readers_;                // by tensor
  std::vector<const TfliteOperator*> readers_;      // by tensor: the last one
  absl::flat_hash_map<int64_t, LeftOut> left_out_;  // by tensor that is not made
  absl::flat_hash_map<int64_t, int64_t> made_by_;   // by tensor that is not made: what is instead
  std::vector<bool> feeds_weights_;                 // by tensor: rows that products with weights alone read
  std::vector<bool> is_result_, is_declared_;       // by tensor
  std::vector<int64_t> images_;  // by tensor: of rows that are in the order of an image, which it is, else -1
  std::vector<Pending> pending_;
};

}  // namespace hwest
