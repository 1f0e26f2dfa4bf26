// One decoder from the files that hold it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/checked_math.h"
#include "base/status_macros.h"
#include "hwest/analysis.h"
#include "hwest/decoder.h"
#include "hwest/diagnostic.h"
#include "llm/part.h"
#include "pass/weights.h"

namespace hwest {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMostConfigBytes = int64_t{1} << 22;
constexpr int64_t kFirstHeaderBytes = int64_t{1} << 24;  // a vocabulary of 150,000 tokens and their merges is 6 MB
constexpr int64_t kMostHeaderBytes = int64_t{1} << 28;

std::string NameOf(const std::string& path) { return fs::path(path).stem().string(); }

absl::StatusOr<std::string> FirstBytes(const std::string& path, int64_t most, int64_t* size) {
  std::error_code error;
  const auto bytes = fs::file_size(path, error);
  std::ifstream in(path, std::ios::binary);
  if (error || !in) {
    return MakeError(Code::kModelMissing, absl::StrCat("cannot read ", path),
                     "check that the path exists and can be read");
  }
  *size = static_cast<int64_t>(std::min<uintmax_t>(bytes, INT64_MAX));
  std::string text(static_cast<size_t>(std::min(*size, most)), '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return text;
}

// The files that a folder stands for: its configuration, else its graphs.
absl::StatusOr<std::vector<std::string>> FilesOf(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::vector<std::string>{path};
  const fs::path config = fs::path(path) / "config.json";
  if (fs::exists(config, error)) return std::vector<std::string>{config.string()};
  std::vector<std::string> graphs;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    if (entry.path().extension() == ".onnx") graphs.push_back(entry.path().string());
  }
  std::sort(graphs.begin(), graphs.end());
  if (!graphs.empty()) return graphs;
  return MakeError(Code::kModelMissing, absl::StrCat(path, " holds neither a config.json nor an ONNX graph"),
                   "name the file of the model");
}

absl::StatusOr<Decoder> OfOneFile(const std::string& path) {
  int64_t size = 0;
  if (absl::EndsWithIgnoreCase(path, ".json")) {
    HWEST_ASSIGN_OR_RETURN(const std::string text, FirstBytes(path, kMostConfigBytes, &size));
    const std::string folder = fs::path(path).parent_path().filename().string();
    return DecoderOfConfig(text, fs::path(path).stem() == "config" && !folder.empty() ? folder : NameOf(path));
  }
  HWEST_ASSIGN_OR_RETURN(const std::string magic, FirstBytes(path, 4, &size));
  if (magic == "GGUF") {
    for (int64_t most = kFirstHeaderBytes;; most *= 4) {
      HWEST_ASSIGN_OR_RETURN(const std::string header, FirstBytes(path, most, &size));
      absl::StatusOr<Decoder> decoder = DecoderOfGguf(header, NameOf(path), size);
      const bool may_go_on = size > most && most < kMostHeaderBytes;
      if (decoder.ok() || !may_go_on || DiagnosticOf(decoder.status()).code != Code::kModelCorrupt) return decoder;
    }
  }
  HWEST_ASSIGN_OR_RETURN(const auto graph, LoadModel(path));
  HWEST_ASSIGN_OR_RETURN(Decoder decoder, DecoderOfGraph(graph));
  decoder.name = NameOf(path);
  return decoder;
}

bool ReadsEncoder(const Decoder& decoder) {
  return std::any_of(decoder.layers.begin(), decoder.layers.end(),
                     [](const DecoderLayers& layer) { return layer.cross_tokens > 0; });
}

// Layers, tables and bytes of another part of the same decoder.
void Join(const Decoder& part, Decoder* whole) {
  for (const DecoderLayers& layer : part.layers) AddLayer(layer, whole);
  if (whole->head_weights == 0) whole->head_weights = part.head_weights;
  if (whole->embedding_weights == 0) whole->embedding_weights = part.embedding_weights;
  whole->vocab = std::max(whole->vocab, part.vocab);
  whole->hidden = std::max(whole->hidden, part.hidden);
  whole->max_context = std::max(whole->max_context, part.max_context);
  whole->other_weights = SaturatingAdd(whole->other_weights, part.other_weights);
  whole->file_weight_bytes = SaturatingAdd(whole->file_weight_bytes, part.file_weight_bytes);
  if (whole->file_embedding_bytes == 0) whole->file_embedding_bytes = part.file_embedding_bytes;
  if (whole->file_head_bytes == 0) whole->file_head_bytes = part.file_head_bytes;
  if (whole->file_format.empty()) whole->file_format = part.file_format;
  if (whole->file_cache_format.empty()) whole->file_cache_format = part.file_cache_format;
  whole->notes.insert(whole->notes.end(), part.notes.begin(), part.notes.end());
}

// A table without layers, a head without layers, or what runs once before the decoder.
void AddPart(const GraphPart& part, const std::string& name, Decoder* whole) {
  whole->file_weight_bytes = SaturatingAdd(whole->file_weight_bytes, part.file_bytes);
  if (part.once.layers == 0 && part.head_n > 0) {
    whole->vocab = part.head_n;
    whole->head_weights = part.once.weights;
    whole->file_head_bytes = part.file_bytes;
    if (whole->hidden == 0) whole->hidden = part.head_k;
  } else if (part.once.layers == 0 && part.table_rows > 0) {
    whole->embedding_weights = CheckedMul(part.table_rows, part.table_width).value_or(INT64_MAX);
    whole->file_embedding_bytes = part.file_bytes;
    if (whole->vocab == 0) whole->vocab = part.table_rows;
  } else {
    std::optional<EncoderPart>& once = ReadsEncoder(*whole) ? whole->encoder : whole->vision;
    if (!once.has_value()) once.emplace();
    once->weights = SaturatingAdd(once->weights, part.once.weights);
    once->macs = SaturatingAdd(once->macs, part.once.macs);
    once->products += part.once.products;
    once->layers += part.once.layers;
    once->tokens = part.once.tokens;
    for (const DecoderLayers& layer : whole->layers) {
      if (layer.cross_tokens > 0) once->tokens = layer.cross_tokens;  // as the decoder reads them
    }
    whole->notes.push_back(absl::StrCat(name, " has no cache: it runs once, as ",
                                        ReadsEncoder(*whole) ? "the encoder" : "the vision part"));
  }
}

absl::StatusOr<Decoder> OfGraphs(const std::vector<std::string>& paths) {
  Decoder whole;
  std::vector<std::pair<std::string, std::shared_ptr<const Graph>>> others;
  bool has_decoder = false;
  absl::Status first_error;
  for (const std::string& path : paths) {
    HWEST_ASSIGN_OR_RETURN(const auto graph, LoadModel(path));
    const absl::StatusOr<Decoder> part = DecoderOfGraph(graph);
    if (part.ok()) {
      if (!has_decoder) whole.name = NameOf(path);
      has_decoder = true;
      whole.tied_embedding |= part->tied_embedding;
      Join(*part, &whole);
    } else if (DiagnosticOf(part.status()).code == Code::kUsage) {
      if (first_error.ok()) first_error = part.status();
      others.emplace_back(NameOf(path), graph);
    } else {
      return part.status();
    }
  }
  if (!has_decoder) return first_error;
  for (const auto& [name, graph] : others) {
    HWEST_ASSIGN_OR_RETURN(const GraphPart part, PartOfGraph(graph));
    AddPart(part, name, &whole);
  }
  return whole;
}

}  // namespace

absl::StatusOr<Decoder> ReadDecoder(absl::Span<const std::string> paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    HWEST_ASSIGN_OR_RETURN(const std::vector<std::string> of_path, FilesOf(path));
    files.insert(files.end(), of_path.begin(), of_path.end());
  }
  if (files.empty())
    return MakeError(Code::kUsage, "no model is named", "name an ONNX graph, config.json or GGUF file");
  HWEST_ASSIGN_OR_RETURN(Decoder decoder, files.size() == 1 ? OfOneFile(files[0]) : OfGraphs(files));
  if (decoder.head_weights == 0) {
    return MakeError(Code::kUsage, absl::StrCat(decoder.name, " makes no logits: it is one part of a decoder"),
                     "name all its graphs, one after the other");
  }
  return decoder;
}

}  // namespace hwest
