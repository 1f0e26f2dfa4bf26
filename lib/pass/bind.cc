#include "pass/bind.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "op/known.h"
#include "pass/bind_contents.h"

namespace hwest {
namespace {

class Binder {
 public:
  Binder(const Graph& graph, DimPool& dims) : graph_(graph), dims_(dims) {}

  absl::StatusOr<BoundInputs> Run(const BindRequest& request);

 private:
  absl::Span<const ValueId> inputs() const { return graph_.main().inputs; }
  absl::string_view name(size_t input) const { return graph_.name(inputs()[input]); }
  void NameUnknownDims();
  std::optional<SymbolId> FindSymbol(absl::string_view text) const;
  std::vector<std::string> Names() const;
  absl::Status BindName(absl::string_view name, int64_t value);
  absl::Status BindShape(absl::string_view input, const std::vector<int64_t>& shape);
  absl::Status BindInputShape(size_t input, const std::vector<int64_t>& shape);
  absl::Status BindAxis(size_t input, int axis, int64_t value);
  absl::Status BindSymbol(SymbolId symbol, int64_t value);
  absl::Status BindBatch(int64_t batch);
  absl::StatusOr<size_t> ClaimInput(absl::string_view text, ValueKind kind);
  absl::Status BindTensor(absl::string_view text, const Constant& contents);
  absl::Status BindSequence(absl::string_view text, const std::vector<Constant>& tensors);
  std::optional<size_t> FindInput(absl::string_view text) const;
  std::string ListInputs() const;
  Type Substituted(Type type) const;
  absl::Status Apply();

  const Graph& graph_;
  DimPool& dims_;
  BoundInputs bound_;
  std::vector<bool> given_;  // by input: the caller gave its contents
};

absl::Status Conflict(absl::string_view what, absl::string_view remedy, const std::vector<NamedOption>& options = {}) {
  return MakeError(Code::kBindConflict, what, remedy, options);
}

void Binder::NameUnknownDims() {
  for (size_t i = 0; i < inputs().size(); ++i) {
    const Type* declared = graph_.declared(inputs()[i]);
    Type type = declared != nullptr ? *declared : Type();
    const bool one_tensor = type.kind != ValueKind::kSequence && type.inner != ValueKind::kSequence;
    if (type.shape.ranked() && one_tensor) {
      for (int axis = 0; axis < type.shape.rank(); ++axis) {
        if (!type.shape.dim(axis).is_unknown()) continue;
        type.shape.set_dim(axis, dims_.Symbol(absl::StrCat(name(i), ".", axis)));
      }
    }
    bound_.inputs.push_back(std::move(type));
  }
  bound_.contents.resize(inputs().size());
  bound_.elements.resize(inputs().size());
  bound_.strings.resize(inputs().size());
  given_.resize(inputs().size(), false);
}

std::optional<size_t> Binder::FindInput(absl::string_view text) const {
  for (size_t i = 0; i < inputs().size(); ++i) {
    if (name(i) == text) return i;
  }
  return std::nullopt;
}

std::string Binder::ListInputs() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < inputs().size(); ++i) {
    names.push_back(absl::StrCat(name(i), " ", ToString(bound_.inputs[i].shape, dims_)));
  }
  return absl::StrCat("its inputs are ", absl::StrJoin(names, ", "));
}

std::optional<SymbolId> Binder::FindSymbol(absl::string_view text) const {
  for (size_t i = 0; i < dims_.num_symbols(); ++i) {
    const Symbol& symbol = dims_.symbol(SymbolId(i));
    if (symbol.name == text || symbol.text == text) return SymbolId(i);
  }
  return std::nullopt;
}

std::vector<std::string> Binder::Names() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < dims_.num_symbols(); ++i) names.push_back(dims_.symbol(SymbolId(i)).name);
  for (size_t i = 0; i < inputs().size(); ++i) names.push_back(absl::StrCat(name(i), ".0"));
  return names;
}

