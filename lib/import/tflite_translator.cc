#include "import/tflite_translator.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "base/checked_math.h"
#include "import/tflite_ops.h"

namespace hwest {
namespace {

constexpr int64_t kMostValues = 8192;  // of a constant that an operator is written by
constexpr int64_t kBytesOfAxis = 8;    // that an operator's axes are charged as
constexpr int64_t kBytesOfNode = 64;
constexpr absl::string_view kOpaqueDomain = "tflite";
constexpr int64_t kOpset = 21;
constexpr int64_t kIrVersion = 10;

// ActivationFunctionType.
enum { kNoActivation, kRelu, kReluMinus1To1, kRelu6, kTanh, kSignBit };

std::string Bytes(absl::Span<const int64_t> values, int bytes) {
  std::string data;
  for (const int64_t value : values) {
    for (int i = 0; i < bytes; ++i) data.push_back(static_cast<char>(static_cast<uint64_t>(value) >> (8 * i)));
  }
  return data;
}

int64_t Product(const std::vector<int64_t>& dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) {
    const std::optional<int64_t> next = dim < 0 ? std::nullopt : CheckedMul(product, dim);
    if (!next.has_value()) return -1;
    product = *next;
  }
  return product;
}

bool IsIdentity(const std::vector<int64_t>& perm) { return std::is_sorted(perm.begin(), perm.end()); }

// Where an axis as stored is in a permutation of axes.
int64_t PlaceOf(const std::vector<int64_t>& perm, int64_t axis) {
  return std::find(perm.begin(), perm.end(), axis) - perm.begin();
}

// Elements of `width` bytes with dims `dims`, put in the order `perm`.
std::string Permuted(const std::string& data, const std::vector<int64_t>& dims, const std::vector<int64_t>& perm,
                     size_t width) {
  const size_t rank = dims.size();
  std::vector<size_t> stride(rank), at(rank);
  size_t step = 1;
  for (size_t i = rank; i-- > 0;) {
    stride[i] = step;
    step *= static_cast<size_t>(dims[i]);
  }
  std::string out;
  out.reserve(data.size());
  while (out.size() < data.size()) {
    size_t from = 0;
    for (size_t i = 0; i < rank; ++i) from += at[i] * stride[static_cast<size_t>(perm[i])];
    out.append(data, from * width, width);
    for (size_t i = rank; i-- > 0;) {
      if (++at[i] < static_cast<size_t>(dims[static_cast<size_t>(perm[i])])) break;
      at[i] = 0;
    }
  }
  return out;
}

// The module that names of a tensor's makers stand for: "block/conv/" of "block/conv/Relu;block/conv/BiasAdd:0".
std::string ScopeOf(absl::string_view tensor) {
  const absl::string_view first = tensor.substr(0, tensor.find(';'));
  const size_t slash = first.rfind('/');
  return slash == absl::string_view::npos ? "" : std::string(first.substr(0, slash + 1));
}

}  // namespace

