#include "rewrite/opset_steps.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "rewrite/opset_forms.h"
#include "rewrite/payload.h"

namespace hwest {
namespace {

std::string NotConstant(absl::string_view what) { return absl::StrCat("its ", what, " has to be constant there"); }

// Inputs that were attributes.
std::string IntsToAttribute(const FormStep& step, Form* form) {
  if (!form->HasInput(step.input)) return "";
  auto ints = form->Ints(step.input);
  if (!ints.has_value()) return NotConstant(step.attribute);
  form->SetInts(step.attribute, *std::move(ints));
  return "";
}

std::string IntToAttribute(const FormStep& step, Form* form) {
  const auto ints = form->Ints(step.input);
  if (!ints.has_value() || ints->size() != 1) return NotConstant(step.attribute);
  form->SetInt(step.attribute, (*ints)[0]);
  return "";
}

std::string FloatToAttribute(const FormStep& step, Form* form) {
  if (!form->HasInput(step.input)) return "";
  const auto numbers = form->Numbers(step.input);
  if (!numbers.has_value() || numbers->size() != 1) return NotConstant(step.attribute);
  form->SetFloat(step.attribute, static_cast<float>((*numbers)[0]));
  return "";
}

// Inputs from that one on are gone: steps before have read them.
std::string DropInputs(const FormStep& step, Form* form) {
  form->DropInput(step.input);
  return "";
}

std::string WithoutInput(const FormStep& step, Form* form) {
  return form->HasInput(step.input) ? absl::StrCat("it has no input ", step.attribute, " there") : "";
}

// Attributes that came with a default that says what the operator did before.
std::string HasDefault(const FormStep& step, Form* form) {
  if (form->Int(step.attribute, step.value) != step.value) return absl::StrCat("it has no ", step.attribute, " there");
  form->Drop(step.attribute);
  return "";
}

std::string HasDefaultText(const FormStep& step, Form* form) {
  if (form->Text(step.attribute, step.text) != step.text) return absl::StrCat("it has no ", step.attribute, " there");
  form->Drop(step.attribute);
  return "";
}

std::string IsNotText(const FormStep& step, Form* form) {
  const bool is_it = form->Text(step.attribute, "") == step.text;
  return is_it ? absl::StrCat("its ", step.attribute, " cannot be ", step.text, " there") : "";
}

std::string AreOnes(const FormStep& step, Form* form) {
  const RawAttribute* found = form->Find(step.attribute);
  if (found != nullptr && std::any_of(found->ints.begin(), found->ints.end(), [](int64_t i) { return i != 1; })) {
    return absl::StrCat("it has no ", step.attribute, " there");
  }
  form->Drop(step.attribute);
  return "";
}

// Attributes that matter to types that the older version does not take anyway.
std::string Drop(const FormStep& step, Form* form) {
  form->Drop(step.attribute);
  return "";
}

std::string IsAbsent(const FormStep& step, Form* form) {
  return form->Find(step.attribute) != nullptr ? absl::StrCat("it has no ", step.attribute, " there") : "";
}

// Axes could not be negative.
std::string CountsFromFront(const FormStep& step, Form* form) {
  const RawAttribute* found = form->Find(step.attribute);
  if (found == nullptr) return "";
  std::vector<int64_t> axes = found->kind == AttrKind::kInts ? found->ints : std::vector<int64_t>{found->i};
  if (std::all_of(axes.begin(), axes.end(), [](int64_t axis) { return axis >= 0; })) return "";
  int64_t rank = form->RankOf(0);
  if (rank < 0) return "its input has an unknown rank";
  if (form->op() == "Unsqueeze") rank += static_cast<int64_t>(axes.size());
  for (int64_t& axis : axes) axis += axis < 0 ? rank : 0;
  if (found->kind == AttrKind::kInts)
    form->SetInts(step.attribute, std::move(axes));
  else
    form->SetInt(step.attribute, axes[0]);
  return "";
}

// An empty list of axes, or none: all of them, unless an attribute says none.
std::string ReducesAsBefore(const FormStep&, Form* form) {
  const RawAttribute* axes = form->Find("axes");
  const bool has_axes = axes != nullptr && !axes->ints.empty();
  if (!has_axes && form->Int("noop_with_empty_axes", 0) != 0) return "it reduces nothing";
  if (!has_axes) form->Drop("axes");
  form->Drop("noop_with_empty_axes");
  return "";
}

// Over axes from the one named to the last, not over that one alone.
std::string IsOverLast(const FormStep&, Form* form) {
  const int64_t rank = form->RankOf(0);
  const auto sizes = form->Sizes(0);
  int64_t axis = form->Int("axis", -1);
  if (rank < 0) return "its input has an unknown rank";
  axis += axis < 0 ? rank : 0;
  for (int64_t i = axis + 1; i < rank; ++i) {
    if (!sizes.has_value() || (*sizes)[static_cast<size_t>(i)] != 1) return "it is over the last axis there";
  }
  form->SetInt("axis", axis);
  return "";
}

std::string SplitsInStatedParts(const FormStep&, Form* form) {
  const int64_t parts = form->Int("num_outputs", 0);
  form->Drop("num_outputs");
  if (form->HasInput(1)) return "";
  if (parts != static_cast<int64_t>(form->raw().outputs.size())) return "it has another number of outputs";
  const auto sizes = form->Sizes(0);
  if (!sizes.has_value() || sizes->empty()) return "its input has an unknown size";
  int64_t axis = form->Int("axis", 0);
  axis += axis < 0 ? static_cast<int64_t>(sizes->size()) : 0;
  if (axis < 0 || axis >= static_cast<int64_t>(sizes->size())) return "its axis does not exist";
  const int64_t whole = (*sizes)[static_cast<size_t>(axis)], part = (whole + parts - 1) / parts;
  if (whole % parts == 0) return "";
  std::vector<double> stated(static_cast<size_t>(parts), static_cast<double>(part));
  stated.back() = static_cast<double>(whole - part * (parts - 1));
  if (stated.back() < 1) return "its last part is empty";
  form->SetConstant(1, ElemType::kInt64, std::move(stated), {parts});
  return "";
}

// The pads of the axes named as those of all.
std::string PadsEveryAxis(const FormStep&, Form* form) {
  if (!form->HasInput(3)) return "";
  const auto axes = form->Ints(3), pads = form->Ints(1);
  const int64_t rank = form->RankOf(0);
  if (!axes.has_value() || !pads.has_value() || pads->size() != 2 * axes->size()) return NotConstant("axes");
  if (rank < 0) return "its input has an unknown rank";
  std::vector<double> all(static_cast<size_t>(2 * rank), 0);
  for (size_t i = 0; i < axes->size(); ++i) {
    const int64_t axis = (*axes)[i] + ((*axes)[i] < 0 ? rank : 0);
    if (axis < 0 || axis >= rank) return "its axis does not exist";
    all[static_cast<size_t>(axis)] = static_cast<double>((*pads)[i]);
    all[static_cast<size_t>(axis + rank)] = static_cast<double>((*pads)[i + axes->size()]);
  }
  form->SetConstant(1, ElemType::kInt64, std::move(all), {2 * rank});
  form->DropInput(3);
  return "";
}

std::string StepsByOne(const FormStep&, Form* form) {
  if (!form->HasInput(4)) return "";
  const auto steps = form->Ints(4);
  const bool are_ones =
      steps.has_value() && std::all_of(steps->begin(), steps->end(), [](int64_t i) { return i == 1; });
  return are_ones ? "" : "it steps by one there";
}

std::string NormalisesForInference(const FormStep&, Form* form) {
  for (size_t output = 1; output < form->raw().outputs.size(); ++output) {
    if (form->HasOutput(output)) return "it has no outputs beside the first there";
  }
  return "";
}

// Dropout of inference: the ratio plays no part.
std::string DropsNothing(const FormStep&, Form* form) {
  if (form->HasInput(2)) {
    const auto training = form->Numbers(2);
    if (!training.has_value() || training->size() != 1 || (*training)[0] != 0) return "it drops nothing there";
  }
  const auto ratio = form->HasInput(1) ? form->Numbers(1) : std::nullopt;
  if (ratio.has_value() && ratio->size() == 1) form->SetFloat("ratio", static_cast<float>((*ratio)[0]));
  form->Drop("seed");
  form->DropInput(1);
  return "";
}

std::string ScalesAsAWhole(const FormStep&, Form* form) {
  if (form->RankOf(1) != 0) {
    const auto sizes = form->Sizes(1);
    if (!sizes.has_value() || sizes->size() != 1 || (*sizes)[0] != 1) return "it has one scale there";
  }
  form->Drop("axis");
  return "";
}

std::string NamesModesAsBefore(const FormStep&, Form* form) {
  const std::string mode = form->Text("mode", "linear");
  if (mode == "linear") form->SetText("mode", "bilinear");
  if (mode == "cubic") form->SetText("mode", "bicubic");
  return "";
}

std::string ResizesEveryAxis(const FormStep&, Form* form) {
  const RawAttribute* axes = form->Find("axes");
  if (axes == nullptr) return "";
  const int64_t rank = form->RankOf(0);
  if (rank < 0 || static_cast<int64_t>(axes->ints.size()) != rank) return "it has no axes there";
  for (size_t i = 0; i < axes->ints.size(); ++i) {
    if (axes->ints[i] != static_cast<int64_t>(i)) return "it has no axes there";
  }
  form->Drop("axes");
  return "";
}

// Region and scales could not be left out: an empty one says as much.
std::string StatesRegionAndScales(const FormStep&, Form* form) {
  for (const size_t input : {size_t{1}, size_t{2}}) {
    if (!form->HasInput(input)) form->SetConstant(input, ElemType::kFloat, {}, {0});
  }
  return "";
}

std::string ResizesAsUpsample(const FormStep&, Form* form) {
  const std::string mode = form->Text("mode", "nearest"),
                    coordinates = form->Text("coordinate_transformation_mode", "half_pixel"),
                    nearest = form->Text("nearest_mode", "round_prefer_floor");
  if (coordinates != "asymmetric" || (mode != "linear" && (mode != "nearest" || nearest != "floor"))) {
    return "its coordinates are asymmetric there";
  }
  auto scales = form->HasInput(2) ? form->Numbers(2) : std::nullopt;
  const auto from = form->Sizes(0), to = form->Sizes(0, true);
  if (!scales.has_value() || scales->empty()) {
    if (!from.has_value() || !to.has_value() || from->size() != to->size()) return NotConstant("scales");
    scales.emplace();
    for (size_t i = 0; i < from->size(); ++i) {
      if ((*from)[i] < 1 || (*to)[i] % (*from)[i] != 0) return "it has no sizes there";
      scales->push_back(static_cast<double>((*to)[i] / (*from)[i]));
    }
  }
  const auto count = static_cast<int64_t>(scales->size());
  form->DropInput(1);
  form->SetConstant(1, ElemType::kFloat, *std::move(scales), {count});
  for (const absl::string_view name :
       {"coordinate_transformation_mode", "cubic_coeff_a", "exclude_outside", "extrapolation_value", "nearest_mode"}) {
    form->Drop(name);
  }
  return "";
}

std::string AlignsAsBefore(const FormStep&, Form* form) {
  if (form->Text("coordinate_transformation_mode", "half_pixel") != "output_half_pixel") {
    return "its coordinate_transformation_mode is output_half_pixel there";
  }
  form->Drop("coordinate_transformation_mode");
  return "";
}

std::string RaisesToItsType(const FormStep&, Form* form) {
  return form->TypeOf(0).elem == form->TypeOf(1).elem ? "" : "both operands have one type there";
}

// A number or a list of numbers as a tensor.
std::string HoldsTensor(const FormStep&, Form* form) {
  for (const absl::string_view name : {"value_float", "value_floats", "value_int", "value_ints"}) {
    const RawAttribute* found = form->Find(name);
    if (found == nullptr) continue;
    const bool is_float = absl::StartsWith(name, "value_float");
    Constant constant;
    constant.storage = Storage::kDecoded;
    constant.elem = is_float ? ElemType::kFloat : ElemType::kInt64;
    const auto append = [&](double number, int64_t whole) {
      if (is_float) return AppendNumber(number, ElemType::kFloat, &constant.data);
      AppendInt(whole, 64, &constant.data);
    };
    if (found->kind == AttrKind::kFloat || found->kind == AttrKind::kInt) append(found->f, found->i);
    for (const float number : found->floats) append(number, 0);
    for (const int64_t number : found->ints) append(0, number);
    if (found->kind == AttrKind::kFloats) constant.dims = {static_cast<int64_t>(found->floats.size())};
    if (found->kind == AttrKind::kInts) constant.dims = {static_cast<int64_t>(found->ints.size())};
    constant.length = static_cast<int64_t>(constant.data.size());
    form->Drop(name);
    form->SetTensor("value", std::move(constant));
    return "";
  }
  const bool is_text = form->Find("value_string") != nullptr || form->Find("value_strings") != nullptr;
  return is_text ? "it holds a tensor there" : "";
}

// A size of 0 would say "as before" there; where none is 0, both say the same.
std::string HasNoZero(const FormStep&, Form* form) {
  if (form->Int("allowzero", 0) != 0 && form->MayHoldZero(1)) return "a size of 0 means another thing there";
  form->Drop("allowzero");
  return "";
}

// The axis that is meant where none is named was the second one: what became the last before the parts of a number.
std::string TransformsLastAxis(const FormStep&, Form* form) {
  if (form->HasInput(2)) return "";
  const int rank = form->RankOf(0);
  if (rank < 2) return "its input has an unknown rank";
  form->SetConstant(2, ElemType::kInt64, {static_cast<double>(rank - 2)}, {});
  return "";
}

constexpr char kReductions[] =
    "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSumSquare";
constexpr char kWithAxis[] =
    "ArgMax ArgMin Compress Concat Flatten Gather Hardmax LogSoftmax OneHot Softmax Split TopK";
constexpr char kWithAxes[] =
    "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum "
    "ReduceSumSquare Squeeze Unsqueeze";

// In the order in which steps of one version are taken. Source: onnx 1.23, docs/Changelog.md.
constexpr FormStep kSteps[] = {
    {kReductions, 18, IntsToAttribute, "axes", 1},
    {kReductions, 18, DropInputs, "", 1},
    {kReductions, 18, ReducesAsBefore},
    {"ReduceSum Squeeze Unsqueeze", 13, IntsToAttribute, "axes", 1},
    {"Split", 13, IntsToAttribute, "split", 1},
    {"ReduceSum Squeeze Unsqueeze Split", 13, DropInputs, "", 1},
    {"ReduceSum", 13, ReducesAsBefore},
    {"Split", 18, SplitsInStatedParts},
    {"Clip", 11, FloatToAttribute, "min", 1},
    {"Clip", 11, FloatToAttribute, "max", 2},
    {"Clip", 11, DropInputs, "", 1},
    {"Pad", 19, IsNotText, "mode", 0, 0, "wrap"},
    {"Pad", 18, PadsEveryAxis},
    {"Pad", 11, IntsToAttribute, "pads", 1},
    {"Pad", 11, FloatToAttribute, "value", 2},
    {"Pad", 11, DropInputs, "", 1},
    {"Slice", 10, StepsByOne},
    {"Slice", 10, IntsToAttribute, "starts", 1},
    {"Slice", 10, IntsToAttribute, "ends", 2},
    {"Slice", 10, IntsToAttribute, "axes", 3},
    {"Slice", 10, DropInputs, "", 1},
    {"TopK", 11, HasDefault, "largest", 0, 1},
    {"TopK", 11, HasDefault, "sorted", 0, 1},
    {"TopK", 10, IntToAttribute, "k", 1},
    {"TopK", 10, DropInputs, "", 1},
    {"DFT", 20, TransformsLastAxis},
    {"DFT", 20, IntToAttribute, "axis", 2},
    {"DFT", 20, DropInputs, "", 2},
    {"Dropout", 12, DropsNothing},
    {kWithAxis, 11, CountsFromFront, "axis"},
    {kWithAxes, 11, CountsFromFront, "axes"},
    {"ArgMax ArgMin", 12, HasDefault, "select_last_index"},
    {"Attention", 25, HasDefault, "left_window_size", 0, -1},
    {"Attention", 25, HasDefault, "right_window_size", 0, -1},
    {"Attention", 24, WithoutInput, "nonpad_kv_seqlen", 6},
    {"AveragePool", 19, AreOnes, "dilations"},
    {"AveragePool", 10, HasDefault, "ceil_mode"},
    {"BatchNormalization", 14, HasDefault, "training_mode"},
    {"BatchNormalization", 14, NormalisesForInference},
    {"Cast CastLike", 24, Drop, "round_mode"},
    {"Cast CastLike", 19, Drop, "saturate"},
    {"Constant", 12, HoldsTensor},
    {"Constant", 11, IsAbsent, "sparse_value"},
    {"DepthToSpace", 11, HasDefaultText, "mode", 0, 0, "DCR"},
    {"DequantizeLinear", 23, HasDefault, "output_dtype"},
    {"DequantizeLinear", 21, HasDefault, "block_size"},
    {"DequantizeLinear QuantizeLinear", 13, ScalesAsAWhole},
    {"QuantizeLinear", 23, HasDefault, "precision"},
    {"QuantizeLinear", 21, HasDefault, "output_dtype"},
    {"QuantizeLinear", 21, HasDefault, "block_size"},
    {"QuantizeLinear", 19, Drop, "saturate"},
    {"GatherND", 12, HasDefault, "batch_dims"},
    {"GridSample", 20, NamesModesAsBefore},
    {"GRU LSTM RNN", 14, HasDefault, "layout"},
    {"LpPool", 18, HasDefault, "ceil_mode"},
    {"LpPool", 18, AreOnes, "dilations"},
    {"MaxPool", 10, HasDefault, "ceil_mode"},
    {"MaxPool", 10, AreOnes, "dilations"},
    {"Pow", 12, RaisesToItsType},
    {"Range", 27, Drop, "stash_type"},
    {"Reshape", 14, HasNoZero},
    {"Resize", 19, IsNotText, "coordinate_transformation_mode", 0, 0, "half_pixel_symmetric"},
    {"Resize", 18, HasDefault, "antialias"},
    {"Resize", 18, HasDefaultText, "keep_aspect_ratio_policy", 0, 0, "stretch"},
    {"Resize", 18, ResizesEveryAxis},
    {"Resize", 13, StatesRegionAndScales},
    {"Resize", 11, ResizesAsUpsample},
    {"RoiAlign", 16, AlignsAsBefore},
    {"ScatterElements ScatterND", 18, IsNotText, "reduction", 0, 0, "max"},
    {"ScatterElements ScatterND", 18, IsNotText, "reduction", 0, 0, "min"},
    {"ScatterElements ScatterND", 16, HasDefaultText, "reduction", 0, 0, "none"},
    {"Shape", 15, HasDefault, "start"},
    {"Shape", 15, IsAbsent, "end"},
    {"Hardmax LogSoftmax Softmax", 13, IsOverLast},
    {"SpaceToDepth", 28, HasDefaultText, "mode", 0, 0, "DCR"},
};

}  // namespace

absl::Span<const FormStep> FormSteps() { return kSteps; }

bool IsFor(const FormStep& step, absl::string_view op, int since) {
  if (step.since != since) return false;
  const std::vector<absl::string_view> ops = absl::StrSplit(step.ops, ' ');
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

}  // namespace hwest
