#include "import/tflite_translator.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "import/tflite_ops.h"

namespace hwest {
namespace {

constexpr int64_t kMostValues = 8192;  // of a constant that an operator is written by
constexpr absl::string_view kOpaqueDomain = "tflite";
constexpr int64_t kOpset = 24;  // has TensorScatter
constexpr int64_t kIrVersion = 12;

}  // namespace

TfliteTranslator::TfliteTranslator(ReadContext& context, FlatBuffer& flat, TfliteFileReader& graphs,
                                   const TfliteFile& file, TfliteNames& names, RawGraph& graph, int depth)
    : TfliteNodes(context, flat, names, graph),
      context_(context),
      flat_(flat),
      graphs_(graphs),
      file_(file),
      all_names_(names),
      graph_(graph),
      strings_(context.model().strings),
      depth_(depth),
      constants_(context, flat, file, graph, *this),
      other_(file.tensors.size()),
      num_readers_(file.tensors.size()),
      readers_(file.tensors.size()),
      feeds_weights_(file.tensors.size(), true),
      is_result_(file.tensors.size()),
      is_declared_(file.tensors.size()),
      images_(file.tensors.size(), -1) {
  for (const TfliteTensor& tensor : file.tensors) {
    names_.push_back(tensor.name);
    Take(tensor.name);
  }
  for (const int64_t output : file.outputs) is_result_[static_cast<size_t>(output)] = true;
}

void TfliteTranslator::FindConstants() {
  std::vector<bool> is_made(file_.tensors.size());
  for (const TfliteOperator& op : file_.operators) {
    for (const int64_t output : op.outputs) {
      if (output >= 0) is_made[static_cast<size_t>(output)] = true;
    }
  }
  for (const int64_t input : file_.inputs) is_made[static_cast<size_t>(input)] = true;
  for (size_t i = 0; i < file_.tensors.size(); ++i) {
    const TfliteTensor& tensor = file_.tensors[i];
    const bool has_contents = tensor.data.length() > 0 || ElementsOf(tensor.dims) == 0;
    is_constant_.push_back(!is_made[i] && has_contents && !tensor.is_variable);
    // What nothing makes and holds nothing, as the state of a recurrent operator, is an operand that is left out.
    if (!is_made[i] && !is_constant_.back()) names_[i] = kEmptyText;
  }
}

void TfliteTranslator::FindRows() {
  for (const TfliteOperator& op : file_.operators) {
    const TfliteOp* const row = FindTfliteOp(op.code);
    const bool has_weights = row != nullptr && row->axes == AxisUse::kDense && op.inputs.size() > 1 &&
                             op.inputs[1] >= 0 && IsConstantTensor(op.inputs[1]) && tensor(op.inputs[1]).rank() == 2;
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      if (op.inputs[i] < 0) continue;
      ++num_readers_[static_cast<size_t>(op.inputs[i])];
      readers_[static_cast<size_t>(op.inputs[i])] = &op;
      const TfliteTensor& rows = tensor(op.inputs[i]);
      const bool fits = i == 0 && has_weights && rows.rank() == 2 && tensor(op.inputs[1]).dims[1] == rows.dims[1];
      if (!fits) feeds_weights_[static_cast<size_t>(op.inputs[i])] = false;
    }
  }
}

void TfliteTranslator::Prepare() {
  FindConstants();
  FindRows();
  orders_ = OrdersOf(file_, is_constant_, flat_);
}

void TfliteTranslator::Translate() {
  for (const TfliteOperator& op : file_.operators) {
    if (!flat_.ok()) return;
    op_ = &op;
    for (const auto* numbers : {&op.inputs, &op.outputs}) {
      for (const int64_t number : *numbers) flat_.Charge(number < 0 ? 0 : kBytesOfAxis * tensor(number).rank());
    }
    BeginOperator(op.outputs.empty() ? "" : strings_[out(0).name]);
    const TfliteOp* const row = FindTfliteOp(op.code);
    const bool has_operands = !op.outputs.empty() && op.outputs[0] >= 0;
    if (row != nullptr && row->emit != nullptr && has_operands && (row->is_complex || !HasComplex(op))) {
      row->emit(*this);
    } else {
      EmitOpaque();
    }
    Flush();
    for (const int64_t output : op.outputs) {
      if (output < 0 || names_[static_cast<size_t>(output)] != tensor(output).name) continue;
      const auto at = static_cast<size_t>(output);
      if (is_result_[at] || is_declared_[at] || IsLeftOut(output) || !context_.Enter()) continue;
      is_declared_[at] = true;
      Declare(output, orders_[static_cast<size_t>(output)], &graph_.value_info);
    }
  }
}

