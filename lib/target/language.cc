#include "target/language.h"

#include <iterator>

#include "absl/strings/str_cat.h"
#include "base/enumerators.h"

namespace hwest {
namespace {

constexpr absl::string_view kFormNames[] = {"unset", "experts", "recurrent", "encoder_decoder", "vision", "draft"};
static_assert(std::size(kFormNames) == kNumEnumerators<ModelForm>);

// clang-format off
constexpr ParamRow kConstants[] = {
    {.name = "decode_efficiency", .min = 0.01, .max = 1.2, .absent = 0.7, .decides = true,
     .meaning = "share of the shared memory's bytes_per_s at which a token reads weights and cache"},
    {.name = "cache_efficiency", .min = 0.01, .max = 10, .absent = 1,
     .meaning = "speed of reading the cache as a multiple of that of weights"},
    {.name = "decode_fixed_s", .min = 0, .max = 1,
     .meaning = "time of a token that no size of the model explains: sampling, submission, the host"},
    {.name = "decode_layer_s", .min = 0, .max = 0.1, .meaning = "the same for each layer"},
    {.name = "decode_state_layer_s", .min = 0, .max = 0.1,
     .meaning = "the same for each layer that keeps a state, beside decode_layer_s"},
    {.name = "decode_product_s", .min = 0, .max = 0.1,
     .meaning = "the same for each launch of a product: those of queries, keys and values are one, those of gate and "
                "up are, and of a mixture its router, and its experts together or, with experts_apart, each"},
    {.name = "decode_weights_per_cycle", .min = 0.01, .max = 1e6, .absent_means = "no limit",
     .meaning = "weights that a core of the unit unpacks and multiplies in a cycle: what limits a token before memory "
                "does"},
    {.name = "decode_narrow_columns", .min = 1, .max = 1e6, .absent_means = "no product is narrow",
     .meaning = "columns of a product below which threads of its kernel have no work"},
    {.name = "decode_narrow_share", .min = 0.01, .max = 1, .absent = 1,
     .meaning = "of decode_weights_per_cycle, what is left where the model's hidden size is below that"},
    {.name = "decode_head_s_per_logit", .min = 0, .max = 1e-5,
     .meaning = "sampling: time of a token for each entry of the vocabulary"},
    {.name = "batch_layer_s", .min = 0, .max = 0.1,
     .meaning = "what each request beyond the first adds to a layer of a token: kernels that take one at a time"},
    {.name = "batch_efficiency", .min = 1e-4, .max = 1, .absent_as = "prompt_efficiency",
     .meaning = "share of the arithmetic peak that products reach when several requests decode together"},
    {.name = "batch_overlap", .min = 0, .max = 1, .absent = 1,
     .meaning = "share of the arithmetic of further requests that hides behind reading the weights"},
    {.name = "macs_per_cycle", .min = 1, .max = 1e6, .absent_means = "the unit's rate of the activations' format",
     .meaning = "MACs of a core in a cycle with the instructions that the runtime's kernels use, where these are not "
                "the unit's fastest"},
    {.name = "prompt_efficiency", .min = 1e-4, .max = 1.5, .absent = 0.4, .decides = true,
     .meaning = "share of the arithmetic peak that products of a long prompt reach"},
    {.name = "prompt_half_rows", .min = 0, .max = 10000, .absent = 0,
     .meaning = "rows of one request, computed together, at which products reach half of that; with experts, rows of "
                "all requests at one expert"},
    {.name = "prompt_weight_efficiency", .min = 0.01, .max = 1.2, .absent_as = "decode_efficiency",
     .meaning = "share of the shared memory's bytes_per_s at which a prompt reads weights"},
    {.name = "prompt_overlap", .min = 0, .max = 1, .absent = 1,
     .meaning = "share of the shorter of arithmetic and weights of a prompt that hides behind the longer"},
    {.name = "attention_efficiency", .min = 1e-5, .max = 1.5, .absent_as = "prompt_efficiency",
     .meaning = "share of the arithmetic peak that attention of a prompt reaches"},
    {.name = "attention_scores_per_cycle", .min = 1e-4, .max = 1e6, .absent_means = "no limit",
     .meaning = "scores of a row and a token of one head that a core of the unit takes into a softmax in a cycle, "
                "whatever the size of the head: what limits attention before its products do"},
    {.name = "prompt_fixed_s", .min = 0, .max = 10, .meaning = "time of a prompt that no size explains"},
    {.name = "prompt_chunk_s", .min = 0, .max = 1, .meaning = "the same for each chunk of rows computed together"},
    {.name = "prompt_layer_s", .min = 0, .max = 1, .meaning = "the same for each layer of each chunk"},
    {.name = "prompt_macs_per_byte", .min = 0.01, .max = 1e6, .absent_means = "no limit",
     .meaning = "MACs of a prompt's products for each byte that the shared memory can move meanwhile: what a kernel "
                "reaches that reads the weights anew for every few rows"},
    {.name = "prompt_product_bytes", .min = 0, .max = 1e11,
     .meaning = "bytes that each launch of a product, as in decode_product_s, moves in a chunk beside weights and "
                "rows"},
    {.name = "prompt_state_bytes", .min = 0, .max = 1000,
     .meaning = "bytes moved for each element of a state and token of one request: 8 where a state in 32 bits is read "
                "and written for every token"},
    {.name = "prompt_state_layer_bytes", .min = 0, .max = 1e10,
     .meaning = "the least that each layer with a state moves for a token of all requests together: its tokens follow "
                "each other, so that small states leave the unit idle"},
    {.name = "prompt_row_bytes", .min = 0, .max = 1e5,
     .meaning = "bytes moved for each element of a row and layer by what lies between the products: norms, sums, "
                "conversions"},
    {.name = "prompt_token_s", .min = 0, .max = 0.1, .meaning = "the same for each token of the prompt"},
    {.name = "first_tokens", .min = 0, .max = 1,
     .meaning = "decoding steps behind the prompt that the time to the first token holds"},
    {.name = "image_efficiency", .min = 1e-4, .max = 1.5, .absent_as = "prompt_efficiency",
     .meaning = "share of the arithmetic peak that a vision part or encoder reaches"},
    {.name = "work_bytes", .min = 0, .max = 1e11, .meaning = "memory of the runtime itself: code, tables, buffers"},
    {.name = "weight_copies", .min = 0.5, .max = 3, .absent = 1,
     .meaning = "bytes in memory for each byte of the layers' weights as computed with"},
    {.name = "power_w", .min = 0.01, .max = 5000, .absent_means = "from the energies of memory and arithmetic",
     .meaning = "power while a token is decoded, of what the target's power covers"},
    {.name = "prompt_power_w", .min = 0.01, .max = 5000, .absent_as = "power_w",
     .meaning = "power while a prompt is computed"},
    {.name = "host_w", .min = 0, .max = 1000,
     .meaning = "power of the host's CPU for a module without one, while the module works"},
    {.name = "decode_spread", .min = 0.001, .max = 3, .absent = 0.3,
     .meaning = "standard deviation of ln(time of a token) over models that the constants were not fitted to"},
    {.name = "prompt_spread", .min = 0.001, .max = 3, .absent = 0.5, .meaning = "the same of a prompt"},
    {.name = "prompt_state_spread", .min = 0.001, .max = 3, .absent_as = "prompt_spread",
     .meaning = "the same of the share of a prompt's time that states take"},
    {.name = "memory_spread", .min = 0.001, .max = 3, .absent = 0.1, .meaning = "the same of memory"},
};
// clang-format on

absl::string_view Plain(absl::string_view name) { return name.substr(0, name.find('.')); }

const Param* FindConstant(const std::vector<Param>& rows, absl::string_view name) {
  for (const Param& row : rows) {
    if (row.name == name && row.fact.known()) return &row;
  }
  return nullptr;
}

const Param* FindConstant(const std::vector<Param>& rows, absl::string_view name, absl::string_view format) {
  const Param* own = format.empty() ? nullptr : FindConstant(rows, absl::StrCat(name, ".", format));
  return own != nullptr ? own : FindConstant(rows, name);
}

}  // namespace

absl::string_view ModelFormName(ModelForm form) {
  const auto index = static_cast<size_t>(form);
  return kFormNames[index < std::size(kFormNames) ? index : 0];
}

absl::Span<const ParamRow> LanguageConstants() { return kConstants; }

const ParamRow* FindLanguageConstant(absl::string_view name) {
  for (const ParamRow& row : kConstants) {
    if (row.name == Plain(name)) return &row;
  }
  return nullptr;
}

NameProblem CheckLanguageConstant(absl::string_view name) {
  if (FindLanguageConstant(name) != nullptr) return {};
  std::vector<std::string> known;
  for (const ParamRow& row : kConstants) known.emplace_back(row.name);
  return {absl::StrCat("constant '", name, "' is not known"),
          absl::StrCat(DidYouMean(Plain(name), known), "`onnx-hwest describe target-format` lists them")};
}

const Param* LanguageConstantOf(const Language& language, const LanguageRuntime& runtime, absl::string_view name,
                                absl::string_view format) {
  const Param* own = FindConstant(runtime.constants, name, format);
  return own != nullptr ? own : FindConstant(language.constants, name, format);
}

}  // namespace hwest
