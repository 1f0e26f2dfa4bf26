// Reads the ranges of tensors as calibration tools write them.
#include <algorithm>
#include <bit>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"
#include "profile/json_tree.h"
#include "study/quantize_apply.h"

namespace hwest {
namespace {

constexpr double kTensorRtSteps = 127;  // TensorRT's scale is a step of int8
constexpr absl::string_view kRangeFiles =
    "give calibration.json of onnxruntime.quantization.write_calibration_table, or the calibration cache of TensorRT";

absl::Status RangeError(absl::string_view source, size_t line, absl::string_view what) {
  const std::string at = line > 0 ? absl::StrCat(source, ":", line) : std::string(source);
  return MakeError(Code::kUsage, absl::StrCat(at, ": ", what), kRangeFiles, {"--ranges"});
}

absl::Status AddRange(absl::string_view source, size_t line, const std::string& tensor, TensorRange range,
                      TensorRanges* ranges) {
  if (!std::isfinite(range.low) || !std::isfinite(range.high) || range.low > range.high) {
    return RangeError(source, line, absl::StrCat("the range of '", EscapeControl(tensor), "' is none"));
  }
  (*ranges)[tensor] = range;
  return absl::OkStatus();
}

// A number, a list of one or of one per channel, or {"data": such a thing}.
std::optional<TensorRange> RangeIn(const Tree& tree) {
  if (tree.is_number()) {
    const double number = tree.get<double>();
    return TensorRange{number, number};
  }
  if (tree.is_object()) {
    const Tree* data = MemberOf(tree, "data");
    return data == nullptr ? std::nullopt : RangeIn(*data);
  }
  std::optional<TensorRange> span;
  if (!tree.is_array()) return span;
  for (const Tree& entry : tree) {
    const std::optional<TensorRange> part = RangeIn(entry);
    if (!part.has_value()) return std::nullopt;
    span = span.has_value() ? TensorRange{std::min(span->low, part->low), std::max(span->high, part->high)} : *part;
  }
  return span;
}

absl::StatusOr<TensorRanges> RangesOfJson(absl::string_view text, absl::string_view source) {
  HWEST_ASSIGN_OR_RETURN(const Tree tree, ParseJson(text, source));
  const Tree* tensors = MemberOf(tree, "data");
  if (tensors == nullptr || !tensors->is_object() || TextOf(tree, "CLS").empty()) tensors = &tree;
  if (!tensors->is_object()) return RangeError(source, 0, "no object of tensors");
  TensorRanges ranges;
  for (const auto& [name, entry] : tensors->items()) {
    const bool is_list = entry.is_array() && entry.size() >= 2;
    const Tree* low = is_list ? &entry[0] : MemberOf(entry, "lowest");
    const Tree* high = is_list ? &entry[1] : MemberOf(entry, "highest");
    const std::optional<TensorRange> least = low == nullptr ? std::nullopt : RangeIn(*low);
    const std::optional<TensorRange> most = high == nullptr ? std::nullopt : RangeIn(*high);
    if (!least.has_value() || !most.has_value()) {
      return RangeError(source, 0, absl::StrCat("'", EscapeControl(name), "' has no lowest and highest"));
    }
    HWEST_RETURN_IF_ERROR(AddRange(source, 0, name, {least->low, most->high}, &ranges));
  }
  return ranges;
}

absl::StatusOr<TensorRanges> RangesOfTensorRt(absl::string_view text, absl::string_view source) {
  TensorRanges ranges;
  size_t line = 0;
  for (absl::string_view row : absl::StrSplit(text, '\n')) {
    row = absl::StripAsciiWhitespace(row);
    if (++line == 1 || row.empty()) continue;
    const size_t colon = row.rfind(':');
    uint32_t bits = 0;
    if (colon == absl::string_view::npos ||
        !absl::SimpleHexAtoi(absl::StripAsciiWhitespace(row.substr(colon + 1)), &bits)) {
      return RangeError(source, line, absl::StrCat("'", EscapeControl(row), "' is no TENSOR: HEX"));
    }
    const double most = kTensorRtSteps * static_cast<double>(std::bit_cast<float>(bits));
    HWEST_RETURN_IF_ERROR(AddRange(source, line, std::string(row.substr(0, colon)), {-most, most}, &ranges));
  }
  return ranges;
}

}  // namespace

absl::StatusOr<TensorRanges> ParseRanges(absl::string_view text, absl::string_view source) {
  const absl::string_view first = absl::StripLeadingAsciiWhitespace(text);
  if (absl::StartsWith(first, "{")) return RangesOfJson(first, source);
  if (absl::StartsWith(first, "TRT-")) return RangesOfTensorRt(first, source);
  return RangeError(source, 0,
                    "neither JSON nor a calibration cache of TensorRT; ONNX Runtime's calibration.cache and "
                    "calibration.flatbuffers hold the highest value alone, which is no range");
}

}  // namespace hwest