absl::Status Binder::BindName(absl::string_view text, int64_t value) {
  if (const auto symbol = FindSymbol(text)) return BindSymbol(*symbol, value);
  const size_t dot = text.rfind('.');
  int axis = 0;
  if (dot != absl::string_view::npos && absl::SimpleAtoi(text.substr(dot + 1), &axis)) {
    if (const auto input = FindInput(text.substr(0, dot))) return BindAxis(*input, axis, value);
  }
  std::vector<std::string> names = Names();
  const std::vector<std::string> nearest = NearestNames(text, names, 6);
  if (!nearest.empty()) names = nearest;
  if (names.size() > 6) names.resize(6);
  return Conflict(absl::StrCat("'", text, "' is neither a symbolic dim nor INPUT.AXIS of this model"),
                  names.empty() ? "the model has no inputs" : absl::StrCat("use one of ", absl::StrJoin(names, ", ")));
}

absl::Status Binder::BindSymbol(SymbolId symbol, int64_t value) {
  if (value < 0) return Conflict(absl::StrCat("a dim cannot be ", value), "give a size of 0 or more");
  const auto [entry, fresh] = bound_.symbols.try_emplace(symbol, Dim(value));
  if (!fresh && !entry->second.IsConstant(value)) {
    return Conflict(
        absl::StrCat("'", dims_.symbol(symbol).name, "' is bound to both ", entry->second.value(), " and ", value),
        "bind it once");
  }
  return absl::OkStatus();
}

absl::Status Binder::BindAxis(size_t input, int axis, int64_t value) {
  Shape& shape = bound_.inputs[input].shape;
  if (!shape.ranked() || axis < 0 || axis >= shape.rank()) {
    const NamedOption whole("--shape", {absl::StrCat(name(input), "=AxB")});
    return Conflict(absl::StrCat("input '", name(input), "' has no axis ", axis),
                    shape.ranked() ? absl::StrCat("its rank is ", shape.rank())
                                   : absl::StrCat("give its whole shape: ", whole.text()),
                    {whole});
  }
  if (value < 0) return Conflict(absl::StrCat("a dim cannot be ", value), "give a size of 0 or more");
  const Dim declared = shape.dim(axis);
  const SymbolId symbol = dims_.AsSymbol(declared);
  if (symbol.valid()) return BindSymbol(symbol, value);
  if (declared.is_constant() && !declared.IsConstant(value)) bound_.overrides_static = true;
  shape.set_dim(axis, Dim(value));
  return absl::OkStatus();
}

absl::Status Binder::BindInputShape(size_t input, const std::vector<int64_t>& shape) {
  Type& type = bound_.inputs[input];
  if (!type.shape.ranked()) type.shape = Shape::UnknownDims(static_cast<int>(shape.size()));
  if (type.shape.rank() != static_cast<int>(shape.size())) {
    return Conflict(
        absl::StrCat("input '", name(input), "' has rank ", type.shape.rank(), ", the shape given has ", shape.size()),
        absl::StrCat("its shape is ", ToString(type.shape, dims_)));
  }
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    HWEST_RETURN_IF_ERROR(BindAxis(input, static_cast<int>(axis), shape[axis]));
  }
  return absl::OkStatus();
}

absl::Status Binder::BindShape(absl::string_view input, const std::vector<int64_t>& shape) {
  bool found = false;
  for (size_t i = 0; i < inputs().size(); ++i) {
    const Shape& declared = bound_.inputs[i].shape;
    const bool wanted =
        input.empty() ? declared.ranked() && declared.rank() == static_cast<int>(shape.size()) : name(i) == input;
    if (!wanted) continue;
    found = true;
    HWEST_RETURN_IF_ERROR(BindInputShape(i, shape));
  }
  if (found) return absl::OkStatus();
  return Conflict(input.empty() ? absl::StrCat("no input has rank ", shape.size())
                                : absl::StrCat("the model has no input '", input, "'"),
                  ListInputs());
}

// One image is what a file without a batch takes.
absl::Status Binder::BindBatch(int64_t batch) {
  const BatchAxes& found = bound_.batch;
  if (!found.found()) {
    if (batch == 1) return absl::OkStatus();
    return Conflict(absl::StrCat("the file has no batch: ", found.missing),
                    absl::StrCat(BatchRemedy(graph_, bound_.inputs, dims_), ", or leave out --batch"), {"--batch"});
  }
  const auto [first, axis] = found.axes[0];
  const Dim as_exported = bound_.inputs[first].shape.dim(axis);
  for (const auto& [input, batch_axis] : found.axes) HWEST_RETURN_IF_ERROR(BindAxis(input, batch_axis, batch));
  for (const size_t input : found.beside) HWEST_RETURN_IF_ERROR(BindAxis(input, 0, batch));
  if (!found.fixed || as_exported.value() == batch) return absl::OkStatus();
  for (const size_t input : found.vectors) HWEST_RETURN_IF_ERROR(BindAxis(input, 0, batch));
  bound_.rebatch = {as_exported.value(), batch};
  return absl::OkStatus();
}