TfliteTranslator::TfliteTranslator(ReadContext& context, FlatBuffer& flat, const TfliteFile& file)
    : context_(context),
      flat_(flat),
      file_(file),
      graph_(context.model().graph),
      strings_(context.model().strings),
      other_(file.tensors.size()),
      quantization_(file.tensors.size()),
      num_readers_(file.tensors.size()),
      readers_(file.tensors.size()),
      feeds_weights_(file.tensors.size(), true),
      is_result_(file.tensors.size()),
      is_declared_(file.tensors.size()),
      images_(file.tensors.size(), -1) {
  for (const TfliteTensor& tensor : file.tensors) {
    names_.push_back(tensor.name);
    values_[tensor.name] = 1;
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
    const bool has_contents = tensor.data.length() > 0 || Product(tensor.dims) == 0;
    constant_.push_back(!is_made[i] && has_contents && !tensor.is_variable);
    // What nothing makes and holds nothing, as the state of a recurrent operator, is an operand that is left out.
    if (!is_made[i] && !constant_.back()) names_[i] = kEmptyText;
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

void TfliteTranslator::Run() {
  FindConstants();
  FindRows();
  orders_ = OrdersOf(file_, constant_, flat_);
  graph_.name = file_.name;
  for (const int64_t input : file_.inputs) Declare(input, orders_[static_cast<size_t>(input)], &graph_.inputs);
  for (const TfliteOperator& op : file_.operators) {
    if (!flat_.ok()) return;
    op_ = &op;
    for (const auto* numbers : {&op.inputs, &op.outputs}) {
      for (const int64_t number : *numbers) flat_.Charge(number < 0 ? 0 : kBytesOfAxis * tensor(number).rank());
    }
    scope_ = op.outputs.empty() ? "" : ScopeOf(strings_[out(0).name]);
    const TfliteOp* const row = FindTfliteOp(op.code);
    const bool has_operands = !op.outputs.empty() && op.outputs[0] >= 0;
    if (row != nullptr && row->emit != nullptr && has_operands) {
      row->emit(*this);
    } else {
      EmitOpaque();
    }
    Flush();
    for (const int64_t output : op.outputs) {
      if (output < 0 || names_[static_cast<size_t>(output)] != tensor(output).name) continue;
      const auto at = static_cast<size_t>(output);
      if (is_result_[at] || is_declared_[at] || padded_.contains(output) || !context_.Enter()) continue;
      is_declared_[at] = true;
      Declare(output, orders_[static_cast<size_t>(output)], &graph_.value_info);
    }
  }
  for (const int64_t output : file_.outputs) {
    StrId& name = names_[static_cast<size_t>(output)];
    if (IsConstantTensor(output) && name == tensor(output).name) {
      ConstantOf(output, PermOf(Order::kStored, tensor(output).rank()), {});
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
  model.opsets.push_back({kEmptyText, kOpset});
  if (has_opaque_) model.opsets.push_back({strings_.Intern(kOpaqueDomain), 1});
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
  if (!IsConstant(input)) return std::nullopt;
  const TfliteTensor& of = in(input);
  const int64_t width = of.elem == ElemType::kInt64 ? 8 : of.elem == ElemType::kInt32 ? 4 : 0;
  if (width == 0 || of.data.length() % width != 0 || of.data.length() / width > kMostValues) return std::nullopt;
  return flat_.Ints({of.data.begin, of.data.length() / width}, width);
}

StrId TfliteTranslator::Untaken(StringTable& strings, absl::flat_hash_map<StrId, int64_t>& taken,
                                absl::string_view stem) {
  StrId name = strings.Intern(stem);
  int64_t wanted = taken[name]++;
  while (wanted > 0) {
    const StrId other = strings.Intern(absl::StrCat(strings[name], "_", wanted));
    if (taken.try_emplace(other, 1).second) return other;
    wanted = taken[name]++;
  }
  return name;
}

StrId TfliteTranslator::Fresh(absl::string_view what) { return NameOf(absl::StrCat(strings_[out(0).name], "/", what)); }

// --- operands

StrId TfliteTranslator::Read(size_t input, Order order, TensorForm form) {
  if (!Has(input)) return kEmptyText;
  int64_t number = op_->inputs[input];
  const auto padded = padded_.find(number);
  if (padded != padded_.end()) number = padded->second.from;
  const std::vector<int64_t> perm = PermOf(order, tensor(number).rank());
  const StrId value = IsConstantTensor(number) ? ConstantOf(number, perm, {}) : Ordered(number, order);
  return form == TensorForm::kReal && tensor(number).is_quantised() ? Dequantised(value, number, perm) : value;
}

StrId TfliteTranslator::ReadRow(size_t input, TensorForm form) {
  return Read(input, IsSameRow(in(input)) ? InOrder(input) : Order::kStored, form);
}

StrId TfliteTranslator::ReadPermuted(size_t input, const std::vector<int64_t>& perm, const std::vector<int64_t>& dims) {
  if (!Has(input)) return kEmptyText;
  const int64_t number = op_->inputs[input];
  const bool fits = static_cast<int>(perm.size()) == tensor(number).rank();
  if (IsConstantTensor(number) && fits) {
    const StrId value = ConstantOf(number, perm, dims);
    return tensor(number).is_quantised() ? Dequantised(value, number, perm) : value;
  }
  const StrId value = Read(input, Order::kStored);
  if (IsIdentity(perm)) return value;
  const StrId permuted = Fresh("weights");
  EmitTranspose(value, permuted, perm);
  return permuted;
}

bool TfliteTranslator::MayBeRows(size_t input, size_t output) {
  const TfliteTensor &image = in(input), &rows = out(output);
  const int64_t number = op_->outputs[output];
  const std::vector<int64_t> each(image.dims.begin() + (image.dims.empty() ? 0 : 1), image.dims.end());
  if (InOrder(input) != Order::kFirst || rows.rank() != 2 || Product(each) < 0 || rows.dims[1] != Product(each)) {
    return false;
  }
  const auto at = static_cast<size_t>(number);
  const bool may = !is_result_[at] && feeds_weights_[at];
  if (may) images_[at] = op_->inputs[input];
  return may;
}

bool TfliteTranslator::ReadRows(size_t data, size_t weights, StrId* rows, StrId* matrix) {
  if (!Has(data) || !Has(weights)) return false;
  const int64_t number = op_->inputs[data], of_weights = op_->inputs[weights];
  const bool is_image = tensor(number).rank() >= 3 && InOrder(data) == Order::kFirst;
  const int64_t image = is_image ? number : images_[static_cast<size_t>(number)];
  if (image < 0 || !IsConstantTensor(of_weights)) return false;
  std::vector<int64_t> view = tensor(image).dims;
  view[0] = tensor(of_weights).dims[0];
  if (Product(view) < 0 || Product(view) != Product(tensor(of_weights).dims)) return false;
  const std::vector<int64_t> perm = PermOf(Order::kFirst, static_cast<int>(view.size()));
  *rows = Read(data, InOrder(data));
  *matrix = ConstantOf(of_weights, view, perm, tensor(of_weights).dims);
  if (tensor(of_weights).is_quantised()) *matrix = Dequantised(*matrix, of_weights, PermOf(Order::kStored, 2));
  return true;
}

StrId TfliteTranslator::ReadBroadcast(size_t input, Order order, int rank) {
  const TfliteTensor& of = in(input);
  const bool is_plain = order == Order::kStored || of.rank() == rank || Product(of.dims) == 1 || of.rank() > rank;
  if (!Has(input) || is_plain) return Read(input, of.rank() == rank ? order : InOrder(input));
  std::vector<int64_t> dims(static_cast<size_t>(rank - of.rank()), 1);
  dims.insert(dims.end(), of.dims.begin(), of.dims.end());
  if (IsConstant(input) && of.rank() <= 1) {
    // A row of channels stays one row.
    const StrId value = ConstantOf(op_->inputs[input], PermOf(Order::kStored, of.rank()), InOrderOf(order, dims));
    return of.is_quantised() ? Dequantised(value, op_->inputs[input], PermOf(order, rank)) : value;
  }
  const StrId wide = Fresh("broadcast"), value = Read(input, Order::kStored), ordered = Fresh("channels_first");
  std::vector<int64_t> added(static_cast<size_t>(rank - of.rank()));
  for (size_t i = 0; i < added.size(); ++i) added[i] = static_cast<int64_t>(i);
  const StrId axes = Ints("axes", added);
  Emit("Unsqueeze", {value, axes}, {wide});
  EmitTranspose(wide, ordered, PermOf(order, rank));
  return ordered;
}

StrId TfliteTranslator::ReadSizes(size_t input) {
  if (const std::optional<std::vector<int64_t>> values = Values(input)) {
    StrId name = Ints("sizes", *values);
    if (in(input).rank() == 0) graph_.initializers.back().dims.clear();
    return name;
  }
  const StrId value = Read(input, Order::kStored);
  if (in(input).elem == ElemType::kInt64) return value;
  const StrId wide = Fresh("sizes");
  EmitCast(value, wide, ElemType::kInt64);
  return wide;
}

StrId TfliteTranslator::Ints(absl::string_view what, const std::vector<int64_t>& values) {
  const StrId name = Fresh(what);
  flat_.Charge(kBytesOfAxis * static_cast<int64_t>(values.size()));
  graph_.initializers.push_back(
      {.name = name, .elem = ElemType::kInt64, .dims = {static_cast<int64_t>(values.size())}});
  Constant& constant = graph_.initializers.back();
  constant.data = Bytes(values, 8);
  constant.storage = values.empty() ? Storage::kEmpty : Storage::kDecoded;
  constant.length = static_cast<int64_t>(constant.data.size());
  return name;
}

StrId TfliteTranslator::Number(float value) {
  auto [entry, fresh] = constants_.try_emplace(absl::StrCat("=", value), kEmptyText);
  if (!fresh) return entry->second;
  const StrId name = entry->second = NameOf(absl::StrCat("number/", value));
  graph_.initializers.push_back({.name = name, .elem = ElemType::kFloat});
  Constant& constant = graph_.initializers.back();
  constant.data.assign(reinterpret_cast<const char*>(&value), sizeof value);
  constant.length = sizeof value;
  constant.storage = Storage::kDecoded;
  return name;
}

StrId TfliteTranslator::Ordered(int64_t number, Order order) {
  const auto at = static_cast<size_t>(number);
  if (order == orders_[at] || tensor(number).rank() < 3 || names_[at] == kEmptyText) return names_[at];
  if (!other_[at].valid()) {
    const absl::string_view what = order == Order::kStored ? "channels_last" : "channels_first";
    other_[at] = NameOf(absl::StrCat(strings_[tensor(number).name], "/", what));
    Reorder(number, names_[at], orders_[at], other_[at]);
  }
  return other_[at];
}

// Writes `to`, in the order that `from` does not have. No data moves when only axes of one element do.
void TfliteTranslator::Reorder(int64_t number, StrId from, Order have, StrId to) {
  const TfliteTensor& of = tensor(number);
  const Order want = have == Order::kStored ? Order::kFirst : Order::kStored;
  const bool has_one_unknown = std::count(of.dims.begin(), of.dims.end(), -1) <= 1;
  if (IsSameRow(of) && has_one_unknown) {
    const StrId shape = Ints("shape", InOrderOf(want, of.dims));
    Emit("Reshape", {from, shape}, {to});
    return;
  }
  std::vector<int64_t> perm = PermOf(Order::kFirst, of.rank());
  if (want == Order::kStored) {
    std::vector<int64_t> back(perm.size());
    for (size_t i = 0; i < perm.size(); ++i) back[static_cast<size_t>(perm[i])] = static_cast<int64_t>(i);
    perm = std::move(back);
  }
  EmitTranspose(from, to, perm);
}

// --- constants

StrId TfliteTranslator::ConstantOf(int64_t number, const std::vector<int64_t>& perm, const std::vector<int64_t>& dims) {
  return ConstantOf(number, tensor(number).dims, perm, dims);
}

// `view` are dims of as many elements as the tensor has, which `perm` orders.
StrId TfliteTranslator::ConstantOf(int64_t number, const std::vector<int64_t>& view, const std::vector<int64_t>& perm,
                                   const std::vector<int64_t>& dims) {
  const std::string order =
      IsIdentity(perm) ? "" : absl::StrCat(absl::StrJoin(view, ","), ":", absl::StrJoin(perm, ","));
  const std::string key = absl::StrCat(number, ":", order, ":", absl::StrJoin(dims, ","));
  auto [entry, fresh] = constants_.try_emplace(key, kEmptyText);
  if (!fresh || !context_.Enter()) return entry->second;
  const TfliteTensor& from = tensor(number);
  const bool is_first = names_[static_cast<size_t>(number)] == from.name;
  Constant constant{.name = is_first ? from.name : NameOf(strings_[from.name]), .elem = from.elem};
  if (is_first) names_[static_cast<size_t>(number)] = StrId();  // the next form of it has a name of its own
  for (const int64_t axis : perm) constant.dims.push_back(view[static_cast<size_t>(axis)]);
  Fill(from, view, perm, &constant);
  if (!dims.empty()) constant.dims = dims;
  entry->second = constant.name;
  graph_.initializers.push_back(std::move(constant));
  return entry->second;
}

// Small contents are read, in the order of the constant; of others the place is known.
void TfliteTranslator::Fill(const TfliteTensor& from, const std::vector<int64_t>& view,
                            const std::vector<int64_t>& perm, Constant* constant) {
  const ReadOptions& options = context_.options();
  const int64_t elements = Product(from.dims);
  const int bits = ElemBits(from.elem);
  const std::optional<int64_t> all_bits = CheckedMul(std::max<int64_t>(elements, 0), bits);
  const int64_t needed = all_bits.has_value() ? *all_bits / 8 + (*all_bits % 8 != 0) : -1;
  constant->offset = from.data.begin;
  constant->length = from.data.length();
  constant->sparse = from.is_sparse;
  if (elements == 0) {
    constant->storage = Storage::kEmpty;
    return;
  }
  constant->storage = Storage::kInline;
  context_.Skipped(constant->length);
  if (from.is_sparse || from.elem == ElemType::kString) return;
  if (elements < 0 || needed != constant->length) {
    constant->storage = Storage::kMissing;
    context_.Warn(Code::kTensorData,
                  absl::StrCat("tensor ", ElemTypeName(from.elem), "[", absl::StrJoin(from.dims, ","), "] needs ",
                               needed, " bytes but holds ", constant->length),
                  "its contents are taken as unknown; convert the model again", constant->name);
    return;
  }
  const bool is_integer = IsInteger(from.elem) || from.elem == ElemType::kBool;
  if (needed > (is_integer ? options.decode_integer_bytes : options.decode_any_bytes) || bits < 8) return;
  context_.Skipped(-constant->length);
  std::string data;
  const FlatVector place{from.data.begin, from.data.length()};
  if (!flat_.Copy(place, &data)) return;
  const bool is_moved = !IsIdentity(perm);
  constant->data = is_moved ? Permuted(data, view, perm, static_cast<size_t>(bits / 8)) : std::move(data);
  constant->storage = Storage::kDecoded;
}

// Scale and zero point. Integers of 32 bits, which are sums, have none.
std::vector<StrId> TfliteTranslator::QuantizationOf(int64_t number) {
  std::vector<StrId>& names = quantization_[static_cast<size_t>(number)];
  if (!names.empty()) return names;
  const TfliteTensor& of = tensor(number);
  const FlatVector& scales = of.quantization.scales;
  std::vector<int64_t> dims;
  if (scales.count > 1) dims.push_back(scales.count);
  const absl::string_view stem = strings_[of.name];
  Constant scale{.name = NameOf(absl::StrCat(stem, "/scale")), .elem = ElemType::kFloat, .dims = dims};
  scale.offset = scales.begin;
  scale.length = scales.count * 4;
  scale.storage = Storage::kInline;
  if (scale.length <= context_.options().decode_any_bytes) {
    if (flat_.Copy({scale.offset, scale.length}, &scale.data)) scale.storage = Storage::kDecoded;
  }
  names.push_back(scale.name);
  graph_.initializers.push_back(std::move(scale));
  if (of.elem == ElemType::kInt32 || !flat_.Charge(kBytesOfAxis * scales.count)) return names;
  const FlatVector& points = of.quantization.zero_points;
  std::vector<int64_t> values(static_cast<size_t>(std::max<int64_t>(scales.count, 1)), 0);
  if (points.count == scales.count) values = flat_.Ints(points, 8);
  Constant point{.name = NameOf(absl::StrCat(stem, "/zero_point")), .elem = of.elem, .dims = dims};
  const int bits = ElemBits(of.elem);
  point.storage = bits >= 8 ? Storage::kDecoded : Storage::kInline;
  if (bits >= 8) point.data = Bytes(values, bits / 8);
  point.length = static_cast<int64_t>(point.data.size());
  names.push_back(point.name);
  graph_.initializers.push_back(std::move(point));
  return names;
}

void TfliteTranslator::EmitQuantization(absl::string_view op, StrId from, StrId to, int64_t number,
                                        const std::vector<int64_t>& perm) {
  std::vector<StrId> inputs = {from};
  for (const StrId name : QuantizationOf(number)) inputs.push_back(name);
  Emit(op, std::move(inputs), {to});
  const TfliteQuantization& quantization = tensor(number).quantization;
  if (quantization.scales.count > 1) Set("axis", PlaceOf(perm, quantization.axis));
}

StrId TfliteTranslator::Dequantised(StrId value, int64_t number, const std::vector<int64_t>& perm) {
  if (value == kEmptyText) return value;
  const StrId real = NameOf(absl::StrCat(strings_[tensor(number).name], "/real"));
  EmitQuantization("DequantizeLinear", value, real, number, perm);
  return real;
}

// --- results

StrId TfliteTranslator::Write(size_t output, Order order, TensorForm form, int64_t activation) {
  if (output >= op_->outputs.size() || op_->outputs[output] < 0) return kEmptyText;
  const int64_t number = op_->outputs[output];
  const auto at = static_cast<size_t>(number);
  const absl::string_view name = strings_[tensor(number).name];
  StrId target = tensor(number).name;
  const auto before = [&](Pending::Kind kind, absl::string_view what) {
    const StrId from = NameOf(absl::StrCat(name, "/", what));
    pending_.push_back({kind, from, target, number, activation, order});
    target = from;
  };
  if (order != orders_[at] && tensor(number).rank() >= 3) {
    before(Pending::kTranspose, order == Order::kStored ? "channels_last" : "channels_first");
  }
  if (form == TensorForm::kReal && tensor(number).is_quantised()) before(Pending::kQuantize, "real");
  if (activation > kNoActivation && activation <= kSignBit) before(Pending::kActivation, "linear");
  return target;
}

bool TfliteTranslator::LeavePads(size_t input, size_t output, const std::vector<int64_t>& pads) {
  const int64_t number = op_->outputs[output];
  const auto at = static_cast<size_t>(number);
  const TfliteOperator* const reader = readers_[at];
  const bool is_left = out(output).is_quantised() && num_readers_[at] == 1 && !is_result_[at] && Has(input) &&
                       op_->inputs[input] != number && TakesPads(reader->code) && reader->inputs[0] == number &&
                       flat_.Signed(reader->options, 0, 1) == 1;  // VALID
  if (is_left) padded_[number] = {op_->inputs[input], pads};
  return is_left;
}

std::vector<int64_t> TfliteTranslator::PadsOf(size_t input) const {
  const auto padded = Has(input) ? padded_.find(op_->inputs[input]) : padded_.end();
  return padded == padded_.end() ? std::vector<int64_t>() : padded->second.pads;
}

void TfliteTranslator::WriteQuantised(size_t output, Order order, StrId value) {
  const int64_t number = op_->outputs[output];
  const StrId target = Write(output, order, TensorForm::kNumbers);
  EmitQuantization("QuantizeLinear", value, target, number, PermOf(order, tensor(number).rank()));
}

void TfliteTranslator::Flush() {
  while (!pending_.empty()) {
    const Pending next = pending_.back();
    pending_.pop_back();
    switch (next.kind) {
      case Pending::kTranspose: Reorder(next.tensor, next.from, next.order, next.to); break;
      case Pending::kQuantize:
        EmitQuantization("QuantizeLinear", next.from, next.to, next.tensor,
                         PermOf(next.order, tensor(next.tensor).rank()));
        break;
      case Pending::kActivation: EmitActivation(next.from, next.to, next.activation); break;
    }
  }
}

void TfliteTranslator::EmitActivation(StrId from, StrId to, int64_t activation) {
  switch (activation) {
    case kRelu: Emit("Relu", {from}, {to}); return;
    case kTanh: Emit("Tanh", {from}, {to}); return;
    case kSignBit: Emit("Sign", {from}, {to}); return;
    default: break;
  }
  const StrId least = Number(activation == kReluMinus1To1 ? -1 : 0);
  const StrId most = Number(activation == kReluMinus1To1 ? 1 : 6);
  Emit("Clip", {from, least, most}, {to});
}

void TfliteTranslator::Alias(size_t output, StrId value) {
  const auto at = static_cast<size_t>(op_->outputs[output]);
  if (is_result_[at]) {
    Emit("Identity", {value}, {tensor(op_->outputs[output]).name});
    return;
  }
  names_[at] = value;
}

// --- nodes

RawNode& TfliteTranslator::Emit(absl::string_view op, std::vector<StrId> inputs, std::vector<StrId> outputs) {
  static_cast<void>(context_.Enter() && flat_.Charge(kBytesOfNode));
  while (!inputs.empty() && inputs.back() == kEmptyText) inputs.pop_back();
  RawNode& node = graph_.nodes.emplace_back();
  node.domain = node.overload = kEmptyText;
  node.op = strings_.Intern(op);
  node.name = Untaken(strings_, nodes_, absl::StrCat(scope_, op));
  node.inputs.assign(inputs.begin(), inputs.end());
  node.outputs.assign(outputs.begin(), outputs.end());
  return node;
}

RawAttribute& TfliteTranslator::NewAttribute(absl::string_view name, AttrKind kind) {
  RawAttribute& attribute = graph_.nodes.back().attributes.emplace_back();
  attribute.name = strings_.Intern(name);
  attribute.s = kEmptyText;
  attribute.kind = kind;
  return attribute;
}

void TfliteTranslator::Set(absl::string_view name, int64_t value) { NewAttribute(name, AttrKind::kInt).i = value; }
void TfliteTranslator::Set(absl::string_view name, float value) { NewAttribute(name, AttrKind::kFloat).f = value; }
void TfliteTranslator::Set(absl::string_view name, absl::string_view value) {
  NewAttribute(name, AttrKind::kString).s = strings_.Intern(value);
}
void TfliteTranslator::Set(absl::string_view name, std::vector<int64_t> values) {
  NewAttribute(name, AttrKind::kInts).ints = std::move(values);
}

void TfliteTranslator::EmitCast(StrId from, StrId to, ElemType elem) {
  Emit("Cast", {from}, {to});
  Set("to", static_cast<int64_t>(elem));
}

void TfliteTranslator::EmitTranspose(StrId from, StrId to, const std::vector<int64_t>& perm) {
  Emit("Transpose", {from}, {to});
  Set("perm", perm);
}

void TfliteTranslator::EmitOpaque() {
  pending_.clear();
  has_opaque_ = true;
  const TfliteOp* const row = FindTfliteOp(op_->code);
  std::string name(strings_[op_->custom_name]);
  if (row != nullptr && name.empty()) name = std::string(row->name);
  if (name.empty()) name = absl::StrCat("BUILTIN_", op_->code);
  std::vector<StrId> inputs, outputs;
  for (size_t i = 0; i < num_inputs(); ++i) inputs.push_back(Read(i, Order::kStored, TensorForm::kNumbers));
  for (size_t i = 0; i < num_outputs(); ++i) outputs.push_back(Write(i, Order::kStored, TensorForm::kNumbers));
  Emit(name, std::move(inputs), std::move(outputs)).domain = strings_.Intern(kOpaqueDomain);
}

}  // namespace hwest
