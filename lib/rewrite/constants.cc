// Computes new constants from existing ones.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "rewrite/figures.h"

namespace hwest {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 40;  // of a constant that is computed anew

// A constant with the same sizes and other numbers.
Computed Mapped(const Site& site, Args args, double (*map)(double)) {
  const ValueId value = site.ValueOf(args[0]);
  const auto sizes = site.SizesOf(value);
  auto numbers = site.NumbersOf(value);
  if (!sizes.has_value() || !numbers.has_value()) return std::nullopt;
  for (double& number : *numbers) number = map(number);
  Figure made = Figure::Tensor(*std::move(numbers), *sizes);
  made.elem = site.TypeOf(value).elem;
  return made;
}

Computed Negated(const Site& site, Args args) {
  return Mapped(site, args, [](double number) { return -number; });
}

Computed Inverted(const Site& site, Args args) {
  return Mapped(site, args, [](double number) { return 1 / number; });
}

// One number as often as a value has elements on its last axes, or channels: (number, value, axes from the end); an
// empty shape for (number).
Computed Filled(const Site& site, Args args) {
  double number = 0;
  if (!absl::SimpleAtod(args[0], &number)) return std::nullopt;
  const auto sizes = site.SizesOf(site.ValueOf(args[1]));
  const NodeId reduction = site.NodeOf(args[2]);
  const auto axes = reduction.valid() ? site.IntsOf(reduction, "axes", 1) : std::nullopt;
  if (!sizes.has_value() || !axes.has_value() || axes->size() > sizes->size()) return std::nullopt;
  const std::vector<int64_t> dims(sizes->end() - static_cast<std::ptrdiff_t>(axes->size()), sizes->end());
  double count = 1;
  for (const int64_t dim : dims) count *= static_cast<double>(dim);
  if (count > static_cast<double>(kMaxKnownElements)) return std::nullopt;
  return Figure::Tensor(std::vector<double>(static_cast<size_t>(count), number), dims);
}

// As many times the number as an attribute says: (number, attribute of the root).
Computed FilledByAttribute(const Site& site, Args args) {
  double number = 0;
  const int64_t count = site.IntOf(site.root(), args[1], 0);
  if (!absl::SimpleAtod(args[0], &number) || count < 1 || count > kMaxKnownElements) return std::nullopt;
  return Figure::Tensor(std::vector<double>(static_cast<size_t>(count), number), {count});
}

// An initialiser of the file under other dims.
std::optional<Figure> UnderDims(const Site& site, ValueId value, std::vector<int64_t> dims) {
  const ElemType elem = site.TypeOf(value).elem;
  if (!HoldsNumbers(elem)) return std::nullopt;
  Figure made = Figure::Tensor({}, std::move(dims));
  made.elem = elem;
  const int64_t index = site.InitializerOf(value);
  if (index < 0) {
    auto numbers = site.NumbersOf(value);
    if (!numbers.has_value()) return std::nullopt;
    made.numbers = *std::move(numbers);
    return made;
  }
  const Constant& constant = site.model().raw().graph.initializers[static_cast<size_t>(index)];
  const InitializerOrigin& origin = site.model().initializer_origins()[static_cast<size_t>(index)];
  if (constant.storage == Storage::kDecoded) {
    auto numbers = site.NumbersOf(value);
    if (!numbers.has_value()) return std::nullopt;
    made.numbers = *std::move(numbers);
    return made;
  }
  if (origin.derived != nullptr) {
    made.derived = origin.derived;
    return made;
  }
  if (constant.Elements() > kMostElements) return std::nullopt;
  const int64_t bytes = constant.Elements() * (ElemBits(elem) / 8);
  if (origin.file < 0 || origin.sparse || bytes <= 0) return std::nullopt;
  const auto payload = FindPayload(site.model().file(), static_cast<size_t>(origin.file), elem, bytes);
  if (!payload.has_value()) return std::nullopt;
  made.derived = std::make_shared<const Derived>(Derived{.payload = *payload, .elem = elem, .factors = {}, .inner = 1});
  return made;
}

// (value, further axes of size 1 at the end)
Computed WithOnesBehind(const Site& site, Args args) {
  const ValueId value = site.ValueOf(args[0]);
  auto sizes = site.SizesOf(value);
  if (!sizes.has_value()) return std::nullopt;
  sizes->insert(sizes->end(), static_cast<size_t>(IntArg(args, 1, 1)), 1);
  return UnderDims(site, value, *std::move(sizes));
}

// (value, position of a further axis of size 1)
Computed WithOneAt(const Site& site, Args args) {
  const ValueId value = site.ValueOf(args[0]);
  auto sizes = site.SizesOf(value);
  const int64_t at = IntArg(args, 1, 0);
  if (!sizes.has_value() || at < 0 || at > static_cast<int64_t>(sizes->size())) return std::nullopt;
  sizes->insert(sizes->begin() + at, 1);
  return UnderDims(site, value, *std::move(sizes));
}

// (constant, its sizes now)
Computed ConstantAs(const Site& site, Args args) {
  const auto sizes = site.SizesOf(site.ValueOf(args[0]));
  std::vector<int64_t> now;
  for (size_t i = 1; i < args.size(); ++i) now.push_back(IntArg(args, i, 0));
  const auto count = sizes.has_value() ? Product(*sizes) : std::nullopt;
  if (!count.has_value() || *count < 1 || Product(now) != count) return std::nullopt;
  return UnderDims(site, site.ValueOf(args[0]), std::move(now));
}

// A constant with its first two axes, and no others, swapped: (constant, its sizes now)
Computed Turned(const Site& site, Args args) {
  constexpr int64_t kMostInRun = int64_t{1} << 18;
  const auto sizes = site.SizesOf(site.ValueOf(args[0]));
  if (!sizes.has_value() || sizes->size() < 2) return std::nullopt;
  const int64_t rows = (*sizes)[0], columns = (*sizes)[1];
  if (rows < 1 || columns < 1 || rows > kMostInRun || columns > kMostInRun || rows * columns > kMostInRun) {
    return std::nullopt;
  }
  std::vector<int64_t> now;
  for (size_t i = 1; i < args.size(); ++i) now.push_back(IntArg(args, i, 0));
  if (Product(*sizes) != rows * columns || Product(now) != rows * columns) return std::nullopt;
  std::vector<int32_t> order;
  for (int64_t column = 0; column < columns; ++column) {
    for (int64_t row = 0; row < rows; ++row) order.push_back(static_cast<int32_t>(row * columns + column));
  }
  return InOrder(site, site.ValueOf(args[0]), std::move(order), std::move(now));
}

// A constant with one number for each channel, as a vector of them: (constant).
Computed ChannelVector(const Site& site, Args args) {
  const auto sizes = site.SizesOf(site.ValueOf(args[0]));
  const auto count = sizes.has_value() ? Product(*sizes) : std::nullopt;
  return count.has_value() ? UnderDims(site, site.ValueOf(args[0]), {*count}) : std::nullopt;
}

// A number for each channel of a value: (number, value).
Computed FilledChannels(const Site& site, Args args) {
  double number = 0;
  const auto sizes = site.SizesOf(site.ValueOf(args[1]));
  if (!absl::SimpleAtod(args[0], &number) || !sizes.has_value() || sizes->size() < 3) return std::nullopt;
  if ((*sizes)[1] < 1 || (*sizes)[1] > kMaxKnownElements) return std::nullopt;
  return Figure::Tensor(std::vector<double>(static_cast<size_t>((*sizes)[1]), number), {(*sizes)[1]});
}

// A vector per channel as [C, 1, ...] with one axis less than the root's input: (value).
Computed AsChannels(const Site& site, Args args) {
  const ValueId value = site.ValueOf(args[0]);
  const int rank = site.RankOf(site.InputOf(site.root(), 0));
  auto sizes = site.SizesOf(value);
  if (!sizes.has_value() || sizes->size() != 1 || rank < 2) return std::nullopt;
  sizes->insert(sizes->end(), static_cast<size_t>(rank - 2), 1);
  return UnderDims(site, value, *std::move(sizes));
}

// A row of whole numbers: (number, ...).
Computed AsInts(const Site&, Args args) {
  std::vector<int64_t> ints;
  for (size_t i = 0; i < args.size(); ++i) ints.push_back(IntArg(args, i, 0));
  return Figure::Ints(std::move(ints));
}

constexpr double kHidden = -std::numeric_limits<double>::infinity();  // added to a score that nobody may see

Computed Hidden(const Site&, Args) { return Figure::Tensor({kHidden}, {}); }

// What hides keys after the query: (queries, keys).
Computed Causal(const Site&, Args args) {
  const int64_t queries = IntArg(args, 0, 0), keys = IntArg(args, 1, 0);
  std::vector<double> numbers;
  for (int64_t query = 0; query < queries; ++query) {
    for (int64_t key = 0; key < keys; ++key) numbers.push_back(key <= query ? 0 : kHidden);
  }
  return Figure::Tensor(std::move(numbers), {queries, keys});
}

// Integers of 8 bits in the other type, moved by 128: `type` is the one they become.
Computed OfOtherSign(const Site& site, ValueId value, absl::string_view type) {
  const bool to_signed = type == ElemTypeName(ElemType::kInt8);
  const auto sizes = site.SizesOf(value);
  const ElemType from = to_signed ? ElemType::kUint8 : ElemType::kInt8;
  if (!sizes.has_value() || site.TypeOf(value).elem != from) return std::nullopt;
  Figure made = Figure::Tensor({}, *sizes);
  made.elem = to_signed ? ElemType::kInt8 : ElemType::kUint8;
  if (auto known = site.NumbersOf(value); known.has_value()) {
    made.numbers = *std::move(known);
    for (double& number : made.numbers) number += to_signed ? -128 : 128;
    return made;
  }
  const int64_t index = site.InitializerOf(value);
  if (index < 0) return std::nullopt;
  const Constant& constant = site.model().raw().graph.initializers[static_cast<size_t>(index)];
  const InitializerOrigin& origin = site.model().initializer_origins()[static_cast<size_t>(index)];
  Derived derived{.elem = from};
  if (origin.derived != nullptr) {
    if (!origin.derived->factors.empty() || !origin.derived->order.empty()) return std::nullopt;
    derived = *origin.derived;
  } else {
    const int64_t bytes = constant.Elements();
    if (origin.file < 0 || origin.sparse || bytes <= 0 || bytes > kMostElements) return std::nullopt;
    const auto payload = FindPayload(site.model().file(), static_cast<size_t>(origin.file), from, bytes);
    if (!payload.has_value()) return std::nullopt;
    derived.payload = *payload;
  }
  derived.moves_by_128 = !derived.moves_by_128;
  made.derived = std::make_shared<const Derived>(std::move(derived));
  return made;
}

// A zero point in the other type of 8 bits: (zero point, which may be absent, its scale, the type).
Computed Shifted(const Site& site, Args args) {
  const ValueId zero = site.ValueOf(args[0]);
  if (zero.valid()) return OfOtherSign(site, zero, args[2]);
  // One that is absent is 0 of uint8.
  const auto sizes = site.SizesOf(site.ValueOf(args[1]));
  if (!sizes.has_value() || args[2] != ElemTypeName(ElemType::kInt8)) return std::nullopt;
  double count = 1;
  for (const int64_t size : *sizes) count *= static_cast<double>(size);
  if (count > static_cast<double>(kMaxKnownElements)) return std::nullopt;
  Figure made = Figure::Tensor(std::vector<double>(static_cast<size_t>(count), -128), *sizes);
  made.elem = ElemType::kInt8;
  return made;
}

// Weights likewise: (weights, the type).
Computed ShiftedWeights(const Site& site, Args args) { return OfOtherSign(site, site.ValueOf(args[0]), args[1]); }

struct Statistics {
  std::vector<double> factor, shift;  // per channel: y = factor * x + shift
};

// What the BatchNormalization at the root does to each channel.
std::optional<Statistics> StatisticsOf(const Site& site) {
  const NodeId node = site.root();
  std::vector<std::vector<double>> vectors;
  for (size_t input = 1; input <= 4; ++input) {
    auto numbers = site.NumbersOf(site.InputOf(node, input));
    if (!numbers.has_value() || (!vectors.empty() && numbers->size() != vectors[0].size())) return std::nullopt;
    vectors.push_back(*std::move(numbers));
  }
  const double epsilon = site.FloatOf(node, "epsilon", 1e-5);
  Statistics statistics;
  for (size_t c = 0; c < vectors[0].size(); ++c) {
    const double factor = vectors[0][c] / std::sqrt(vectors[3][c] + epsilon);
    if (!std::isfinite(factor)) return std::nullopt;
    statistics.factor.push_back(factor);
    statistics.shift.push_back(vectors[1][c] - vectors[2][c] * factor);
  }
  return statistics;
}

Computed Factors(const Site& site, Args) {
  const auto statistics = StatisticsOf(site);
  const int rank = site.RankOf(site.InputOf(site.root(), 0));
  if (!statistics.has_value() || rank < 2) return std::nullopt;
  std::vector<int64_t> dims(static_cast<size_t>(rank - 1), 1);
  dims[0] = static_cast<int64_t>(statistics->factor.size());
  return Figure::Tensor(statistics->factor, dims);
}

Computed Shifts(const Site& site, Args) {
  const auto statistics = StatisticsOf(site);
  const int rank = site.RankOf(site.InputOf(site.root(), 0));
  if (!statistics.has_value() || rank < 2) return std::nullopt;
  std::vector<int64_t> dims(static_cast<size_t>(rank - 1), 1);
  dims[0] = static_cast<int64_t>(statistics->shift.size());
  return Figure::Tensor(statistics->shift, dims);
}

// Weights of the convolution before a BatchNormalization, times its factors: (weights).
Computed FoldedWeights(const Site& site, Args args) {
  const ValueId weights = site.ValueOf(args[0]);
  const auto sizes = site.SizesOf(weights);
  const auto statistics = StatisticsOf(site);
  if (!sizes.has_value() || sizes->size() < 3 || !statistics.has_value()) return std::nullopt;
  if ((*sizes)[0] != static_cast<int64_t>(statistics->factor.size())) return std::nullopt;
  int64_t inner = 1;
  for (size_t i = 1; i < sizes->size(); ++i) inner *= (*sizes)[i];
  return TimesFactors(site, weights, statistics->factor, inner);
}

// The bias after that: (bias, which may be absent).
Computed FoldedBias(const Site& site, Args args) {
  const auto statistics = StatisticsOf(site);
  if (!statistics.has_value()) return std::nullopt;
  std::vector<double> bias = statistics->shift;
  const ValueId before = site.ValueOf(args[0]);
  if (before.valid()) {
    const auto numbers = site.NumbersOf(before);
    if (!numbers.has_value() || numbers->size() != bias.size()) return std::nullopt;
    for (size_t c = 0; c < bias.size(); ++c) bias[c] += (*numbers)[c] * statistics->factor[c];
  }
  const auto count = static_cast<int64_t>(bias.size());
  return Figure::Tensor(std::move(bias), {count});
}

// Weights of a convolution whose windows lie side by side, for the windows as channels: (weights).
Computed PatchWeights(const Site& site, Args args) {
  constexpr int64_t kMostInRun = int64_t{1} << 18;
  const ValueId weights = site.ValueOf(args[0]);
  const auto sizes = site.SizesOf(weights);
  if (!sizes.has_value() || sizes->size() != 4 || (*sizes)[2] != (*sizes)[3]) return std::nullopt;
  const int64_t channels = (*sizes)[1], side = (*sizes)[2];
  if (channels < 1 || side < 1 || channels > kMostInRun || side > 64 || channels * side * side > kMostInRun) {
    return std::nullopt;
  }
  std::vector<int32_t> order;
  for (int64_t pixel = 0; pixel < side * side; ++pixel) {
    for (int64_t c = 0; c < channels; ++c) order.push_back(static_cast<int32_t>(c * side * side + pixel));
  }
  return InOrder(site, weights, std::move(order), {(*sizes)[0], channels * side * side, 1, 1});
}

// How much larger the mean over a window is when padding does not count, for each place: of the AveragePool at the
// root.
Computed PoolCorrection(const Site& site, Args) {
  constexpr int64_t kMostPlaces = 1 << 16;
  const NodeId node = site.root();
  const auto x = site.SizesOf(site.InputOf(node, 0)), out = site.SizesOf(site.ValueOf("root"));
  const auto kernel = site.IntsOf(node, "kernel_shape", 99), pads = site.IntsOf(node, "pads", 99);
  const auto strides = site.IntsOf(node, "strides", 99).value_or(std::vector<int64_t>{1, 1});
  if (!x.has_value() || !out.has_value() || x->size() != 4 || out->size() != 4) return std::nullopt;
  if (!kernel.has_value() || kernel->size() != 2 || !pads.has_value() || pads->size() != 4 || strides.size() != 2) {
    return std::nullopt;
  }
  if (std::all_of(pads->begin(), pads->end(), [](int64_t pad) { return pad == 0; })) return std::nullopt;
  if ((*out)[2] > kMostPlaces || (*out)[3] > kMostPlaces || (*out)[2] * (*out)[3] > kMostPlaces) return std::nullopt;
  // Elements of the window that starts at `place` along an axis and lie in the image.
  const auto inside = [&](size_t axis, int64_t place) {
    const int64_t start = place * strides[axis] - (*pads)[axis];
    return std::max<int64_t>(0, std::min(start + (*kernel)[axis], (*x)[axis + 2]) - std::max<int64_t>(start, 0));
  };
  std::vector<double> numbers;
  const auto window = static_cast<double>((*kernel)[0]) * static_cast<double>((*kernel)[1]);
  for (int64_t row = 0; row < (*out)[2]; ++row) {
    for (int64_t column = 0; column < (*out)[3]; ++column) {
      const int64_t count = inside(0, row) * inside(1, column);
      if (count < 1) return std::nullopt;
      numbers.push_back(window / static_cast<double>(count));
    }
  }
  return Figure::Tensor(std::move(numbers), {1, 1, (*out)[2], (*out)[3]});
}

// Sizes of what a mean is over: the last axes of its input, however many its node names, or all behind the channels.
std::optional<std::vector<int64_t>> MeanSizes(const Site& site, Args args) {
  const NodeId node = site.NodeOf(args[0]);
  const auto sizes = site.SizesOf(site.InputOf(node, 0));
  if (!sizes.has_value()) return std::nullopt;
  const auto rank = static_cast<int64_t>(sizes->size());
  auto axes = site.IntsOf(node, "axes", 1);
  if (!axes.has_value()) {
    axes.emplace();
    for (int64_t axis = 2; axis < rank; ++axis) axes->push_back(axis);
  }
  for (int64_t& axis : *axes) axis += axis < 0 ? rank : 0;
  std::sort(axes->begin(), axes->end());
  const auto first = rank - static_cast<int64_t>(axes->size());
  for (size_t i = 0; i < axes->size(); ++i) {
    if ((*axes)[i] != first + static_cast<int64_t>(i)) return std::nullopt;
  }
  return first < 0 || axes->empty() ? std::nullopt : sizes;
}

int64_t MeanCount(const Site& site, Args args) {
  const auto sizes = MeanSizes(site, args);
  const auto out = site.SizesOf(site.ValueOf("root"));
  if (!sizes.has_value() || !out.has_value()) return 0;
  double whole = 1, means = 1;
  for (const int64_t size : *sizes) whole *= static_cast<double>(size);
  for (const int64_t size : *out) means *= static_cast<double>(size);
  const double count = means > 0 ? whole / means : 0;
  return count > static_cast<double>(kMaxKnownElements) ? 0 : static_cast<int64_t>(count);
}

// The last axes that a mean is over as one, behind all others: (mean).
Computed MeanRows(const Site& site, Args args) {
  const int64_t count = MeanCount(site, args);
  if (count < 1) return std::nullopt;
  std::vector<int64_t> rows;
  int64_t left = count;
  const auto sizes = *MeanSizes(site, args);
  size_t axes = sizes.size();
  while (left > 1 && axes > 0) left /= std::max<int64_t>(1, sizes[--axes]);
  rows.assign(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(axes));
  rows.push_back(count);
  return rows.size() < 2 ? std::nullopt : Computed(Figure::Ints(std::move(rows)));
}

// What a row is multiplied with to give its mean: (mean).
Computed MeanColumn(const Site& site, Args args) {
  const int64_t count = MeanCount(site, args);
  if (count < 1) return std::nullopt;
  return Figure::Tensor(std::vector<double>(static_cast<size_t>(count), 1.0 / static_cast<double>(count)), {count, 1});
}

constexpr FigureRow kConstantFigures[] = {
    {"mean_rows", "what a mean is over as one axis, the last: (mean)", MeanRows},
    {"mean_column", "what a row is multiplied with to give its mean: (mean)", MeanColumn},
    {"negated", "a constant times -1", Negated, "v"},
    {"inverted", "1 over a constant", Inverted, "v"},
    {"ints", "a row of whole numbers", AsInts},
    {"hidden", "what hides a score of attention", Hidden},
    {"causal", "what hides keys after the query", Causal},
    {"shifted", "a zero point in the other type of 8 bits", Shifted},
    {"shifted_weights", "weights in the other type of 8 bits", ShiftedWeights},
    {"filled", "a number for each element that a reduction goes over", Filled},
    {"filled_by", "a number as often as an attribute says", FilledByAttribute},
    {"ones_behind", "a constant with further axes of size 1 at its end", WithOnesBehind},
    {"one_at", "a constant with a further axis of size 1", WithOneAt, "v#"},
    {"constant_as", "a constant under other sizes", ConstantAs},
    {"turned", "a constant with its first two axes swapped", Turned},
    {"channel_vector", "a constant with one number for each channel as a vector", ChannelVector, "v"},
    {"filled_channels", "a number for each channel of a value", FilledChannels, "#v"},
    {"as_channels", "a vector along the channels of the input", AsChannels, "v"},
    {"factors", "what a normalisation multiplies each channel with", Factors},
    {"shifts", "what a normalisation adds to each channel", Shifts},
    {"folded_weights", "weights times the factors of a normalisation", FoldedWeights},
    {"patch_weights", "weights for windows side by side that became channels", PatchWeights},
    {"pool_correction", "what makes up for padding that a mean counts", PoolCorrection},
    {"folded_bias", "the bias after a normalisation", FoldedBias},
};

}  // namespace