void TfliteTranslator::Run() {
  Prepare();
  graph_.name = file_.name;
  context_.model().opsets.push_back({kEmptyText, kOpset});
  for (const int64_t input : file_.inputs) Declare(input, orders_[static_cast<size_t>(input)], &graph_.inputs);
  Translate();
  if (!flat_.ok()) return;
  for (const int64_t output : file_.outputs) {
    StrId& name = names_[static_cast<size_t>(output)];
    if (IsConstantTensor(output) && !constants_.IsWritten(output)) {
      constants_.Of(output, PermOf(Order::kStored, tensor(output).rank()), {});
    }
    name = tensor(output).name;
    Declare(output, orders_[static_cast<size_t>(output)], &graph_.outputs);
  }
  RawModel& model = context_.model();
  if (std::find(orders_.begin(), orders_.end(), Order::kFirst) != orders_.end()) {
    model.diagnostics.push_back({.code = Code::kAssumed,
                                 .message = "the file has channels last, and so do its runtimes; shapes are shown with "
                                            "channels first, and no transposes are counted for that",
                                 .remedy = ""});
  }
  model.ir_version = kIrVersion;
  model.producer_name = "TensorFlow Lite";
  model.producer_version = file_.description;
}

bool TfliteTranslator::HasComplex(const TfliteOperator& op) const {
  for (const auto* numbers : {&op.inputs, &op.outputs}) {
    for (const int64_t number : *numbers) {
      if (number >= 0 && tensor(number).is_complex) return true;
    }
  }
  return false;
}

void TfliteTranslator::Declare(int64_t number, Order order, std::vector<RawValueInfo>* infos) {
  const TfliteTensor& of = tensor(number);
  RawValueInfo& info = infos->emplace_back();
  info.name = names_[static_cast<size_t>(number)];
  info.type.kind = of.elem == ElemType::kUndefined ? ValueKind::kUnknown : ValueKind::kTensor;
  info.type.elem = static_cast<int32_t>(of.elem);
  info.type.has_shape = of.ranked;
  for (const int64_t dim : InOrderOf(order, of.dims)) {
    info.type.dims.push_back({.has_value = dim >= 0, .value = std::max<int64_t>(dim, 0), .param = {}});
  }
}

const TfliteTensor& TfliteTranslator::TensorOf(const std::vector<int64_t>& numbers, size_t at) const {
  static const TfliteTensor* const kNone = new TfliteTensor{.name = kEmptyText, .ranked = false};
  return at < numbers.size() && numbers[at] >= 0 ? tensor(numbers[at]) : *kNone;
}

bool TfliteTranslator::IsConstant(size_t input) const { return Has(input) && IsConstantTensor(op_->inputs[input]); }

Order TfliteTranslator::InOrder(size_t input) const {
  return Has(input) ? orders_[static_cast<size_t>(op_->inputs[input])] : Order::kStored;
}

Order TfliteTranslator::OutOrder(size_t output) const {
  const bool has = output < op_->outputs.size() && op_->outputs[output] >= 0;
  return has ? orders_[static_cast<size_t>(op_->outputs[output])] : Order::kStored;
}

std::optional<std::vector<int64_t>> TfliteTranslator::Values(size_t input) {
  return Has(input) ? ValuesOf(op_->inputs[input]) : std::nullopt;
}

std::optional<std::vector<int64_t>> TfliteTranslator::ValuesOf(int64_t number) {
  if (!IsConstantTensor(number)) return std::nullopt;
  const TfliteTensor& of = tensor(number);
  const int64_t width = of.elem == ElemType::kInt64 ? 8 : of.elem == ElemType::kInt32 ? 4 : 0;
  if (width == 0 || of.data.length() % width != 0 || of.data.length() / width > kMostValues) return std::nullopt;
  return flat_.Ints({of.data.begin, of.data.length() / width}, width);
}

StrId TfliteTranslator::Domain(absl::string_view name) {
  const StrId domain = strings_.Intern(name);
  auto& opsets = context_.model().opsets;
  const bool is_new = std::none_of(opsets.begin(), opsets.end(), [&](const auto& set) { return set.domain == domain; });
  if (is_new) opsets.push_back({domain, 1});
  return domain;
}

void TfliteTranslator::EmitOpaque() {
  pending_.clear();
  const TfliteOp* const row = FindTfliteOp(op_->code);
  std::string name(strings_[op_->custom_name]);
  if (row != nullptr && name.empty()) name = std::string(row->name);
  if (name.empty()) name = absl::StrCat("BUILTIN_", op_->code);
  std::vector<StrId> inputs, outputs;
  for (size_t i = 0; i < num_inputs(); ++i) inputs.push_back(Read(i, Order::kStored, TensorForm::kNumbers));
  for (size_t i = 0; i < num_outputs(); ++i) outputs.push_back(Write(i, Order::kStored, TensorForm::kNumbers));
  Emit(name, std::move(inputs), std::move(outputs)).domain = Domain(kOpaqueDomain);
}

}  // namespace hwest