// Claims the input for contents of one `kind`; an optional takes what it declares to hold.
absl::StatusOr<size_t> Binder::ClaimInput(absl::string_view text, ValueKind kind) {
  const auto input = FindInput(text);
  if (!input.has_value()) return Conflict(absl::StrCat("the model has no input '", text, "'"), ListInputs());
  if (given_[*input]) return Conflict(absl::StrCat("input '", text, "' is given contents twice"), "give them once");
  given_[*input] = true;
  Type& type = bound_.inputs[*input];
  if (type.kind == ValueKind::kUnknown) type.kind = kind;
  const ValueKind holds = type.kind == ValueKind::kOptional ? type.inner : type.kind;
  if (holds == kind) return *input;
  return Conflict(absl::StrCat("the contents given for input '", text, "' are a ", ValueKindName(kind),
                               ", the input is a ", ValueKindName(holds)),
                  "give contents of the declared type and shape");
}

absl::Status Binder::BindTensor(absl::string_view text, const Constant& contents) {
  HWEST_ASSIGN_OR_RETURN(const size_t input, ClaimInput(text, ValueKind::kTensor));
  Type& type = bound_.inputs[input];
  HWEST_RETURN_IF_ERROR(CheckTensor(text, Substituted(type), contents, dims_));
  type.elem = contents.elem;
  HWEST_RETURN_IF_ERROR(BindInputShape(input, contents.dims));
  bound_.contents[input] = DecodeConstant(contents);
  if (contents.elem == ElemType::kString && contents.Elements() == static_cast<int64_t>(contents.strings.size())) {
    bound_.strings[input] = std::make_shared<const std::vector<std::string>>(contents.strings);
  }
  return absl::OkStatus();
}

absl::Status Binder::BindSequence(absl::string_view text, const std::vector<Constant>& tensors) {
  HWEST_ASSIGN_OR_RETURN(const size_t input, ClaimInput(text, ValueKind::kSequence));
  Type type = Substituted(bound_.inputs[input]);
  for (const Constant& tensor : tensors) {
    HWEST_RETURN_IF_ERROR(CheckTensor(text, type, tensor, dims_));
    type.elem = tensor.elem;  // all have one type
  }
  bound_.inputs[input] = TypeOfSequence(std::move(type), tensors);
  bound_.elements[input] = ElementsOf(tensors);
  return absl::OkStatus();
}

Type Binder::Substituted(Type type) const {
  if (!type.shape.ranked()) return type;
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    type.shape.set_dim(axis, dims_.Substitute(type.shape.dim(axis), bound_.symbols));
  }
  return type;
}

