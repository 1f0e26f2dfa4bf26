#include "target/names.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/text.h"
#include "target/kinds.h"
#include "target/read.h"

namespace hwest {
namespace {

constexpr absl::string_view kReadings[] = {
    "average_image", "bias_gelu", "blocked_average_pool", "blocked_conv", "blocked_image_max", "blocked_image_mean",
    "blocked_max_pool", "blocked_upsample", "cast_chain", "constant_divisor", "constant_subtrahend", "fast_gelu",
    "fused_conv", "fused_gemm", "fused_matmul", "gelu_spelled", "gelu_tanh_spelled",
    "group_norm_spelled", "hardsigmoid_spelled", "hardswish_spelled", "instance_norm_spelled", "larger_than_zero",
    "largest_of_image", "layer_norm_spelled", "max_image", "mean_image", "mean_rows", "mish_spelled", "pad_average",
    "pad_conv", "pad_max", "pad_max_relu", "pointwise_deconv", "product_and_bias", "quick_gelu", "rms_norm_spelled",
    "runtime_gelu", "skip_layer_norm", "slices", "softmax_spelled", "square", "square_root", "swish_spelled",
    "tile_of_ones", "transpose_chain", "turned_softmax",
};

constexpr absl::string_view kFusions[] = {
    "add_act",         "attention",        "bn_act",        "channel_shuffle", "concat_in_place",
    "concat_nested",   "conv_act",         "conv_act_add",  "conv_add",        "conv_add_act",
    "conv_bn",         "conv_hardswish",   "conv_pool",     "conv_silu",       "dw_pw",
    "elementwise_chain", "gelu_erf",       "gelu_tanh",     "gemm_act",        "glu",
    "group_norm",      "hardsigmoid",      "hardswish",     "horizontal",      "image_positions", "instance_norm",
    "l2_norm",         "layer_norm",       "matmul_bias",   "matmul_bias_act", "matmul_bias_add",
    "mish",
    "pad_conv",        "pad_pool",         "patch_merge",   "qdq",             "relu6",
    "rms_norm",        "rope",             "se_block",      "silu",            "skip_layer_norm",
    "softmax",         "softmax_mask",     "softmax_scale", "space_to_depth",  "transpose_chain",
    "window_partition",
};

// Credible shares begin where a machine would be useless: one part in a thousand.
constexpr double kShare = 1e-3;
constexpr ParamRow kParams[] = {
    {"dram_efficiency", "", kShare, 1, "share of the shared memory's bytes_per_s that one large stream reaches"},
    {"compute_efficiency", "", kShare, 1, "share of the dense CONTRACTION rate that large, well shaped work reaches"},
    {"depthwise_efficiency", "", kShare, 1, "share of the DEPTHWISE rate that depthwise convolutions reach"},
    {"pointwise_efficiency", "", kShare, 1, "share of the POINTWISE rate that element-wise work reaches"},
    {"transcendental_efficiency", "", kShare, 4, "share of the TRANSCENDENTAL rate; absent = pointwise_efficiency"},
    {"activation_efficiency", "", kShare, 1,
     "share of the rate of products with weights that products of two activations reach; absent = all of it"},
    {"move_efficiency", "", 1e-4, 1,
     "share of the MOVE rate (else of vector_bytes per cycle) that layout changes reach; absent = all of a stated rate, "
     "and moving is memory traffic alone without one"},
    {"copy_efficiency", "", kShare, 1,
     "the same for moves that keep the order of elements (Concat, Pad, Slice, Split); absent = move_efficiency"},
    {"row_bytes", "", 0, 4096,
     "bytes of the vectors that each row of a transpose fills anew; absent = rows follow each other without a gap"},
    {"window_efficiency", "", 1e-5, 1,
     "share of the POINTWISE rate that averages over sliding windows of more than 16 elements reach; absent = "
     "pointwise_efficiency"},
    {"search_efficiency", "", 1e-5, 1,
     "share of the POINTWISE rate that comparisons of all elements of an axis (ArgMax, ReduceMax) reach; absent = "
     "pointwise_efficiency"},
    {"image_efficiency", "", 1e-5, 1,
     "elements (in floating point: positions) of images of up to four channels that a constant is applied to, as a share "
     "of the POINTWISE rate; absent = no time beside that of the operations"},
    {"channel_efficiency", "", 1e-5, 1,
     "elements that a constant of their channel is applied to in a kernel of its own, as a share of the POINTWISE rate; "
     "absent = no time beside that of the operations"},
    {"kept_weight_bytes", "", 0, 1e9,
     "weights that a cache between the scratchpad and the shared memory keeps from one inference to the next; absent = none"},
    {"convert_efficiency", "", 1e-4, 1,
     "elements converted between integers and floating point around groups without integer kernels, as a share of the "
     "POINTWISE rate; absent = no conversion stands alone"},
    {"launch_scale", "", 1e-3, 100, "factor on launch_s; absent = 1"},
    {"launch_overlap", "", 0, 1,
     "share of their launches that kernels which wait for none of each other have in common; absent = none"},
    {"step_kernels", "", 0, 100,
     "launches of each step of a recurrent layer that the toolchain unrolls; absent = its loop is one kernel"},
    {"clock_scale", "", 0.1, 2,
     "the clock that the device holds during inference as a factor on clock_hz; absent = 1"},
    {"dram_scale", "", 0.1, 2, "the same for the shared memory's bytes_per_s; absent = 1"},
    {"overlap", "", 0, 1, "share of the shorter of compute and memory time that hides behind the longer"},
    {"onchip_share", "", 0, 1, "share of the on-chip memory that activations may stay in between layers"},
    {"interval_ln", "", 0.01, 5, "half width of the prediction interval in ln, of a unit that was measured"},
    {"interval_ln_unmeasured", "", 0.01, 5, "the same of a unit whose figures come from others of its family"},
    {"interval_ln_unseen", "", 0, 5,
     "what work outside `evidence` adds: the half width is the root of interval_ln^2 + share * interval_ln_unseen^2"},
    {"waves_half", "SIMT_GPU", 0, 1e3, "waves of thread blocks at which half of compute_efficiency is reached"},
    {"channels_half", "SYSTOLIC VECTOR_DSP", 0, 4096,
     "input channels at which half of compute_efficiency is reached"},
    {"fastest_core", "SIMD_CPU", 1, 8,
     "speed of the fastest core over that of the others, whose clock and rates the unit states"},
    {"parallel_efficiency", "SIMD_CPU", 0.05, 1, "share of the cores' summed rate that all cores together reach"},
    {"weight_share", "DATAFLOW", 0.05, 1,
     "bytes kept of each weight byte: part of the layers takes narrower weights"},
    {"context_layers", "DATAFLOW", 1, 1e5, "layers that fit on the chip at once"},
    {"context_share", "DATAFLOW", 0.01, 1, "share of the chip that one of several contexts fills at least"},
    {"crowding", "DATAFLOW", 0, 1, "share of its time that a network saves on a chip that it hardly fills"},
    {"fill_share", "DATAFLOW", 0, 1, "share of the rows on the way that the first result waits for"},
    {"frame_s", "DATAFLOW", 0, 0.1, "seconds for each image and context that no layer hides"},
};

bool IsBits(absl::string_view text) { return text == "2" || text == "4" || text == "8" || text == "16"; }

template <class Rows, class Text>
std::vector<std::string> TextsOf(const Rows& rows, Text text) {
  std::vector<std::string> texts;
  for (const auto& row : rows) texts.emplace_back(text(row));
  return texts;
}

bool Has(absl::string_view words, absl::string_view word) {
  const std::vector<absl::string_view> all = absl::StrSplit(words, ' ');
  return std::find(all.begin(), all.end(), word) != all.end();
}

std::vector<std::string> OperatorsOf(absl::string_view domain) {
  std::vector<std::string> names;
  for (const OperatorRow& row : AllOperators()) {
    if (row.domain == domain) names.emplace_back(row.op);
  }
  return names;
}

NameProblem Unknown(absl::string_view what, absl::string_view name, const std::vector<std::string>& known,
                    absl::string_view remedy) {
  return {.message = absl::StrCat(what, " '", EscapeControl(name), "' is not known"),
          .remedy = absl::StrCat(DidYouMean(name, known), remedy)};
}

// Attributes of the rows, null when one of them takes any name.
class Attributes {
 public:
  void Add(const OperatorRow& row) {
    if (row.attributes == "*") {
      any_ = true;
      return;
    }
    for (const absl::string_view name : absl::StrSplit(row.attributes, ' ', absl::SkipEmpty())) {
      names_.emplace_back(name);
    }
  }
  bool Take(absl::string_view name) const {
    return any_ || std::find(names_.begin(), names_.end(), name) != names_.end();
  }
  void TakeAny() { any_ = true; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  bool any_ = false;
  std::vector<std::string> names_;
};

const OperatorRow* FindOperator(absl::string_view domain, absl::string_view op) {
  for (const OperatorRow& row : AllOperators()) {
    if (row.domain == domain && row.op == op) return &row;
  }
  return nullptr;
}

bool NamesEvery(const std::vector<std::string>& ops) {
  return ops.empty() || std::find(ops.begin(), ops.end(), "*") != ops.end();
}

Attributes AttributesOf(absl::string_view domain, const std::vector<std::string>& ops) {
  Attributes attributes;
  const bool every = NamesEvery(ops);
  for (const OperatorRow& row : AllOperators()) {
    if (every && row.attributes != "*") attributes.Add(row);
  }
  for (const std::string& op : ops) {
    const OperatorRow* row = FindOperator(domain, op);
    if (row != nullptr) attributes.Add(*row);
    if (row == nullptr && !every) attributes.TakeAny();
  }
  return attributes;
}

}  // namespace

absl::Span<const absl::string_view> FusionNames() { return kFusions; }
absl::Span<const absl::string_view> ReadingNames() { return kReadings; }
absl::Span<const ParamRow> AllParams() { return kParams; }

const ParamRow* FindParamRow(absl::string_view name) {
  const size_t dot = name.find('.');
  if (dot != absl::string_view::npos && !IsPrecisionName(name.substr(dot + 1))) return nullptr;
  for (const ParamRow& row : kParams) {
    if (row.name == name.substr(0, dot)) return &row;
  }
  return nullptr;
}

bool IsFor(const ParamRow& row, UnitKind kind) {
  return row.kinds.empty() || Has(row.kinds, KindTraitsOf(kind).name);
}

std::string DidYouMean(absl::string_view name, const std::vector<std::string>& known) {
  const std::vector<std::string> nearest = NearestNames(name, known, 3);
  return nearest.empty() ? "" : absl::StrCat("did you mean ", absl::StrJoin(nearest, ", "), "? ");
}

NameProblem CheckOperator(absl::string_view domain, absl::string_view op) {
  if (op == "*" || FindOperator(domain, op) != nullptr) return {};
  const std::vector<std::string> known = OperatorsOf(domain);
  if (known.empty()) return {};
  return Unknown("operator", op, known,
                 domain.empty() ? "`onnx-hwest describe ops` lists them; one of your own that has no domain takes the "
                                  "domain \"ai.onnx\""
                                : "`onnx-hwest describe ops` lists them");
}

NameProblem CheckOperatorAnywhere(absl::string_view op) {
  for (const OperatorRow& row : AllOperators()) {
    if (row.op == op) return {};
  }
  const auto known = TextsOf(AllOperators(), [](const OperatorRow& row) { return row.op; });
  if (DidYouMean(op, known).empty()) return {};  // one of the user's own
  return Unknown("operator", op, known, "`onnx-hwest describe ops` lists them");
}

NameProblem CheckAttribute(absl::string_view domain, const std::vector<std::string>& ops, absl::string_view attribute) {
  const Attributes attributes = AttributesOf(domain, ops);
  if (attributes.Take(attribute)) return {};
  const bool every = NamesEvery(ops);
  const bool one = ops.size() == 1 && !every;
  return {.message = absl::StrCat(one ? ops[0] : every ? "no operator" : "none of these operators", " has ",
                                  one ? "no" : "an", " attribute '", EscapeControl(attribute), "'"),
          .remedy = absl::StrCat(DidYouMean(attribute, attributes.names()), "attributes are those of the ONNX operator")};
}

NameProblem CheckFusion(absl::string_view name) {
  if (std::binary_search(std::begin(kFusions), std::end(kFusions), name)) return {};
  const auto known = TextsOf(kFusions, [](absl::string_view text) { return text; });
  return Unknown("fusion", name, known, "`onnx-hwest describe target-format` lists them");
}

NameProblem CheckReading(absl::string_view name) {
  if (std::binary_search(std::begin(kReadings), std::end(kReadings), name)) return {};
  const auto known = TextsOf(kReadings, [](absl::string_view text) { return text; });
  return Unknown("reading", name, known, "`onnx-hwest describe target-format` lists them");
}

NameProblem CheckGroupName(absl::string_view name) {
  const NameProblem problem = CheckFusion(name);
  return absl::StartsWith(problem.remedy, "did you mean") ? problem : NameProblem();
}

NameProblem CheckToolchainName(absl::string_view name) {
  const std::vector<std::string> known = ListToolchains();
  const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
  if (is_known || IsPath(name) || DidYouMean(name, known).empty()) return {};
  return Unknown("toolchain", name, known, absl::StrCat("built in are ", absl::StrJoin(known, ", ")));
}

bool IsPrecisionName(absl::string_view text) {
  for (int num = 1; num <= static_cast<int>(Num::kFp4); ++num) {
    if (NumName(static_cast<Num>(num)) == text) return true;
  }
  const size_t a = text.find('a');
  return a != absl::string_view::npos && text[0] == 'w' && IsBits(text.substr(1, a - 1)) && IsBits(text.substr(a + 1));
}

NameProblem CheckParamName(absl::string_view name, UnitKind kind) {
  const ParamRow* row = FindParamRow(name);
  if (row == nullptr) {
    const size_t dot = name.find('.');
    const auto known = TextsOf(kParams, [](const ParamRow& param) { return param.name; });
    const bool only_precision = dot != absl::string_view::npos && FindParamRow(name.substr(0, dot)) != nullptr;
    if (only_precision) return Unknown("precision", name.substr(dot + 1), {}, "write fp16, int8, w8a16, ...");
    return Unknown("parameter", name.substr(0, dot), known, "`onnx-hwest describe target-format` lists them");
  }
  if (kind == UnitKind::kUnset || IsFor(*row, kind)) return {};
  const std::vector<absl::string_view> kinds = absl::StrSplit(row->kinds, ' ');
  return {.message = absl::StrCat("parameter '", name, "' is one of ", absl::StrJoin(kinds, " and "), ", this unit is ",
                                  KindTraitsOf(kind).name),
          .remedy = "remove it, or correct `kind`"};
}

}  // namespace hwest
