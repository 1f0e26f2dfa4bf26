// A Hugging Face config.json: sizes of a decoder by the fields that families share, and by those of their own.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "hwest/decoder.h"
#include "hwest/diagnostic.h"
#include "llm/families.h"
#include "llm/part.h"
#include "llm/sizes.h"
#include "profile/json_tree.h"

namespace hwest {
namespace {

constexpr int64_t kMostLayers = 4096;
constexpr int64_t kMostSize = int64_t{1} << 31;

using Names = std::initializer_list<absl::string_view>;

// What takes attention's place in a layer.
enum class Mixer : uint8_t { kAttention, kWindow, kDelta, kMamba, kConv, kNone };

class ConfigReader {
 public:
  ConfigReader(const Tree& root, absl::string_view name) : root_(root), text_(TextPart(root)), name_(name) {}

  absl::StatusOr<Decoder> Run();

 private:
  static const Tree& TextPart(const Tree& root);
  // A size under the first of `names` that is there; none when there is none of them, or null.
  std::optional<int64_t> Find(Names names) const { return FindIn(text_, names); }
  std::optional<int64_t> FindIn(const Tree& tree, Names names) const;
  int64_t Or(Names names, int64_t fallback) const { return Find(names).value_or(fallback); }
  absl::StatusOr<int64_t> Need(Names names, int64_t usual = 0) const;
  bool Flag(absl::string_view key, bool fallback) const;
  std::string TextField(absl::string_view key) const { return TextOf(text_, key); }

  absl::Status ReadSizes();
  absl::Status ReadMixers();
  Mixer MixerNamed(absl::string_view name) const;
  absl::StatusOr<DecoderLayers> LayerAt(int64_t index) const;
  absl::Status AddAttention(DecoderLayers* layer) const;
  void AddLatentAttention(DecoderLayers* layer) const;
  absl::Status AddDelta(DecoderLayers* layer) const;
  absl::Status AddMamba(DecoderLayers* layer) const;
  void AddConv(DecoderLayers* layer) const;
  absl::Status AddMlp(int64_t index, DecoderLayers* layer) const;
  absl::StatusOr<int64_t> ExpertWidth() const;
  bool HasExperts(int64_t index) const;
  void AddVision();
  absl::StatusOr<Decoder> ReadEncoderDecoder();
  absl::StatusOr<Decoder> ReadRwkv();
  void SetTables();

