#include "cost/precision.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cost/figures_class.h"
#include "hwest/diagnostic.h"
#include "ir/elem_type.h"
#include "op/rule.h"
#include "pass/weights.h"
#include "target/kinds.h"

namespace hwest {
namespace {

struct Request {
  absl::string_view name;
  size_t count;        // of `tries` that are set
  Precision tries[3];  // first one the unit has a rate for
};

// Weight-only quantisation runs with integer activations where the unit has kernels for them, else with half precision
// ones.
constexpr Request kRequests[] = {
    {"fp32", 1, {{Num::kFp32, Num::kFp32}}},
    {"tf32", 1, {{Num::kTf32, Num::kTf32}}},
    {"fp16", 1, {{Num::kFp16, Num::kFp16}}},
    {"bf16", 1, {{Num::kBf16, Num::kBf16}}},
    {"fp8", 1, {{Num::kFp8, Num::kFp8}}},
    {"fp4", 1, {{Num::kFp4, Num::kFp4}}},
    {"int8", 1, {{Num::kInt8, Num::kInt8}}},
    {"w8a16", 3, {{Num::kInt16, Num::kInt8}, {Num::kFp16, Num::kInt8}, {Num::kBf16, Num::kInt8}}},
    {"w4a16", 3, {{Num::kInt16, Num::kInt4}, {Num::kFp16, Num::kInt4}, {Num::kBf16, Num::kInt4}}},
    {"w4a8", 1, {{Num::kInt8, Num::kInt4}}},
};

bool Runs(const Unit& unit, Precision precision) { return RateFor(unit, WorkKind::kContraction, precision) != nullptr; }

// Floating point units unpack weights as they load them. Integer kernels for weights below eight bits are ones that the
// compiler has or has not: a rate says so. So it does of floating point where activations of 16 bits are integers.
bool Offers(const Unit& unit, Precision precision) {
  constexpr int kByte = 8;
  const bool has_integers = !IsFloating(precision.act) || Runs(unit, {Num::kInt16, Num::kInt16});
  const bool is_stated_only = has_integers && NumBits(precision.weight) < kByte;
  if (!is_stated_only) return Runs(unit, precision);
  return RateOf(unit, WorkKind::kContraction, precision.act, precision.weight) != nullptr;
}

Num NumOf(ElemType elem) {
  switch (elem) {
    case ElemType::kFloat16: return Num::kFp16;
    case ElemType::kBfloat16: return Num::kBf16;
    default: return Num::kFp32;
  }
}

Num IntegerOf(int bits) { return bits <= 4 ? Num::kInt4 : bits <= 8 ? Num::kInt8 : Num::kInt16; }

// Integer type of a contraction's operand, looked at through DequantizeLinear.
Num OperandNum(const ModelView& model, ValueId value) {
  const NodeId producer = model.graph.value(value).producer;
  if (producer.valid() && HasTrait(model, producer, trait::kDequantizes)) value = model.graph.inputs(producer)[0];
  return IntegerOf(ElemBits(model.facts.values[value].type.elem));
}

// The input that holds the weight: 1 where the row names none, as scales may stand between.
size_t WeightInput(const OpRule* rule) {
  return rule == nullptr || rule->weights == 0 ? 1 : static_cast<size_t>(std::countr_zero(rule->weights));
}

Precision OperandPrecision(const ModelView& model, NodeId node) {
  const absl::Span<const ValueId> inputs = model.graph.inputs(node);
  const size_t weight = WeightInput(RuleOf(model, node));
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

// Integer activations of a file in floating point need ranges, which nothing in the file states.
std::string CalibrationText(Precision precision, const FilePrecision& file) {
  if (file.quantised.has_value() || IsFloating(precision.act) || !file.is_float) return "";
  return absl::StrCat(NumName(precision.act), " of an ", file.name,
                      " file takes a calibration set or weights trained for it");
}

// The file in words, e.g. "fp32", "int4 weights with fp16 activations".
std::string FileText(const FilePrecision& file) {
  if (!file.weight_bits.has_value()) return file.name;
  return absl::StrCat("int", *file.weight_bits, " weights with ", file.name, " activations");
}

// Bits of the integer weights that a floating point contraction unpacks on the way.
std::optional<int> PackedWeightBits(const ModelView& model, NodeId node) {
  std::optional<int> fewest;
  for (uint32_t i = 0; i < model.graph.inputs(node).size(); ++i) {
    const ValueId input = model.graph.inputs(node)[i];
    if (!input.valid() || !IsInteger(model.facts.values[input].type.elem)) continue;
    const std::optional<int> bits = WeightBits(model.graph, {node, i});
    if (bits.has_value() && (!fewest.has_value() || *bits < *fewest)) fewest = bits;
  }
  return fewest;
}

ElemType ElemOfResult(const ModelView& model, NodeId node) {
  const absl::Span<const ValueId> outputs = model.graph.outputs(node);
  return outputs.empty() || !outputs[0].valid() ? ElemType::kUndefined : model.facts.values[outputs[0]].type.elem;
}

// How much the type of a node's result says of the file: floating point contractions most, nodes without one least.
int WeightOfType(const ModelView& model, NodeId node) {
  const ElemType elem = ElemOfResult(model, node);
  if (elem == ElemType::kUndefined) return 0;
  return !IsFloat(elem) ? 1 : model.work[node]->contractions.empty() ? 2 : 3;
}

// At the unit's own usual type.
UnitPrecision UsualPrecision(const Unit& unit, const FilePrecision& file) {
  const Num usual = UsualNum(unit, file.floating);
  UnitPrecision choice{.main = {usual, usual}, .floating = {usual, usual}, .note = ""};
  if (file.quantised.has_value()) {
    choice.floating = FloatingOf(unit, choice.main);
    choice.main = Runs(unit, *file.quantised) ? *file.quantised : choice.floating;
    if (choice.main != choice.floating) choice.main.floating = choice.floating.act;
    if (choice.main.act != file.quantised->act || choice.main.weight != file.quantised->weight) {
      choice.note = absl::StrCat("runs as ", PrecisionName(choice.main), ", file is ", PrecisionName(*file.quantised));
    }
  } else if (NumName(usual) != file.name) {
    choice.note = absl::StrCat("assumed ", NumName(usual), ", file is ", FileText(file));
  }
  return choice;
}

// How far `num` is from `wanted`: first whether both are floating, then whether it is no narrower, then by bits.
std::tuple<bool, bool, int> Distance(Num num, Num wanted) {
  const int more = NumBits(num) - NumBits(wanted);
  return {IsFloating(num) != IsFloating(wanted), more < 0, std::abs(more)};
}

// The type nearest to `wanted` that `unit` multiplies at; `wanted` when it states none.
Num NearestNum(const Unit& unit, Num wanted) {
  Num nearest = Num::kUnset;
  for (const Rate& rate : unit.rates) {
    if (rate.work != WorkKind::kContraction || !Runs(unit, {rate.act, rate.act})) continue;
    if (nearest == Num::kUnset || Distance(rate.act, wanted) < Distance(nearest, wanted)) nearest = rate.act;
  }
  return nearest == Num::kUnset ? wanted : nearest;
}

// At `wanted`, which is assumed for the whole model, or at what is nearest.
UnitPrecision AssumedPrecision(const Unit& unit, Num wanted) {
  const Num num = Runs(unit, {wanted, wanted}) ? wanted : NearestNum(unit, wanted);
  UnitPrecision choice{.main = {num, num}, .floating = {num, num}, .note = ""};
  if (num != wanted) choice.note = absl::StrCat("runs ", NumName(num), ", the nearest it has to ", NumName(wanted));
  return choice;
}

std::optional<UnitPrecision> RequestedPrecision(const Unit& unit, const Request& request) {
  for (size_t i = 0; i < request.count; ++i) {
    const Precision precision = request.tries[i];
    if (Offers(unit, precision)) return UnitPrecision{.main = precision, .floating = precision, .note = ""};
  }
  return std::nullopt;
}

std::string ListUnits(const Target& target, const std::vector<UnitId>& units) {
  std::vector<std::string> lists;
  for (const UnitId id : units) {
    const Unit& unit = target.units[id];
    lists.push_back(absl::StrCat(unit.name, " runs ", absl::StrJoin(PrecisionsOf(unit), ", ")));
  }
  return lists.empty() ? "choose a unit that is placeable" : absl::StrJoin(lists, "; ");
}

std::vector<UnitId> PlaceableUnits(const Target& target) {
  std::vector<UnitId> units;
  for (uint32_t i = 0; i < target.units.size(); ++i) {
    if (target.units[UnitId(i)].placeable) units.push_back(UnitId(i));
  }
  return units;
}

absl::StatusOr<const Request*> FindRequest(absl::string_view name) {
  for (const Request& known : kRequests) {
    if (known.name == name) return &known;
  }
  return MakeError(Code::kUsage, absl::StrCat("'", name, "' is no precision"),
                   absl::StrCat("auto, mixed, ", absl::StrJoin(RequestPrecisions(), ", "), " or UNIT=P,.."));
}

// Accelerators that may be used; the CPUs when there are none.
std::vector<UnitId> AskedUnits(const Target& target, const std::vector<std::string>& only) {
  std::vector<UnitId> accelerators, cpus;
  for (uint32_t i = 0; i < target.units.size(); ++i) {
    const Unit& unit = target.units[UnitId(i)];
    if (!unit.placeable) continue;
    if (!only.empty() && std::find(only.begin(), only.end(), unit.name) == only.end()) continue;
    (IsCpu(unit) ? cpus : accelerators).push_back(UnitId(i));
  }
  return accelerators.empty() ? cpus : accelerators;
}

PrecisionChoice EachUsual(const Target& target, const FilePrecision& file) {
  PrecisionChoice choice{.name = "mixed", .notes = {}};
  choice.units.resize(target.units.size());
  for (uint32_t i = 0; i < target.units.size(); ++i) {
    choice.units[UnitId(i)] = UsualPrecision(target.units[UnitId(i)], file);
  }
  return choice;
}

PrecisionChoice OneForAll(const Target& target, const FilePrecision& file) {
  PrecisionChoice choice = EachUsual(target, file);
  const UnitId main = MainUnitOf(target);
  choice.name = main.valid() ? PrecisionName(choice.units[main]->main) : "";
  if (!main.valid()) return choice;
  const UnitPrecision assumed = *choice.units[main];
  for (const std::string& note : {assumed.note, CalibrationText(assumed.main, file)}) {
    if (!note.empty()) choice.notes.push_back(note);
  }
  choice.units[main]->note.clear();
  if (file.quantised.has_value()) return choice;
  for (uint32_t i = 0; i < target.units.size(); ++i) {
    const Unit& unit = target.units[UnitId(i)];
    std::optional<UnitPrecision>& row = choice.units[UnitId(i)];
    if (!IsCpu(unit)) row = AssumedPrecision(unit, assumed.main.act);
    if (IsCpu(unit) && row->main != assumed.main) {
      row->note = absl::StrCat("runs ", PrecisionName(row->main), ", as its runtime does");
    }
  }
  return choice;
}

absl::StatusOr<PrecisionChoice> OneByName(const Target& target, const Request& request, const FilePrecision& file,
                                          const std::vector<std::string>& only) {
  PrecisionChoice choice = EachUsual(target, file);
  choice.name = std::string(request.name);
  const std::vector<UnitId> asked = AskedUnits(target, only);
  const UnitPrecision* any = nullptr;
  for (const UnitId id : asked) {
    choice.units[id] = RequestedPrecision(target.units[id], request);
    if (choice.units[id].has_value()) any = &*choice.units[id];
  }
  if (any == nullptr) {
    return MakeError(Code::kUsage, absl::StrCat("no unit of ", target.name, " runs ", request.name),
                     ListUnits(target, asked));
  }
  const std::string calibration = CalibrationText(any->main, file);
  if (!calibration.empty()) choice.notes.push_back(calibration);
  return choice;
}

// One item "UNIT=P" of a list.
absl::Status SetUnit(const Target& target, absl::string_view item, const FilePrecision& file, PrecisionChoice* choice) {
  const std::vector<UnitId> placeable = PlaceableUnits(target);
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(item, absl::MaxSplits('=', 1));
  const auto id = std::find_if(placeable.begin(), placeable.end(),
                               [&](UnitId unit) { return target.units[unit].name == parts.first; });
  if (id == placeable.end()) {
    return MakeError(Code::kUsage, absl::StrCat("'", item, "' names no unit of ", target.name, " that runs work"),
                     ListUnits(target, placeable));
  }
  if (parts.second == "auto") return absl::OkStatus();
  HWEST_ASSIGN_OR_RETURN(const Request* request, FindRequest(parts.second));
  const std::optional<UnitPrecision> precision = RequestedPrecision(target.units[*id], *request);
  if (!precision.has_value()) {
    return MakeError(Code::kUsage, absl::StrCat(parts.first, " of ", target.name, " does not run ", parts.second),
                     ListUnits(target, placeable));
  }
  choice->units[*id] = precision;
  choice->units[*id]->note = CalibrationText(precision->main, file);
  return absl::OkStatus();
}

absl::StatusOr<PrecisionChoice> ByUnit(const Target& target, absl::string_view request, const FilePrecision& file) {
  PrecisionChoice choice = OneForAll(target, file);
  choice.name = std::string(request);
  choice.notes.clear();
  for (const absl::string_view item : absl::StrSplit(request, ',')) {
    HWEST_RETURN_IF_ERROR(SetUnit(target, item, file, &choice));
  }
  return choice;
}

PrecisionChoice Mixed(const Target& target, const FilePrecision& file) {
  PrecisionChoice choice = EachUsual(target, file);
  for (std::optional<UnitPrecision>& row : choice.units) {
    const std::string calibration = CalibrationText(row->main, file);
    if (!calibration.empty()) row->note = calibration;
  }
  return choice;
}

absl::StatusOr<PrecisionChoice> ChooseForUnits(const Target& target, absl::string_view asked, const FilePrecision& file,
                                               const std::vector<std::string>& only) {
  const std::string request = CanonicalPrecision(asked);
  if (request.empty() || request == "auto") return OneForAll(target, file);
  if (request == "mixed") return Mixed(target, file);
  if (absl::StrContains(request, '=')) return ByUnit(target, request, file);
  HWEST_ASSIGN_OR_RETURN(const Request* row, FindRequest(request));
  return OneByName(target, *row, file, only);
}

// What its toolchain computes wider, in formats that the unit has, what slower, and how it launches.
void AddKernels(const Target& target, const Unit& unit, std::optional<UnitPrecision>& row) {
  const Toolchain* toolchain = ToolchainOf(target, unit);
  if (toolchain == nullptr || !row.has_value()) return;
  for (const Widening& widening : toolchain->widens) {
    if (Runs(unit, {widening.to, widening.to})) row->widens.push_back(widening);
  }
  row->slow = &toolchain->slow;
  row->launch_share = toolchain->launch_share.value_or(1);
}

// The widest that the node reads; unset where nothing that is named comes to it.
Num WidestRead(const ModelView& model, NodeId node, const IdMap<NodeId, Num>& seen, Num otherwise) {
  std::optional<Num> widest;
  bool is_named = false;
  for (size_t i = 0; i < model.graph.inputs(node).size(); ++i) {
    const ValueId input = model.graph.inputs(node)[i];
    if (!input.valid() || !ReadsData(model, node, i) || IsConstant(model, input)) continue;
    const NodeId producer = model.graph.value(input).producer;
    const Num own = producer.valid() ? seen[producer] : Num::kUnset;
    is_named = is_named || own != Num::kUnset;
    const Num num = own != Num::kUnset ? own : otherwise;
    widest = widest.has_value() ? WiderOf({*widest}, {num}).act : num;
  }
  return is_named ? *widest : Num::kUnset;
}

// Requires `named`.
void FillSeen(const ModelView& model, Num otherwise, LayerPrecisions* layers) {
  layers->seen = IdMap<NodeId, Num>(model.graph.nodes().size(), Num::kUnset);
  for (uint32_t n = 0; n < model.graph.nodes().size(); ++n) {  // ids are a topological order
    const NodeId node(n);
    const bool contracts = model.work[node].has_value() && !model.work[node]->contractions.empty();
    const Num own = layers->named[node].act;
    layers->seen[node] = own != Num::kUnset || contracts ? own : WidestRead(model, node, layers->seen, otherwise);
  }
}

}  // namespace

std::optional<Precision> PrecisionOn(const Unit& unit, absl::string_view name) {
  const absl::StatusOr<const Request*> request = FindRequest(name);
  if (!request.ok()) return std::nullopt;
  const std::optional<UnitPrecision> precision = RequestedPrecision(unit, **request);
  return precision.has_value() ? std::optional(precision->main) : std::nullopt;
}

Precision WiderOf(Precision a, Precision b) {
  const auto rank = [](const Precision& p) { return std::pair(NumBits(p.act), IsFloating(p.act)); };
  return rank(a) < rank(b) ? b : a;
}

absl::StatusOr<std::vector<LayerFormat>> ParseLayerFormats(absl::string_view text, absl::string_view source) {
  std::vector<LayerFormat> layers;
  int line = 0;
  for (absl::string_view row : absl::StrSplit(text, '\n')) {
    ++line;
    row = absl::StripAsciiWhitespace(row);
    const bool is_id = row.size() > 1 && row[0] == '#' && absl::ascii_isdigit(static_cast<unsigned char>(row[1]));
    if (row.empty() || (row[0] == '#' && !is_id) || (line == 1 && row == "node,format")) continue;
    const size_t comma = row.rfind(',');
    const absl::string_view format =
        comma == absl::string_view::npos ? "" : absl::StripAsciiWhitespace(row.substr(comma + 1));
    absl::string_view node = absl::StripAsciiWhitespace(row.substr(0, comma));
    if (node.size() > 1 && node.front() == '"' && node.back() == '"') node = node.substr(1, node.size() - 2);
    const std::string name = absl::AsciiStrToLower(format);
    if (node.empty() || !FindRequest(name).ok()) {
      return MakeError(Code::kUsage, absl::StrCat(source, ":", line, ": '", EscapeControl(row), "' is no layer"),
                       absl::StrCat("write node,format with one of ", absl::StrJoin(RequestPrecisions(), ", ")));
    }
    layers.push_back({std::string(node), name});
  }
  return layers;
}

std::vector<std::string> NameLayers(const ModelView& model, const Target& target, const NamedLayers& layers,
                                    IdMap<UnitId, std::optional<UnitPrecision>>* units) {
  std::vector<std::string> notes;
  std::vector<std::shared_ptr<const LayerPrecisions>> made;
  for (uint32_t u = 0; u < target.units.size(); ++u) {
    std::optional<UnitPrecision>& row = (*units)[UnitId(u)];
    const Unit& unit = target.units[UnitId(u)];
    if (!row.has_value() || layers.empty()) continue;
    LayerPrecisions own;
    own.named = IdMap<NodeId, Precision>(model.graph.nodes().size());
    std::map<std::string, int> refused;
    for (const auto& [node, format] : layers) {
      const std::optional<Precision> precision = PrecisionOn(unit, format);
      if (!precision.has_value()) ++refused[format];
      own.named[node] = precision.value_or(Precision());
    }
    FillSeen(model, row->main.act, &own);
    for (const auto& [format, count] : refused) {
      if (!unit.placeable || IsCpu(unit)) continue;
      notes.push_back(absl::StrCat(unit.name, " does not run ", format, ": ", count, count == 1 ? " layer" : " layers",
                                   " would run ", PrecisionName(row->main), " there"));
    }
    const auto same = absl::c_find_if(made, [&](const auto& other) { return *other == own; });
    row->layers = same != made.end() ? *same : made.emplace_back(std::make_shared<const LayerPrecisions>(own));
  }
  return notes;
}

FilePrecision FilePrecisionOf(const ModelView& model) {
  FilePrecision file;
  ElemType says = ElemType::kUndefined;
  int most = 0;
  for (uint32_t n = 0; n < model.graph.nodes().size(); ++n) {
    const NodeId node(n);
    const std::optional<Work>& work = model.work[node];
    if (!work.has_value()) continue;
    const int weight = WeightOfType(model, node);
    if (weight > most) std::tie(says, most) = std::make_tuple(ElemOfResult(model, node), weight);
    if (work->contractions.empty()) continue;
    if (!work->int_macs.IsConstant(0) && !file.quantised.has_value()) file.quantised = OperandPrecision(model, node);
    const std::optional<int> bits = work->int_macs.IsConstant(0) ? PackedWeightBits(model, node) : std::nullopt;
    if (bits.has_value()) file.weight_bits = std::min(*bits, file.weight_bits.value_or(*bits));
  }
  if (most == 0) return file;
  file.is_float = IsFloat(says);
  if (file.is_float) file.floating = NumOf(says);
  file.name = NumericName(says, ElemBits(says));
  return file;
}

const Rate* RateFor(const Unit& unit, WorkKind work, Precision precision) {
  const Rate* exact = RateOf(unit, work, precision.act, precision.weight);
  if (exact != nullptr || NumBits(precision.weight) >= NumBits(precision.act)) return exact;
  return RateOf(unit, work, precision.act, precision.act);
}

bool HasSparseRate(const Unit& unit, Precision precision) {
  const Rate* rate = RateOf(unit, WorkKind::kContraction, precision.act, precision.weight);
  return rate != nullptr && rate->sparse_per_cycle.value_or(0) > 0;
}

void AssumeSparse(const Target& target, IdMap<UnitId, std::optional<UnitPrecision>>* units) {
  for (uint32_t u = 0; u < target.units.size(); ++u) {
    std::optional<UnitPrecision>& row = (*units)[UnitId(u)];
    if (!row.has_value()) continue;
    for (Precision* precision : {&row->main, &row->floating}) {
      precision->sparse = HasSparseRate(target.units[UnitId(u)], *precision);
    }
  }
}

std::vector<std::string> RequestPrecisions() {
  std::vector<std::string> names;
  for (const Request& known : kRequests) names.emplace_back(known.name);
  return names;
}

std::vector<std::string> PrecisionsOf(const Unit& unit) {
  std::vector<std::string> names;
  for (const Request& request : kRequests) {
    if (RequestedPrecision(unit, request).has_value()) names.emplace_back(request.name);
  }
  return names;
}

UnitId MainUnitOf(const Target& target) {
  UnitId first;
  for (uint32_t u = 0; u < target.units.size(); ++u) {
    const Unit& unit = target.units[UnitId(u)];
    if (!unit.placeable) continue;
    if (!IsCpu(unit)) return UnitId(u);
    if (!first.valid()) first = UnitId(u);
  }
  return first;
}

std::string CanonicalPrecision(absl::string_view request) {
  std::vector<std::string> items = absl::StrSplit(request, ',');
  for (std::string& item : items) {
    const size_t name = item.find('=') + 1;  // of the precision
    item.replace(name, std::string::npos, absl::AsciiStrToLower(item.substr(name)));
  }
  return absl::StrJoin(items, ",");
}

Precision Widened(const ModelView& model, const Group& group, Precision precision,
                  const std::vector<Widening>& widens) {
  for (const Widening& row : widens) {
    if (row.from != precision.act || !absl::c_linear_search(row.groups, group.pattern)) continue;
    const bool contracts = absl::c_any_of(group.nodes, [&](NodeId node) {
      return model.work[node].has_value() && !model.work[node]->contractions.empty();
    });
    if (contracts) continue;
    precision.stored = precision.act;
    precision.act = precision.weight = row.to;
    break;
  }
  return precision;
}

absl::StatusOr<PrecisionChoice> ChoosePrecisions(const Target& target, absl::string_view asked,
                                                 const FilePrecision& file, const std::vector<std::string>& only) {
  HWEST_ASSIGN_OR_RETURN(PrecisionChoice choice, ChooseForUnits(target, asked, file, only));
  for (uint32_t u = 0; u < target.units.size(); ++u) {
    AddKernels(target, target.units[UnitId(u)], choice.units[UnitId(u)]);
  }
  return choice;
}

}  // namespace hwest