absl::Status Binder::Apply() {
  for (size_t i = 0; i < bound_.inputs.size(); ++i) {
    const Type declared = bound_.inputs[i];
    Type& type = bound_.inputs[i] = Substituted(declared);
    for (int axis = 0; type.shape.ranked() && axis < type.shape.rank(); ++axis) {
      const Dim dim = type.shape.dim(axis);
      if (!dim.is_constant() || dim.value() >= 0) continue;
      return Conflict(absl::StrCat("'", name(i), ".", axis, "' would be ", dims_.ToString(declared.shape.dim(axis)),
                                   " = ", dim.value()),
                      "give sizes that leave 0 or more");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<BoundInputs> Binder::Run(const BindRequest& request) {
  NameUnknownDims();
  for (const auto& [text, value] : request.dims) HWEST_RETURN_IF_ERROR(BindName(text, value));
  for (const auto& [input, shape] : request.shapes) HWEST_RETURN_IF_ERROR(BindShape(input, shape));
  for (const auto& [text, value] : request.resized) HWEST_RETURN_IF_ERROR(BindName(text, value));
  for (const auto& [input, contents] : request.values) HWEST_RETURN_IF_ERROR(BindTensor(input, contents));
  for (const auto& [input, tensors] : request.sequences) HWEST_RETURN_IF_ERROR(BindSequence(input, tensors));
  bound_.batch = FindBatchAxes(graph_, bound_.inputs, given_, dims_);
  if (request.batch.has_value()) HWEST_RETURN_IF_ERROR(BindBatch(*request.batch));
  HWEST_RETURN_IF_ERROR(Apply());
  return std::move(bound_);
}

}  // namespace

absl::StatusOr<BoundInputs> Bind(const Graph& graph, const BindRequest& request, DimPool& dims) {
  return Binder(graph, dims).Run(request);
}

std::vector<SymbolId> FreeSymbols(const BoundInputs& bound, const DimPool& dims) {
  std::vector<SymbolId> symbols;
  absl::flat_hash_set<SymbolId> seen;
  for (const Type& type : bound.inputs) {
    if (!type.shape.ranked()) continue;
    for (const Dim dim : type.shape.dims()) {
      for (const SymbolId symbol : dims.SymbolsOf(dim)) {
        if (seen.insert(symbol).second) symbols.push_back(symbol);
      }
    }
  }
  return symbols;
}

namespace {

constexpr int64_t kTypicalLength = 128;  // of a text
constexpr int64_t kTypicalSide = 224;    // of an image

bool IsBatch(const BoundInputs& bound, SymbolId symbol, int axis) {
  return bound.batch.named.valid() ? symbol == bound.batch.named : axis == 0;
}

// A size that is worth an estimate: one input, but a text or an image of the usual size instead of a single token or
// pixel.
int64_t TypicalSize(const BoundInputs& bound, const DimPool& dims, SymbolId symbol) {
  for (const Type& input : bound.inputs) {
    const int rank = input.shape.ranked() ? static_cast<int>(input.shape.dims().size()) : 0;
    for (int axis = 0; axis < rank; ++axis) {
      const std::vector<SymbolId> symbols = dims.SymbolsOf(input.shape.dims()[axis]);
      if (std::find(symbols.begin(), symbols.end(), symbol) == symbols.end()) continue;
      if (IsBatch(bound, symbol, axis)) return 1;
      if (rank < 4) return kTypicalLength;
      const bool is_channel = axis == 1 && !input.shape.dims()[rank - 1].is_constant();
      return is_channel ? 1 : kTypicalSide;
    }
  }
  return 1;
}

// How a command names a symbol: as the file does, or as INPUT.AXIS, unless a shell would read that in another way.
const std::string& FlagName(const Symbol& symbol) {
  const auto is_plain = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || absl::StrContains("_.:/-", c);
  };
  const std::string& text = symbol.text;
  return std::all_of(text.begin(), text.end(), is_plain) && text[0] != '-' ? text : symbol.name;
}

}  // namespace

absl::Status FreeDimsError(const Graph& graph, const BoundInputs& bound, const DimPool& dims,
                           const std::vector<std::pair<std::string, int64_t>>& step) {
  std::vector<std::string> names;
  NamedOption sizes("--dim"), shapes("--shape");
  for (const SymbolId id : FreeSymbols(bound, dims)) {
    const Symbol& symbol = dims.symbol(id);
    names.push_back(FlagName(symbol));
    const auto sized =
        std::find_if(step.begin(), step.end(), [&](const auto& row) { return row.first == symbol.name; });
    const int64_t size = sized != step.end() ? sized->second : std::max(TypicalSize(bound, dims, id), symbol.min);
    sizes.values.push_back(absl::StrCat(FlagName(symbol), "=", size));
  }
  for (size_t i = 0; i < bound.inputs.size(); ++i) {
    if (bound.inputs[i].shape.ranked() || !bound.inputs[i].is_tensor()) continue;
    const absl::string_view input = graph.name(graph.main().inputs[i]);
    names.push_back(std::string(input));
    shapes.values.push_back(absl::StrCat(input, "=1x1"));
  }
  std::vector<NamedOption> options;
  if (!step.empty()) options.push_back("analyze --context");
  std::vector<std::string> flags;
  for (const NamedOption& option : {sizes, shapes}) {
    if (option.values.empty()) continue;
    flags.push_back(option.text());
    options.push_back(option);
  }
  return MakeError(Code::kFreeDims,
                   absl::StrCat("free ", names.size() == 1 ? "dim " : "dims ", absl::StrJoin(names, ", "),
                                names.size() == 1 ? " needs a value" : " need values",
                                step.empty() ? "" : " (for a language model, --context sets them)"),
                   absl::StrJoin(flags, " "), options);
}

}  // namespace hwest
