#include "cost/precision.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

struct Request {
  absl::string_view name;
  size_t count;          // of `tries` that are set
  Precision tries[3];    // first one the unit has a rate for
};

// Weight-only quantisation runs with integer activations where the unit has them, else with half precision ones.
constexpr Request kRequests[] = {
    {"fp32", 1, {{Num::kFp32, Num::kFp32}}},
    {"tf32", 1, {{Num::kTf32, Num::kTf32}}},
    {"fp16", 1, {{Num::kFp16, Num::kFp16}}},
    {"bf16", 1, {{Num::kBf16, Num::kBf16}}},
    {"fp8", 1, {{Num::kFp8, Num::kFp8}}},
    {"int8", 1, {{Num::kInt8, Num::kInt8}}},
    {"w8a16", 3, {{Num::kInt16, Num::kInt8}, {Num::kFp16, Num::kInt8}, {Num::kBf16, Num::kInt8}}},
    {"w4a16", 3, {{Num::kInt16, Num::kInt4}, {Num::kFp16, Num::kInt4}, {Num::kBf16, Num::kInt4}}},
    {"w4a8", 1, {{Num::kInt8, Num::kInt4}}},
};

bool IsFloating(Num num) {
  return num == Num::kFp32 || num == Num::kTf32 || num == Num::kFp16 || num == Num::kBf16 || num == Num::kFp8;
}

bool Runs(const Unit& unit, Precision precision) {
  return RateFor(unit, WorkKind::kContraction, precision) != nullptr;
}

Num NumOf(ElemType elem) {
  switch (elem) {
    case ElemType::kFloat16:
      return Num::kFp16;
    case ElemType::kBfloat16:
      return Num::kBf16;
    default:
      return Num::kFp32;
  }
}

Num IntegerOf(int bits) { return bits <= 4 ? Num::kInt4 : bits <= 8 ? Num::kInt8 : Num::kInt16; }

// Integer type of a contraction's operand, looked at through DequantizeLinear.
Num OperandNum(const ModelView& model, ValueId value) {
  const NodeId producer = model.graph.value(value).producer;
  if (producer.valid() && model.graph.op(producer) == "DequantizeLinear") value = model.graph.inputs(producer)[0];
  return IntegerOf(ElemBits(model.facts.values[value].type.elem));
}

// Inputs that hold activation and weight: 0 and 1, but QLinearConv and QLinearMatMul interleave scales.
Precision OperandPrecision(const ModelView& model, NodeId node) {
  const absl::Span<const ValueId> inputs = model.graph.inputs(node);
  const absl::string_view op = model.graph.op(node);
  const size_t weight = op == "QLinearConv" || op == "QLinearMatMul" ? 3 : 1;
  if (inputs.size() <= weight || !inputs[0].valid() || !inputs[weight].valid()) return {Num::kInt8, Num::kInt8};
  return {OperandNum(model, inputs[0]), OperandNum(model, inputs[weight])};
}

Num UsualNum(const Unit& unit, Num file) {
  if (unit.precision != Num::kUnset) return unit.precision;
  if (Runs(unit, {file, file})) return file;
  for (const Rate& rate : unit.rates) {
    if (rate.work == WorkKind::kContraction) return rate.act;
  }
  return file;
}

// Floating point type for the parts of a quantised graph that are not quantised; the integer type where the unit has
// no other.
Precision FloatingOf(const Unit& unit, Precision otherwise) {
  if (IsFloating(unit.precision)) return {unit.precision, unit.precision};
  for (const Num num : {Num::kFp16, Num::kBf16, Num::kFp32}) {
    if (Runs(unit, {num, num})) return {num, num};
  }
  return otherwise;
}

UnitPrecision AutoPrecision(const Unit& unit, const FilePrecision& file) {
  const Num usual = UsualNum(unit, file.floating);
  UnitPrecision choice{.main = {usual, usual}, .floating = {usual, usual}, .note = ""};
  if (file.quantised.has_value()) {
    choice.floating = FloatingOf(unit, choice.main);
    choice.main = Runs(unit, *file.quantised) ? *file.quantised : choice.floating;
    if (choice.main != choice.floating) choice.main.floating = choice.floating.act;
    if (choice.main.act != file.quantised->act || choice.main.weight != file.quantised->weight) {
      choice.note = absl::StrCat("runs as ", PrecisionName(choice.main), ", file is ", PrecisionName(*file.quantised));
    }
  } else if (usual != file.floating) {
    choice.note = absl::StrCat("assumed ", NumName(usual), ", file is ", NumName(file.floating));
  }
  return choice;
}

