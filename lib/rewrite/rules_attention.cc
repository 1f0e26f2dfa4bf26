// Attention, as one operator and written out.
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "rewrite/rules.h"
#include "rewrite/site.h"

namespace hwest {
namespace {

using Sizes = std::vector<int64_t>;

// Whether a mask of these sizes reaches every score, and no further.
bool IsMask(const std::optional<Sizes>& mask, const Sizes& scores) {
  if (!mask.has_value() || mask->size() < 2 || mask->size() > 4 || mask->back() != scores[3]) return false;
  for (size_t i = 0; i < mask->size(); ++i) {
    const int64_t size = (*mask)[i], wanted = scores[4 - mask->size() + i];
    if (size != wanted && size != 1) return false;
  }
  return true;
}

// An operand of Attention as [batch, heads, length, size], which packed operands hold as [batch, length, heads * size].
struct Heads {
  Sizes sizes;
  std::string text;
  std::string turned;  // with the last two axes swapped
};

std::optional<Heads> HeadsOf(const Site& site, size_t input, absl::string_view attribute) {
  const auto sizes = site.SizesOf(site.InputOf(site.root(), input));
  const std::string name = absl::StrCat("root.", input);
  if (!sizes.has_value()) return std::nullopt;
  for (const int64_t size : *sizes) {
    if (size < 1) return std::nullopt;
  }
  if (sizes->size() == 4) return Heads{*sizes, name, absl::StrCat("Transpose(", name, "; perm=[0, 1, 3, 2])")};
  const int64_t heads = site.IntOf(site.root(), attribute, 0);
  if (sizes->size() != 3 || heads < 1 || (*sizes)[2] % heads != 0) return std::nullopt;
  const Sizes split = {(*sizes)[0], (*sizes)[1], heads, (*sizes)[2] / heads};
  const std::string parts = absl::StrCat("Reshape(", name, ", ", IntsText(split), ")");
  return Heads{{split[0], split[2], split[1], split[3]},
               absl::StrCat("Transpose(", parts, "; perm=[0, 2, 1, 3])"),
               absl::StrCat("Transpose(", parts, "; perm=[0, 2, 3, 1])")};
}

// Each head `times` in a row: several heads of queries share one of keys.
std::string Repeated(const std::string& text, const Sizes& sizes, int64_t times) {
  if (times == 1) return text;
  return absl::StrCat("Reshape(Expand(Reshape(", text, ", ", IntsText({sizes[0], sizes[1], 1, sizes[2], sizes[3]}),
                      "), ", IntsText({sizes[0], sizes[1], times, sizes[2], sizes[3]}), "), ",
                      IntsText({sizes[0], sizes[1] * times, sizes[2], sizes[3]}), ")");
}

// Without a cache, so that query i sees keys up to i where the mask is causal. A row that a mask hides as a whole is 0.
std::string PartsOfAttention(const Site& site) {
  constexpr int64_t kMostScores = 1 << 20;
  const NodeId node = site.root();
  for (const size_t input : {4, 5, 6}) {
    if (site.InputOf(node, input).valid()) return "";
  }
  if (site.FloatOf(node, "softcap", 0) != 0 || site.HasAttribute(node, "softmax_precision")) return "";
  const auto q = HeadsOf(site, 0, "q_num_heads"), k = HeadsOf(site, 1, "kv_num_heads"),
             v = HeadsOf(site, 2, "kv_num_heads");
  if (!q.has_value() || !k.has_value() || !v.has_value()) return "";
  const Sizes scores = {q->sizes[0], q->sizes[1], q->sizes[2], k->sizes[2]};
  if (k->sizes[0] != scores[0] || v->sizes[0] != scores[0] || k->sizes[1] != v->sizes[1] || v->sizes[2] != scores[3] ||
      q->sizes[3] != k->sizes[3] || scores[1] % k->sizes[1] != 0) {
    return "";
  }
  const int64_t times = scores[1] / k->sizes[1];
  const double scale = site.FloatOf(node, "scale", 1 / std::sqrt(static_cast<double>(q->sizes[3])));
  const Sizes turned = {k->sizes[0], k->sizes[1], k->sizes[3], k->sizes[2]};
  std::string text =
      absl::StrCat("MatMul(Mul(", q->text, ", ", FloatText(scale), "), ", Repeated(k->turned, turned, times), ")");
  const ValueId mask = site.InputOf(node, 3);
  if (mask.valid()) {
    if (!IsMask(site.SizesOf(mask), scores)) return "";
    const bool is_bool = site.TypeOf(mask).elem == ElemType::kBool;
    if (!is_bool && site.TypeOf(mask).elem != site.elem()) return "";
    text = absl::StrCat("Add(", text, is_bool ? ", Where(root.3, 0, $hidden))" : ", root.3)");
  }
  if (site.IntOf(node, "is_causal", 0) != 0) {
    if (scores[2] > kMostScores || scores[3] > kMostScores || scores[2] * scores[3] > kMostScores) return "";
    text = absl::StrCat("Add(", text, ", $causal(", scores[2], ", ", scores[3], "))");
  }
  text = absl::StrCat("p = Softmax(", text, "; axis=-1); ");
  absl::StrAppend(&text, mask.valid() ? "w = Where(IsNaN(p), 0, p); " : "w = p; ");
  const std::string product = absl::StrCat("MatMul(w, ", Repeated(v->text, v->sizes, times), ")");
  if (site.RankOf(site.InputOf(node, 0)) == 4) return text + product;
  return absl::StrCat(text, "Reshape(Transpose(", product, "; perm=[0, 2, 1, 3]), ",
                      IntsText({scores[0], scores[2], scores[1] * v->sizes[3]}), ")");
}

std::string AttentionOfParts(const Site& site) {
  const ValueId keys = site.ValueOf("k"), turned = site.ValueOf("t"), mask = site.ValueOf("m"),
                factor = site.ValueOf("f");
  const auto q = site.SizesOf(site.ValueOf("q")), k = site.SizesOf(keys.valid() ? keys : turned),
             v = site.SizesOf(site.ValueOf("v"));
  if (!q.has_value() || !k.has_value() || !v.has_value()) return "";
  if (q->size() != 4 || k->size() != 4 || v->size() != 4) return "";
  const Sizes scores = {(*q)[0], (*q)[1], (*q)[2], keys.valid() ? (*k)[2] : (*k)[3]};
  for (const Sizes* sizes : {&*k, &*v}) {
    if ((*sizes)[0] != scores[0] || (*sizes)[1] != scores[1]) return "";
  }
  if ((*v)[2] != scores[3] || (*q)[3] != (keys.valid() ? (*k)[3] : (*k)[2])) return "";
  double scale = 1;
  if (factor.valid()) {
    const auto numbers = site.NumbersOf(factor);
    if (!numbers.has_value() || numbers->size() != 1 || !((*numbers)[0] > 0)) return "";
    scale = site.graph().op(site.NodeOf("s")) == "Div" ? 1 / (*numbers)[0] : (*numbers)[0];
  }
  if (mask.valid() && (!IsMask(site.SizesOf(mask), scores) || site.TypeOf(mask).elem != site.elem())) return "";
  return absl::StrCat("Attention(q, ", keys.valid() ? "k" : "Transpose(t; perm=[0, 1, 3, 2])", ", v",
                      mask.valid() ? ", m" : "", "; scale=", FloatText(scale), ")");
}

// clang-format off
constexpr RewriteRule kAttentionRules[] = {
    {.name = "attention_to_parts", .key = "Attention", .match = "r:Attention(q, k, v)", .holds = "floats alone",
     .make = "", .compose = PartsOfAttention, .figures = "ints hidden causal", .exactness = Exactness::kRounding,
     .undoes = "attention_from_parts", .words = "Attention is written out", .reason = kOnnxFunction},
    {.name = "attention_from_parts", .key = "Softmax",
     .match = "(MatMul(Where(IsNaN(p:@attention_core), 0, p), v) | MatMul(@attention_core, v))",
     .holds = "floats opset(23)", .make = "", .compose = AttentionOfParts, .exactness = Exactness::kRounding,
     .undoes = "attention_to_parts", .words = "attention written out becomes Attention", .reason = kOnnxFunction},
};
// clang-format on

}  // namespace

absl::Span<const RewriteRule> AttentionRewrites() { return kAttentionRules; }

}  // namespace hwest
