// Images that are normalised inside the model: one factor and one summand per channel, in front of a convolution.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "rewrite/figures.h"

namespace hwest {
namespace {

constexpr int64_t kMostChannels = 4;       // of an image; what has more is a feature map
constexpr int64_t kMostFactors = 1 << 20;  // of weights, one for each window

// What stands before a value: factor * x + shift, by channel.
struct Affine {
  std::vector<double> factors, shifts;
};

// The numbers of a constant of one element, or of one along the channels; empty for others.
std::vector<double> ByChannel(const Site& site, ValueId constant, size_t channels, size_t rank) {
  const auto sizes = site.SizesOf(constant);
  auto numbers = site.NumbersOf(constant);
  if (!sizes.has_value() || !numbers.has_value() || sizes->size() > rank) return {};
  if (numbers->size() == 1) return std::vector<double>(channels, (*numbers)[0]);
  const auto along = static_cast<std::ptrdiff_t>(sizes->size()) - static_cast<std::ptrdiff_t>(rank) + 1;
  const bool is_along = numbers->size() == channels && along >= 0 &&
                        (*sizes)[static_cast<size_t>(along)] == static_cast<int64_t>(channels);
  return is_along ? *std::move(numbers) : std::vector<double>();
}

// Adds what the node does to its operand; false when that is no factor or summand by channel.
bool Append(const Site& site, NodeId node, ValueId constant, size_t rank, Affine* affine) {
  const std::vector<double> numbers = ByChannel(site, constant, affine->factors.size(), rank);
  if (numbers.empty()) return false;
  const absl::string_view op = site.graph().op(node);
  const bool is_second = site.InputOf(node, 1) == constant;
  if (!is_second && (op == "Sub" || op == "Div")) return false;
  for (size_t c = 0; c < numbers.size(); ++c) {
    const double number = numbers[c], factor = op == "Mul" ? number : op == "Div" ? 1 / number : 1;
    affine->factors[c] *= factor;
    affine->shifts[c] = affine->shifts[c] * factor + (op == "Add" ? number : op == "Sub" ? -number : 0);
    if (!std::isfinite(affine->factors[c]) || !std::isfinite(affine->shifts[c])) return false;
  }
  return true;
}

// An image is an input of the model, or what a few nodes that multiply no matrices make of one. Scores of three heads
// have three channels, too.
bool IsImage(const Site& site, ValueId value) {
  constexpr int kMostNodes = 6;
  const Graph& graph = site.graph();
  for (int hop = 0; hop <= kMostNodes && value.valid(); ++hop) {
    const Value& entry = graph.value(value);
    if (!entry.producer.valid()) return entry.is_input && !entry.is_initializer;
    if (site.IsProduct(value)) return false;
    value = site.InputOf(entry.producer, 0);
  }
  return false;
}

// Of the match's x, through the node called near with the constant c, and the one called far with d where it is there.
std::optional<Affine> AffineOf(const Site& site) {
  const auto sizes = site.SizesOf(site.ValueOf("x"));
  if (!IsImage(site, site.ValueOf("x"))) return std::nullopt;
  if (!sizes.has_value() || sizes->size() != 4 || (*sizes)[1] < 1 || (*sizes)[1] > kMostChannels) return std::nullopt;
  const auto channels = static_cast<size_t>((*sizes)[1]);
  Affine affine{std::vector<double>(channels, 1), std::vector<double>(channels, 0)};
  if (!Append(site, site.NodeOf("near"), site.ValueOf("c"), sizes->size(), &affine)) return std::nullopt;
  const ValueId far = site.ValueOf("d");
  if (far.valid() && !Append(site, site.NodeOf("far"), far, sizes->size(), &affine)) return std::nullopt;
  return affine;
}

Computed AffineWeights(const Site& site, Args) {
  const auto affine = AffineOf(site);
  if (!affine.has_value()) return std::nullopt;
  const size_t channels = affine->factors.size();
  std::vector<double> weights(channels * channels, 0);
  for (size_t c = 0; c < channels; ++c) weights[c * channels + c] = affine->factors[c];
  const auto count = static_cast<int64_t>(channels);
  return Figure::Tensor(std::move(weights), {count, count, 1, 1});
}

Computed AffineBias(const Site& site, Args) {
  const auto affine = AffineOf(site);
  if (!affine.has_value()) return std::nullopt;
  return Figure::Tensor(affine->shifts, {static_cast<int64_t>(affine->shifts.size())});
}

bool HasShift(const Affine& affine) {
  return std::any_of(affine.shifts.begin(), affine.shifts.end(), [](double shift) { return shift != 0; });
}

// Zeros that the convolution adds are not shifted, so that a summand goes into its bias only where it adds none.
bool AddsZeros(const Site& site, NodeId conv) {
  const auto pads = site.IntsOf(conv, "pads", 99);
  const std::string automatic = site.TextOf(conv, "auto_pad", "NOTSET");
  if (automatic == "VALID") return false;
  if (automatic != "NOTSET") return true;
  return pads.has_value() && std::any_of(pads->begin(), pads->end(), [](int64_t pad) { return pad != 0; });
}

struct Windows {
  int64_t outputs = 0, inputs = 0, taps = 0;  // inputs: of one group
};

std::optional<Windows> WindowsOf(const Site& site, ValueId weights, int64_t channels) {
  const auto sizes = site.SizesOf(weights);
  const auto is_large = [](int64_t size) { return size > kMostFactors; };
  if (!sizes.has_value() || sizes->size() != 4 || std::any_of(sizes->begin(), sizes->end(), is_large)) {
    return std::nullopt;
  }
  const Windows windows{(*sizes)[0], (*sizes)[1], (*sizes)[2] * (*sizes)[3]};
  if (windows.outputs < 1 || windows.inputs < 1 || windows.taps < 1) return std::nullopt;
  if (channels % windows.inputs != 0 || windows.outputs % (channels / windows.inputs) != 0) return std::nullopt;
  if (windows.outputs * windows.inputs > kMostFactors) return std::nullopt;
  return windows;
}

// The channel of the image that window `input` of output `output` reads.
size_t ChannelOf(const Windows& windows, int64_t channels, int64_t output, int64_t input) {
  const int64_t group = output / (windows.outputs / (channels / windows.inputs));
  return static_cast<size_t>(group * windows.inputs + input);
}

// Weights of the convolution called r, w, times the factors of what stands before it.
Computed ImageWeights(const Site& site, Args) {
  const auto affine = AffineOf(site);
  if (!affine.has_value() || (HasShift(*affine) && AddsZeros(site, site.NodeOf("r")))) return std::nullopt;
  const auto channels = static_cast<int64_t>(affine->factors.size());
  const auto windows = WindowsOf(site, site.ValueOf("w"), channels);
  if (!windows.has_value()) return std::nullopt;
  std::vector<double> factors;
  for (int64_t output = 0; output < windows->outputs; ++output) {
    for (int64_t input = 0; input < windows->inputs; ++input) {
      factors.push_back(affine->factors[ChannelOf(*windows, channels, output, input)]);
    }
  }
  return TimesFactors(site, site.ValueOf("w"), factors, windows->taps);
}

// Its bias, b, and what the summands make of its windows.
Computed ImageBias(const Site& site, Args) {
  const auto affine = AffineOf(site);
  if (!affine.has_value()) return std::nullopt;
  const auto channels = static_cast<int64_t>(affine->shifts.size());
  const auto windows = WindowsOf(site, site.ValueOf("w"), channels);
  if (!windows.has_value()) return std::nullopt;
  std::vector<double> bias(static_cast<size_t>(windows->outputs), 0);
  if (const ValueId before = site.ValueOf("b"); before.valid()) {
    const auto numbers = site.NumbersOf(before);
    if (!numbers.has_value() || numbers->size() != bias.size()) return std::nullopt;
    bias = *numbers;
  }
  if (HasShift(*affine)) {
    const auto weights = site.NumbersOf(site.ValueOf("w"));
    if (!weights.has_value()) return std::nullopt;
    for (size_t i = 0; i < weights->size(); ++i) {
      const auto window = static_cast<int64_t>(i) / windows->taps;
      const int64_t output = window / windows->inputs;
      bias[static_cast<size_t>(output)] +=
          (*weights)[i] * affine->shifts[ChannelOf(*windows, channels, output, window % windows->inputs)];
    }
  }
  return Figure::Tensor(std::move(bias), {windows->outputs});
}

constexpr FigureRow kImageFigures[] = {
    {"affine_weights", "factors of channels as weights of a 1x1 convolution", AffineWeights},
    {"affine_bias", "summands of channels as its bias", AffineBias},
    {"image_weights", "weights times the factors of the image's channels", ImageWeights},
    {"image_bias", "the bias with the summands of the image's channels", ImageBias},
};

}  // namespace

absl::Span<const FigureRow> ImageFigures() { return kImageFigures; }

}  // namespace hwest
