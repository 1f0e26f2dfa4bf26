// The facts of a decoder from the structure of its graph.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/checked_math.h"
#include "base/status_macros.h"
#include "hwest/decoder.h"
#include "hwest/diagnostic.h"
#include "llm/part.h"
#include "llm/structure.h"
#include "op/rule.h"
#include "pass/weights.h"

namespace hwest {
namespace {

constexpr absl::string_view kNoCacheRemedy =
    "export it with its past keys and values as inputs (`past_key_values`), or name its config.json or GGUF file";

// A cache that a core reads: all axes but the tokens' one.
struct CacheInput {
  ValueId input;
  int64_t of_token = 0;          // elements of one token; 0 = a head's size is open
  int64_t open_of_token = 0;     // then without that size
  std::optional<int64_t> fixed;  // tokens that the file fixes
};

struct CoreFigures {
  bool is_attention = false, is_cross = false;
  DecoderLayers sizes;  // of attention or state
  std::optional<int64_t> fixed_tokens;
  std::optional<int64_t> stated_window;
  int64_t most_positions = 0;
  std::string cache_format;
};

// A layer before equal ones are counted together.
struct Layer {
  DecoderLayers sizes;
  std::set<ValueId> attention_inputs, mlp_inputs;
  bool has_expert_node = false;
  std::optional<int64_t> fixed_tokens;
};

std::string FormatName(ElemType elem, int64_t bits) {
  if (elem == ElemType::kBfloat16) return "bf16";
  return absl::StrCat(IsFloat(elem) ? "fp" : "int", bits);
}

class GraphReader {
 public:
  explicit GraphReader(const Analysis& analysis)
      : analysis_(analysis), graph_(*analysis.graph), weights_(*analysis.graph), found_(FindStructure(analysis)) {}

  absl::StatusOr<Decoder> Run();

 private:
  const Type& TypeOf(ValueId value) const { return analysis_.facts.values[value].type; }
  std::optional<int64_t> At1(Dim dim) const { return SizeAtOne(analysis_, dim); }

  absl::Status ReadCores();
  absl::Status ReadAttention(const Core& core, CoreFigures* figures) const;
  void ReadCaches(const Core& core, Dim scores_length, CoreFigures* figures) const;
  std::optional<CacheInput> ReadCache(ValueId input, Dim scores_length, int64_t key_dim) const;
  bool ReadState(const Core& core, CoreFigures* figures) const;
  bool IsShared(ValueId input) const;
  int64_t HiddenOf() const;
  int64_t IntAttributeOf(NodeId node, absl::string_view name) const;
  int64_t MostPositions(const Core& core, int64_t key_dim) const;
  void MakeLayers();
  void AddProducts();
  void AddVectors();
  void AddWindows();
  void AddTables(Decoder* decoder);
  void AddFormats(Decoder* decoder);
  std::string FormatOf(const Product& product) const;
  void CountBytes(NodeId node, absl::flat_hash_set<ConstantId>* seen, int64_t* bytes) const;

