// Strings: matching, joining, cleaning, splitting and counting of n-grams.
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"
#include "op/tables.h"
#include "op/typical_size.h"

namespace hwest {
namespace {

absl::Status InferRegexFullMatch(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  ctx.set_out(0, ElemType::kBool, ctx.in(0).shape);
  return absl::OkStatus();
}

// Text is looked at character by character.
absl::StatusOr<Work> WorkOfText(const OpView& op) {
  Work work;
  work.visits = op.dims().Mul(InElements(op, 0), kTypicalCharacters);
  return work;
}

absl::Status InferStringConcat(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0));
  HWEST_ASSIGN_OR_RETURN(Shape shape, ctx.Broadcast(ctx.in(0).shape, ctx.in(1).shape));
  ctx.set_out(0, ElemType::kString, std::move(shape));
  return absl::OkStatus();
}

bool IsAscii(absl::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 128; });
}

// Words that are left when the stop words are gone; none when upper and lower case are a matter of the locale.
std::optional<int64_t> CountKeptWords(const OpView& op) {
  const std::vector<std::string>* words = op.known_strings(0);
  if (words == nullptr) return std::nullopt;
  std::vector<absl::string_view> stops;
  for (const StrId stop : op.strings("stopwords")) stops.push_back(op.graph().str(stop));
  const bool exact = op.attr("is_case_sensitive", int64_t{0}) != 0;
  const bool ascii =
      std::all_of(words->begin(), words->end(), IsAscii) && std::all_of(stops.begin(), stops.end(), IsAscii);
  if (!exact && !ascii) return std::nullopt;
  return std::count_if(words->begin(), words->end(), [&](const std::string& word) {
    return std::none_of(stops.begin(), stops.end(), [&](absl::string_view stop) {
      return exact ? stop == word : absl::EqualsIgnoreCase(stop, word);
    });
  });
}

// [C] or [1, C] keeps at least one element and loses none without stop words.
absl::Status InferStringNormalizer(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1, 2));
  Shape y = ctx.in(0).shape;
  if (y.ranked() && y.rank() == 2) HWEST_RETURN_IF_ERROR(ctx.Unify(y.dim(0), 1).status());
  if (y.ranked() && !ctx.strings("stopwords").empty()) {
    const Dim most = ctx.dims().Max(y.dim(y.rank() - 1), 1);
    const auto kept = CountKeptWords(ctx);
    const Dim left = kept.has_value() ? Dim(std::max<int64_t>(*kept, 1)) : most;
    y.set_dim(y.rank() - 1, left.IsConstant(1) || kept.has_value() ? left : ctx.FreshSize("words", 1, most));
  }
  ctx.set_out(0, ElemType::kString, std::move(y));
  return absl::OkStatus();
}

// Parts of `text`: between delimiters, or between runs of white space when there is no delimiter.
int64_t CountParts(absl::string_view text, absl::string_view delimiter, int64_t splits) {
  const int64_t most = splits < 0 ? std::numeric_limits<int64_t>::max() : splits + 1;
  int64_t parts = 0;
  if (!delimiter.empty()) {
    for (size_t at = 0; parts < most; ++parts) {
      at = text.find(delimiter, at);
      if (at == absl::string_view::npos) return parts + 1;
      at += delimiter.size();
    }
    return parts;
  }
  for (size_t at = 0; at < text.size() && parts < most; ++parts) {
    while (at < text.size() && absl::ascii_isspace(static_cast<unsigned char>(text[at]))) ++at;
    if (at == text.size()) break;
    while (at < text.size() && !absl::ascii_isspace(static_cast<unsigned char>(text[at]))) ++at;
  }
  return parts;
}

