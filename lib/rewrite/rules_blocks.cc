// Blocked layouts (com.microsoft.nchwc) back to plain ones.
//
// ONNX Runtime saves channels in blocks of 8 or 16, as the machine has them, and shapes stay [N, C, H, W]; weights are
// [O / b, I / b, H, W, b, b], or [O / b, I, H, W, b] where the input is not blocked or each channel is a group. A file
// says which width it is only where channels were padded to whole blocks. The padding stays: it is zeros.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "rewrite/figures.h"
#include "rewrite/rules.h"

namespace hwest {
namespace {

constexpr absl::string_view kBlocked = "com.microsoft.nchwc";
constexpr int64_t kNarrow = 8, kWide = 16;
constexpr int64_t kMostInRun = 1 << 20;  // elements that are put in order at a time

bool IsBlocked(const Graph& graph, NodeId node) { return graph.domain(node) == kBlocked; }

int64_t RoundedUp(int64_t channels, int64_t block) { return (channels + block - 1) / block * block; }

int64_t ChannelsOf(const Site& site, ValueId value) {
  const auto sizes = site.SizesOf(value);
  return sizes.has_value() && sizes->size() == 4 ? (*sizes)[1] : 0;
}

// The width that so many channels have when padded to whole blocks; 0 = either.
int64_t BlockOfPadded(int64_t channels, int64_t padded) {
  if (channels < 1 || channels > padded) return 0;
  if (padded % kWide != 0) return kNarrow;
  return RoundedUp(channels, kNarrow) != padded && RoundedUp(channels, kWide) == padded ? kWide : 0;
}

// What one node tells of the width; 0 = nothing.
int64_t BlockOf(const Site& site, NodeId node) {
  const absl::string_view op = site.graph().op(node);
  const int64_t in = ChannelsOf(site, site.InputOf(node, 0)), out = ChannelsOf(site, site.graph().outputs(node)[0]);
  if (op == "ReorderOutput") return BlockOfPadded(site.IntOf(node, "channels", 0), in);
  if (op == "ReorderInput") return BlockOfPadded(in, out);
  const auto weights = site.SizesOf(site.InputOf(node, 1));
  if (!weights.has_value() || weights->size() != 4) return 0;
  const int64_t inputs = (*weights)[1];
  if ((*weights)[0] % kWide != 0) return kNarrow;
  // An input narrower than a block is not blocked.
  return inputs > kNarrow && inputs < kWide && inputs % kNarrow != 0 ? kWide : 0;
}

// Where each element of a block of plain weights lies in blocked ones.
std::vector<int32_t> OrderOf(int64_t inputs, int64_t taps, int64_t block) {
  std::vector<int32_t> order;
  const bool is_wide = inputs >= block;
  for (int64_t output = 0; output < block; ++output) {
    for (int64_t input = 0; input < inputs; ++input) {
      for (int64_t tap = 0; tap < taps; ++tap) {
        const int64_t at = is_wide ? (input / block * taps + tap) * block + input % block : input * taps + tap;
        order.push_back(static_cast<int32_t>(at * block + output));
      }
    }
  }
  return order;
}

Computed Unblocked(const Site& site, Args args) {
  const ValueId weights = site.ValueOf(args[0]);
  const auto sizes = site.SizesOf(weights);
  const int64_t block = site.place().of_model;
  if (!sizes.has_value() || sizes->size() != 4 || block == 0 || (*sizes)[0] % block != 0) return std::nullopt;
  const auto is_large = [](int64_t size) { return size > kMostInRun; };
  if (std::any_of(sizes->begin() + 1, sizes->end(), is_large)) return std::nullopt;
  const int64_t inputs = (*sizes)[1], taps = (*sizes)[2] * (*sizes)[3];
  const bool fits = inputs >= 1 && taps >= 1 && (inputs < block || inputs % block == 0);
  if (!fits || taps > kMostInRun || block * inputs > kMostInRun || block * inputs * taps > kMostInRun) {
    return std::nullopt;
  }
  return InOrder(site, weights, OrderOf(inputs, taps, block), *sizes);
}

std::string PlainConv(const Site& site, NodeId node) {
  const std::string conv = absl::StrCat("Conv(root.0, $unblocked(root.1), root.2; ", ConvAttributes(site, node), ")");
  const std::string sum = absl::StrCat("Add?(", conv, ", root.3)");
  const std::string activation = site.TextOf(node, "activation", "");
  const Attribute* numbers = site.graph().FindAttribute(node, "activation_params");
  return activation.empty() ? sum
                            : Activated(activation, numbers == nullptr ? std::vector<float>() : numbers->floats, sum);
}

// From [N, C, H, W] to whole blocks: zeros behind the channels.
std::string PlainInput(const Site& site, NodeId node) {
  const int64_t in = ChannelsOf(site, site.InputOf(node, 0)), out = ChannelsOf(site, site.graph().outputs(node)[0]);
  if (site.IntOf(node, "channels_last", 0) != 0 || in < 1 || out < in) return "";
  if (in == out) return "root.0";
  return absl::StrCat("Pad(root.0; pads=[0, 0, 0, 0, 0, ", out - in, ", 0, 0])");
}

std::string PlainOutput(const Site& site, NodeId node) {
  const int64_t in = ChannelsOf(site, site.InputOf(node, 0)), out = site.IntOf(node, "channels", 0);
  if (site.IntOf(node, "channels_last", 0) != 0 || out < 1 || in < out) return "";
  return in == out ? "root.0" : absl::StrCat("Slice(root.0; starts=[0], ends=[", out, "], axes=[1])");
}

// What stands in place of a blocked node; "" = nothing may.
std::string PlainOf(const Site& site, NodeId node) {
  const absl::string_view op = site.graph().op(node);
  if (op == "Conv") return PlainConv(site, node);
  if (op == "ReorderInput") return PlainInput(site, node);
  if (op == "ReorderOutput") return PlainOutput(site, node);
  const bool is_pool = op == "MaxPool" || op == "AveragePool" || op == "GlobalAveragePool" || op == "GlobalMaxPool";
  return is_pool ? absl::StrCat(op, "(root.0; *root)") : "";
}

std::string PlainOfBlocked(const Site& site) { return PlainOf(site, site.root()); }

bool HasPlainForm(const Site& site) {
  const NodeId node = site.root();
  if (site.graph().node(node).graph != GraphId(0u) || PlainOf(site, node).empty()) return false;
  const std::string activation = site.TextOf(node, "activation", "");
  if (!activation.empty() && !HasOperator(site, activation)) return false;
  const std::vector<std::string> weights = {"root.1"};
  return site.graph().op(node) != "Conv" || Unblocked(site, weights).has_value();
}

std::vector<Place> BlockedPlaces(const Graph& graph) {
  std::vector<Place> places;
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    if (!IsBlocked(graph, NodeId(n))) continue;
    places.emplace_back().rule = &BlockRewrites()[0];
    places.back().match.root = NodeId(n);
  }
  return places;
}

// The first width that a node tells; 0 = the file fits both.
int64_t WidthOf(const Analysis& analysis, const EditedModel* model, absl::Span<const Place> places) {
  for (const Place& place : places) {
    const int64_t block = BlockOf(Site(analysis, model, place), place.match.root);
    if (block != 0) return block;
  }
  return 0;
}

// The width of the model's blocks where each blocked node has a plain form. All of them or none: between two blocked
// nodes a value is blocked.
std::optional<int64_t> Unblocks(const Analysis& analysis, const EditedModel* model) {
  if (model == nullptr) return std::nullopt;
  std::vector<Place> blocked = BlockedPlaces(*analysis.graph);
  const int64_t block = WidthOf(analysis, model, blocked);
  if (block == 0) return std::nullopt;
  for (Place& place : blocked) {
    place.of_model = block;
    if (!HasPlainForm(Site(analysis, model, place))) return std::nullopt;
  }
  return block;
}

// clang-format off
constexpr RewriteRule kBlockRules[] = {
    {.name = "blocks_to_plain", .key = "ReorderInput ReorderOutput",
     .match = "(com.microsoft.nchwc::Conv|com.microsoft.nchwc::ReorderInput|com.microsoft.nchwc::ReorderOutput|"
              "com.microsoft.nchwc::MaxPool|com.microsoft.nchwc::AveragePool|com.microsoft.nchwc::GlobalAveragePool|"
              "com.microsoft.nchwc::GlobalMaxPool)(_)",
     .holds = "floats", .make = "", .compose = PlainOfBlocked, .figures = "unblocked",
     .of_model = Unblocks,
     .exactness = Exactness::kRounding,
     .words = "convolutions and pools in blocks of channels become plain ones, with the channels that fill a block",
     .reason = "ONNX Runtime NCHWc layout, MLAS filter orders OIHWBiBo and OIHWBo"},
};
// clang-format on

constexpr FigureRow kBlockFigures[] = {
    {"unblocked", "weights in the order of plain ones: (weights)", Unblocked},
};

}  // namespace

bool HasOpenBlocks(const Analysis& analysis, const EditedModel& model) {
  const std::vector<Place> blocked = BlockedPlaces(*analysis.graph);
  return !blocked.empty() && WidthOf(analysis, &model, blocked) == 0;
}

absl::Span<const RewriteRule> BlockRewrites() { return kBlockRules; }
absl::Span<const FigureRow> BlockFigures() { return kBlockFigures; }

}  // namespace hwest
