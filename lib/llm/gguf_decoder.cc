// The facts of a decoder from the header of a GGUF file: sizes from its tensors, the rest from its keys.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/decoder.h"
#include "hwest/diagnostic.h"
#include "llm/families.h"
#include "llm/gguf.h"
#include "llm/part.h"
#include "llm/sizes.h"

namespace hwest {
namespace {

constexpr int64_t kMostBlocks = 4096;

// Sums over the tensors of one block.
struct Block {
  int64_t mixer = 0, dense = 0, experts = 0, vectors = 0;
  int64_t ffn_width = 0, expert_width = 0;
  bool has_attention = false, has_state = false, has_ffn = false, has_shared = false;
};

bool IsAny(absl::string_view text, std::initializer_list<absl::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [text](absl::string_view prefix) { return absl::StartsWith(text, prefix); });
}

class GgufReader {
 public:
  GgufReader(const GgufHeader& header, absl::string_view name) : header_(header), name_(name) {}

  absl::StatusOr<Decoder> Run(int64_t file_bytes);

 private:
  absl::Status Missing(absl::string_view what) const {
    return MakeError(Code::kUsage, absl::StrCat(EscapeControl(name_), ": the header has no ", what),
                     "name the file of a whole language model, the first one where it is split");
  }
  int64_t Number(absl::string_view key, int64_t fallback) const;
  // Of a key that may be a list with one entry a block.
  int64_t NumberAt(absl::string_view key, int64_t block, int64_t fallback) const;
  absl::Status ReadTensors(Decoder* decoder);
  void AddToBlock(absl::string_view what, const GgufTensor& tensor, Block* block) const;
  absl::StatusOr<DecoderLayers> LayerOf(int64_t index, const Block& block, const Decoder& decoder) const;
  void AddState(const Block& block, const Decoder& decoder, DecoderLayers* layer) const;
  bool HasWindow(int64_t index) const;
  void SetFormat(Decoder* decoder, int64_t file_bytes) const;