  const Analysis& analysis_;
  const Graph& graph_;
  const Weights weights_;
  const DecoderStructure found_;
  std::vector<CoreFigures> cores_;
  std::vector<int> layer_of_core_;
  std::vector<Layer> layers_;
  int64_t outside_weights_ = 0;
  std::vector<std::string> notes_;
};

int64_t GraphReader::IntAttributeOf(NodeId node, absl::string_view name) const {
  const Attribute* found = graph_.FindAttribute(node, name);
  return found != nullptr && found->kind == AttrKind::kInt ? found->i : 0;
}

// The width of what layers hand to each other; 0 = not known.
int64_t GraphReader::HiddenOf() const {
  for (const Product& product : found_.products) {
    if (product.is_head) return product.k;
  }
  for (const Core& core : found_.cores) {
    if (!core.after.empty()) return found_.products[static_cast<size_t>(core.after[0])].n;
  }
  return 0;
}

// What every layer reads is a mask or a position, not a cache.
bool GraphReader::IsShared(ValueId input) const {
  int readers = 0;
  for (const Core& core : found_.cores) {
    readers += std::find(core.inputs.begin(), core.inputs.end(), input) != core.inputs.end();
  }
  return readers > 1;
}

std::optional<CacheInput> GraphReader::ReadCache(ValueId input, Dim scores_length, int64_t key_dim) const {
  const Type& type = TypeOf(input);
  if (!type.is_tensor() || !type.shape.ranked() || type.shape.rank() < 3 || IsShared(input)) return std::nullopt;
  if (!IsFloat(type.elem) && ElemBits(type.elem) > 8) return std::nullopt;
  DimPool dims(analysis_.dims.get());
  const std::vector<SymbolId> of_scores = dims.SymbolsOf(scores_length);
  int length = -1;
  for (int axis = type.shape.rank() - 1; axis >= 1; --axis) {
    const Dim size = type.shape.dim(axis);
    const SymbolId symbol = dims.AsSymbol(size);
    bool matches = size == scores_length;
    if (symbol.valid()) {
      matches |= std::find(of_scores.begin(), of_scores.end(), symbol) != of_scores.end();
    } else if (size.is_constant() && scores_length.is_constant()) {
      matches |= scores_length.value() - size.value() == found_.tokens;
    }
    // Keys of 64 tokens and heads of 64: the axis of tokens comes first or last, the one that is no head's size.
    if (matches && (length < 0 || size.value() != key_dim)) length = axis;
    if (matches && length == axis && !size.IsConstant(key_dim)) break;
  }
  for (int axis = 1; length < 0 && axis < type.shape.rank(); ++axis) {
    if (dims.AsSymbol(type.shape.dim(axis)).valid() && axis + 1 < type.shape.rank()) length = axis;
  }
  if (length < 0) return std::nullopt;
  CacheInput cache{.input = input, .of_token = 1};
  int64_t open_sizes = 0;
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    const Dim size = type.shape.dim(axis);
    if (axis == length) {
      if (size.is_constant()) cache.fixed = size.value();
      continue;
    }
    if (!size.is_constant() && axis > 0) {
      ++open_sizes;  // of a head, which the product states
      cache.of_token = CheckedMul(cache.of_token, key_dim).value_or(0);
      continue;
    }
    cache.of_token = CheckedMul(cache.of_token, size.is_constant() ? size.value() : 1).value_or(0);
  }
  if (open_sizes > 1 || cache.of_token < 1 ||
      cache.of_token % std::max<int64_t>(1, std::min(key_dim, cache.of_token))) {
    return std::nullopt;
  }
  return cache.of_token >= key_dim ? std::optional<CacheInput>(cache) : std::nullopt;
}

void GraphReader::ReadCaches(const Core& core, Dim scores_length, CoreFigures* figures) const {
  int64_t of_token = 0;
  for (const ValueId input : core.inputs) {
    const auto cache = ReadCache(input, scores_length, figures->sizes.key_dim);
    if (!cache) continue;
    figures->is_attention = true;
    of_token = SaturatingAdd(of_token, cache->of_token);
    if (cache->fixed) figures->fixed_tokens = std::max(figures->fixed_tokens.value_or(0), *cache->fixed);
    figures->cache_format = FormatName(TypeOf(input).elem, ElemBits(TypeOf(input).elem));
  }
  const int64_t of_head = figures->sizes.key_dim + figures->sizes.value_dim;
  if (of_token == 0) return;
  if (of_token % of_head == 0) {
    figures->sizes.kv_heads = of_token / of_head;
  } else {
    figures->sizes.kv_heads = 1;
    figures->sizes.latent_dim = of_token;
  }
}

// Tables of rotations have a row a position.
int64_t GraphReader::MostPositions(const Core& core, int64_t key_dim) const {
  constexpr int64_t kLeastPositions = 512;
  int64_t most = 0;
  for (const NodeId seed : core.seeds) {
    for (const ValueId input : graph_.inputs(seed)) {
      if (!input.valid() || !graph_.IsConstant(input)) continue;
      const Shape& shape = TypeOf(input).shape;
      if (!shape.constant() || shape.rank() != 2 || shape.dim(1).value() > key_dim) continue;
      if (shape.dim(0).value() >= kLeastPositions) most = std::max(most, shape.dim(0).value());
    }
  }
  return most;
}

absl::Status GraphReader::ReadAttention(const Core& core, CoreFigures* figures) const {
  // Scores come before what they weigh: in one node, or in nodes one after the other.
  int64_t heads = 0;
  Dim length;
  std::vector<std::pair<NodeId, const Contraction*>> pairs;
  for (const NodeId seed : core.seeds) {
    const std::optional<Work>& work = analysis_.work[seed];
    if (!work.has_value()) continue;
    for (const Contraction& c : work->contractions) {
      if (c.kind == ContractionKind::kActivation) pairs.emplace_back(seed, &c);
    }
  }
  if (pairs.empty()) return absl::OkStatus();
  // With one head a product, all scores may stand before all that they weigh: the first is one, and what is like it.
  const Contraction& first = *pairs.front().second;
  const auto key_dim = At1(first.k);
  if (!key_dim || *key_dim < 1) return absl::OkStatus();
  length = first.n;
  for (const auto& [seed, c] : pairs) {
    const bool is_score = c->k == first.k && c->n == first.n;
    if (!is_score) {
      if (const auto value_dim = At1(c->n)) figures->sizes.value_dim = *value_dim;
      continue;
    }
    const auto batch = At1(c->batch), m = At1(c->m);
    if (!batch || !m) continue;
    heads += *batch * *m / found_.tokens;
  }
  figures->sizes.heads = std::max<int64_t>(heads, 1);
  figures->sizes.key_dim = *key_dim;
  if (figures->sizes.value_dim == 0) figures->sizes.value_dim = *key_dim;
  ReadCaches(core, length, figures);
  for (const NodeId seed : core.seeds) {
    const int64_t window = IntAttributeOf(seed, "local_window_size");
    if (window > 0) figures->stated_window = window;
  }
  figures->most_positions = MostPositions(core, *key_dim);
  // Of keys and values that are made elsewhere, a core makes queries alone.
  int64_t made = 0, other_rows = 0;
  for (const int p : core.before) {
    const Product& product = found_.products[static_cast<size_t>(p)];
    if (product.rows != found_.tokens) {
      other_rows = std::max(other_rows, product.rows);
      figures->sizes.cross_weights = SaturatingAdd(figures->sizes.cross_weights, product.used);
    } else if (product.k > 0) {
      made = SaturatingAdd(made, product.used / product.k);
    }
  }
  const bool only_queries = made <= figures->sizes.heads * *key_dim;
  if (only_queries && (other_rows > 0 || (figures->is_attention && !core.before.empty()))) {
    figures->is_cross = true;
    figures->sizes.cross_tokens = At1(length).value_or(0);
    if (figures->sizes.kv_heads == 0) figures->sizes.kv_heads = figures->sizes.heads;
  } else {
    figures->sizes.cross_weights = 0;
  }
  return absl::OkStatus();
}

bool GraphReader::ReadState(const Core& core, CoreFigures* figures) const {
  int64_t elements = 0, macs = 0;
  for (const ValueId input : core.inputs) {
    const Type& type = TypeOf(input);
    if (!type.is_tensor() || !IsFloat(type.elem) || !type.shape.ranked() || type.shape.rank() < 3 || IsShared(input)) {
      continue;
    }
    DimPool dims(analysis_.dims.get());
    elements = SaturatingAdd(elements, At1(type.shape.Elements(dims)).value_or(0));
    figures->cache_format = FormatName(type.elem, ElemBits(type.elem));
  }
  if (elements == 0) return false;
  for (const auto& [node, of] : found_.core_of) {
    if (&found_.cores[static_cast<size_t>(of)] != &core || !analysis_.work[node].has_value()) continue;
    for (const Contraction& c : analysis_.work[node]->contractions) {
      if (c.kind == ContractionKind::kMatMul || c.kind == ContractionKind::kConv) continue;
      DimPool dims(analysis_.dims.get());
      macs = SaturatingAdd(macs, At1(dims.Product({c.batch, c.m, c.n, c.k})).value_or(0) / found_.tokens);
    }
  }
  figures->sizes = {.state_elements = elements, .state_macs = macs};
  return true;
}

absl::Status GraphReader::ReadCores() {
  bool has_memory = false;
  for (const Core& core : found_.cores) {
    CoreFigures figures;
    HWEST_RETURN_IF_ERROR(ReadAttention(core, &figures));
    const bool is_state = !figures.is_attention && !figures.is_cross && ReadState(core, &figures);
    has_memory |= is_state || (figures.is_attention && !figures.is_cross);
    cores_.push_back(std::move(figures));
  }
  if (has_memory) return absl::OkStatus();
  const bool has_attention = !found_.cores.empty();
  return MakeError(Code::kUsage,
                   has_attention
                       ? "the graph is no decoder of a language model: none of its inputs is a cache of keys and "
                         "values, or a state, that its attention reads"
                       : "the graph is no language model: it has no attention and no state",
                   kNoCacheRemedy);
}

void GraphReader::MakeLayers() {
  for (const CoreFigures& figures : cores_) {
    const bool joins = figures.is_cross && !layers_.empty() && layers_.back().sizes.cross_tokens == 0 &&
                       layers_.back().sizes.heads > 0;
    if (joins) {
      layers_.back().sizes.cross_tokens = figures.sizes.cross_tokens;
      layers_.back().sizes.cross_weights = figures.sizes.cross_weights;
    } else {
      layers_.push_back({.sizes = figures.sizes, .fixed_tokens = figures.fixed_tokens});
      layers_.back().sizes.window = figures.stated_window;
    }
    layer_of_core_.push_back(static_cast<int>(layers_.size()) - 1);
  }
}

void GraphReader::AddProducts() {
  for (const Product& product : found_.products) {
    if (product.is_head) continue;
    if (product.core >= 0) {
      Layer& layer = layers_[static_cast<size_t>(layer_of_core_[static_cast<size_t>(product.core)])];
      if (product.rows != found_.tokens && layer.sizes.cross_weights > 0) continue;  // counted there
      layer.sizes.attention_weights = SaturatingAdd(layer.sizes.attention_weights, product.used);
      layer.attention_inputs.insert(product.input);
      continue;
    }
    const auto at = found_.level.find(product.node);
    const int level = at == found_.level.end() ? 0 : at->second;
    if (level == 0) {
      outside_weights_ = SaturatingAdd(outside_weights_, product.stored);
      continue;
    }
    Layer& layer = layers_[static_cast<size_t>(layer_of_core_[static_cast<size_t>(level) - 1])];
    DecoderLayers& sizes = layer.sizes;
    sizes.mlp_weights = SaturatingAdd(sizes.mlp_weights, product.used);
    sizes.mlp_weights_stored = SaturatingAdd(sizes.mlp_weights_stored, product.stored);
    if (product.experts > 0) {
      sizes.experts = product.experts;
      sizes.active_experts = product.active;
      layer.has_expert_node = true;
      sizes.mlp_width = SaturatingAdd(sizes.mlp_width, CheckedMul(product.width, product.active).value_or(INT64_MAX));
    } else {
      layer.mlp_inputs.insert(product.input);
      if (product.n < product.k && product.n == HiddenOf()) sizes.mlp_width = std::max(sizes.mlp_width, product.k);
    }
  }
  for (Layer& layer : layers_) {
    layer.sizes.products =
        static_cast<int64_t>(layer.attention_inputs.size() + layer.mlp_inputs.size()) + (layer.has_expert_node ? 2 : 0);
  }
}

void GraphReader::AddVectors() {
  const auto is_vector = [this](ValueId value) {
    if (!value.valid() || !weights_.IsWeight(value) || !IsFloat(TypeOf(value).elem)) return false;
    const Shape& shape = TypeOf(value).shape;
    if (!shape.constant()) return false;
    int long_axes = 0;
    for (const Dim dim : shape.dims()) long_axes += dim.value() > 1;
    return long_axes == 1;
  };
  absl::flat_hash_map<NodeId, int> product_core;
  for (const Product& product : found_.products) product_core[product.node] = product.core;
  for (const NodeId node : found_.nodes) {
    const OpRule* rule = RuleOf(graph_, node);
    const auto inputs = graph_.inputs(node);
    int64_t elements = 0;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (rule != nullptr && Covers(rule->scales, i)) continue;
      if (!is_vector(inputs[i])) continue;
      DimPool dims(analysis_.dims.get());
      elements = SaturatingAdd(elements, TypeOf(inputs[i]).shape.Elements(dims).value());
    }
    if (elements == 0) continue;
    const auto core = found_.core_of.find(node);
    const auto level = found_.level.find(node);
    int layer = -1;
    const auto product = product_core.find(node);
    if (product != product_core.end() && product->second >= 0) {
      layer = layer_of_core_[static_cast<size_t>(product->second)];
    } else if (core != found_.core_of.end()) {
      layer = layer_of_core_[static_cast<size_t>(core->second)];
    } else if (level != found_.level.end() && level->second > 0 && !found_.of_head.contains(node)) {
      layer = layer_of_core_[static_cast<size_t>(level->second) - 1];
    }
    int64_t& of = layer < 0 ? outside_weights_ : layers_[static_cast<size_t>(layer)].sizes.other_weights;
    of = SaturatingAdd(of, elements);
  }
}

