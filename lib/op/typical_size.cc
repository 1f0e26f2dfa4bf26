#include "op/typical_size.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace hwest {
namespace {

// Detectors score every place of an image for every class, and nearly all of them are background: thresholds of 0.001
// to 0.5 leave between one in ten and one in ten thousand.
constexpr int64_t kOfScores = 100;
// A class out of a few: the level of a feature pyramid that a box belongs to, one of four in most of them.
constexpr int64_t kOfClasses = 4;
// Neighbouring candidates are mostly the same object: overlaps above 0.5 to 0.7 suppress about three of four.
constexpr int64_t kOfCandidates = 4;
// An image of the COCO set holds seven objects on average: shares of few elements are not taken below that.
constexpr int64_t kFew = 10;
constexpr int64_t kTop = 100;
constexpr int kMaxSteps = 64;

constexpr absl::string_view kAtBound = "the upper bound";

// clang-format off
constexpr TypicalSize kSizes[] = {
    {"bfp", "QuantizeBFP", kAtBound, "the packing is the runtime's own"},
    {"branch", "If", "the larger of both branches", "the costlier branch is the one that counts"},
    {"candidates", "NonMaxSuppression with a score threshold", "1 % of the boxes, at least 10",
     "nearly all boxes of a detector are background"},
    {"carry", "Loop, Scan", "unknown", "a carried value changes its size in a way that is not followed"},
    {"compress", "Compress",
     "1 % for scores above a threshold, 25 % for values equal to a constant, else the upper bound",
     "as for nonzero"},
    {"final", "Loop, Scan", kAtBound, "a size that only the last run knows"},
    {"height", "ImageDecoder", "unknown", "the encoded image decides"},
    {"iter", "Loop", "the middle run", "the mean over all runs: no assumption about contents"},
    {"keys", "CastMap", "16", "the map decides; features by name are a few"},
    {"nms", "NonMaxSuppression", "a quarter of the candidates of each class, at most its limit and, with a score "
     "threshold, 300 an image", "neighbouring boxes mostly show one object; evaluations keep 100 to 300 boxes"},
    {"nonzero", "NonZero",
     "1 % for scores above a threshold, at least 10; 25 % for values equal to a constant; else the "
     "upper bound",
     "scores are what Sigmoid or Softmax makes, and mostly background; equality picks one class of a few, "
     "such as a level of a pyramid; filters for valid elements drop few"},
    {"path", "DynamicTimeWarping", kAtBound, "at most twice the shortest path"},
    {"slice", "Slice from or to where only run time knows", kAtBound,
     "a part that grows, such as a cache, is paid for in full"},
    {"split", "Split into sizes that only run time knows", "equal parts", "no part is known to be larger than another"},
    {"substrings", "StringSplit", "the upper bound, 8 without one", "the text decides; words of a short sentence"},
    {"tokens", "RemovePadding, Tokenizer, BifurcationDetector", "the upper bound; 8 for Tokenizer",
     "a single sequence has no padding; words of a short sentence"},
    {"topk", "TopK with an unknown K", "at most 100", "as many as evaluations of detectors look at"},
    {"trips", "Loop, Scan, SequenceMap, BeamSearch, GreedySearch, Sampling",
     "half of the limit; one run without a limit",
     "nothing tells when the condition fails"},
    {"unique", "Unique", kAtBound, "nothing tells how often contents repeat"},
    {"width", "ImageDecoder", "unknown", "the encoded image decides"},
    {"words", "StringNormalizer", kAtBound, "few words are stop words"},
};
// clang-format on

bool IsOneOf(absl::string_view op, absl::Span<const absl::string_view> names) {
  return std::find(names.begin(), names.end(), op) != names.end();
}

// Operators whose output holds elements of their first input.
constexpr absl::string_view kMoves[] = {
    "Cast",    "Concat",          "Expand", "Flatten", "Gather",  "GatherElements", "GatherND",  "Identity",
    "Reshape", "ScatterElements", "Slice",  "Split",   "Squeeze", "Tile",           "Transpose", "Unsqueeze"};
constexpr absl::string_view kScores[] = {"HardSigmoid", "Sigmoid", "Softmax"};
// Operators that make scores of scores: the best of several, or the product of two.
constexpr absl::string_view kOfScoresOps[] = {"Max", "Mul", "ReduceMax", "Sqrt", "TopK"};

// The operator that computes the elements of input `i`, looked at through what only moves them.
std::optional<OpView> MakerOf(const OpView& op, int i, int step = 0) {
  const std::optional<OpView> maker = op.producer(i);
  const bool moves = maker.has_value() && step < kMaxSteps && IsOneOf(maker->op(), kMoves);
  return moves ? MakerOf(*maker, 0, step + 1) : maker;
}

bool IsScore(const OpView& op, int i, int step = 0) {
  const std::optional<OpView> maker = MakerOf(op, i);
  if (!maker.has_value() || step == kMaxSteps) return false;
  return IsOneOf(maker->op(), kOfScoresOps) ? IsScore(*maker, 0, step + 1) : IsOneOf(maker->op(), kScores);
}

// Scores are positive: a threshold of zero lets all pass. One that only run time knows is taken for a threshold.
bool IsThreshold(const OpView& op, int i) {
  const Dim elements = op.in(i).shape.Elements(op.dims());
  if (!elements.IsConstant(1)) return false;
  const std::optional<std::vector<double>> values = op.known_floats(i);
  return !values.has_value() || values->front() > 0;
}

// One in how many elements of the truth values in input `i` is true.
int64_t OneIn(const OpView& op, int i, int step = 0) {
  const std::optional<OpView> maker = MakerOf(op, i);
  if (!maker.has_value() || step == kMaxSteps) return 1;
  const absl::string_view name = maker->op();
  if (name == "And") return std::max(OneIn(*maker, 0, step + 1), OneIn(*maker, 1, step + 1));
  if (name == "Or") return std::min(OneIn(*maker, 0, step + 1), OneIn(*maker, 1, step + 1));
  const bool above = name == "Greater" || name == "GreaterOrEqual", below = name == "Less" || name == "LessOrEqual";
  if (above || below) return IsScore(*maker, above ? 0 : 1) && IsThreshold(*maker, above ? 1 : 0) ? kOfScores : 1;
  return name == "Equal" && (maker->is_constant(0) || maker->is_constant(1)) ? kOfClasses : 1;
}

// One element in `one_in` of `most`, at least a few of them.
Dim ShareOf(DimPool& dims, Dim most, int64_t one_in) {
  if (one_in == 1) return most;
  return dims.Min(most, dims.Max(dims.CeilDiv(most, one_in), kFew));
}

}  // namespace

absl::Span<const TypicalSize> TypicalSizes() { return kSizes; }

Dim TypicalSelected(const OpView& op, int mask, Dim most) { return ShareOf(op.dims(), most, OneIn(op, mask)); }

Dim TypicalCandidates(DimPool& dims, Dim boxes) { return ShareOf(dims, boxes, kOfScores); }

Dim TypicalKept(DimPool& dims, Dim candidates, Dim limit) {
  return dims.Min(limit, ShareOf(dims, candidates, kOfCandidates));
}

Dim TypicalTop(DimPool& dims, Dim size) { return dims.Min(size, kTop); }

Dim TypicalTrips(DimPool& dims, int64_t min, Dim limit) {
  if (limit.is_unknown()) return std::max<int64_t>(min, 1);
  return dims.Max(dims.CeilDiv(limit, 2), min);
}

}  // namespace hwest