  const Tree& root_;
  const Tree& text_;
  const std::string name_;
  std::string type_;
  const Family* family_ = nullptr;
  int64_t count_ = 0, hidden_ = 0, heads_ = 0, kv_heads_ = 0, head_dim_ = 0;
  std::vector<Mixer> mixers_;
  std::vector<char> kinds_;  // of a pattern that gives mixers and MLPs layers of their own; empty = none
  Decoder decoder_;
};

const Tree& ConfigReader::TextPart(const Tree& root) {
  for (const absl::string_view key : {"text_config", "llm_config", "language_config", "language_model_config"}) {
    const Tree* part = MemberOf(root, key);
    if (part != nullptr && part->is_object() && part->contains("hidden_size")) return *part;
  }
  const Tree* thinker = MemberOf(root, "thinker_config");
  return thinker != nullptr ? TextPart(*thinker) : root;
}

std::optional<int64_t> ConfigReader::FindIn(const Tree& tree, Names names) const {
  for (const absl::string_view name : names) {
    const std::optional<double> number = NumberOf(tree, name);
    if (!number || *number < 0 || *number > static_cast<double>(kMostSize) || *number != std::floor(*number)) continue;
    return static_cast<int64_t>(*number);
  }
  return std::nullopt;
}

absl::StatusOr<int64_t> ConfigReader::Need(Names names, int64_t usual) const {
  const std::optional<int64_t> found = Find(names);
  if (found && *found > 0) return *found;
  if (usual > 0) return usual;
  return MakeError(Code::kUsage,
                   absl::StrCat(name_, ": the configuration", type_.empty() ? "" : absl::StrCat(" of ", type_),
                                " has no size `", *names.begin(), "`"),
                   "add it to the file, or name an ONNX graph or a GGUF file of the model");
}

bool ConfigReader::Flag(absl::string_view key, bool fallback) const {
  for (const Tree* tree : {&text_, &root_}) {
    const Tree* member = MemberOf(*tree, key);
    if (member != nullptr && member->is_boolean()) return member->get<bool>();
  }
  return fallback;
}

absl::Status ConfigReader::ReadSizes() {
  type_ = TextField("model_type");
  if (type_.empty()) type_ = TextOf(root_, "model_type");
  family_ = &FamilyOf(type_);
  decoder_.name = TextOf(root_, "_name_or_path");
  if (decoder_.name.empty()) decoder_.name = name_;
  decoder_.architecture = type_;
  if (family_->names.empty()) {
    decoder_.notes.push_back(absl::StrCat(
        type_.empty() ? "the configuration names no model_type" : absl::StrCat("model_type ", type_, " is not known"),
        ": read by the usual fields, as attention and a gated MLP in each layer"));
  }
  HWEST_ASSIGN_OR_RETURN(hidden_, Need({"hidden_size", "n_embd", "d_model", "dim"}));
  HWEST_ASSIGN_OR_RETURN(count_, Need({"num_hidden_layers", "n_layer", "num_layers", "n_layers", "decoder_layers"}));
  if (count_ > kMostLayers) {
    return MakeError(Code::kUsage, absl::StrCat(name_, ": ", count_, " layers are more than ", kMostLayers),
                     "check `num_hidden_layers`");
  }
  HWEST_ASSIGN_OR_RETURN(decoder_.vocab, Need({"vocab_size", "n_vocab"}, family_->vocab));
  decoder_.hidden = hidden_;
  decoder_.max_context =
      Or({"max_position_embeddings", "n_positions", "max_sequence_length", "seq_length", "n_ctx", "max_seq_len"}, 0);
  return absl::OkStatus();
}

void ConfigReader::SetTables() {
  const bool states = MemberOf(text_, "tie_word_embeddings") != nullptr ||
                      MemberOf(root_, "tie_word_embeddings") != nullptr || MemberOf(text_, "tie_embedding") != nullptr;
  decoder_.tied_embedding = Flag("tie_word_embeddings", Flag("tie_embedding", family_->ties));
  if (!states && family_->names.empty()) {
    decoder_.notes.push_back("tie_word_embeddings is not stated: taken as two tables");
  }
  decoder_.embedding_weights = Times({decoder_.vocab, hidden_});
  decoder_.head_weights = decoder_.embedding_weights;
  decoder_.other_weights = hidden_;  // the last norm
  if (family_->learns_positions) {
    decoder_.other_weights = Plus({decoder_.other_weights, Times({decoder_.max_context, hidden_})});
  }
  decoder_.file_format = TextField("torch_dtype");
  if (decoder_.file_format.empty()) decoder_.file_format = TextField("dtype");
  if (decoder_.file_format == "bfloat16") decoder_.file_format = "bf16";
  if (decoder_.file_format == "float16") decoder_.file_format = "fp16";
  if (decoder_.file_format == "float32") decoder_.file_format = "fp32";
}

Mixer ConfigReader::MixerNamed(absl::string_view name) const {
  if (name == "sliding_attention" || name == "chunked_attention") return Mixer::kWindow;
  if (name == "linear_attention") return Mixer::kDelta;
  if (name == "mamba" || name == "mamba2") return Mixer::kMamba;
  if (name == "conv") return Mixer::kConv;
  return Mixer::kAttention;
}

absl::Status ConfigReader::ReadMixers() {
  mixers_.assign(static_cast<size_t>(count_), Mixer::kAttention);
  const std::string pattern = TextField("hybrid_override_pattern");
  const Tree* types = MemberOf(text_, "layer_types");
  if (types == nullptr) types = MemberOf(text_, "layers_block_type");
  if (!pattern.empty()) {
    if (pattern.size() != mixers_.size()) {
      return MakeError(Code::kUsage,
                       absl::StrCat(name_, ": `hybrid_override_pattern` has ", pattern.size(),
                                    " layers, `num_hidden_layers` ", count_),
                       "give the file as the model has it");
    }
    kinds_.assign(pattern.begin(), pattern.end());
    for (size_t i = 0; i < kinds_.size(); ++i) {
      mixers_[i] = kinds_[i] == '*' ? Mixer::kAttention : kinds_[i] == 'M' ? Mixer::kMamba : Mixer::kNone;
    }
    return absl::OkStatus();
  }
  if (types != nullptr && types->is_array() && !types->empty()) {
    for (size_t i = 0; i < mixers_.size(); ++i) {
      const Tree& type = (*types)[i % types->size()];
      if (type.is_string()) mixers_[i] = MixerNamed(type.get<std::string>());
    }
    return absl::OkStatus();
  }
  const Tree* full = MemberOf(text_, "full_attn_idxs");
  if (full != nullptr && full->is_array()) {
    std::fill(mixers_.begin(), mixers_.end(), Mixer::kConv);
    for (const Tree& index : *full) {
      if (!index.is_number_integer()) continue;
      const auto at = index.get<int64_t>();
      if (at >= 0 && at < count_) mixers_[static_cast<size_t>(at)] = Mixer::kAttention;
    }
    return absl::OkStatus();
  }
  const int64_t every = Or({"full_attention_interval"}, 0);
  for (int64_t i = 0; every > 0 && Find({"linear_num_value_heads"}) && i < count_; ++i) {
    if ((i + 1) % every != 0) mixers_[static_cast<size_t>(i)] = Mixer::kDelta;
  }
  if (type_ == "mamba2" || type_ == "mamba") std::fill(mixers_.begin(), mixers_.end(), Mixer::kMamba);
  const int64_t window = Or({"sliding_window"}, family_->window);
  if (every > 0 || window == 0 || !Flag("use_sliding_window", true)) return absl::OkStatus();
  Family of_file = *family_;
  of_file.full_every = Or({"sliding_window_pattern", "_sliding_window_pattern"}, family_->full_every);
  for (int64_t i = 0; i < count_; ++i) {
    if (!LooksAtAll(of_file, i)) mixers_[static_cast<size_t>(i)] = Mixer::kWindow;
  }
  return absl::OkStatus();
}

// Keys and values through one small vector a token, which the cache holds.
void ConfigReader::AddLatentAttention(DecoderLayers* layer) const {
  const int64_t rank = Or({"kv_lora_rank"}, 0), query_rank = Or({"q_lora_rank"}, 0);
  const int64_t plain = Or({"qk_nope_head_dim"}, 0), rotated = Or({"qk_rope_head_dim"}, 0);
  layer->key_dim = plain + rotated;
  layer->value_dim = Or({"v_head_dim"}, plain);
  layer->heads = layer->kv_heads = heads_;
  layer->latent_dim = rank + rotated;
  const int64_t queries = Times({heads_, layer->key_dim});
  const int64_t of_queries =
      query_rank > 0 ? Plus({Times({hidden_, query_rank}), Times({query_rank, queries})}) : Times({hidden_, queries});
  layer->attention_weights =
      Plus({of_queries, Times({hidden_, layer->latent_dim}), Times({rank, heads_, plain + layer->value_dim}),
            Times({heads_, layer->value_dim, hidden_})});
  layer->other_weights = Plus({layer->other_weights, rank, query_rank});
  layer->products = query_rank > 0 ? 4 : 3;
}

absl::Status ConfigReader::AddAttention(DecoderLayers* layer) const {
  if (heads_ == 0 || kv_heads_ == 0 || heads_ % kv_heads_ != 0 || head_dim_ == 0) {
    return MakeError(
        Code::kUsage,
        absl::StrCat(name_, ": ", heads_, " attention heads with ", kv_heads_, " for keys do not go together"),
        "check `num_attention_heads` and `num_key_value_heads`");
  }
  if (Find({"kv_lora_rank"}).value_or(0) > 0) {
    AddLatentAttention(layer);
    return absl::OkStatus();
  }
  layer->heads = heads_;
  layer->kv_heads = kv_heads_;
  layer->key_dim = layer->value_dim = head_dim_;
  const int64_t queries = Times({heads_, head_dim_}), keys = Times({kv_heads_, head_dim_});
  const bool gates = Flag("attn_output_gate", family_->gates_attention);
  layer->attention_weights = Times({hidden_, Plus({Times({queries, gates ? 3 : 2}), keys, keys})});
  layer->products = 2;
  if (family_->key_norms || Flag("use_qk_norm", false)) layer->other_weights += 2 * head_dim_;
  if (Flag("attention_bias", Flag("qkv_bias", family_->qkv_bias))) {
    layer->other_weights = Plus({layer->other_weights, queries, keys, keys});
  }
  return absl::OkStatus();
}

absl::Status ConfigReader::AddDelta(DecoderLayers* layer) const {
  HWEST_ASSIGN_OR_RETURN(const int64_t key_heads, Need({"linear_num_key_heads"}));
  HWEST_ASSIGN_OR_RETURN(const int64_t value_heads, Need({"linear_num_value_heads"}));
  HWEST_ASSIGN_OR_RETURN(const int64_t key_dim, Need({"linear_key_head_dim"}));
  HWEST_ASSIGN_OR_RETURN(const int64_t value_dim, Need({"linear_value_head_dim"}));
  const int64_t kernel = Or({"linear_conv_kernel_dim"}, 4);
  const int64_t keys = Times({key_heads, key_dim}), values = Times({value_heads, value_dim});
  const int64_t channels = Plus({keys, keys, values});
  // Queries, keys, values and the gate of the result; two numbers a head; the result back.
  layer->attention_weights =
      Plus({Times({hidden_, Plus({channels, values})}), Times({hidden_, 2, value_heads}), Times({values, hidden_})});
  layer->state_elements =
      Plus({Times({value_heads, key_dim, value_dim}), Times({std::max<int64_t>(kernel - 1, 0), channels})});
  // The state is read by the key, corrected, and read by the query.
  layer->state_macs = Plus({Times({3, value_heads, key_dim, value_dim}), Times({kernel, channels})});
  layer->other_weights = Plus({layer->other_weights, Times({kernel, channels}), 2 * value_heads, value_dim});
  layer->products = 2;
  return absl::OkStatus();
}

absl::Status ConfigReader::AddMamba(DecoderLayers* layer) const {
  HWEST_ASSIGN_OR_RETURN(const int64_t state, Need({"ssm_state_size", "mamba_d_state", "state_size"}));
  const int64_t expand = Or({"mamba_expand", "expand"}, 2);
  const int64_t head_dim = Or({"mamba_head_dim", "mamba_d_head", "head_dim"}, 64);
  const int64_t heads =
      Or({"mamba_num_heads", "mamba_n_heads", "num_heads"}, Times({expand, hidden_}) / std::max<int64_t>(head_dim, 1));
  const int64_t groups = Or({"n_groups", "mamba_n_groups"}, 1), kernel = Or({"conv_kernel", "mamba_d_conv"}, 4);
  const int64_t inner = Times({heads, head_dim});
  const int64_t channels = Plus({inner, Times({2, groups, state})});
  layer->attention_weights = Plus({Times({hidden_, Plus({inner, channels, heads})}), Times({inner, hidden_})});
  layer->state_elements = Plus({Times({inner, state}), Times({std::max<int64_t>(kernel - 1, 0), channels})});
  layer->state_macs = Plus({Times({2, inner, state}), Times({kernel, channels})});
  layer->other_weights = Plus({layer->other_weights, Times({kernel, channels}), Times({3, heads}), inner});
  layer->products = 2;
  return absl::OkStatus();
}

// A gated convolution over the last few tokens.
void ConfigReader::AddConv(DecoderLayers* layer) const {
  const int64_t width = Or({"conv_dim"}, hidden_), taps = Or({"conv_L_cache"}, 3);
  layer->attention_weights = Plus({Times({hidden_, 3, width}), Times({width, hidden_})});
  layer->state_elements = Times({taps, width});
  layer->state_macs = Times({taps, width});
  layer->other_weights = Plus({layer->other_weights, Times({taps, width})});
  layer->products = 2;
}

bool ConfigReader::HasExperts(int64_t index) const {
  if (Or({"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"}, 0) <= 0) return false;
  if (!kinds_.empty()) return kinds_[static_cast<size_t>(index)] == 'E';
  if (index < Or({"first_k_dense_replace", "num_dense_layers"}, 0)) return false;
  const Tree* dense = MemberOf(text_, "mlp_only_layers");
  if (dense != nullptr && dense->is_array()) {
    for (const Tree& at : *dense) {
      if (at.is_number_integer() && at.get<int64_t>() == index) return false;
    }
  }
  const int64_t step =
      std::max<int64_t>(1, Or({"decoder_sparse_step", "moe_layer_freq", "interleave_moe_layer_step"}, 1));
  return (index + 1) % step == 0;
}

absl::StatusOr<int64_t> ConfigReader::ExpertWidth() const {
  return Need({"moe_intermediate_size", "expert_ffn_dim", "intermediate_size", "ffn_hidden_size"});
}

absl::Status ConfigReader::AddMlp(int64_t index, DecoderLayers* layer) const {
  const int64_t matrices = family_->gated ? 3 : 2;
  const bool has_experts = HasExperts(index);
  if (!kinds_.empty() && kinds_[static_cast<size_t>(index)] != '-' && !has_experts) return absl::OkStatus();
  if (has_experts) {
    HWEST_ASSIGN_OR_RETURN(layer->experts,
                           Need({"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"}));
    HWEST_ASSIGN_OR_RETURN(layer->active_experts, Need({"num_experts_per_tok", "experts_per_token", "moe_topk",
                                                        "num_experts_per_token", "moe_k"}));
    layer->active_experts = std::min(layer->active_experts, layer->experts);
    HWEST_ASSIGN_OR_RETURN(const int64_t width, ExpertWidth());
    const int64_t expert = Times({matrices, hidden_, width});
    const int64_t own =
        Or({"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size", "shared_intermediate_size"}, 0);
    const int64_t shared = own > 0 ? own : Times({Or({"n_shared_experts", "num_shared_experts"}, 0), width});
    const bool gates_shared = Find({"shared_expert_intermediate_size"}).value_or(0) > 0;
    const int64_t always =
        Plus({Times({hidden_, layer->experts}), Times({matrices, hidden_, shared}), gates_shared ? hidden_ : 0});
    layer->mlp_weights = Plus({always, Times({layer->active_experts, expert})});
    layer->mlp_weights_stored = Plus({always, Times({layer->experts, expert})});
    layer->mlp_width = Plus({Times({layer->active_experts, width}), shared});
    layer->products += shared > 0 ? 5 : 3;
    return absl::OkStatus();
  }
  const bool is_dense_of_experts = Find({"num_local_experts", "num_experts"}).value_or(0) > 0;
  int64_t width =
      Or({"intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size", "hidden_dim", "decoder_ffn_dim", "d_ff"}, 0);
  if (width == 0 && is_dense_of_experts) width = Or({"shared_intermediate_size"}, 0);
  if (mixers_[static_cast<size_t>(index)] == Mixer::kConv || Find({"block_ff_dim"})) {
    width = Or({"block_ff_dim", "intermediate_size"}, width);
    if (Flag("block_auto_adjust_ff_dim", false)) {
      const int64_t multiple = std::max<int64_t>(1, Or({"block_multiple_of"}, 1));
      const double factor = NumberOf(text_, "block_ffn_dim_multiplier").value_or(1);
      const double adjusted = std::floor(static_cast<double>(2 * width / 3) * std::clamp(factor, 0.01, 100.0));
      width = (static_cast<int64_t>(adjusted) + multiple - 1) / multiple * multiple;
    }
  }
  if (width == 0 && (type_ == "mamba" || type_ == "mamba2")) return absl::OkStatus();
  if (width == 0 && !family_->gated) width = Times({4, hidden_});
  if (width == 0) {
    HWEST_ASSIGN_OR_RETURN(width, Need({"intermediate_size"}));
  }
  layer->mlp_weights = layer->mlp_weights_stored = Times({matrices, hidden_, width});
  layer->mlp_width = width;
  layer->products += 2;
  if (Flag("mlp_bias", family_->learns_positions)) {
    layer->other_weights = Plus({layer->other_weights, Times({matrices - 1, width}), hidden_});
  }
  return absl::OkStatus();
}

absl::StatusOr<DecoderLayers> ConfigReader::LayerAt(int64_t index) const {
  DecoderLayers layer;
  layer.other_weights = Times({kinds_.empty() ? family_->norms : 1, hidden_});
  const Mixer mixer = mixers_[static_cast<size_t>(index)];
  switch (mixer) {
    case Mixer::kWindow:
    case Mixer::kAttention:
      HWEST_RETURN_IF_ERROR(AddAttention(&layer));
      if (mixer == Mixer::kWindow) {
        HWEST_ASSIGN_OR_RETURN(layer.window, Need({"sliding_window", "attention_chunk_size"}, family_->window));
        if (decoder_.max_context > 0 && *layer.window >= decoder_.max_context) layer.window.reset();
      }
      break;
    case Mixer::kDelta: HWEST_RETURN_IF_ERROR(AddDelta(&layer)); break;
    case Mixer::kMamba: HWEST_RETURN_IF_ERROR(AddMamba(&layer)); break;
    case Mixer::kConv: AddConv(&layer); break;
    case Mixer::kNone: break;
  }
  HWEST_RETURN_IF_ERROR(AddMlp(index, &layer));
  return layer;
}

// The part that reads images: its weights, and how many tokens it hands on where the size of images is fixed.
void ConfigReader::AddVision() {
  const Tree* vision = MemberOf(root_, "vision_config");
  if (vision == nullptr) {
    const Tree* thinker = MemberOf(root_, "thinker_config");
    if (thinker != nullptr) vision = MemberOf(*thinker, "vision_config");
  }
  if (vision == nullptr || !vision->is_object()) return;
  // Qwen2-VL calls the width of what it hands on hidden_size.
  const auto width = FindIn(*vision, {"embed_dim", "hidden_size", "width"});
  const auto depth = FindIn(*vision, {"depth", "num_hidden_layers", "layers"});
  if (!width || !depth || *width == 0 || *depth > kMostLayers) {
    decoder_.notes.push_back("the vision part is left out: its configuration states no width or depth");
    return;
  }
  const int64_t ratio = FindIn(*vision, {"mlp_ratio"}).value_or(4);
  const int64_t ffn = FindIn(*vision, {"intermediate_size"}).value_or(Times({ratio, *width}));
  const bool gated = TextOf(*vision, "hidden_act") == "silu";
  const int64_t patch = FindIn(*vision, {"patch_size"}).value_or(14),
                image = FindIn(*vision, {"image_size"}).value_or(0);
  const int64_t merge = std::max<int64_t>(1, FindIn(*vision, {"spatial_merge_size"}).value_or(1));
  const int64_t merged = Times({*width, merge, merge});
  const int64_t of_layer = Plus({Times({4, *width, *width}), Times({gated ? 3 : 2, *width, ffn})});
  const int64_t patches_in = Times({3, FindIn(*vision, {"temporal_patch_size"}).value_or(1), patch, patch, *width});
  const int64_t merger =
      merge > 1 ? Plus({Times({merged, merged}), Times({merged, hidden_})}) : Times({*width, hidden_});
  EncoderPart part{.weights = Plus({Times({*depth, of_layer}), patches_in, merger}),
                   .macs = 0,
                   .tokens = 0,
                   .products = 4 * *depth + 3,
                   .layers = *depth};
  const int64_t patches = image > 0 && patch > 0 && image <= 16384 ? (image / patch) * (image / patch) : 0;
  if (patches > 0) {
    part.tokens = FindIn(root_, {"mm_tokens_per_image", "image_seq_length"}).value_or(patches / (merge * merge));
    part.macs = Plus({Times({patches, Plus({Times({*depth, of_layer}), patches_in})}),
                      Times({2, *depth, patches, patches, *width}), Times({part.tokens, merger})});
  } else {
    decoder_.notes.push_back("the vision part takes images of any size: how many tokens one makes is not stated");
  }
  decoder_.vision = part;
}

// Whisper, Marian, T5: the decoder attends to what the encoder made once.
absl::StatusOr<Decoder> ConfigReader::ReadEncoderDecoder() {
  const bool is_t5 = Find({"d_kv"}).has_value();
  HWEST_ASSIGN_OR_RETURN(const int64_t heads, Need({"decoder_attention_heads", "num_heads"}));
  HWEST_ASSIGN_OR_RETURN(const int64_t width, Need({"decoder_ffn_dim", "d_ff"}));
  const int64_t head_dim = Or({"d_kv"}, hidden_ / heads), inner = Times({heads, head_dim});
  const int64_t encoder_layers = Or({"encoder_layers", "num_layers"}, count_);
  const int64_t encoder_heads = Or({"encoder_attention_heads", "num_heads"}, heads);
  const int64_t encoder_width = Or({"encoder_ffn_dim", "d_ff"}, width);
  if (encoder_layers > kMostLayers)
    return MakeError(Code::kUsage, absl::StrCat(name_, ": too many encoder layers"), "check `encoder_layers`");
  if (is_t5) count_ = std::min(kMostLayers, Or({"num_decoder_layers"}, count_));
  const bool gated = TextField("feed_forward_proj").rfind("gated", 0) == 0;
  const int64_t matrices = gated ? 3 : 2;
  const auto frames = Find({"max_source_positions"});
  const int64_t tokens = frames.value_or(Or({"max_position_embeddings", "n_positions"}, 512));
  if (!frames) {
    decoder_.notes.push_back(
        absl::StrCat("the encoder's prompt is taken as ", tokens, " tokens, the most that it holds"));
  }
  decoder_.max_context = Or({"max_target_positions", "max_position_embeddings", "n_positions"}, 0);
  DecoderLayers layer{.count = count_,
                      .heads = heads,
                      .kv_heads = heads,
                      .key_dim = head_dim,
                      .value_dim = head_dim,
                      .window = std::nullopt,
                      .cross_tokens = tokens,
                      .cross_weights = Times({2, hidden_, inner}),
                      .attention_weights = Times({6, hidden_, inner}),
                      .mlp_weights = Times({matrices, hidden_, width}),
                      .mlp_weights_stored = Times({matrices, hidden_, width}),
                      .mlp_width = width,
                      .other_weights = Times({3, hidden_}),
                      .products = 6};
  AddLayer(layer, &decoder_);
  const int64_t encoder_inner =
      Times({encoder_heads, is_t5 ? head_dim : hidden_ / std::max<int64_t>(1, encoder_heads)});
  const int64_t of_layer = Plus({Times({4, hidden_, encoder_inner}), Times({matrices, hidden_, encoder_width})});
  const int64_t mels = Or({"num_mel_bins"}, 0);
  const int64_t first = Times({3, mels, hidden_}), second = mels > 0 ? Times({3, hidden_, hidden_}) : 0;
  decoder_.encoder =
      EncoderPart{.weights = Plus({Times({encoder_layers, of_layer}), first, second}),
                  .macs = Plus({Times({tokens, Plus({Times({encoder_layers, of_layer}), Times({2, first}), second})}),
                                Times({2, encoder_layers, tokens, tokens, encoder_inner})}),
                  .tokens = tokens,
                  .products = Plus({Times({4, encoder_layers}), mels > 0 ? 2 : 0}),
                  .layers = encoder_layers};
  SetTables();
  return decoder_;
}

absl::StatusOr<Decoder> ConfigReader::ReadRwkv() {
  const int64_t head = Or({"head_dim", "head_size"}, 64);
  const bool is_seven = type_ == "rwkv7";
  const int64_t width = Or({"intermediate_size"}, is_seven ? Times({4, hidden_}) : Times({7, hidden_}) / 2);
  const int64_t ranks = is_seven ? Plus({Or({"decay_low_rank_dim"}, 64), Or({"gate_low_rank_dim"}, 128),
                                         Or({"a_low_rank_dim"}, 64), Or({"v_low_rank_dim"}, 32)})
                                 : 0;
  // r, k, v and the result; r and the gate of versions 5 and 6; small ranks of version 7.
  const int64_t square = is_seven || type_ == "rwkv" ? 4 : 5;
  DecoderLayers layer{.count = count_, .window = std::nullopt};
  layer.attention_weights = Plus({Times({square, hidden_, hidden_}), Times({2, hidden_, ranks})});
  layer.mlp_weights = Plus({Times({2, hidden_, width}), is_seven ? 0 : Times({hidden_, hidden_})});
  layer.mlp_weights_stored = layer.mlp_weights;
  layer.mlp_width = width;
  layer.state_elements = type_ == "rwkv" ? Times({5, hidden_}) : Plus({Times({hidden_, head}), 2 * hidden_});
  layer.state_macs = type_ == "rwkv" ? Times({4, hidden_}) : Times({is_seven ? 4 : 2, hidden_, head});
  layer.other_weights = Times({12, hidden_});
  // Each product has a mixture of its own of a token with the one before, so that none share their input.
  layer.products = is_seven ? 4 + 2 * 4 + 2 : square + 3;
  AddLayer(layer, &decoder_);
  SetTables();
  return decoder_;
}

absl::StatusOr<Decoder> ConfigReader::Run() {
  if (!text_.is_object()) {
    return MakeError(Code::kUsage, absl::StrCat(name_, " is no configuration of a model: it is no JSON object"),
                     "name the config.json of a Hugging Face model");
  }
  HWEST_RETURN_IF_ERROR(ReadSizes());
  if (Flag("is_encoder_decoder", false) || type_ == "whisper" || type_ == "t5" || type_ == "marian") {
    return ReadEncoderDecoder();
  }
  if (type_.rfind("rwkv", 0) == 0) return ReadRwkv();
  HWEST_RETURN_IF_ERROR(ReadMixers());
  const bool has_attention = std::any_of(mixers_.begin(), mixers_.end(), [](Mixer mixer) {
    return mixer == Mixer::kAttention || mixer == Mixer::kWindow;
  });
  if (has_attention) {
    HWEST_ASSIGN_OR_RETURN(heads_, Need({"num_attention_heads", "n_head", "num_heads", "n_heads"}, family_->heads));
    kv_heads_ = Or({"num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num"},
                   Flag("multi_query", false) ? 1
                   : family_->kv_heads > 0    ? family_->kv_heads
                                              : heads_);
    head_dim_ = Or({"head_dim", "attention_head_dim", "kv_channels"},
                   family_->head_dim > 0 ? family_->head_dim : hidden_ / heads_);
  }
  for (int64_t i = 0; i < count_; ++i) {
    HWEST_ASSIGN_OR_RETURN(const DecoderLayers layer, LayerAt(i));
    AddLayer(layer, &decoder_);
  }
  SetTables();
  AddVision();
  return decoder_;
}

}  // namespace

absl::StatusOr<Decoder> DecoderOfConfig(absl::string_view json, absl::string_view name) {
  HWEST_ASSIGN_OR_RETURN(const Tree tree, ParseJson(json, name));
  return ConfigReader(tree, name).Run();
}

}  // namespace hwest