// Where the file fixes lengths, caches that are shorter than others hold a window.
void GraphReader::AddWindows() {
  std::optional<int64_t> longest;
  bool has_open = false;
  for (const Layer& layer : layers_) {
    if (layer.sizes.heads == 0) continue;
    has_open |= !layer.fixed_tokens.has_value();
    if (layer.fixed_tokens) longest = std::max(longest.value_or(0), *layer.fixed_tokens);
  }
  for (Layer& layer : layers_) {
    if (!layer.fixed_tokens || layer.sizes.heads == 0 || layer.sizes.window) continue;
    if (has_open || *layer.fixed_tokens < *longest) layer.sizes.window = layer.fixed_tokens;
  }
}

void GraphReader::AddTables(Decoder* decoder) {
  for (const Product& product : found_.products) {
    if (!product.is_head) continue;
    decoder->vocab += product.n;
    decoder->hidden = product.k;
    decoder->head_weights = SaturatingAdd(decoder->head_weights, product.used);
  }
  const RowTable* tokens = nullptr;
  for (const RowTable& table : found_.tables) {
    const bool is_vocab = table.rows == decoder->vocab && decoder->vocab > 0;
    const bool had_vocab = tokens != nullptr && tokens->rows == decoder->vocab && decoder->vocab > 0;
    if (tokens == nullptr || (is_vocab && !had_vocab) || (is_vocab == had_vocab && table.rows > tokens->rows)) {
      tokens = &table;
    }
  }
  for (const RowTable& table : found_.tables) {
    const int64_t elements = CheckedMul(table.rows, table.width).value_or(INT64_MAX);
    if (&table == tokens) {
      decoder->embedding_weights = elements;
      if (decoder->hidden == 0) decoder->hidden = table.width;
      if (decoder->vocab == 0) decoder->vocab = table.rows;
    } else if (tokens != nullptr && table.width == tokens->width && table.rows != tokens->rows) {
      decoder->other_weights = SaturatingAdd(decoder->other_weights, elements);  // of positions
      if (decoder->max_context == 0) decoder->max_context = table.rows;
    }
  }
  if (tokens == nullptr) return;
  const ConstantId table = StoredConstant(graph_, tokens->table);
  for (const Product& product : found_.products) {
    if (!product.is_head || !table.valid()) continue;
    for (const ValueId input : graph_.inputs(product.node)) {
      if (input.valid() && graph_.IsConstant(input)) decoder->tied_embedding |= StoredConstant(graph_, input) == table;
    }
  }
}