  const GgufHeader& header_;
  const absl::string_view name_;
  std::string arch_;
  std::vector<Block> blocks_;
  bool all_types_known_ = true;
};

int64_t GgufReader::Number(absl::string_view key, int64_t fallback) const {
  const auto found = header_.numbers.find(absl::StrCat(arch_, ".", key));
  return found == header_.numbers.end() || found->second < 0 ? fallback : found->second;
}

int64_t GgufReader::NumberAt(absl::string_view key, int64_t block, int64_t fallback) const {
  const auto found = header_.lists.find(absl::StrCat(arch_, ".", key));
  if (found == header_.lists.end()) return Number(key, fallback);
  const auto at = static_cast<size_t>(block);
  return at < found->second.size() && found->second[at] >= 0 ? found->second[at] : fallback;
}

void GgufReader::AddToBlock(absl::string_view what, const GgufTensor& tensor, Block* block) const {
  const bool is_matrix = tensor.dims.size() >= 2 && tensor.dims[1] > 1 && absl::EndsWith(what, ".weight") &&
                         !absl::StrContains(what, "norm") &&
                         !IsAny(what, {"ssm_conv1d", "shortconv.conv", "ssm_a.", "ssm_d."});
  block->has_attention |= IsAny(what, {"attn_k.", "attn_qkv.", "attn_kv_a_mqa.", "attn_v."});
  block->has_state |= IsAny(what, {"ssm_", "shortconv.", "time_mix_"});
  if (!is_matrix) {
    block->vectors = Plus({block->vectors, tensor.elements});
    return;
  }
  const bool is_ffn = IsAny(what, {"ffn_", "channel_mix_"});
  block->has_ffn |= is_ffn;
  if (absl::StrContains(what, "_exps.")) {
    block->experts = Plus({block->experts, tensor.elements});
    if (absl::StartsWith(what, "ffn_down")) block->expert_width = tensor.dims[0];
  } else if (is_ffn) {
    block->dense = Plus({block->dense, tensor.elements});
    block->has_shared |= absl::StrContains(what, "_shexp.");
    if (IsAny(what, {"ffn_down", "channel_mix_value"})) block->ffn_width = Plus({block->ffn_width, tensor.dims[0]});
  } else {
    block->mixer = Plus({block->mixer, tensor.elements});
  }
}

absl::Status GgufReader::ReadTensors(Decoder* decoder) {
  for (const GgufTensor& tensor : header_.tensors) {
    const int64_t bytes = GgufBytes(tensor.type, tensor.elements);
    all_types_known_ &= bytes >= 0;
    decoder->file_weight_bytes = Plus({decoder->file_weight_bytes, std::max<int64_t>(bytes, 0)});
    absl::string_view what = tensor.name;
    if (absl::ConsumePrefix(&what, "blk.")) {
      const size_t dot = what.find('.');
      int64_t index = 0;
      if (dot == absl::string_view::npos || !absl::SimpleAtoi(what.substr(0, dot), &index) || index < 0 ||
          index >= static_cast<int64_t>(blocks_.size())) {
        continue;  // of blocks beyond the count, which only some programs use
      }
      AddToBlock(what.substr(dot + 1), tensor, &blocks_[static_cast<size_t>(index)]);
    } else if (what == "token_embd.weight" && tensor.dims.size() == 2) {
      decoder->vocab = tensor.dims[1];
      decoder->embedding_weights = tensor.elements;
      decoder->file_embedding_bytes = std::max<int64_t>(bytes, 0);
    } else if (what == "output.weight") {
      decoder->head_weights = tensor.elements;
      decoder->file_head_bytes = std::max<int64_t>(bytes, 0);
    } else {
      decoder->other_weights = Plus({decoder->other_weights, tensor.elements});
    }
  }
  if (decoder->embedding_weights == 0) return Missing("tensor token_embd.weight");
  if (decoder->head_weights == 0) {
    decoder->tied_embedding = true;
    decoder->head_weights = decoder->embedding_weights;
    decoder->file_head_bytes = decoder->file_embedding_bytes;
  }
  return absl::OkStatus();
}

bool GgufReader::HasWindow(int64_t index) const {
  const auto pattern = header_.lists.find(absl::StrCat(arch_, ".attention.sliding_window_pattern"));
  if (pattern != header_.lists.end() && static_cast<size_t>(index) < pattern->second.size()) {
    return pattern->second[static_cast<size_t>(index)] != 0;
  }
  Family family = FamilyOf(arch_);
  family.full_every = Number("attention.sliding_window_pattern", family.full_every);
  return !LooksAtAll(family, index);
}

void GgufReader::AddState(const Block& block, const Decoder& decoder, DecoderLayers* layer) const {
  const int64_t inner = Number("ssm.inner_size", 0), state = Number("ssm.state_size", 0);
  if (inner > 0 && state > 0) {
    const int64_t groups = Number("ssm.group_count", 0), taps = Number("ssm.conv_kernel", 4);
    const int64_t channels = Plus({inner, Times({2, groups, state})});
    layer->state_elements = Plus({Times({inner, state}), Times({std::max<int64_t>(taps - 1, 0), channels})});
    layer->state_macs = Plus({Times({2, inner, state}), Times({taps, channels})});
  } else if (const int64_t head = Number("wkv.head_size", 0); head > 0) {
    layer->state_elements = Plus({Times({decoder.hidden, head}), Times({2, decoder.hidden})});
    layer->state_macs = Times({2, decoder.hidden, head});
  } else {
    const int64_t taps = Number("shortconv.l_cache", 3);
    layer->state_elements = Times({taps, decoder.hidden});
    layer->state_macs = Times({taps, decoder.hidden});
  }
  layer->products = block.mixer > 0 ? 2 : 0;
}

absl::StatusOr<DecoderLayers> GgufReader::LayerOf(int64_t index, const Block& block, const Decoder& decoder) const {
  DecoderLayers layer;
  layer.attention_weights = block.mixer;
  layer.other_weights = block.vectors;
  if (block.has_state) {
    AddState(block, decoder, &layer);
  } else if (block.has_attention) {
    layer.heads = NumberAt("attention.head_count", index, 0);
    layer.kv_heads = NumberAt("attention.head_count_kv", index, layer.heads);
    if (layer.heads == 0 || layer.kv_heads == 0) return Missing(absl::StrCat(arch_, ".attention.head_count"));
    layer.key_dim = Number("attention.key_length", decoder.hidden / layer.heads);
    layer.value_dim = Number("attention.value_length", layer.key_dim);
    const int64_t rank = Number("attention.kv_lora_rank", 0);
    if (rank > 0) layer.latent_dim = Plus({rank, Number("rope.dimension_count", 0)});
    const int64_t window = Number("attention.sliding_window", FamilyOf(arch_).window);
    if (window > 0 && HasWindow(index) && (decoder.max_context == 0 || window < decoder.max_context))
      layer.window = window;
    layer.products = 2;
  }
  layer.mlp_weights = layer.mlp_weights_stored = block.dense;
  layer.mlp_width = block.ffn_width;
  if (block.experts > 0) {
    layer.experts = Number("expert_count", 0);
    layer.active_experts = std::min(layer.experts, Number("expert_used_count", 0));
    if (layer.experts == 0 || layer.active_experts == 0) return Missing(absl::StrCat(arch_, ".expert_used_count"));
    layer.mlp_weights = Plus({block.dense, Times({block.experts / layer.experts, layer.active_experts})});
    layer.mlp_weights_stored = Plus({block.dense, block.experts});
    layer.mlp_width = Plus({layer.mlp_width, Times({block.expert_width, layer.active_experts})});
    layer.products += block.has_shared ? 5 : 3;
  } else if (block.has_ffn) {
    layer.products += 2;
  }
  return layer;
}

void GgufReader::SetFormat(Decoder* decoder, int64_t file_bytes) const {
  const auto type = header_.numbers.find("general.file_type");
  if (type != header_.numbers.end()) decoder->file_format = std::string(GgufFileType(type->second));
  if (decoder->file_format.empty()) {
    absl::flat_hash_map<uint32_t, int64_t> elements_of;
    for (const GgufTensor& tensor : header_.tensors) {
      elements_of[tensor.type] = Plus({elements_of[tensor.type], tensor.elements});
    }
    int64_t most = 0;
    for (const auto& [number, elements] : elements_of) {
      if (elements <= most) continue;
      most = elements;
      decoder->file_format = std::string(GgufTypeName(number));
    }
  }
  if (all_types_known_) return;
  decoder->file_weight_bytes = file_bytes;
  decoder->notes.push_back("the file has tensors of a type that is not known: its bytes are those of the whole file");
}

absl::StatusOr<Decoder> GgufReader::Run(int64_t file_bytes) {
  const auto arch = header_.texts.find("general.architecture");
  if (arch == header_.texts.end()) return Missing("key general.architecture");
  arch_ = arch->second;
  Decoder decoder;
  const auto title = header_.texts.find("general.name");
  decoder.name = title != header_.texts.end() && !title->second.empty() ? title->second : std::string(name_);
  decoder.architecture = arch_;
  const int64_t blocks = Number("block_count", 0);
  if (blocks == 0) return Missing(absl::StrCat("key ", EscapeControl(arch_), ".block_count"));
  if (blocks > kMostBlocks) {
    return MakeError(Code::kModelRefused,
                     absl::StrCat(EscapeControl(name_), ": ", blocks, " blocks are more than ", kMostBlocks),
                     "download the file again");
  }
  decoder.hidden = Number("embedding_length", 0);
  if (decoder.hidden == 0) return Missing(absl::StrCat("key ", EscapeControl(arch_), ".embedding_length"));
  decoder.max_context = Number("context_length", 0);
  blocks_.resize(static_cast<size_t>(blocks));
  HWEST_RETURN_IF_ERROR(ReadTensors(&decoder));
  for (int64_t i = 0; i < blocks; ++i) {
    HWEST_ASSIGN_OR_RETURN(const DecoderLayers layer, LayerOf(i, blocks_[static_cast<size_t>(i)], decoder));
    AddLayer(layer, &decoder);
  }
  SetFormat(&decoder, file_bytes);
  if (header_.lengths.contains("split.count") || Number("split.count", 0) > 1) {
    decoder.notes.push_back("the file is one of several: weights of the others are not counted");
  }
  return decoder;
}

}  // namespace

absl::StatusOr<Decoder> DecoderOfGguf(absl::string_view header, absl::string_view name, int64_t file_bytes) {
  HWEST_ASSIGN_OR_RETURN(const GgufHeader read, ReadGgufHeader(header, name));
  return GgufReader(read, name).Run(file_bytes);
}

}  // namespace hwest