// Parts of every element; none when the contents are not known.
std::optional<std::vector<Scalar>> CountAllParts(const OpView& op) {
  const std::vector<std::string>* texts = op.known_strings(0);
  if (texts == nullptr || texts->size() > kMaxKnownElements) return std::nullopt;
  const absl::string_view delimiter = op.attr("delimiter", absl::string_view());
  const int64_t splits = op.attr("maxsplit", int64_t{-1});
  std::vector<Scalar> counts;
  for (const std::string& text : *texts) counts.push_back(Scalar::Int(CountParts(text, delimiter, splits)));
  return counts;
}

Dim Greatest(const std::vector<Scalar>& counts) {
  int64_t most = 0;
  for (const Scalar& count : counts) most = std::max(most, count.dim().value());
  return most;
}

// Y adds an axis for the longest list of substrings, at most maxsplit + 1 of them; Z counts them.
absl::Status InferStringSplit(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  const Shape& x = ctx.in(0).shape;
  const int64_t splits = ctx.attr("maxsplit", int64_t{-1});
  const auto counts = CountAllParts(ctx);
  Shape y = x;
  if (y.ranked() && counts.has_value()) {
    y.push_back(Greatest(*counts));
  } else if (y.ranked()) {
    const Dim most = InElements(ctx, 0).IsConstant(0) ? Dim(0)
                     : splits < 0                     ? Dim::Unknown()
                                                      : ctx.dims().Add(splits, 1);
    const Dim typical = most.is_unknown() ? Dim(kTypicalParts) : most;
    y.push_back(most.IsConstant(0) ? most : ctx.FreshSize("substrings", 0, most, typical));
  }
  ctx.set_out(0, ElemType::kString, std::move(y));
  ctx.set_out(1, ElemType::kInt64, x);
  return absl::OkStatus();
}

void KnownStringSplit(InferContext& ctx) {
  if (auto counts = CountAllParts(ctx)) ctx.set_known(1, *std::move(counts));
}

// [C] or [N, C] of numbers or strings -> one weight for each index that ngram_indexes names.
absl::Status InferTfIdfVectorizer(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1, 2));
  const absl::Span<const int64_t> indexes = ctx.ints("ngram_indexes");
  if (indexes.empty() || *std::min_element(indexes.begin(), indexes.end()) < 0) {
    return absl::InvalidArgumentError("TfIdfVectorizer expects ngram_indexes, none below 0");
  }
  Shape y = ctx.in(0).shape;
  const Dim width = ctx.dims().Add(*std::max_element(indexes.begin(), indexes.end()), 1);
  if (y.ranked()) y.set_dim(y.rank() - 1, width);
  ctx.set_out(0, ElemType::kFloat, std::move(y));
  return absl::OkStatus();
}

// Every element starts an n-gram of each length and skip.
absl::StatusOr<Work> WorkTfIdfVectorizer(const OpView& op) {
  DimPool& dims = op.dims();
  const Dim length = std::max<int64_t>(op.attr("max_gram_length", int64_t{1}), 0);
  const Dim skips = dims.Add(std::max<int64_t>(op.attr("max_skip_count", int64_t{0}), 0), 1);
  Work work;
  const Dim grams = dims.Product({InElements(op, 0), length, skips});
  AddOps(dims, work, grams, {.integer = 1});
  work.visits = grams;
  work.table_bytes = TableBytes(op.graph(), op.node());
  return work;
}

// clang-format off
constexpr OpRule kTextRules[] = {
    {.op = "RegexFullMatch", .versions = "20", .infer = InferRegexFullMatch, .work = WorkOfText},
    {.op = "StringConcat", .versions = "20", .infer = InferStringConcat},
    {.op = "StringNormalizer", .versions = "10", .infer = InferStringNormalizer, .work = WorkOfText,
     .traits = trait::kHoldsTables},
    {.op = "StringSplit", .versions = "20", .infer = InferStringSplit, .known = KnownStringSplit, .work = WorkOfText},
    {.op = "TfIdfVectorizer", .versions = "9", .infer = InferTfIdfVectorizer, .work = WorkTfIdfVectorizer,
     .traits = trait::kHoldsTables, .learned = "weights"},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> TextRules() { return kTextRules; }

}  // namespace hwest