void GraphReader::CountBytes(NodeId node, absl::flat_hash_set<ConstantId>* seen, int64_t* bytes) const {
  std::vector<ValueId> open(graph_.inputs(node).begin(), graph_.inputs(node).end());
  for (size_t i = 0; i < open.size() && i < 256; ++i) {
    const ValueId value = open[i];
    if (!value.valid() || !graph_.IsConstant(value)) continue;
    const Value& row = graph_.value(value);
    if (row.constant.valid()) {
      const Constant& constant = graph_.constant(row.constant);
      const int64_t elements = constant.Elements();
      if (elements < 2 || ElemBits(constant.elem) > 32 || !seen->insert(row.constant).second) continue;
      *bytes = SaturatingAdd(*bytes, CheckedMul(elements, ElemBits(constant.elem)).value_or(0) / 8);
    } else if (row.producer.valid()) {
      for (const ValueId input : graph_.inputs(row.producer)) open.push_back(input);
    }
  }
}

// Bits of a stored weight, and how many share a scale.
std::string GraphReader::FormatOf(const Product& product) const {
  const auto inputs = graph_.inputs(product.node);
  int64_t most = 0, scales = 0;
  const Constant* stored = nullptr;
  const auto see = [&](ValueId value, bool is_scale) {
    const ConstantId id = value.valid() ? StoredConstant(graph_, value) : ConstantId();
    if (!id.valid()) return;
    const Constant& constant = graph_.constant(id);
    const int64_t elements = constant.Elements();
    if (is_scale && IsFloat(constant.elem)) {
      scales = std::max(scales, elements);
    } else if (!is_scale && elements > most) {
      most = elements;
      stored = &constant;
    }
  };
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].valid() || !graph_.IsConstant(inputs[i])) continue;
    const OpRule* rule = RuleOf(graph_, product.node);
    see(inputs[i], rule != nullptr && Covers(rule->scales, i));
    const NodeId producer = graph_.value(inputs[i]).producer;
    const OpRule* before = producer.valid() ? RuleOf(graph_, producer) : nullptr;
    if (before == nullptr) continue;
    const auto behind = graph_.inputs(producer);
    for (size_t j = 0; j < behind.size(); ++j) {
      if (Covers(before->scales, j)) see(behind[j], true);
    }
  }
  if (stored == nullptr || product.n < 1) return "";
  const int64_t one = product.experts > 0 ? product.n * product.k * product.experts : product.n * product.k;
  const int64_t bytes = CheckedMul(most, ElemBits(stored->elem)).value_or(0) / 8;
  const int64_t bits =
      one > 0 && !IsFloat(stored->elem) ? std::max<int64_t>(1, (bytes * 8 + one / 2) / one) : ElemBits(stored->elem);
  std::string name = FormatName(stored->elem, bits);
  if (scales > 1 && one / scales < product.k) absl::StrAppend(&name, " g", one / scales);
  return name;
}