std::optional<UnitPrecision> RequestedPrecision(const Unit& unit, const Request& request) {
  for (size_t i = 0; i < request.count; ++i) {
    const Precision precision = request.tries[i];
    if (Runs(unit, precision)) return UnitPrecision{.main = precision, .floating = precision, .note = ""};
  }
  return std::nullopt;
}

absl::Status NoRate(const Target& target, absl::string_view request, const std::vector<UnitId>& asked) {
  std::vector<std::string> lists;
  for (const UnitId id : asked) {
    const Unit& unit = target.units[id];
    lists.push_back(absl::StrCat(unit.name, " runs ", absl::StrJoin(PrecisionsOf(unit), ", ")));
  }
  return MakeError(Code::kUsage, absl::StrCat("no unit of ", target.name, " runs ", request),
                   lists.empty() ? "choose a unit that is placeable" : absl::StrJoin(lists, "; "));
}

// Accelerators that may be used; the CPUs when there are none.
std::vector<UnitId> AskedUnits(const Target& target, const std::vector<std::string>& only) {
  std::vector<UnitId> accelerators, cpus;
  for (uint32_t i = 0; i < target.units.size(); ++i) {
    const Unit& unit = target.units[UnitId(i)];
    if (!unit.placeable) continue;
    if (!only.empty() && std::find(only.begin(), only.end(), unit.name) == only.end()) continue;
    (unit.kind == UnitKind::kSimdCpu ? cpus : accelerators).push_back(UnitId(i));
  }
  return accelerators.empty() ? cpus : accelerators;
}

}  // namespace

FilePrecision FilePrecisionOf(const ModelView& model) {
  FilePrecision file;
  bool has_float = false;
  for (uint32_t n = 0; n < model.graph.nodes().size(); ++n) {
    const NodeId node(n);
    const std::optional<Work>& work = model.work[node];
    if (!work.has_value() || work->contractions.empty()) continue;
    if (!work->int_macs.IsConstant(0) && !file.quantised.has_value()) file.quantised = OperandPrecision(model, node);
    const absl::Span<const ValueId> outputs = model.graph.outputs(node);
    if (has_float || outputs.empty() || !outputs[0].valid()) continue;
    const ElemType elem = model.facts.values[outputs[0]].type.elem;
    if (!IsFloat(elem)) continue;
    file.floating = NumOf(elem);
    has_float = true;
  }
  return file;
}

const Rate* RateFor(const Unit& unit, WorkKind work, Precision precision) {
  const Rate* exact = RateOf(unit, work, precision.act, precision.weight);
  if (exact != nullptr || NumBits(precision.weight) >= NumBits(precision.act)) return exact;
  return RateOf(unit, work, precision.act, precision.act);
}

std::vector<std::string> PrecisionsOf(const Unit& unit) {
  std::vector<std::string> names;
  for (const Request& request : kRequests) {
    if (RequestedPrecision(unit, request).has_value()) names.emplace_back(request.name);
  }
  return names;
}

absl::StatusOr<IdMap<UnitId, std::optional<UnitPrecision>>> ChoosePrecisions(const Target& target,
                                                                             absl::string_view request,
                                                                             FilePrecision file,
                                                                             const std::vector<std::string>& only) {
  IdMap<UnitId, std::optional<UnitPrecision>> chosen(target.units.size());
  for (uint32_t i = 0; i < target.units.size(); ++i) chosen[UnitId(i)] = AutoPrecision(target.units[UnitId(i)], file);
  if (request.empty() || request == "auto") return chosen;

  const auto row = std::find_if(std::begin(kRequests), std::end(kRequests),
                                [&](const Request& candidate) { return candidate.name == request; });
  if (row == std::end(kRequests)) {
    std::vector<absl::string_view> names = {"auto"};
    for (const Request& known : kRequests) names.push_back(known.name);
    return MakeError(Code::kUsage, absl::StrCat("'", request, "' is no precision"), absl::StrJoin(names, ", "));
  }
  const std::vector<UnitId> asked = AskedUnits(target, only);
  bool any = false;
  for (const UnitId id : asked) {
    chosen[id] = RequestedPrecision(target.units[id], *row);
    any = any || chosen[id].has_value();
  }
  if (!any) return NoRate(target, request, asked);
  return chosen;
}

}  // namespace hwest