Computed InOrder(const Site& site, ValueId constant, std::vector<int32_t> order, std::vector<int64_t> dims) {
  Computed made = UnderDims(site, constant, std::move(dims));
  if (!made.has_value()) return std::nullopt;
  if (made->derived == nullptr) {
    const std::vector<double> before = made->numbers;
    if (before.size() % order.size() != 0) return std::nullopt;
    for (size_t i = 0; i < before.size(); ++i) {
      made->numbers[i] = before[i / order.size() * order.size() + static_cast<size_t>(order[i % order.size()])];
    }
    return made;
  }
  if (!made->derived->factors.empty() || !made->derived->order.empty()) return std::nullopt;
  Derived derived = *made->derived;
  derived.order = std::move(order);
  made->derived = std::make_shared<const Derived>(std::move(derived));
  return made;
}

Computed TimesFactors(const Site& site, ValueId weights, const std::vector<double>& factors, int64_t inner) {
  Computed made = UnderDims(site, weights, site.SizesOf(weights).value_or(std::vector<int64_t>()));
  if (!made.has_value() || inner < 1) return std::nullopt;
  for (size_t i = 0; i < made->numbers.size(); ++i) {
    made->numbers[i] *= factors[i / static_cast<size_t>(inner) % factors.size()];
  }
  if (made->derived != nullptr) {
    if (!made->derived->factors.empty() || !made->derived->order.empty()) return std::nullopt;
    Derived derived = *made->derived;
    derived.factors = factors;
    derived.inner = inner;
    made->derived = std::make_shared<const Derived>(std::move(derived));
  }
  return made;
}

absl::Span<const FigureRow> ConstantFigures() { return kConstantFigures; }

}  // namespace hwest