void GraphReader::AddFormats(Decoder* decoder) {
  absl::flat_hash_map<std::string, int64_t> weight_of;
  absl::flat_hash_set<ConstantId> seen, of_table, of_head;
  for (const RowTable& table : found_.tables) {
    if (CheckedMul(table.rows, table.width).value_or(0) != decoder->embedding_weights) continue;
    CountBytes(table.node, &of_table, &decoder->file_embedding_bytes);
    break;
  }
  for (const Product& product : found_.products) {
    if (product.is_head) {
      CountBytes(product.node, &of_head, &decoder->file_head_bytes);
    } else {
      int64_t& weight = weight_of[FormatOf(product)];
      weight = SaturatingAdd(weight, product.stored);
    }
  }
  absl::flat_hash_set<NodeId> rotates;  // tables of rotations are no weights
  for (const Core& core : found_.cores) rotates.insert(core.seeds.begin(), core.seeds.end());
  for (const Product& product : found_.products) rotates.erase(product.node);
  for (const NodeId node : found_.nodes) {
    if (!rotates.contains(node)) CountBytes(node, &seen, &decoder->file_weight_bytes);
  }
  int64_t most = 0;
  for (const auto& [format, weight] : weight_of) {
    if (weight < most || (weight == most && format > decoder->file_format)) continue;
    most = weight;
    decoder->file_format = format;
  }
  for (const CoreFigures& figures : cores_) {
    if (!figures.is_cross && !figures.cache_format.empty()) decoder->file_cache_format = figures.cache_format;
  }
}

absl::StatusOr<Decoder> GraphReader::Run() {
  HWEST_RETURN_IF_ERROR(ReadCores());
  MakeLayers();
  AddProducts();
  AddVectors();
  AddWindows();
  Decoder decoder;
  decoder.name = graph_.info().name;
  AddTables(&decoder);
  AddFormats(&decoder);
  decoder.other_weights = SaturatingAdd(decoder.other_weights, outside_weights_);
  for (const CoreFigures& figures : cores_) decoder.max_context = std::max(decoder.max_context, figures.most_positions);
  for (const Layer& layer : layers_) {
    if (layer.fixed_tokens && !layer.sizes.window && decoder.max_context < *layer.fixed_tokens) {
      decoder.max_context = *layer.fixed_tokens;
    }
    AddLayer(layer.sizes, &decoder);
  }
  if (decoder.hidden == 0) decoder.hidden = HiddenOf();
  decoder.notes = notes_;
  return decoder;
}

}  // namespace

absl::StatusOr<Decoder> DecoderOfGraph(const std::shared_ptr<const Graph>& graph) {
  HWEST_ASSIGN_OR_RETURN(const Analysis analysis, Analyze(graph, {}));
  return GraphReader(analysis).Run();
}

std::optional<Decoder> DecoderIfAny(const std::shared_ptr<const Graph>& graph) {
  if (graph->main().inputs.size() < 2) return std::nullopt;
  absl::StatusOr<Decoder> decoder = DecoderOfGraph(graph);
  if (!decoder.ok() || decoder->head_weights == 0) return std::nullopt;
  return *std::move(decoder);
}

}  // namespace hwest
